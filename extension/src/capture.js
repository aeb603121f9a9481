// Pictures of a tab, hidden or not, with the facts that tie their pixels to the page.
import { checkGuard } from "./guard.js";
import { Fault } from "./protocol.js";

const TRIES = 4;
const AGAIN_MS = 60;
const NUDGES = 8;
const NUDGE_MS = 150;
/** Also asks for frames: a picture waits for the next one, and a page where nothing moves may draw none for seconds. */
const MEASURE = "requestAnimationFrame(() => requestAnimationFrame(() => {})), [innerWidth, innerHeight, devicePixelRatio, scrollX, scrollY]";

const FORMATS = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp" };

export class Capture {
  constructor({ cdp }) {
    this.cdp = cdp;
  }

  /** `clip` is in CSS pixels of the viewport. Without a guard a page that changes meanwhile is taken again. */
  async take(call, tab, { clip, scale = 1, format = "png", quality, guard }) {
    if (!Object.hasOwn(FORMATS, format)) throw new Fault("bad_request", "format is png, jpeg or webp");
    if (!(scale > 0 && scale <= 4)) throw new Fault("bad_request", "scale is above 0 and at most 4");
    if (clip && !isRegion(clip)) throw new Fault("bad_request", "clip has x, y, and a width and height above 0");
    for (let tries = guard ? 1 : TRIES; ; tries -= 1) {
      try {
        if (tab.dialog) throw tab.dialogFault();
        checkGuard(guard, guard && tab.docs.frame(guard.frameId));
        return await this.#take(call, tab, { clip, scale, format, quality });
      } catch (fault) {
        if (fault.code !== "stale_document" || tries <= 1) throw fault;
        await tab.race(new Promise((resolve) => setTimeout(resolve, AGAIN_MS)), { signal: call.signal });
      }
    }
  }

  async #take(call, tab, { clip, scale, format, quality }) {
    const send = (method, params) => this.cdp.send(tab, { method, params }, { signal: call.signal, ofDocument: true });
    const before = tab.docs.doc();
    const measuring = measure(tab, send);
    const params = { format, ...(format !== "png" && quality !== undefined && { quality }) };
    if (clip || scale !== 1) {
      const { viewport, scroll } = await measuring;
      const { cssVisualViewport } = await send("Page.getLayoutMetrics");
      Object.assign(params, region(clip ?? { x: 0, y: 0, ...viewport }, scroll, { scale, zoom: cssVisualViewport.zoom ?? 1 }));
    }
    const shooting = this.#shoot(params, send);
    if (params.clip) measure(tab, send).catch(() => {});
    const [{ viewport, scroll }, { data }] = await Promise.all([measuring, shooting]);
    const doc = tab.docs.doc();
    if (doc?.loaderId !== before?.loaderId) throw new Fault("stale_document", "the page changed while the picture was taken");
    return { data, mime: FORMATS[format], viewport, scroll, doc };
  }

  /** Where measuring brought no frame, pictures that nobody looks at ask for more. */
  async #shoot(params, send) {
    const picture = send("Page.captureScreenshot", params);
    let left = NUDGES;
    const timer = setInterval(() => {
      if ((left -= 1) < 0) return clearInterval(timer);
      return send("Page.captureScreenshot", { format: "jpeg", quality: 1 }).catch(() => {});
    }, NUDGE_MS);
    try {
      return await picture;
    } finally {
      clearInterval(timer);
    }
  }
}

/** The area a picture shows, scroll bars included: asked in the agent's world, which the page cannot reach. */
async function measure(tab, send) {
  const world = tab.docs.world();
  if (world) {
    const params = { expression: MEASURE, uniqueContextId: world.uniqueId, returnByValue: true };
    const { result } = await send("Runtime.evaluate", params);
    const [width, height, dpr, x, y] = result.value;
    return { viewport: { width, height, dpr }, scroll: { x, y } };
  }
  const { layoutViewport: device, cssLayoutViewport: css } = await send("Page.getLayoutMetrics");
  const dpr = css.clientWidth > 0 ? device.clientWidth / css.clientWidth : 1;
  return { viewport: { width: css.clientWidth, height: css.clientHeight, dpr }, scroll: { x: css.pageX, y: css.pageY } };
}

function isRegion({ x, y, width, height }) {
  return [x, y, width, height].every(Number.isFinite) && width > 0 && height > 0;
}

/** The browser wants document coordinates as before the person's zoom, and with captureBeyondViewport off a scrolled page
 * comes out blank. */
function region({ x, y, width, height }, scroll, { scale, zoom }) {
  const clip = { x: (x + scroll.x) * zoom, y: (y + scroll.y) * zoom, width: width * zoom, height: height * zoom, scale };
  return { clip, captureBeyondViewport: true };
}
