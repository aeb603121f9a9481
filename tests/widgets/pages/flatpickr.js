// flatpickr: a read-only field whose calendar has a time in it.
import flatpickr from "flatpickr";
import "flatpickr/dist/flatpickr.css";
import { put, report } from "./state.js";

const picker = flatpickr(put("<label>Meeting <input></label>", "input"), { defaultDate: "2027-04-05", enableTime: true, time_24hr: true });
report(() => picker.input.value);
