// What is undone in a tab before it is let go, so that nothing of an agent stays between the person and the page.
import { LIMITS } from "./protocol.js";

/** The page agent's watch over its own clicks would stop the person's. */
const DISARM = `globalThis[Symbol.for("ghostlight.agent")]?.disarm?.()`;

export class Parting {
  /** Set once it is built. */
  sequences = null;

  constructor({ cdp, ledger, bounded }) {
    Object.assign(this, { cdp, ledger, bounded });
  }

  /** Keys and buttons are let go first: what is under way is to find the watch that was armed for it. */
  async leave(tab) {
    await Promise.all([this.bounded.end(tab), this.sequences.letGo(tab)]);
    const bounds = { signal: AbortSignal.timeout(LIMITS.partingMs), pastDialog: true, parting: true };
    const disarmed = tab.docs.worlds.map(({ session, uniqueId }) => {
      const params = { expression: DISARM, uniqueContextId: uniqueId };
      return this.cdp.send(tab, { session, method: "Runtime.evaluate", params }, bounds).catch(() => {});
    });
    // A page behind a dialog does it when that ends with the debugger.
    if (!tab.dialog) await Promise.all(disarmed);
  }

  /** The sessions of the tab in which something is held. */
  held(tabId) {
    return [...this.ledger.held(tabId).values()].map(({ session = "" }) => session);
  }

  /** The tab is no more: nothing is held in it. */
  closed(tabId) {
    return this.ledger.forget(tabId);
  }
}
