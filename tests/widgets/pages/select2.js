// Select2 (jQuery): a list with a search field at the end of the body.
import $ from "jquery";
import "select2/dist/css/select2.css";
import { put, report } from "./state.js";

window.jQuery = window.$ = $;
const { default: install } = await import("select2");
if (!$.fn.select2) install(window, $);
const rivers = ["Amazon", "Danube", "Elbe", "Loire", "Volga"].map((name) => `<option>${name}</option>`);
const field = $(put(`<label for="s">River</label><select id="s" style="width: 240px"><option></option>${rivers.join("")}</select>`, "select"));
field.select2({ placeholder: "Choose a river" });
report(() => field.val());
