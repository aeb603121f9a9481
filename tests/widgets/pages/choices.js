// Choices.js: several values as pills, with a search field.
import Choices from "choices.js";
import "choices.js/public/assets/styles/choices.css";
import { put, report } from "./state.js";

const field = put(`<label for="s">Toppings</label><select id="s" multiple>
  ${["Basil", "Capers", "Olives", "Onion"].map((name) => `<option>${name}</option>`).join("")}</select>`, "select");
const choices = new Choices(field, { removeItemButton: true, labelId: "", searchPlaceholderValue: "Search" });
report(() => choices.getValue(true));
