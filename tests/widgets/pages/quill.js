// Quill: a rich-text editor with a toolbar of its own.
import Quill from "quill";
import "quill/dist/quill.snow.css";
import { put, report } from "./state.js";

const place = put('<div style="height: 200px"></div>', "div");
const editor = new Quill(place, { theme: "snow" });
editor.root.setAttribute("aria-label", "Story");
report(() => editor.getContents().ops.map(({ insert, attributes }) => (attributes ? [insert, Object.keys(attributes)] : insert)));
