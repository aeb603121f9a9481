// Tom Select: takes the place of a native select.
import TomSelect from "tom-select";
import "tom-select/dist/css/tom-select.css";
import { put, report } from "./state.js";

const animals = ["Badger", "Beaver", "Fox", "Hare", "Otter", "Wolf"];
const field = put(`<label for="s">Animal</label><select id="s"><option value="">Pick one</option>
  ${animals.map((name) => `<option>${name}</option>`).join("")}</select>`, "select");
const select = new TomSelect(field, {});
report(() => select.getValue());
