// What the browser tells of adopted tabs, turned into documents, dialogs, children and events for the service.
import { logged, said, thrown } from "./console.js";
import { clip } from "./protocol.js";
import { REQUESTS } from "./requests.js";
import { describe } from "./tabs.js";

export class Observer {
  constructor({ roster, adopter, dialogs, tabs, choosers, bounded, emit }) {
    Object.assign(this, { roster, adopter, dialogs, tabs, choosers, bounded, emit });
  }

  /** `chrome.debugger.onEvent` */
  event(source, method, params = {}) {
    const session = source.sessionId ?? "";
    const tab = this.roster.get(source.tabId);
    if (!tab) {
      const ending = method === "Debugger.paused" && this.bounded.ending(source.tabId);
      if (ending) this.bounded.paused(ending, session);
      return;
    }
    const change = tab.docs.apply(session, method, params);
    if (change) this.emit({ k: "doc", ...change });
    if (change?.main && !change.sameDocument) {
      tab.documentChanged(performance.now());
      this.choosers.documentCame(tab);
      this.roster.changed();
    }
    if (change && !change.sameDocument) this.dialogs.doubt(tab);
    if (method.startsWith("Network.")) this.request(tab, method.slice("Network.".length), params, session);
    else HANDLERS[method]?.call(this, tab, params, session);
  }

  /** `chrome.debugger.onDetach`. Whether the person pressed Cancel in the browser's bar. */
  detached(source, reason) {
    const tab = this.roster.get(source.tabId);
    // A command may have found it out before.
    if (tab && source.sessionId === undefined) this.adopter.lost(tab, reason);
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

  /** One event about a request, in whichever process its frame lives. */
  request(tab, name, params, session) {
    const fact = tab.watch.has("network") ? REQUESTS[name]?.(params) : null;
    if (!fact) return;
    this.#tell(tab, { k: "request", tabId: tab.tabId, requestId: params.requestId, ...fact, ...(session && { session }) });
  }

  /** One line of the console; `when` it was said, in the page's time. */
  log(tab, line, when) {
    // The browser tells a new debugger what was said before.
    if (!line || !tab.watch.has("console") || when < tab.since) return;
    this.#tell(tab, { k: "console", tabId: tab.tabId, ...line });
  }

  /** What an unannounced tab does waits for the announcement. */
  #tell(tab, item) {
    if (tab.early) tab.hold(item);
    else this.emit(item);
  }
}

const HANDLERS = {
  "Page.frameNavigated"(tab, { type }, session) {
    if (type !== "BackForwardCacheRestore") return;
    this.adopter.restored(tab, session);
    // It was loaded long ago, and the browser does not say so again.
    if (session === "") for (const state of ["dom", "load"]) this.emit({ k: "load", ...loaded(tab), state });
  },

  "Page.javascriptDialogOpening"(tab, params) {
    this.dialogs.opened(tab, params);
  },

  "Page.javascriptDialogClosed"(tab) {
    this.dialogs.closed(tab);
  },

  "Page.frameDetached"(tab) {
    this.dialogs.doubt(tab);
  },

  "Page.domContentEventFired"(tab, _, session) {
    if (session === "") this.emit({ k: "load", ...loaded(tab), state: "dom" });
  },

  "Page.loadEventFired"(tab, _, session) {
    if (session === "") this.emit({ k: "load", ...loaded(tab), state: "load" });
  },

  "Page.frameStoppedLoading"(tab, { frameId }) {
    const frame = tab.docs.frame(frameId);
    if (!frame?.asked) return;
    frame.asked = false;
    this.emit({ k: "load", tabId: tab.tabId, frameId, loaderId: frame.loaderId, state: "stop" });
  },

  "Inspector.targetCrashed"(tab, _, session) {
    if (session !== "") return;
    this.dialogs.closed(tab);
    tab.pageCrashed();
    this.roster.changed();
  },

  "Page.windowOpen"(tab, params) {
    this.tabs.opens(tab, "Page.windowOpen", params);
  },

  "Page.frameRequestedNavigation"(tab, params) {
    const frame = tab.docs.frame(params.frameId);
    // Until another document comes, which is another entry.
    if (frame && params.disposition === "currentTab") frame.asked = true;
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

  "Runtime.consoleAPICalled"(tab, params) {
    this.log(tab, said(params), params.timestamp);
  },

  "Runtime.exceptionThrown"(tab, params) {
    this.log(tab, thrown(params), params.timestamp);
  },

  "Log.entryAdded"(tab, params) {
    this.log(tab, logged(params), params.entry.timestamp);
  },
};

function loaded(tab) {
  const frame = tab.docs.frame();
  return { tabId: tab.tabId, frameId: frame?.frameId ?? "", loaderId: frame?.loaderId ?? "" };
}
