// Events on their way to the service: numbered, in batches, before any result they precede; bounded, drops counted.
import { LIMITS } from "./protocol.js";

const OPTIONAL = new Set(["request", "console"]);

export class Events {
  #items = [];
  #bytes = 0;
  #dropped = 0;
  /** Tab → how many of its lines and requests were dropped. */
  #lost = new Map();
  #seq = 0;
  #unacked = [];
  #timer = null;
  #soon = false;
  #open = false;

  /** `post(frame)` sends one `ev`. */
  constructor(post, timers = globalThis) {
    this.post = post;
    this.timers = timers;
  }

  push(item) {
    const last = this.#items.at(-1);
    // Titles and addresses change in bursts; the latest says all.
    if (item.what === "updated" && last?.item.what === "updated" && last.item.tab.tabId === item.tab.tabId) {
      last.item = item;
      return;
    }
    const bytes = 64 + JSON.stringify(item).length;
    if (OPTIONAL.has(item.k) && this.#unackedBytes() > LIMITS.eventsUnackedBytes) return this.#count(item);
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
    while (this.#items.length > LIMITS.eventsWaiting || this.#bytes > LIMITS.eventsWaitingBytes) this.#drop();
    if (this.#bytes >= LIMITS.eventBytes) this.flush();
    else if (this.#open) this.#schedule(isAwaited(item));
  }

  /** What a tool may be waiting for goes at the end of this turn, with all before it. */
  #schedule(soon) {
    if (this.#timer !== null && (!soon || this.#soon)) return;
    if (this.#timer !== null) this.timers.clearTimeout(this.#timer);
    this.#soon = soon;
    this.#timer = this.timers.setTimeout(() => this.flush(), soon ? 0 : LIMITS.eventMs);
  }

  /** Sends what waits, now. */
  flush() {
    if (this.#timer !== null) this.timers.clearTimeout(this.#timer);
    this.#timer = null;
    this.#soon = false;
    if (!this.#open || (this.#items.length === 0 && this.#dropped === 0)) return;
    const items = [...this.#losses(), ...this.#items.map(({ item }) => item)];
    const frame = { t: "ev", seq: (this.#seq += 1), items, dropped: this.#dropped };
    this.#unacked.push({ seq: this.#seq, bytes: this.#bytes });
    if (this.#unacked.length > LIMITS.eventsWaiting) this.#unacked.shift();
    this.#items = [];
    this.#bytes = 0;
    this.#dropped = 0;
    this.post(frame);
  }

  ack(seq) {
    this.#unacked = this.#unacked.filter((batch) => batch.seq > seq);
  }

  /** The service has welcomed us: events flow. What an earlier service had not acknowledged is history. */
  open() {
    this.#open = true;
    this.#unacked = [];
    this.flush();
  }

  close() {
    this.#open = false;
  }

  #unackedBytes() {
    return this.#unacked.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #drop() {
    const optional = this.#items.findIndex(({ item }) => OPTIONAL.has(item.k));
    const [{ item, bytes }] = this.#items.splice(Math.max(optional, 0), 1);
    this.#bytes -= bytes;
    this.#count(item);
  }

  #count({ k, tabId }) {
    this.#dropped += 1;
    if (!OPTIONAL.has(k)) return;
    const lost = this.#lost.get(tabId) ?? { k: "lost", tabId, request: 0, console: 0 };
    lost[k] += 1;
    this.#lost.set(tabId, lost);
  }

  /** Told before what came after them. */
  #losses() {
    const losses = [...this.#lost.values()];
    this.#lost.clear();
    return losses;
  }
}

/** Bursts of the others may wait for each other. */
function isAwaited({ k, what, main }) {
  return !OPTIONAL.has(k) && what !== "updated" && (k !== "doc" || main === true);
}
