// Trix: the editor of Basecamp, which makes new lines with the next frame.
import "trix";
import "trix/dist/trix.css";
import { put, report } from "./state.js";

const body = put('<label for=t>Body</label><input id=b type=hidden><trix-editor id=t input=b></trix-editor>', "#b");
report(() => body.value);
