// AutoNumeric and jQuery Mask: fields that follow keys, and set their caret a moment after each.
import AutoNumeric from "autonumeric";
import $ from "jquery";
import { put, report } from "./state.js";

window.jQuery = $;
await import("jquery-mask-plugin");
put("<label>Sum <input id=sum></label><label>Phone <input id=phone></label><label>Other <input id=other></label>");
const sum = new AutoNumeric("#sum", { digitGroupSeparator: "" });
$("#phone").mask("(000) 000-0000");
report(() => [sum.getNumericString(), document.getElementById("phone").value]);
