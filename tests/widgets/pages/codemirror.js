// CodeMirror 6: a code editor that draws its own text.
import { basicSetup, EditorView } from "codemirror";
import { app, report } from "./state.js";

const doc = Array.from({ length: 2000 }, (_, line) => `let v${line} = ${line};`).join("\n");
const editor = new EditorView({ doc, extensions: [basicSetup], parent: app });
report(() => editor.state.doc.toString());
