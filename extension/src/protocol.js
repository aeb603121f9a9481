// The browser wire as the extension speaks it: versions, fault codes, limits. The other end is transport/src/browser_wire.rs.

export const PROTO = { min: 1, max: 1 };
export const HOST = "org.ghostlight";
/** The isolated world of the page agent, in every frame of an adopted tab. */
export const WORLD = "ghostlight";

const KIB = 1024;
const MIB = 1024 * KIB;

export const LIMITS = {
  /** A longer message travels in parts: Chromium closes the port on a frame above 1 MiB towards us. */
  frameBytes: MIB,
  /** JSON text per part; escaped again it stays below `frameBytes`. */
  partBytes: 384 * KIB,
  partedBytes: 32 * MIB,
  partedMessages: 2,
  partedMs: 15_000,
  requests: 128,
  requestBytes: 32 * MIB,
  requestMs: 180_000,
  /** After its deadline a sequence may still release what it holds. */
  settleMs: 1_500,
  lane: 32,
  kept: 128,
  keptBytes: 32 * MIB,
  /** Ids of results that are gone: a repeated request with one is not run again. */
  forgotten: 1024,
  idChars: 128,
  steps: 4096,
  /** Steps of a sequence that may wait for their answers at once, so that a stop takes effect. */
  stepsInFlight: 8,
  stepPauseMs: 10_000,
  eventMs: 50,
  eventBytes: 256 * KIB,
  eventsWaiting: 2048,
  eventsWaitingBytes: 4 * MIB,
  eventsUnackedBytes: 8 * MIB,
  eventText: 2 * KIB,
  /** A page chooses these; longer ones carry nothing more for a reader. */
  titleChars: KIB,
  urlChars: 8 * KIB,
  /** One command of the adoption sequence. */
  setupMs: 3_000,
  /** How long a page may take to be left as the person's own. */
  partingMs: 300,
  /** How long a new worker waits for the pages of remembered tabs before it says hello. */
  restoreMs: 1_000,
  /** Loading a discarded tab again. */
  reloadMs: 10_000,
  reloadRests: 4,
  /** A page that computes does not answer within the first; an interrupt pauses it within the second. */
  probeMs: 500,
  pauseMs: 1_000,
  /** How long a window system may take to give a window its size. */
  windowMs: 1_000,
  /** How long a committed document may take to get its agent. */
  worldMs: 2_000,
  /** How long `frames` waits for frames that are on their way, and how young a document is whose frames may be empty. */
  framesMs: 400,
  youngMs: 1_000,
  /** How long a page may take to show that it has no dialog any more. */
  doubtMs: 400,
  /** How often it is looked whether a dialog that holds a new tab back is over. */
  dialogMs: 200,
  /** Closed shadow roots of one document that are handed over. */
  closedRoots: 1024,
  /** A dialog this soon after a new document may be the former one's. */
  lastWordMs: 300,
  /** A tab without a named opener comes after the click that opens it; the two are told by different ways. */
  childOrderMs: 50,
  /** An event on an adopted tab explains a new tab for this long. */
  childMs: 2_000,
  /** A lost debugger is attached again at most this often. */
  reattachMs: 3_000,
  redialFirstMs: 500,
  redialLastMs: 8_000,
  /** How often a killed worker is started again while tabs are adopted. */
  guardAdoptedMs: 3_000,
};

export const CODES = new Set([
  "bad_request", "unsupported", "too_large", "busy", "not_adopted", "tab_closed", "tab_discarded", "restricted_page",
  "attach_denied", "detached", "stale_document", "dialog_open", "timeout", "cancelled", "paused", "stopped",
  "navigated", "crashed", "page", "cdp", "internal",
]);

/** Why a request has no value. The message is ours or the browser's, never the page's. */
export class Fault extends Error {
  constructor(code, message = "", detail = undefined) {
    super(message);
    this.code = CODES.has(code) ? code : "internal";
    this.detail = detail;
  }

  /** As it stands in a `res`. */
  wire() {
    const out = { code: this.code, message: this.message.slice(0, 500) };
    if (this.detail !== undefined) out.detail = this.detail;
    return out;
  }

  static from(error) {
    return error instanceof Fault ? error : new Fault("internal", String(error?.message ?? error).slice(0, 300));
  }
}

/** The same plain data with every lone surrogate replaced, keys included. */
export function wellFormed(value) {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (value === null || typeof value !== "object") return value;
  const out = {};
  for (const [key, member] of Object.entries(value)) out[key.toWellFormed()] = wellFormed(member);
  return out;
}

/** A frame and its JSON text, both well-formed. Only a text that may hold a lone surrogate is walked. */
export function encode(frame) {
  const text = JSON.stringify(frame);
  if (!/\\ud[89a-f]/i.test(text)) return { frame, text };
  const clean = wellFormed(frame);
  return { frame: clean, text: JSON.stringify(clean) };
}

/** `text` within `chars`, on a character border. */
export function clip(text, chars = LIMITS.eventText) {
  const whole = String(text ?? "");
  return whole.length <= chars ? whole : whole.slice(0, chars).toWellFormed();
}
