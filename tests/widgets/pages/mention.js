// A contenteditable with mentions: a list comes after @, and a choice becomes one piece.
import Tribute from "tributejs";
import "tributejs/dist/tribute.css";
import { put, report } from "./state.js";

const place = put('<div contenteditable="true" role="textbox" aria-label="Comment" style="border: 1px solid; min-height: 60px"></div>', "div");
const values = ["Ada", "Barbara", "Grace"].map((key) => ({ key, value: key.toLowerCase() }));
new Tribute({ values, selectTemplate: ({ original }) => `<b contenteditable="false">@${original.value}</b>` }).attach(place);
report(() => [place.textContent.replace(/\s+/g, " ").trim(), [...place.querySelectorAll("b")].map((piece) => piece.textContent)]);
