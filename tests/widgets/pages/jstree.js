// jsTree (jQuery): branches that open by a double click.
import $ from "jquery";
import "jstree/dist/themes/default/style.css";
import { put, report } from "./state.js";

window.jQuery = window.$ = $;
await import("jstree");
const leaf = (text) => ({ id: text, text });
const data = [{ ...leaf("src"), children: [{ ...leaf("lib"), children: [leaf("word.js"), leaf("view.js")] }, leaf("main.js")] }, leaf("docs")];
const tree = $(put("<div></div>", "div"));
tree.jstree({ core: { data, animation: 0, worker: false, themes: { icons: false } } });
report(() => tree.jstree(true).get_selected?.() ?? []);
