// React: every control is held by state, and what React did not see it puts back.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { app, report } from "./state.js";

let saved = [];
const FIRST = { title: "", details: "old", priority: "low", notify: false, city: "oslo", amount: 1 };

function Form() {
  const [held, setHeld] = useState(FIRST);
  const on = (key) => ({ target }) => setHeld({ ...held, [key]: target.type === "checkbox" ? target.checked : target.value });
  const submit = (event) => { event.preventDefault(); saved = [...saved, held]; };
  return <form onSubmit={submit}>
    <label>Title <input value={held.title} onChange={on("title")} /></label>
    <label>Details <textarea value={held.details} onChange={on("details")} /></label>
    <label>City <select value={held.city} onChange={on("city")}>
      <option value="oslo">Oslo</option><option value="rome">Rome</option></select></label>
    <label>Amount <input type="number" value={held.amount} onChange={on("amount")} /></label>
    {["low", "high"].map((value) => <label key={value}>
      <input type="radio" name="p" value={value} checked={held.priority === value} onChange={on("priority")} />{value}</label>)}
    <label><input type="checkbox" checked={held.notify} onChange={on("notify")} />Notify</label>
    <button disabled={!held.title}>Save</button><p>{held.title.length} characters</p></form>;
}

createRoot(app).render(<Form />);
report(() => saved);
