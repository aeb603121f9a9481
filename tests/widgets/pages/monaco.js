// Monaco: the editor of VS Code.
import { editor } from "monaco-editor/editor/editor.api";
import { app, report } from "./state.js";

self.MonacoEnvironment = { getWorker: () => ({ postMessage() {}, addEventListener() {}, removeEventListener() {}, terminate() {} }) };
app.style.cssText = "height: 300px; border: 1px solid";
const code = editor.create(app, { value: "let a = 1;\nlet b = 2;\n", language: "plaintext" });
report(() => code.getValue());
