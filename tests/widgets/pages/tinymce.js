// TinyMCE: an editor whose text is the body of a frame.
import tinymce from "tinymce";
import "tinymce/icons/default";
import "tinymce/themes/silver";
import "tinymce/models/dom";
import "tinymce/skins/ui/oxide/skin.js";
import "tinymce/skins/ui/oxide/content.js";
import "tinymce/skins/content/default/content.js";
import { put, report } from "./state.js";

put("<textarea>&lt;p&gt;Old words&lt;/p&gt;</textarea>");
const [editor] = await tinymce.init({ selector: "textarea", license_key: "gpl", toolbar: "bold italic", height: 300 });
report(() => editor.getContent());
