// FilePond: a file field that becomes a list of previews.
import * as FilePond from "filepond";
import "filepond/dist/filepond.css";
import { put, report } from "./state.js";

const pond = FilePond.create(put('<label for="f">Papers</label><input id="f" type="file" multiple>', "input"));
report(() => pond.getFiles().map(({ filename, fileSize }) => [filename, fileSize]));
