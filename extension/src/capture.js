// Pictures of a tab, hidden or not, with the facts that tie their pixels to the page.
import { checkGuard } from "./guard.js";
import { Fault } from "./protocol.js";

const FORMATS = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp" };

export class Capture {
  constructor({ cdp }) {
    this.cdp = cdp;
  }

  /** `clip` is in CSS pixels of the viewport. */
  async take(call, tab, { clip, scale = 1, format = "png", quality, guard }) {
    if (!Object.hasOwn(FORMATS, format)) throw new Fault("bad_request", "format is png, jpeg or webp");
    if (!(scale > 0 && scale <= 4)) throw new Fault("bad_request", "scale is above 0 and at most 4");
    if (clip && ![clip.x, clip.y, clip.width, clip.height].every(Number.isFinite)) throw new Fault("bad_request", "clip has x, y, width, height");
    if (tab.dialog) throw tab.dialogFault();
    const send = (method, params) => this.cdp.send(tab, { method, params }, { signal: call.signal });
    checkGuard(guard, guard && tab.docs.frame(guard.frameId));
    const before = tab.docs.doc();
    const { cssVisualViewport: seen, visualViewport: device } = await send("Page.getLayoutMetrics");
    const viewport = { width: seen.clientWidth, height: seen.clientHeight, dpr: ratio(device, seen) };
    const scroll = { x: seen.pageX, y: seen.pageY };
    const params = { format, ...(format !== "png" && quality !== undefined && { quality }) };
    if (clip || scale !== 1) Object.assign(params, region(clip ?? { x: 0, y: 0, ...viewport }, scroll, scale));
    const { data } = await send("Page.captureScreenshot", params);
    const doc = tab.docs.doc();
    if (doc?.loaderId !== before?.loaderId) throw new Fault("stale_document", "the page changed while the picture was taken");
    return { data, mime: FORMATS[format], viewport, scroll, doc };
  }
}

function ratio(device, css) {
  return css.clientWidth > 0 ? Math.round((device.clientWidth / css.clientWidth) * 1000) / 1000 : 1;
}

/** The browser wants document coordinates, and with captureBeyondViewport off a scrolled page comes out blank. */
function region({ x, y, width, height }, scroll, scale) {
  return { clip: { x: x + scroll.x, y: y + scroll.y, width, height, scale }, captureBeyondViewport: true };
}
