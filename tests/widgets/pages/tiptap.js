// TipTap: an editor on ProseMirror with toolbar buttons that keep its selection.
import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { app, put, report } from "./state.js";

put(`<button id="bold">Bold</button> <button id="list">Bullet list</button>
  <div id="body" style="border: 1px solid #888; padding: 8px; min-height: 80px"></div>`);
const editor = new Editor({
  element: app.querySelector("#body"),
  extensions: [StarterKit],
  content: "<p>Old words</p>",
  editorProps: { attributes: { role: "textbox", "aria-label": "Body" } },
});
app.querySelector("#bold").onclick = () => editor.chain().focus().toggleBold().run();
app.querySelector("#list").onclick = () => editor.chain().focus().toggleBulletList().run();
report(() => editor.getHTML().replace(/<p><\/p>$/, ""));
