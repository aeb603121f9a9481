// react-select: a combobox of plain elements whose options exist only while it is open.
import { createRoot } from "react-dom/client";
import Select from "react-select";
import { app, report } from "./state.js";

const fruits = ["Apple", "Banana", "Cherry", "Mango", "Orange", "Papaya", "Plum"].map((label) => ({ value: label, label }));
let chosen = [];
createRoot(app).render(<Select isMulti aria-label="Fruits" options={fruits} onChange={(all) => { chosen = all.map((one) => one.value); }} />);
report(() => chosen);
