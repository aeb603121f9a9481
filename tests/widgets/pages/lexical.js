// Lexical: an editor that takes beforeinput events and draws the text itself.
import { registerRichText } from "@lexical/rich-text";
import { $getRoot, createEditor } from "lexical";
import { put, report } from "./state.js";

const place = put('<div contenteditable="true" role="textbox" aria-label="Post" style="border: 1px solid; min-height: 80px"></div>', "div");
const editor = createEditor({ onError: (fault) => { throw fault; } });
editor.setRootElement(place);
registerRichText(editor);
report(() => editor.getEditorState().read(() => $getRoot().getTextContent()));
