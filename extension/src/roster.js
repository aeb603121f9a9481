// The adopted tabs of this browser: to which workspace key each belongs, and what can interrupt its work.
import { Docs } from "./docs.js";
import { Fault, LIMITS } from "./protocol.js";

/** Lines and requests of a tab that the service does not know yet. */
const EARLY = 500;

export class AdoptedTab {
  #waiting = new Set();

  constructor({
    tabId, key, targetId = null, sessions = [], agent = null, watch = ["network", "console"], dialog = null, asksIn = undefined,
    asksFrom = "", crashed = false, unseen = false,
  }) {
    this.tabId = tabId;
    this.key = key;
    this.targetId = targetId;
    /** Child session id → the id of the agent's script in it, `null` until installed; the tab's own is "". */
    this.sessions = new Map(sessions);
    /** Hash of the agent that is installed. */
    this.agent = agent;
    this.watch = new Set(watch);
    /** Its own open dialog `{type, message, defaultPrompt}`. */
    this.asks = dialog;
    /** The frame that asks; older browsers do not say. */
    this.asksIn = asksIn;
    /** The session of that frame as it asked. */
    this.asksFrom = asksFrom;
    /** Its answer, soon: whether the dialog is still there. */
    this.doubted = null;
    /** A dialog that is not known to be there yet. */
    this.opening = null;
    /** The tab whose dialog holds this one back too. */
    this.heldBy = null;
    this.docs = new Docs(tabId);
    this.attached = false;
    this.seeded = false;
    /** Why nothing more is sent to it: it was let go. */
    this.gone = null;
    /** The page's process is gone; another document ends that. */
    this.crashed = crashed;
    /** It was discarded and loaded again; until somebody looks at it the browser draws nothing of it. */
    this.unseen = unseen;
    this.changedAt = -Infinity;
    /** What was said on the console before this moment has been told, or is not for agents. */
    this.since = -Infinity;
    /** What happened before the service was told of the tab; null once it was. */
    this.early = null;
    /** How many of these had to be dropped, as the wire tells it. */
    this.lost = null;
    /** When a lost debugger was last attached again. */
    this.retriedAt = -Infinity;
  }

  /** What outlives the worker. */
  record() {
    const { tabId, key, targetId, agent, asks, asksIn, asksFrom, heldBy, attached, crashed, unseen } = this;
    const dialogs = { dialog: asks, asksIn, asksFrom, heldBy: heldBy?.tabId };
    return { tabId, key, targetId, agent, ...dialogs, attached, crashed, unseen, sessions: [...this.sessions], watch: [...this.watch] };
  }

  /** Not told to the service yet: what it says and asks is kept for `announced`. */
  unannounced() {
    this.early = [];
  }

  hold(item) {
    if (this.early.length < EARLY) return void this.early.push(item);
    this.lost ??= { k: "lost", tabId: this.tabId, request: 0, console: 0 };
    this.lost[item.k] += 1;
  }

  announced(emit) {
    const early = [...(this.early ?? []), ...(this.lost ? [this.lost] : [])];
    Object.assign(this, { early: null, lost: null });
    early.forEach(emit);
  }

  /** Ends every wait on this tab; with `only`, those for which it is true. */
  interrupt(fault, only = () => true) {
    for (const waiter of [...this.#waiting]) if (only(waiter)) waiter.end(fault);
  }

  /** It is let go: every wait ends, and nothing new leaves. */
  leave(fault) {
    this.gone = fault;
    this.interrupt(fault);
  }

  /** The dialog that holds this tab back; with `tabId` when it is another tab's. */
  get dialog() {
    const { heldBy } = this;
    return this.asks ?? (heldBy?.asks ? { ...heldBy.asks, tabId: heldBy.tabId } : null);
  }

  /** Another tab's dialog holds this one back. */
  stand(tab) {
    this.heldBy = tab;
    if (!this.asks) this.interrupt(this.dialogFault(), ({ pastDialog }) => !pastDialog);
  }

  /** A dialog opened: what it holds back ends now. */
  dialogOpened(dialog, frameId) {
    this.asks = dialog;
    this.doubted = null;
    this.asksIn = frameId;
    this.asksFrom = this.docs.frame(frameId)?.session ?? "";
    this.interrupt(this.dialogFault(), ({ pastDialog }) => !pastDialog);
  }

  /** Whether frames are being moved or set up; a young document's frames may also still be empty. */
  unsettled(now) {
    const settingUp = [...this.sessions].some(([session, script]) => session !== "" && script === null);
    return this.docs.moving || settingUp || (this.docs.empty && now - this.changedAt < LIMITS.youngMs);
  }

  /** The page's process ended: nothing that needs it will ever be answered. */
  pageCrashed() {
    this.crashed = true;
    Object.assign(this, { asks: null, doubted: null, heldBy: null });
    this.interrupt(this.crashFault());
  }

  crashFault() {
    return new Fault("crashed", "the page crashed");
  }

  /** Another document came into the tab. */
  documentChanged(now) {
    this.changedAt = now;
    this.crashed = false;
    this.interrupt(new Fault("stale_document", "the page changed meanwhile"), ({ ofDocument }) => ofDocument);
  }

  dialogFault() {
    return new Fault("dialog_open", "a dialog is open", this.dialog ?? undefined);
  }

  /** `work`, unless the tab, a dialog or the signal ends it first. Never leaves `work` unobserved. */
  race(work, { signal, pastDialog = false, ofDocument = false } = {}) {
    return new Promise((resolve, reject) => {
      const abort = () => waiter.end(abortFault(signal));
      const settle = (done) => (value) => {
        this.#waiting.delete(waiter);
        signal?.removeEventListener("abort", abort);
        done(value);
      };
      const waiter = { pastDialog, ofDocument, end: settle(reject) };
      this.#waiting.add(waiter);
      work.then(settle(resolve), settle(reject));
      if (signal?.aborted) return abort();
      if (this.dialog && !pastDialog) return waiter.end(this.dialogFault());
      signal?.addEventListener("abort", abort, { once: true });
    });
  }
}

/** The fault an aborted signal stands for. */
export function abortFault(signal) {
  return signal.reason instanceof Fault ? signal.reason : new Fault("timeout", "the browser did not answer in time");
}

export class Roster {
  #tabs = new Map();
  #save;
  #scheduled = false;

  /** `save(records)` is called, once per turn, after changes. */
  constructor(save) {
    this.#save = save;
  }

  get(tabId) {
    return this.#tabs.get(tabId) ?? null;
  }

  /** The tab if it belongs to `key`; the same refusal for a foreign and an unknown one. */
  owned(tabId, key) {
    const tab = this.#tabs.get(tabId);
    if (!tab || tab.key !== key) throw new Fault("not_adopted", "no such tab in this workspace");
    return tab;
  }

  add(tab) {
    this.#tabs.set(tab.tabId, tab);
    this.changed();
  }

  remove(tabId) {
    const gone = this.#tabs.delete(tabId);
    if (gone) this.changed();
    return gone;
  }

  /** The browser gave the tab a new id. */
  rename(oldId, newId) {
    const tab = this.#tabs.get(oldId);
    if (!tab) return null;
    this.#tabs.delete(oldId);
    const renamed = new AdoptedTab({ tabId: newId, key: tab.key, watch: [...tab.watch] });
    renamed.since = Date.now();
    this.#tabs.set(newId, renamed);
    this.changed();
    return { before: tab, after: renamed };
  }

  of(key) {
    return [...this.#tabs.values()].filter((tab) => tab.key === key);
  }

  all() {
    return [...this.#tabs.values()];
  }

  changed() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#save(this.all().map((tab) => tab.record()));
    });
  }
}
