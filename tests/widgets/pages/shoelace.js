// Shoelace: web components whose parts lie in open shadow roots.
import "@shoelace-style/shoelace/dist/themes/light.css";
import "@shoelace-style/shoelace/dist/components/button/button.js";
import "@shoelace-style/shoelace/dist/components/input/input.js";
import "@shoelace-style/shoelace/dist/components/option/option.js";
import "@shoelace-style/shoelace/dist/components/select/select.js";
import "@shoelace-style/shoelace/dist/components/switch/switch.js";
import { app, put, report } from "./state.js";

put(`<sl-input label="Server name"></sl-input>
  <sl-select label="Region"><sl-option value="ber">Berlin</sl-option><sl-option value="osl">Oslo</sl-option></sl-select>
  <p><sl-switch>Backups</sl-switch></p><sl-button>Create</sl-button>`);
const part = (name) => app.querySelector(name);
const made = [];
part("sl-button").addEventListener("click", () => made.push([part("sl-input").value, part("sl-select").value, part("sl-switch").checked]));
report(() => made);
