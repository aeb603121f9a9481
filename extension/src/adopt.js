// Adoption: everything a tab needs is set up once, before the first command; let go again the same way.
import { isWorkable } from "./guard.js";
import { Fault, LIMITS, WORLD } from "./protocol.js";
import { AdoptedTab } from "./roster.js";

const NETWORK = { maxTotalBufferSize: 8 << 20, maxResourceBufferSize: 2 << 20 };
/** A frame in a process of its own is held until it is listened to: its first words and requests are heard. */
const OOPIF = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: [{ type: "iframe" }] };
/** With focus emulation alone, or a screencast alone, a hidden tab loses clicks and its screenshots hang. */
const AWAKE = { format: "jpeg", quality: 1, maxWidth: 1, maxHeight: 1, everyNthFrame: 1000 };

export class Adopter {
  #busy = new Map();
  #leaving = new Map();
  /** Tabs on their way into the roster. */
  #coming = new Set();

  /** `chrome` is the browser's API; `emit` takes wire events; `stopped()` tells whether the person stopped all. */
  constructor({ chrome, cdp, roster, agent, dialogs, parting, emit, stopped }) {
    Object.assign(this, { chrome, cdp, roster, agent, dialogs, parting, emit, stopped });
    this.files = false;
  }

  /** Reads whether the person allowed file addresses; they may change their mind at any time. */
  async filesAllowed() {
    this.files = await this.chrome.extension.isAllowedFileSchemeAccess().catch(() => false);
    return this.files;
  }

  /** Takes `tabId` for `key`. `confirm(tab)` may refuse once the debugger is attached. */
  async adopt(tabId, key, confirm = async () => {}) {
    const present = this.roster.get(tabId);
    if (present && present.key !== key) throw new Fault("not_adopted", "no such tab in this workspace");
    if (present) return this.ensure(present);
    if (this.#busy.has(tabId)) throw new Fault("busy", "the tab is being adopted");
    const tab = new AdoptedTab({ tabId, key });
    this.#coming.add(tab);
    const work = this.#adopt(tab, confirm).finally(() => {
      this.#coming.delete(tab);
      this.#busy.delete(tabId);
    });
    this.#busy.set(tabId, work);
    return work;
  }

  async #adopt(tab, confirm) {
    await this.agent.known();
    await this.#leaving.get(tab.tabId);
    await this.#prepare(tab);
    try {
      await this.#attach(tab, async () => {
        await confirm(tab);
        this.#mayAttach(tab);
        this.roster.add(tab);
      });
    } catch (error) {
      this.roster.remove(tab.tabId);
      throw error;
    }
    return tab;
  }

  /** Attached and set up, or neither. A stop in the meantime wins. */
  async #attach(tab, confirm = async () => {}) {
    this.#mayAttach(tab);
    await this.cdp.attach(tab.tabId);
    try {
      tab.attached = true;
      await confirm();
      await this.#setUp(tab);
      this.#mayAttach(tab);
    } catch (error) {
      Object.assign(tab, { attached: false, seeded: false });
      this.roster.changed();
      await this.cdp.detach(tab.tabId);
      throw error;
    }
  }

  /** The tabs that are being adopted, those for `key` or all: they stay the person's, and nothing more leaves for them. */
  giveUp(fault, key) {
    for (const tab of this.#coming) if (key === undefined || tab.key === key) tab.leave(fault);
  }

  #mayAttach(tab) {
    if (tab.gone) throw tab.gone;
    if (this.stopped()) throw new Fault("stopped", "the person stopped the agents");
  }

  /** The tab ready for commands: attached once more if the debugger was lost, with today's agent. */
  async ensure(tab) {
    if (tab.attached && tab.seeded && tab.agent === this.agent.hash) return tab;
    // A crashed page answers nothing; the document that takes its place is set up then.
    if (tab.attached && tab.crashed) return tab;
    let work = this.#busy.get(tab.tabId);
    if (!work) {
      work = this.#recover(tab).finally(() => this.#busy.delete(tab.tabId));
      this.#busy.set(tab.tabId, work);
    }
    await work;
    return tab;
  }

  async #recover(tab) {
    await this.agent.known();
    if (!tab.attached) {
      if (performance.now() - tab.retriedAt < LIMITS.reattachMs) throw new Fault("detached", "the debugger was detached again a moment ago");
      const size = await this.#prepare(tab);
      tab.retriedAt = performance.now();
      await this.#attach(tab);
      if (size) await this.#layOut(tab, size);
      // Whatever was committed while nobody listened.
      const doc = tab.docs.doc();
      if (doc) this.emit({ k: "doc", doc, main: true, sameDocument: false });
    } else if (!tab.seeded) {
      await this.#seedAgain(tab);
    }
    if (tab.agent !== this.agent.hash) await this.#replaceAgent(tab);
  }

  /** A tab that was loaded again behind another one has no size until somebody looks at it. */
  async #layOut(tab, { width, height }) {
    tab.unseen = true;
    this.roster.changed();
    const { send } = this.#session(tab, "");
    await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 0, mobile: false });
    await send("Emulation.clearDeviceMetricsOverride");
  }

  /** Whether the browser draws the tab at all; waiting for its next frame would be in vain. */
  async drawn(tab) {
    if (!tab.unseen) return;
    tab.unseen = (await this.#info(tab.tabId)).height === 0;
    this.roster.changed();
    if (tab.unseen) throw new Fault("tab_discarded", "the tab was discarded, and nobody has looked at it since");
  }

  /** Refuses pages that are not the web; loads a discarded tab again, and gives the size it should have. */
  async #prepare(tab) {
    let info = await this.#info(tab.tabId);
    await this.filesAllowed();
    if (!isWorkable(info.url, this.files)) throw new Fault("restricted_page", "the tab shows a page that is not for agents");
    if (!info.discarded) return null;
    this.#mayAttach(tab);
    await this.chrome.tabs.reload(tab.tabId);
    const until = performance.now() + LIMITS.reloadMs;
    // It is loaded because it is wanted, and once more because it was reloaded: only what lasts is the page.
    for (let rested = 0; rested < LIMITS.reloadRests; ) {
      if (performance.now() > until) throw new Fault("tab_discarded", "the tab was discarded and did not load again");
      await new Promise((resolve) => setTimeout(resolve, 50));
      info = await this.#info(tab.tabId);
      rested = info.discarded || info.status !== "complete" ? 0 : rested + 1;
    }
    const [shown] = await this.chrome.tabs.query({ active: true, windowId: info.windowId });
    return info.height === 0 && shown?.height > 0 ? shown : null;
  }

  async #info(tabId) {
    try {
      return await this.chrome.tabs.get(tabId);
    } catch {
      throw new Fault("tab_closed", "the tab is closed");
    }
  }

  async #setUp(tab) {
    tab.docs.clear();
    tab.sessions = new Map([["", null]]);
    const { send } = this.#session(tab, "");
    const [{ targetInfo }] = await Promise.all([
      send("Target.getTargetInfo"),
      this.#setUpSession(tab, ""),
      send("Emulation.setFocusEmulationEnabled", { enabled: true }),
      send("Page.startScreencast", AWAKE),
    ]);
    tab.targetId = targetInfo.targetId;
    tab.agent = this.agent.hash;
    tab.seeded = true;
    this.roster.changed();
  }

  /** The same for the tab itself and for each frame that lives in a process of its own. */
  async #setUpSession(tab, session) {
    const { send } = this.#session(tab, session);
    const asked = tab.docs.clock;
    const answers = await Promise.all([
      send("Page.getFrameTree"),
      this.#install(tab, session),
      send("Page.enable"),
      send("Runtime.enable"),
      send("DOM.enable"),
      send("Network.enable", NETWORK),
      send("Log.enable"),
      send("Target.setAutoAttach", OOPIF),
    ]);
    tab.docs.seed(session, answers[0].frameTree, asked);
  }

  async #install(tab, session) {
    const { send } = this.#session(tab, session);
    const former = tab.sessions.get(session);
    if (former) await send("Page.removeScriptToEvaluateOnNewDocument", { identifier: former });
    const script = { source: this.agent.source, worldName: WORLD, runImmediately: true };
    const { identifier } = await send("Page.addScriptToEvaluateOnNewDocument", script);
    if (tab.sessions.has(session)) tab.sessions.set(session, identifier);
    this.roster.changed();
  }

  async #replaceAgent(tab) {
    const hash = this.agent.hash;
    await Promise.all([...tab.sessions.keys()].map((session) => this.#install(tab, session).catch((error) => {
      if (session === "") throw error;
    })));
    tab.agent = hash;
    this.roster.changed();
  }

  #session(tab, session) {
    const signal = AbortSignal.timeout(LIMITS.setupMs);
    return { send: (method, params) => this.cdp.send(tab, { session, method, params }, { signal, pastDialog: true }) };
  }

  /** `Target.attachedToTarget` on an adopted tab. */
  async childAttached(tab, { sessionId, targetInfo }) {
    if (targetInfo.type !== "iframe") return;
    tab.sessions.set(sessionId, null);
    const known = this.agent.hash !== "";
    // A worker that has just started waits for its agent; the page does not wait for it.
    if (!known) this.#letRun(tab, sessionId);
    try {
      await this.agent.known();
      const ready = this.#setUpSession(tab, sessionId);
      if (known) this.#letRun(tab, sessionId);
      await ready;
      const doc = tab.docs.doc(targetInfo.targetId);
      if (doc) this.emit({ k: "doc", doc, main: false, sameDocument: false });
    } catch {
      // The frame went away while it was set up, or answers nothing: it is then not among the frames.
      tab.sessions.delete(sessionId);
      tab.docs.drop(sessionId);
    }
    this.roster.changed();
  }

  /** After all that was sent to the session before. */
  #letRun(tab, session) {
    this.#session(tab, session).send("Runtime.runIfWaitingForDebugger").catch(() => {});
  }

  childDetached(tab, { sessionId }) {
    tab.sessions.delete(sessionId);
    tab.docs.drop(sessionId);
    this.dialogs.doubt(tab);
    this.roster.changed();
  }

  /** A document came back from the browser's cache: its frames are asked for, its agent may be an older one. */
  async restored(tab, session) {
    const { send } = this.#session(tab, session);
    const asked = tab.docs.clock;
    try {
      const [{ frameTree }] = await Promise.all([send("Page.getFrameTree"), this.#install(tab, session)]);
      tab.docs.seed(session, frameTree, asked);
    } catch {
      // It is gone again.
    }
  }

  /** A new worker life: the debugger is still attached with all it was told; only our memory is new. At once, so
   * that no event about these tabs is missed. */
  remember(records) {
    for (const record of records) {
      const tab = new AdoptedTab(record);
      tab.attached = record.attached !== false;
      // What woke this worker is not older than it; what was said before has been told.
      tab.since = performance.timeOrigin;
      this.roster.add(tab);
    }
    for (const { tabId, heldBy } of records) this.roster.get(tabId).heldBy = this.roster.get(heldBy);
  }

  /** Asks the browser what became of the remembered tabs. A page that does not answer is asked again when used. */
  async restore() {
    const tabs = this.roster.all();
    const attached = await this.cdp.attachedTabs();
    for (const tab of tabs) if (tab.attached && !attached.has(tab.tabId)) this.lost(tab, "unseen");
    this.dialogs.restore();
    // What a former worker was about to adopt belongs to nobody. This does nothing to debuggers of others.
    for (const tabId of attached) {
      if (this.roster.get(tabId)) continue;
      this.#leaving.set(tabId, this.#leaveBehind(tabId).finally(() => this.#leaving.delete(tabId)));
    }
    const asked = tabs.filter((tab) => tab.attached && !tab.dialog && !tab.crashed).map((tab) => this.#seedAgain(tab).catch(() => {}));
    await Promise.race([Promise.all(asked), new Promise((resolve) => setTimeout(resolve, LIMITS.restoreMs))]);
  }

  /** A former worker may have died while it let the tab go: what it held is released first. */
  async #leaveBehind(tabId) {
    const sessions = this.parting.held(tabId);
    if (sessions.length > 0) {
      const tab = new AdoptedTab({ tabId, key: "", sessions: sessions.map((session) => [session, null]) });
      tab.attached = true;
      await this.parting.leave(tab).catch(() => {});
    }
    await this.cdp.detach(tabId);
  }

  /** Asks the browser again for frames and worlds; `Runtime.enable` tells worlds only when it was off. */
  async #seedAgain(tab) {
    tab.since = Date.now();
    await Promise.all([...tab.sessions.keys()].map(async (session) => {
      const { send } = this.#session(tab, session);
      const asked = tab.docs.clock;
      try {
        const [{ frameTree }] = await Promise.all([send("Page.getFrameTree"), send("Runtime.disable"), send("Runtime.enable")]);
        tab.docs.seed(session, frameTree, asked);
      } catch (error) {
        if (session === "") throw error;
        this.childDetached(tab, { sessionId: session });
      }
    }));
    tab.seeded = true;
  }

  /** Lets the tab go. It stays open. */
  async release(tab, reason) {
    if (!this.roster.remove(tab.tabId)) return;
    tab.leave(new Fault(reason === "stopped" ? "stopped" : "not_adopted", "the tab was let go"));
    const left = this.#leave(tab).finally(() => this.#leaving.delete(tab.tabId));
    this.#leaving.set(tab.tabId, left);
    await left;
    this.emit({ k: "tab", what: "released", tabId: tab.tabId, reason });
  }

  async #leave(tab) {
    if (!tab.attached) return void (await this.parting.closed(tab.tabId));
    // Whatever becomes of that, the debugger goes.
    await this.parting.leave(tab).catch(() => {});
    await this.cdp.detach(tab.tabId);
    tab.attached = false;
  }

  /** The browser detached us; the tab may live on. */
  lost(tab, reason) {
    this.dialogs.closed(tab);
    Object.assign(tab, { attached: false, seeded: false, crashed: false, heldBy: null, since: Date.now() });
    // The tab went where nobody may follow, if only to a `mailto:` address; where it is now is asked before we attach again.
    if (reason === "target_closed") tab.retriedAt = -Infinity;
    if (reason === "replaced") this.parting.closed(tab.tabId);
    tab.interrupt(new Fault("detached", `the debugger was detached: ${reason}`));
    this.emit({ k: "detach", tabId: tab.tabId, reason });
    this.roster.changed();
  }

  /** The tab is closed. */
  closed(tabId) {
    const tab = this.roster.get(tabId);
    if (!tab) return;
    this.roster.remove(tabId);
    tab.attached = false;
    this.parting.closed(tabId);
    tab.interrupt(new Fault("tab_closed", "the tab is closed"));
    this.emit({ k: "tab", what: "removed", tabId });
  }
}
