// What the browser tells of adopted tabs, turned into documents, dialogs, children and events for the service.
import { clip, LIMITS } from "./protocol.js";
import { describe } from "./tabs.js";

const CONSOLE_CHARS = 2048;

export class Observer {
  #statuses = new Map();

  constructor({ roster, adopter, tabs, choosers, bounded, emit }) {
    Object.assign(this, { roster, adopter, tabs, choosers, bounded, emit });
  }

  /** `chrome.debugger.onEvent` */
  event(source, method, params = {}) {
    const tab = this.roster.get(source.tabId);
    if (!tab) return;
    const session = source.sessionId ?? "";
    const change = tab.docs.apply(session, method, params);
    if (change) this.emit({ k: "doc", ...change });
    if (change?.main && !change.sameDocument) tab.documentChanged(performance.now());
    if (change && !change.sameDocument) this.adopter.doubtDialog(tab);
    HANDLERS[method]?.call(this, tab, params, session);
  }

  /** `chrome.debugger.onDetach`. Whether the person pressed Cancel in the browser's bar. */
  detached(source, reason) {
    const tab = this.roster.get(source.tabId);
    if (tab?.attached && source.sessionId === undefined) this.adopter.lost(tab, reason);
    return reason === "canceled_by_user";
  }

  updated(tab) {
    if (this.roster.get(tab.id)) this.emit({ k: "tab", what: "updated", tab: describe(tab) });
  }

  replaced(tabId, oldTabId) {
    const renamed = this.roster.rename(oldTabId, tabId);
    if (!renamed) return;
    renamed.before.attached = false;
    this.adopter.lost(renamed.before, "replaced");
    this.emit({ k: "tab", what: "replaced", tabId, oldTabId });
  }

  request(tab, requestId, fact) {
    if (tab.watch.has("network")) this.emit({ k: "request", tabId: tab.tabId, requestId, ...fact });
  }

  log(tab, level, text) {
    if (!tab.watch.has("console") || !tab.seeded) return;
    this.emit({ k: "console", tabId: tab.tabId, level, text: clip(text, CONSOLE_CHARS) });
  }

  status(tab, requestId, response) {
    if (!tab.watch.has("network")) return;
    this.#statuses.set(`${tab.tabId} ${requestId}`, response.status);
    if (this.#statuses.size > 1024) this.#statuses.delete(this.#statuses.keys().next().value);
  }

  takeStatus(tab, requestId) {
    const name = `${tab.tabId} ${requestId}`;
    const status = this.#statuses.get(name);
    this.#statuses.delete(name);
    return status;
  }
}

const HANDLERS = {
  "Page.frameNavigated"(tab, { type }, session) {
    if (type !== "BackForwardCacheRestore") return;
    this.adopter.restored(tab, session);
    // It was loaded long ago, and the browser does not say so again.
    if (session === "") for (const state of ["dom", "load"]) this.emit({ k: "load", ...loaded(tab), state });
  },

  "Page.javascriptDialogOpening"(tab, { type, message, defaultPrompt, frameId }) {
    const dialog = { type, message: clip(message), ...(defaultPrompt && { defaultPrompt: clip(defaultPrompt) }) };
    this.emit({ k: "dialog", tabId: tab.tabId, what: "opened", ...dialog });
    tab.dialogOpened(dialog, frameId);
    // The last word of a document that is gone already may come after its successor.
    if (performance.now() - tab.changedAt < LIMITS.youngMs) this.adopter.doubtDialog(tab);
    this.roster.changed();
  },

  "Page.javascriptDialogClosed"(tab) {
    this.adopter.dialogClosed(tab);
  },

  "Page.frameDetached"(tab) {
    this.adopter.doubtDialog(tab);
  },

  "Page.domContentEventFired"(tab, _, session) {
    if (session === "") this.emit({ k: "load", ...loaded(tab), state: "dom" });
  },

  "Page.loadEventFired"(tab, _, session) {
    if (session === "") this.emit({ k: "load", ...loaded(tab), state: "load" });
  },

  /** Also the end of a navigation that brought no document. */
  "Page.frameStoppedLoading"(tab, { frameId }) {
    const loaderId = tab.docs.frame(frameId)?.loaderId ?? "";
    this.emit({ k: "load", tabId: tab.tabId, frameId, loaderId, state: "stop" });
  },

  "Page.windowOpen"(tab, params) {
    this.tabs.opens(tab, "Page.windowOpen", params);
  },

  "Page.frameRequestedNavigation"(tab, params) {
    this.tabs.opens(tab, "Page.frameRequestedNavigation", params);
  },

  "Page.fileChooserOpened"(tab, params) {
    this.choosers.opened(tab, params);
  },

  "Page.downloadWillBegin"(tab) {
    this.emit({ k: "download", tabId: tab.tabId });
  },

  "Debugger.paused"(tab, _, session) {
    this.bounded.paused(tab, session);
  },

  "Target.attachedToTarget"(tab, params) {
    this.adopter.childAttached(tab, params);
  },

  "Target.detachedFromTarget"(tab, params) {
    this.adopter.childDetached(tab, params);
  },

  "Network.requestWillBeSent"(tab, { requestId, type, request, frameId }) {
    this.request(tab, requestId, { what: "start", kind: type, method: request.method, url: clip(request.url), frameId });
  },

  "Network.responseReceived"(tab, { requestId, response }) {
    this.status(tab, requestId, response);
  },

  "Network.loadingFinished"(tab, { requestId, encodedDataLength }) {
    this.request(tab, requestId, { what: "done", status: this.takeStatus(tab, requestId) ?? 0, bytes: encodedDataLength });
  },

  "Network.loadingFailed"(tab, { requestId, errorText, canceled }) {
    this.takeStatus(tab, requestId);
    this.request(tab, requestId, { what: "failed", error: clip(errorText, 200), canceled: canceled === true });
  },

  "Runtime.consoleAPICalled"(tab, { type, args }) {
    this.log(tab, type, args.map((arg) => String(arg.value ?? arg.unserializableValue ?? arg.description ?? arg.type)).join(" "));
  },

  "Runtime.exceptionThrown"(tab, { exceptionDetails: { text, exception } }) {
    this.log(tab, "exception", exception?.description ?? text);
  },
};

function loaded(tab) {
  const frame = tab.docs.frame();
  return { tabId: tab.tabId, frameId: frame?.frameId ?? "", loaderId: frame?.loaderId ?? "" };
}
