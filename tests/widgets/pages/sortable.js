// SortableJS: a list whose items are dragged by the browser's own drag and drop.
import Sortable from "sortablejs";
import { app, put, report } from "./state.js";

put(`<ul style="width: 240px; padding: 0">${["Alpha", "Bravo", "Charlie", "Delta"].map((name) =>
  `<li style="border: 1px solid; padding: 8px; list-style: none">${name}</li>`).join("")}</ul>`);
const list = app.querySelector("ul");
new Sortable(list, { animation: 100 });
report(() => [...list.children].map((item) => item.textContent));
