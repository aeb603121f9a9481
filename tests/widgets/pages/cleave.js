// Cleave: groups the digits of a card number while they are typed.
import Cleave from "cleave.js";
import { put, report } from "./state.js";

const number = new Cleave(put('<label>Membership <input autocomplete="off"></label>', "input"), { blocks: [4, 4, 4], delimiter: " " });
report(() => [number.getFormattedValue(), number.getRawValue()]);
