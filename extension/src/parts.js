// Messages longer than one frame: cut into parts on character borders, and joined again within bounds.
import { Fault, LIMITS } from "./protocol.js";

const utf8 = new TextEncoder();
const text8 = new TextDecoder();

/** Bytes of UTF-8. */
export function byteLength(text) {
  return utf8.encode(text).length;
}

/** Whether `text` needs parts; most texts are told by their length alone. */
export function needsParts(text, limit = LIMITS.frameBytes) {
  if (text.length * 3 <= limit) return false;
  return text.length > limit || byteLength(text) > limit;
}

/** The `part` frames of `text`, in order. */
export function split(text, xfer, size = LIMITS.partBytes) {
  const bytes = utf8.encode(text);
  if (bytes.length > LIMITS.partedBytes) throw new Fault("too_large", `${bytes.length} bytes exceed ${LIMITS.partedBytes}`);
  const texts = [];
  for (let at = 0; at < bytes.length; ) {
    let end = Math.min(at + size, bytes.length);
    while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end -= 1;
    texts.push(text8.decode(bytes.subarray(at, end)));
    at = end;
  }
  return texts.map((part, i) => ({ t: "part", xfer, i, n: texts.length, bytes: bytes.length, text: part }));
}

/** Joins the parts of several messages, in any order. Time comes in as a number. */
export class Joiner {
  #open = new Map();

  constructor(limits = LIMITS) {
    this.limits = limits;
  }

  get open() {
    return this.#open.size;
  }

  /** The whole text with the last part, else null. A transfer that breaks a rule is dropped whole. */
  push(part, now) {
    this.#expire(now);
    const { xfer, i, n, bytes, text } = part;
    let transfer = this.#open.get(xfer);
    if (!transfer) {
      this.#admit(part);
      transfer = { n, bytes, texts: new Array(n), left: n, size: 0, since: now };
      this.#open.set(xfer, transfer);
    }
    const fits = transfer.n === n && transfer.bytes === bytes && Number.isInteger(i) && i >= 0 && i < n;
    if (!fits || typeof text !== "string" || transfer.texts[i] !== undefined) return this.#drop(xfer, "a part does not fit");
    transfer.texts[i] = text;
    transfer.left -= 1;
    transfer.size += byteLength(text);
    if (transfer.size > bytes) return this.#drop(xfer, "more bytes than announced");
    if (transfer.left > 0) return null;
    this.#open.delete(xfer);
    if (transfer.size !== bytes) throw new Fault("bad_request", "fewer bytes than announced");
    return transfer.texts.join("");
  }

  clear() {
    this.#open.clear();
  }

  #admit({ xfer, n, bytes }) {
    const { partedMessages, partedBytes } = this.limits;
    if (this.#open.size >= partedMessages) throw new Fault("busy", "too many transfers");
    const sane = Number.isInteger(xfer) && Number.isInteger(n) && n > 0 && Number.isInteger(bytes) && bytes > 0;
    // A part may be shorter than the usual size, but not so short that the count alone is a burden.
    if (!sane || n > bytes || n > 4096) throw new Fault("bad_request", "a part without a sane count");
    if (bytes > partedBytes) throw new Fault("too_large", `${bytes} bytes exceed ${partedBytes}`);
  }

  #drop(xfer, why) {
    this.#open.delete(xfer);
    throw new Fault("bad_request", why);
  }

  #expire(now) {
    for (const [xfer, transfer] of this.#open) {
      if (now - transfer.since > this.limits.partedMs) this.#open.delete(xfer);
    }
  }
}
