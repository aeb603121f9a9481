// Tabulator: cells that become fields when they are clicked.
import { TabulatorFull as Tabulator } from "tabulator-tables";
import "tabulator-tables/dist/css/tabulator.css";
import { put, report } from "./state.js";

const data = ["Bolt", "Nut", "Screw"].map((part, id) => ({ id, part, stock: 10 * id }));
const columns = [{ title: "Part", field: "part" }, { title: "Stock", field: "stock", editor: "input" }];
const table = new Tabulator(put("<div></div>", "div"), { data, columns, layout: "fitColumns" });
report(() => table.getData().map(({ stock }) => stock));
