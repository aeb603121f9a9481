// noUiSlider: handles that follow keys and the pointer.
import noUiSlider from "nouislider";
import "nouislider/dist/nouislider.css";
import { put, report } from "./state.js";

const rail = put('<style>.noUi-handle { background: #d81b60 !important; box-shadow: none !important; }</style><div style="padding: 40px; width: 500px"><div id="rail"></div></div>', "#rail");
const slider = noUiSlider.create(rail, { start: 20, step: 5, range: { min: 0, max: 100 }, handleAttributes: [{ "aria-label": "Volume" }] });
report(() => Number(slider.get()));
