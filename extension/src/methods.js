// The methods of the wire: which lane each takes, whether it acts, and who carries it out.
import { checkDestination, checkGuard, isWorkable, methodKind, PAST_CRASH, PAST_DIALOG } from "./guard.js";
import { abortFault } from "./roster.js";
import { Fault, LIMITS } from "./protocol.js";

const RESTRICTED = "the tab shows a page that is not for agents";
const ACTS = new Set(["tab.open", "tab.adopt", "tab.focus", "tab.resize", "cdp.seq"]);
const UNQUEUED = new Set(["tab.release", "workspace.release"]);
/** Commands that end what others wait for. */
const FREEING = new Set(["Page.handleJavaScriptDialog", "Page.stopLoading"]);
/** Commands that may lead away from a page that is not for agents. */
const LEADS_AWAY = new Set(["Page.navigate", "Page.navigateToHistoryEntry", "Page.getNavigationHistory", "Page.handleJavaScriptDialog"]);

export class Methods {
  constructor({ roster, adopter, dialogs, tabs, windows, cdp, bounded, sequences, page, capture }) {
    Object.assign(this, { roster, adopter, dialogs, tabs, windows, cdp, bounded, sequences, page, capture });
  }

  isEffect({ m, p, effect }) {
    if (ACTS.has(m)) return true;
    if (m === "tab.release") return p.close === true;
    if (m === "cdp" && methodKind(p.method) === "effect") return true;
    return effect === true && (m === "cdp" || m === "page");
  }

  lane({ m, p, key }, effect) {
    if (!effect || UNQUEUED.has(m) || (m === "cdp" && FREEING.has(p.method))) return null;
    if (m === "tab.open" || m === "tab.adopt") return `open ${key}`;
    return `tab ${p.tabId} ${key}`;
  }

  run(call, p) {
    const method = METHODS[call.m];
    if (!method) throw new Fault("unsupported", `no method ${call.m.slice(0, 60)}`);
    return method.call(this, call, p);
  }

  /** The tab, ours and ready for commands. */
  async ready(call, p, { anywhere = false } = {}) {
    const tab = this.roster.owned(p.tabId, call.key);
    if (tab.dialog && tab.doubted) await orAborted(this.dialogs.doubt(tab), call.signal);
    if (tab.dialog) {
      // The page cannot be asked for anything now; what the browser answers needs nothing of it.
      if (anywhere && tab.attached) return tab;
      throw tab.dialogFault();
    }
    if (tab.crashed && !PAST_CRASH.has(p.method)) throw tab.crashFault();
    await orAborted(this.adopter.ensure(tab), call.signal);
    const url = tab.docs.frame()?.url;
    if (!anywhere && !isWorkable(url, this.adopter.files)) throw new Fault("restricted_page", RESTRICTED);
    return tab;
  }
}

const METHODS = {
  "tab.open"(call, p) {
    return this.tabs.open(call, p.group);
  },

  async "tab.list"(call) {
    return { tabs: await this.tabs.list(call.key) };
  },

  async "tab.focus"(call, p) {
    const tab = this.roster.owned(p.tabId, call.key);
    call.sent = true;
    await this.tabs.focus(tab.tabId, p.window === true).catch((fault) => refused(call, fault));
    return {};
  },

  async "tab.resize"(call, p) {
    return this.windows.resize(call, this.roster.owned(p.tabId, call.key).tabId, p);
  },

  async "tab.adopt"(call, p) {
    // What a page of ours opens, and what the person hands over, is adopted as it happens; nothing else ever is.
    const tab = await this.ready(call, p);
    await this.tabs.group(p.tabId, call.key, p.group);
    return { tab: await this.tabs.info(p.tabId), doc: tab.docs.doc() };
  },

  async "tab.release"(call, p) {
    const tab = this.roster.owned(p.tabId, call.key);
    if (p.close !== true) {
      await this.adopter.release(tab, "released");
      await this.tabs.ungroup(tab.tabId, call.key);
      return {};
    }
    // A dialog that asks nothing about leaving goes with its page.
    const through = p.force === true && tab.asks?.type !== "beforeunload";
    if (tab.dialog && !through) throw tab.dialogFault();
    call.sent = true;
    // Waits for a beforeunload dialog, and that ends the wait as `dialog_open`; closing ends it well.
    const closing = this.tabs.close(tab.tabId);
    const left = await tab.race(closing, { signal: call.signal, pastDialog: tab.dialog !== null }).catch((fault) => {
      if (fault.code !== "tab_closed") return refused(call, fault);
      return closing.catch(() => false);
    });
    this.adopter.closed(tab.tabId);
    return left ? { left } : {};
  },

  async "workspace.release"(call) {
    const tabs = this.roster.of(call.key);
    this.adopter.giveUp(new Fault("not_adopted", "the workspace was let go"), call.key);
    await Promise.all(tabs.map((tab) => this.adopter.release(tab, "released")));
    for (const tab of tabs) await this.tabs.ungroup(tab.tabId, call.key);
    await this.tabs.forgetGroup(call.key);
    return {};
  },

  async frames(call, p) {
    const tab = await this.ready(call, p);
    const until = performance.now() + LIMITS.framesMs;
    while (performance.now() < until && tab.unsettled(performance.now())) {
      await tab.race(new Promise((resolve) => setTimeout(resolve, 5)), { signal: call.signal, pastDialog: true });
    }
    return { frames: tab.docs.list() };
  },

  async cdp(call, p) {
    const { session = "", method, params = {}, guard, boundMs } = p;
    methodKind(method);
    if (params === null || typeof params !== "object") throw new Fault("bad_request", "params are an object");
    if (method === "Page.navigate") checkDestination(params.url, await this.adopter.filesAllowed());
    const tab = await this.ready(call, p, { anywhere: LEADS_AWAY.has(method) });
    if (tab.dialog && !PAST_DIALOG.has(method)) throw tab.dialogFault();
    checkGuard(guard, guard && tab.docs.frame(guard.frameId));
    const command = { session, method, params };
    if (boundMs !== undefined) return { result: await this.bounded.run(call, tab, command, boundMs) };
    if (call.effect) call.sent = true;
    const { signal } = call;
    const answers = method === "Page.handleJavaScriptDialog";
    return { result: await (answers ? this.dialogs.answer(tab, command, signal) : this.cdp.send(tab, command, { signal })) };
  },

  async "cdp.seq"(call, p) {
    return this.sequences.run(call, await this.ready(call, p), p);
  },

  async page(call, p) {
    return this.page.call(call, await this.ready(call, p), p);
  },

  async capture(call, p) {
    const tab = await this.ready(call, p);
    await this.adopter.drawn(tab);
    return this.capture.take(call, tab, p);
  },

  async watch(call, p) {
    const tab = this.roster.owned(p.tabId, call.key);
    if (!Array.isArray(p.sets)) throw new Fault("bad_request", "sets is a list");
    tab.watch = new Set(p.sets.filter((name) => name === "network" || name === "console"));
    this.roster.changed();
    return {};
  },
};

/** What the browser refused has not left. */
function refused(call, fault) {
  if (fault.code === "cdp") call.sent = false;
  throw fault;
}

function orAborted(work, signal) {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject);
    if (signal.aborted) reject(abortFault(signal));
    signal.addEventListener("abort", () => reject(abortFault(signal)), { once: true });
  });
}
