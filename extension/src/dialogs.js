// Dialogs of the pages: which is open, which ended unseen, and which other tabs stand still with it.
import { clip, LIMITS } from "./protocol.js";

const PROBE = { method: "Runtime.evaluate", params: { expression: "0" } };

const late = () => new Promise((resolve) => setTimeout(resolve, LIMITS.doubtMs));

export class Dialogs {
  constructor({ chrome, cdp, roster, emit }) {
    Object.assign(this, { chrome, cdp, roster, emit });
  }

  async opened(tab, { type, message, defaultPrompt, frameId }) {
    const dialog = { type, message: clip(message), ...(defaultPrompt && { defaultPrompt: clip(defaultPrompt) }) };
    const opening = (tab.opening = {});
    // The last word of a document that is gone already may come after its successor.
    const young = performance.now() - tab.changedAt < LIMITS.lastWordMs;
    const own = frameId === undefined ? tab.sessions.size === 1 : frameId === tab.docs.mainFrameId;
    if (young && own && (await this.#answers(tab))) return;
    if (tab.opening !== opening) return;
    this.emit({ k: "dialog", tabId: tab.tabId, what: "opened", ...dialog });
    tab.dialogOpened(dialog, frameId);
    this.roster.changed();
    this.#probeOthers(tab);
  }

  /** In a new worker: a dialog may have ended meanwhile, and what stood still may have gone on. */
  restore() {
    for (const tab of this.roster.all()) {
      if (!tab.asks) continue;
      this.doubt(tab);
      this.#probeOthers(tab);
    }
  }

  /** By the browser's word, or found out. */
  closed(tab) {
    tab.opening = null;
    if (!tab.asks) return;
    Object.assign(tab, { asks: null, doubted: null });
    for (const other of this.roster.all()) if (other.heldBy === tab) other.heldBy = null;
    this.emit({ k: "dialog", tabId: tab.tabId, what: "closed" });
    this.roster.changed();
  }

  /** The browser ends a dialog together with its document and does not say so. A page that answers shows none,
   *  now or when it comes to it; a call that arrives meanwhile waits a moment for the first. */
  doubt(tab) {
    const { asks, asksIn, asksFrom } = tab;
    if (!asks || (asksIn === undefined && tab.sessions.size > 1)) return Promise.resolve();
    const session = tab.docs.frame(asksIn)?.session ?? (tab.sessions.has(asksFrom) ? asksFrom : "");
    const end = () => {
      if (tab.asks === asks) this.closed(tab);
    };
    const answered = this.cdp.send(tab, { ...PROBE, session }, { pastDialog: true }).then(end, end);
    tab.doubted = Promise.race([answered, late()]);
    return tab.doubted;
  }

  /** Carries out `command`, the answer. */
  async answer(tab, command, signal) {
    const { asks } = tab;
    try {
      return await this.cdp.send(tab, command, { signal });
    } catch (fault) {
      // The browser knows of none: it ended unseen.
      if (fault.code === "cdp") this.closed(tab);
      else await this.doubt(tab);
      if (fault.code !== "stale_document" || command.params.accept !== false || tab.asks !== asks) throw fault;
      return this.#leaveAgain(tab);
    }
  }

  /** A dialog that opens while its page is being left holds the next page back, which debuggers are already turned
   * to: nobody reaches it. To ask for that page once more dismisses it. */
  async #leaveAgain(tab) {
    const { url, pendingUrl } = await this.chrome.tabs.get(tab.tabId);
    await this.chrome.tabs.update(tab.tabId, { url: pendingUrl ?? url });
    await this.doubt(tab);
    return {};
  }

  /** Whether scripts run there, as they do not behind a dialog. */
  async #answers(tab) {
    const signal = AbortSignal.timeout(LIMITS.doubtMs);
    return this.cdp.send(tab, PROBE, { signal, pastDialog: true }).then(
      () => true,
      (fault) => fault.code !== "timeout",
    );
  }

  /** Tabs that share a renderer, as a page and its popup do, stand still together: who does not answer is told why.
   * Only those of one workspace: what a page says is for nobody else. */
  #probeOthers(tab) {
    for (const other of this.roster.of(tab.key)) if (other !== tab && other.attached) this.#probe(other, tab);
  }

  async #probe(other, tab) {
    const { asks } = tab;
    const answered = this.cdp.send(other, PROBE, { pastDialog: true }).then(() => true, () => true);
    if (!(await Promise.race([answered, late()])) && tab.asks === asks) {
      other.stand(tab);
      this.roster.changed();
    }
    await answered;
    if (other.heldBy !== tab) return;
    other.heldBy = null;
    this.roster.changed();
  }
}
