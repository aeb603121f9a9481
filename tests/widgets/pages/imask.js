// IMask: writes brackets and hyphens by itself.
import IMask from "imask";
import { put, report } from "./state.js";

const mask = IMask(put('<label>Phone <input></label>', "input"), { mask: "(000) 000-0000" });
report(() => [mask.value, mask.unmaskedValue]);
