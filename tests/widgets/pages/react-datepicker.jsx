// react-datepicker: a text field with a calendar of months.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import DatePicker from "react-datepicker";
import "react-datepicker/dist/react-datepicker.css";
import { app, report } from "./state.js";

let due = null;
function Due() {
  const [date, setDate] = useState(new Date(2027, 3, 5));
  const take = (chosen) => { setDate(chosen); due = chosen && [chosen.getFullYear(), chosen.getMonth() + 1, chosen.getDate()]; };
  return <label>Due <DatePicker selected={date} onChange={take} dateFormat="yyyy-MM-dd" /></label>;
}
createRoot(app).render(<Due />);
report(() => due);
