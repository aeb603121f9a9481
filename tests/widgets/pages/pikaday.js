// Pikaday: a calendar with selects for month and year over it.
import Pikaday from "pikaday";
import "pikaday/css/pikaday.css";
import { put, report } from "./state.js";

const field = put("<label>Birthday <input></label>", "input");
new Pikaday({ field, defaultDate: new Date(2027, 3, 5), toString: (day) => [day.getFullYear(), day.getMonth() + 1, day.getDate()].join("-") });
report(() => field.value);
