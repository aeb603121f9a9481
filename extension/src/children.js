// Which new tab was opened by an adopted one: only by what the browser said of the opening tab itself. Pure.
import { LIMITS } from "./protocol.js";

const REMEMBERED = 16;

export class Children {
  #evidence = [];
  #created = [];

  /** An event on an adopted tab: `{source, kind: "window" | "tab", url}`. The tab it explains, if already seen.
   * Evidence that pointed at a wrong tab may come again; it keeps its time. */
  evidence(found, now) {
    this.#expire(now);
    // Only its address speaks for such a tab: one that was there before the click is somebody else's.
    const since = found.kind === "tab" ? now - LIMITS.childOrderMs : -Infinity;
    const at = this.#created.findIndex((tab) => tab.now >= since && explains(found, tab));
    if (at >= 0) return { evidence: found, tabId: this.#created.splice(at, 1)[0].tabId };
    this.#evidence.push({ now, ...found });
    if (this.#evidence.length > REMEMBERED) this.#evidence.shift();
    return null;
  }

  /** A tab that appeared: `{tabId, url}`. The evidence that explains it, if already seen. */
  created(tab, now) {
    this.#expire(now);
    const at = this.#evidence.findIndex((found) => explains(found, tab));
    if (at >= 0) return { evidence: this.#evidence.splice(at, 1)[0], tabId: tab.tabId };
    this.#created.push({ ...tab, now });
    if (this.#created.length > REMEMBERED) this.#created.shift();
    return null;
  }

  #expire(now) {
    const fresh = ({ now: then }) => now - then <= LIMITS.childMs;
    this.#evidence = this.#evidence.filter(fresh);
    this.#created = this.#created.filter(fresh);
  }
}

/** A candidate, no more: a tab from `window.open` has no address yet, and its opener is confirmed after the fact. */
function explains({ kind, url: wanted }, { url }) {
  if (kind === "window" && (!url || url === "about:blank")) return true;
  return same(wanted || "about:blank", url || "about:blank");
}

/** Whether two addresses lead to the same place, as written by a page or by the browser. */
export function same(one, other) {
  try {
    return new URL(one).href === new URL(other).href;
  } catch {
    return one === other;
  }
}
