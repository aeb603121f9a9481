// What the extension refuses whoever asks: pages that are not the web, CDP methods off the list, another document. Pure.
import { Fault } from "./protocol.js";

/** By method: whether it acts on the page. `ask` leaves that to the request. */
const METHODS = new Map(
  Object.entries({
    effect: [
      "Page.navigate", "Page.reload", "Page.navigateToHistoryEntry", "Page.stopLoading", "Page.handleJavaScriptDialog",
      "DOM.scrollIntoViewIfNeeded", "DOM.focus",
      "Input.dispatchMouseEvent", "Input.dispatchDragEvent", "Input.dispatchKeyEvent", "Input.insertText",
      "Emulation.setDeviceMetricsOverride", "Emulation.clearDeviceMetricsOverride",
    ],
    ask: ["Runtime.evaluate", "Runtime.callFunctionOn"],
    read: [
      "Page.getNavigationHistory", "Page.captureScreenshot", "Page.getLayoutMetrics", "Page.getFrameTree",
      "Runtime.getProperties", "Runtime.releaseObject", "Runtime.releaseObjectGroup",
      "DOM.describeNode", "DOM.resolveNode", "DOM.getFrameOwner", "DOM.getContentQuads", "DOM.getBoxModel", "DOM.getNodeForLocation",
      "Accessibility.getPartialAXTree", "Accessibility.queryAXTree", "Accessibility.getFullAXTree",
      "Network.getResponseBody", "Network.getRequestPostData",
    ],
  }).flatMap(([kind, names]) => names.map((name) => [name, kind])),
);

/** Answered by the browser process, so an open dialog does not hold them back. */
export const PAST_DIALOG = new Set(["Page.handleJavaScriptDialog", "Page.getNavigationHistory"]);

/** What a tab whose page crashed still answers: where it was, and another document. */
export const PAST_CRASH = new Set([
  "Page.navigate", "Page.reload", "Page.navigateToHistoryEntry", "Page.getNavigationHistory", "Page.handleJavaScriptDialog",
]);

/** `effect`, `ask` or `read`; refuses a method that is not on the list. */
export function methodKind(method) {
  const kind = METHODS.get(method);
  if (!kind) throw new Fault("unsupported", `${String(method).slice(0, 80)} is not allowed`);
  return kind;
}

/** Refuses an address that no agent may open. `files` tells whether the person allowed file addresses. */
export function checkDestination(address, files) {
  let url;
  try {
    url = new URL(address);
  } catch {
    throw new Fault("bad_request", "not an absolute address");
  }
  if (url.protocol === "http:" || url.protocol === "https:") return;
  if (url.href.split(/[?#]/)[0] === "about:blank") return;
  if (url.protocol === "file:" && files) return;
  const why = url.protocol === "file:" ? "file addresses are not allowed for this extension" : `${url.protocol} pages are not for agents`;
  throw new Fault("restricted_page", why);
}

/** Whether an agent may work in a document at this address; wider than where it may go by itself. */
export function isWorkable(address, files) {
  if (address === "" || address === undefined) return true;
  if (/^(https?:\/\/|about:blank|about:srcdoc|chrome-error:\/\/)/.test(address)) return true;
  if (/^blob:https?:\/\//.test(address)) return true;
  return files && address.startsWith("file://");
}

/** Refuses when the present document of the guard's frame is another one. */
export function checkGuard(guard, frame) {
  if (!guard) return;
  if (typeof guard.frameId !== "string" || typeof guard.loaderId !== "string") {
    throw new Fault("bad_request", "a guard names frameId and loaderId");
  }
  if (!frame) throw new Fault("stale_document", "the frame is gone");
  if (frame.loaderId !== guard.loaderId) throw new Fault("stale_document", "the frame holds another document");
}
