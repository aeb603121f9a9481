// EasyMDE on CodeMirror 5: an editor that takes keys in a field which holds none of its text.
import EasyMDE from "easymde";
import "easymde/dist/easymde.min.css";
import { put, report } from "./state.js";

const element = put("<textarea>Old words</textarea>", "textarea");
const editor = new EasyMDE({ element, spellChecker: false, autoDownloadFontAwesome: false });
report(() => editor.value());
