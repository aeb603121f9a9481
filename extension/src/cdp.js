// chrome.debugger: attach, detach, and commands that always end, by answer, dialog, detach or deadline.
import { PAST_CRASH, PAST_DIALOG } from "./guard.js";
import { Fault } from "./protocol.js";

const VERSION = "1.3";
const STALE = new RegExp(
  [
    "uniqueContextId not found", "Cannot find (default execution )?context", "Execution context was destroyed",
    "Inspected target navigated", "Session with given id not found", "Promise was collected",
    // The browser moved the page to another process; if the tab itself was detached, an event says so.
    "Detached while handling", "Not attached to an active page", "Unable to capture screenshot",
  ].join("|"),
  "i",
);

export class Cdp {
  constructor(debuggerApi) {
    this.api = debuggerApi;
  }

  async attach(tabId) {
    try {
      await this.api.attach({ tabId }, VERSION);
    } catch (error) {
      // A former worker may have attached it and died before it could tell.
      if (!(await this.isOurs(tabId))) throw attachFault(error);
    }
  }

  /** Whether the debugger on the tab is ours. */
  async isOurs(tabId) {
    return this.api.sendCommand({ tabId }, "Target.getTargetInfo").then(() => true, () => false);
  }

  async detach(tabId) {
    await this.api.detach({ tabId }).catch(() => {});
  }

  /** Ids of the tabs that have a debugger, ours or another. */
  async attachedTabs() {
    const targets = await this.api.getTargets();
    return new Set(targets.filter((target) => target.attached && target.tabId !== undefined).map((target) => target.tabId));
  }

  /** One command. `signal` is its deadline; a dialog ends it too unless the browser process answers; with
   * `ofDocument` so does another document in the tab. A tab that was let go takes `parting` ones only. */
  send(tab, { session = "", method, params = {} }, { signal, pastDialog, ofDocument = false, parting = false } = {}) {
    if (tab.gone && !parting) return Promise.reject(tab.gone);
    if (session && !tab.sessions.has(session)) return Promise.reject(new Fault("stale_document", "the frame's session is gone"));
    if (tab.crashed && !PAST_CRASH.has(method)) return Promise.reject(tab.crashFault());
    const target = session ? { tabId: tab.tabId, sessionId: session } : { tabId: tab.tabId };
    const past = pastDialog ?? PAST_DIALOG.has(method);
    if (signal?.aborted || (tab.dialog && !past)) return tab.race(new Promise(() => {}), { signal, pastDialog: past });
    const work = this.api.sendCommand(target, method, params).catch((error) => {
      const fault = commandFault(error);
      // Whatever we believed: the next request attaches again.
      if (fault.code === "detached") Object.assign(tab, { attached: false, seeded: false });
      throw fault;
    });
    return tab.race(work, { signal, pastDialog: past, ofDocument });
  }
}

function attachFault(error) {
  const text = String(error?.message ?? error);
  if (/No tab with/i.test(text)) return new Fault("tab_closed", "the tab is closed");
  if (/Another debugger/i.test(text)) return new Fault("attach_denied", "another debugger is attached to the tab");
  if (/Cannot access|cannot be scripted|gallery/i.test(text)) return new Fault("restricted_page", "the browser keeps this page to itself");
  return new Fault("attach_denied", text.slice(0, 200));
}

/** A refused command. The browser puts its own words into a JSON text. */
export function commandFault(error) {
  const text = String(error?.message ?? error);
  let words = text;
  let number;
  try {
    ({ message: words = text, code: number } = JSON.parse(text));
  } catch {
    // A plain sentence.
  }
  if (/Debugger is not attached|No tab with/i.test(words)) return new Fault("detached", "the debugger was detached");
  if (STALE.test(words)) return new Fault("stale_document", "the document is gone");
  return new Fault("cdp", String(words).slice(0, 300), number === undefined ? undefined : { number });
}
