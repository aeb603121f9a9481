// The browser's file dialog: not put before the person when an agent's click asks for it, but told to the service.

const ON = { method: "Page.setInterceptFileChooserDialog", params: { enabled: true } };
const OFF = { method: "Page.setInterceptFileChooserDialog", params: { enabled: false } };
/** A page may ask for files a moment after the click. */
const LINGER_MS = 1_500;
const COMMAND_MS = 1_000;

export class Choosers {
  #timers = new Map();
  /** Crashed tabs, which hear of nothing before they have another document. */
  #owed = new WeakSet();

  constructor({ cdp, emit }) {
    Object.assign(this, { cdp, emit });
  }

  /** Before an agent's input. To be awaited: input takes another way to the page and would overtake it. */
  async intercept(tab) {
    clearTimeout(this.#timers.get(tab));
    this.#timers.set(tab, null);
    // Each time: a frame may have come meanwhile, or the debugger may have been attached anew.
    await this.#tell(tab, ON);
  }

  /** After it: the person's own clicks in this tab get their dialog again. */
  release(tab) {
    clearTimeout(this.#timers.get(tab));
    this.#timers.set(tab, setTimeout(() => {
      this.#timers.delete(tab);
      this.#giveBack(tab);
    }, LINGER_MS));
  }

  /** A former worker may have died in between. */
  restore(tabs) {
    return Promise.all(tabs.map((tab) => this.#giveBack(tab)));
  }

  documentCame(tab) {
    if (this.#owed.delete(tab)) this.#giveBack(tab);
  }

  async #giveBack(tab) {
    if (tab.crashed) this.#owed.add(tab);
    else await this.#tell(tab, OFF);
  }

  opened(tab, { frameId, backendNodeId, mode }) {
    this.emit({ k: "chooser", tabId: tab.tabId, frameId, backendNodeId, multiple: mode === "selectMultiple" });
  }

  async #tell(tab, step) {
    if (!tab.attached) return;
    // Behind a dialog it comes when that is closed.
    const bounds = { signal: AbortSignal.timeout(COMMAND_MS), pastDialog: step === OFF };
    const sessions = [...tab.sessions.keys()];
    await Promise.all(sessions.map((session) => this.cdp.send(tab, { ...step, session }, bounds).catch(() => {})));
  }
}
