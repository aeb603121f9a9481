// The browser's file dialog: not put before the person when an agent's click asks for it, but told to the service.

const ON = { method: "Page.setInterceptFileChooserDialog", params: { enabled: true } };
const OFF = { method: "Page.setInterceptFileChooserDialog", params: { enabled: false } };
/** A page may ask for files a moment after the click. */
const LINGER_MS = 1_500;
const COMMAND_MS = 1_000;

export class Choosers {
  #timers = new Map();

  constructor({ cdp, emit }) {
    Object.assign(this, { cdp, emit });
  }

  /** Before an agent's input. To be awaited: input takes another way to the page and would overtake it. */
  async intercept(tab) {
    const on = this.#timers.has(tab);
    clearTimeout(this.#timers.get(tab));
    this.#timers.set(tab, null);
    if (!on) await this.#tell(tab, ON);
  }

  /** After it: the person's own clicks in this tab get their dialog again. */
  release(tab) {
    clearTimeout(this.#timers.get(tab));
    this.#timers.set(tab, setTimeout(() => {
      this.#timers.delete(tab);
      this.#tell(tab, OFF);
    }, LINGER_MS));
  }

  opened(tab, { frameId, backendNodeId, mode }) {
    this.emit({ k: "chooser", tabId: tab.tabId, frameId, backendNodeId, multiple: mode === "selectMultiple" });
  }

  async #tell(tab, step) {
    if (!tab.attached) return;
    const signal = AbortSignal.timeout(COMMAND_MS);
    const sessions = [...tab.sessions.keys()];
    await Promise.all(sessions.map((session) => this.cdp.send(tab, { ...step, session }, { signal }).catch(() => {})));
  }
}
