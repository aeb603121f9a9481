// Ant Design: a select whose list lies at the end of the body, a number field and a switch.
import { Button, Form, Input, InputNumber, Select, Switch } from "antd";
import { createRoot } from "react-dom/client";
import { app, report } from "./state.js";

const sent = [];
const sizes = ["Small", "Medium", "Large"].map((label) => ({ value: label.toLowerCase(), label }));
createRoot(app).render(<Form onFinish={(values) => sent.push(values)}>
  <Form.Item name="name" label="Name" rules={[{ required: true }]}><Input /></Form.Item>
  <Form.Item name="size" label="Size"><Select options={sizes} style={{ width: 200 }} /></Form.Item>
  <Form.Item name="count" label="Count"><InputNumber min={1} max={50} /></Form.Item>
  <Form.Item name="gift" label="Gift"><Switch /></Form.Item>
  <Button htmlType="submit">Order</Button></Form>);
report(() => sent);
