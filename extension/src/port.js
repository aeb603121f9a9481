// The native port: opened, watched and opened again with growing pauses. Messages go through whole or in parts.
import { Joiner, needsParts, split } from "./parts.js";
import { LIMITS } from "./protocol.js";

const ALARM = "redial";
const NO_HOST = /not found|forbidden|invalid native/i;

export class Port {
  #port = null;
  #joiner = new Joiner();
  #pause = LIMITS.redialFirstMs;
  #timer = null;
  #xfer = 0;
  /** The alarm's present period. */
  #guard = 0;
  /** Why the last port ended, in the browser's words. */
  lastError = "";

  /** `receive(message, size)` takes whole messages; `changed(open)` hears of the port. */
  constructor({ chrome, receive, changed }) {
    Object.assign(this, { chrome, receive, changed });
    this.host = undefined;
  }

  /**
   * The safety net: a worker without a port, or one that was killed, is started again by an event only. While tabs are
   * adopted a call may be waiting for it; a packed extension gets no alarm faster than 30 s.
   */
  guardByAlarm(adopted = false) {
    const periodInMinutes = adopted ? LIMITS.guardAdoptedMs / 60_000 : 0.5;
    if (periodInMinutes === this.#guard) return;
    this.#guard = periodInMinutes;
    this.chrome.alarms.create(ALARM, { periodInMinutes });
  }

  get open() {
    return this.#port !== null;
  }

  /** No native host answers to the name: nothing is installed. */
  get hostMissing() {
    return !this.open && NO_HOST.test(this.lastError);
  }

  connect(host = this.host) {
    this.host = host;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#port || !host) return;
    const port = this.chrome.runtime.connectNative(host);
    this.#port = port;
    this.#joiner.clear();
    port.onMessage.addListener((message) => this.#received(port, message));
    port.onDisconnect.addListener(() => this.#lost(port));
    this.changed(true);
  }

  #received(port, message) {
    if (port !== this.#port || message === null || typeof message !== "object") return;
    // A connector that delivers works; the next loss starts from the short pause again.
    this.#pause = LIMITS.redialFirstMs;
    if (message.t !== "part") return this.receive(message, 256 + (message.p ? JSON.stringify(message.p).length : 0));
    try {
      const text = this.#joiner.push(message, performance.now());
      if (text !== null) this.receive(JSON.parse(text), text.length);
    } catch (error) {
      // Whose request it was is in the part that is missing; its sender's deadline tells it.
      console.warn(`dropped a message in parts: ${error.message}`);
    }
  }

  /** A new connection behind the same port: what it had begun is void. */
  restart() {
    this.#joiner.clear();
  }

  #lost(port) {
    const error = this.chrome.runtime.lastError?.message ?? "";
    if (port !== this.#port) return;
    this.#port = null;
    this.lastError = error;
    this.changed(false);
    // Without a host the alarm alone asks again.
    if (NO_HOST.test(error)) return;
    const pause = this.#pause * (0.75 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, LIMITS.redialLastMs);
    this.#timer = setTimeout(() => this.connect(), pause);
  }

  /** Sends a message given as text, as object, or both. Whether a port was there. */
  post({ text = undefined, frame = undefined }) {
    const port = this.#port;
    if (!port) return false;
    try {
      const whole = text ?? JSON.stringify(frame);
      if (!needsParts(whole)) port.postMessage(frame ?? JSON.parse(whole));
      else for (const part of split(whole, (this.#xfer += 1))) port.postMessage(part);
      return true;
    } catch (error) {
      console.warn(`a message was not sent: ${error.message}`);
      return false;
    }
  }
}
