// The window around a tab: its size by the window system's word, never only as asked.
import { Fault, LIMITS } from "./protocol.js";

export class Windows {
  constructor(chrome) {
    this.chrome = chrome;
  }

  /** Outer size in pixels. A window without a size of its own (maximized, minimized, fullscreen) becomes a normal one first. */
  async resize(call, tabId, { width, height }) {
    if (![width, height].every((side) => Number.isInteger(side) && side > 0)) throw new Fault("bad_request", "width and height are whole pixels");
    const { windowId } = await this.chrome.tabs.get(tabId).catch(() => {
      throw new Fault("tab_closed", "the tab is closed");
    });
    const before = await this.#look(windowId);
    let refused;
    try {
      if (before.state !== "normal") {
        await this.#change(windowId, call, { state: "normal" });
        await this.#until(windowId, call, ({ state }) => state === "normal");
      }
      await this.#change(windowId, call, { width, height });
    } catch (error) {
      if (error instanceof Fault) throw error;
      refused = String(error?.message ?? error).slice(0, 200);
    }
    const after = await this.#until(windowId, call, (now) => refused !== undefined || (now.width === width && now.height === height));
    return { before, after, ...(refused !== undefined && { refused }) };
  }

  async #change(windowId, call, change) {
    if (call.signal.aborted) throw call.signal.reason;
    call.sent = true;
    await this.chrome.windows.update(windowId, change);
  }

  async #look(windowId) {
    const window = await this.chrome.windows.get(windowId, { populate: true }).catch(() => {
      throw new Fault("tab_closed", "the window is closed");
    });
    const { width, height, state, tabs } = window;
    return { width, height, state, tabs: tabs.length };
  }

  /** The window as wanted, or as it is when the window system had its time. */
  async #until(windowId, call, wanted) {
    const late = performance.now() + LIMITS.windowMs;
    for (;;) {
      const now = await this.#look(windowId);
      if (wanted(now) || performance.now() > late || call.signal.aborted) return now;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
