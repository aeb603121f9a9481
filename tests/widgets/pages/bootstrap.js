// Bootstrap: a modal that fades in, and a button in it that waits for the right word.
import { Modal } from "bootstrap";
import "bootstrap/dist/css/bootstrap.css";
import { app, put, report } from "./state.js";

put(`<button class="btn btn-danger" data-bs-toggle="modal" data-bs-target="#m">Delete project</button>
  <div class="modal fade" id="m" tabindex="-1" aria-labelledby="t"><div class="modal-dialog"><div class="modal-content">
  <div class="modal-header"><h5 class="modal-title" id="t">Are you sure?</h5></div>
  <div class="modal-body"><label>Type DELETE <input class="form-control"></label></div>
  <div class="modal-footer"><button class="btn" data-bs-dismiss="modal">Cancel</button>
  <button id="go" class="btn btn-danger" disabled>Yes, delete</button></div></div></div></div>`);
const [field, go] = [app.querySelector("input"), app.querySelector("#go")];
let deleted = 0;
field.oninput = () => { go.disabled = field.value !== "DELETE"; };
go.onclick = () => { deleted += 1; Modal.getInstance("#m").hide(); };
report(() => ({ deleted, open: Boolean(document.querySelector(".modal.show")) }));
