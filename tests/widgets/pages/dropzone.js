// Dropzone: an area that takes files and sends them at once.
import Dropzone from "dropzone";
import { put, report } from "./state.js";

Dropzone.autoDiscover = false;
const zone = new Dropzone(put('<form id="z" action="/upload" style="border: 2px dashed; padding: 40px"><div class="dz-message">Drop files here</div></form>', "form"), { url: "/upload", autoProcessQueue: false });
report(() => zone.files.map(({ name, size }) => [name, size]));
