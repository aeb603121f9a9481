// The browser's tabs: opening, describing and focusing them, one group per workspace key, and tabs that pages open.
import { Children, same } from "./children.js";
import { clip, Fault, LIMITS } from "./protocol.js";

const COLORS = ["blue", "red", "yellow", "green", "pink", "purple", "cyan", "orange"];

const NO_WINDOW = -1;
/** A candidate that another tab opened. */
const OTHERS = new Fault("not_adopted", "another tab opened it");
const SIGNS = { paused: "⏸ ", stopped: "⏹ " };

export class Tabs {
  #children = new Children();
  #ours = new Set();
  #opening = 0;
  #unsorted = [];
  #active = new Map();
  #focused = { now: NO_WINDOW, before: NO_WINDOW };

  constructor({ chrome, adopter, roster, cdp, state, emit }) {
    Object.assign(this, { chrome, adopter, roster, cdp, state, emit });
  }

  async info(tabId) {
    try {
      return describe(await this.chrome.tabs.get(tabId));
    } catch {
      throw new Fault("tab_closed", "the tab is closed");
    }
  }

  /** A new background tab in the group of `key`, adopted. The person's active tab stays active. */
  async open(call, group) {
    await this.adopter.agent.known();
    const place = await this.#place(call.key);
    if (call.signal.aborted) throw call.signal.reason;
    call.sent = true;
    const { id } = await this.#create(place);
    try {
      const [tab] = await Promise.all([this.adopter.adopt(id, call.key), this.group(id, call.key, group)]);
      return { tab: await this.info(id), doc: tab.docs.doc() };
    } catch (error) {
      await this.chrome.tabs.remove(id).catch(() => {});
      throw error;
    } finally {
      this.#ours.delete(id);
    }
  }

  async #create(windowId) {
    const options = { url: "about:blank", active: false };
    this.#opening += 1;
    try {
      let tab;
      if (windowId === undefined) [tab] = (await this.chrome.windows.create({ url: "about:blank", focused: false })).tabs;
      else tab = await this.chrome.tabs.create({ ...options, windowId });
      this.#ours.add(tab.id);
      return tab;
    } finally {
      this.#opening -= 1;
      if (this.#opening === 0) for (const tab of this.#unsorted.splice(0)) this.created(tab);
    }
  }

  /** The window for a new tab: where the group is, else the person's last normal one. */
  async #place(key) {
    const group = await this.#groupOf(key);
    if (group) return group.windowId;
    const window = await this.chrome.windows.getLastFocused({ windowTypes: ["normal"] }).catch(() => null);
    return window?.id;
  }

  async #groupOf(key) {
    const known = this.state.groups[key];
    if (!known) return null;
    return this.chrome.tabGroups.get(known.groupId).catch(() => null);
  }

  /** Puts a tab into the group of `key`, made when there is none. A tab that cannot be grouped stays where it is. */
  async group(tabId, key, wanted) {
    const known = this.state.groups[key];
    const title = wanted?.title || known?.title || "Ghostlight";
    const color = COLORS.includes(wanted?.color) ? wanted.color : (known?.color ?? colorOf(key));
    try {
      const present = await this.#groupOf(key);
      const { windowId } = await this.chrome.tabs.get(tabId);
      if (present && present.windowId !== windowId) return;
      const groupId = await this.chrome.tabs.group(
        present ? { tabIds: [tabId], groupId: present.id } : { tabIds: [tabId], createProperties: { windowId } },
      );
      if (present && known.title === title && known.color === color) return;
      await this.chrome.tabGroups.update(groupId, { title: this.titled(title), color });
      await this.state.saveGroups({ ...this.state.groups, [key]: { groupId, title, color } });
    } catch {
      // Popup windows have no groups, and a person who drags tabs makes the browser refuse: neither stops the work.
    }
  }

  /** A group's title as shown: with a sign while paused or stopped. */
  titled(title) {
    return `${SIGNS[this.state.latch] ?? ""}${title}`;
  }

  /** The latch changed: every group says so. */
  async retitle() {
    for (const { groupId, title } of Object.values(this.state.groups)) {
      await this.chrome.tabGroups.update(groupId, { title: this.titled(title) }).catch(() => {});
    }
  }

  async ungroup(tabId, key) {
    const known = this.state.groups[key];
    const tab = await this.chrome.tabs.get(tabId).catch(() => null);
    if (known && tab?.groupId === known.groupId) await this.chrome.tabs.ungroup([tabId]).catch(() => {});
  }

  async forgetGroup(key) {
    const { [key]: _, ...groups } = this.state.groups;
    await this.state.saveGroups(groups);
  }

  async list(key) {
    const tabs = await Promise.all(
      this.roster.of(key).map(async (tab) => {
        const info = await this.info(tab.tabId).catch(() => null);
        return info && { ...info, doc: tab.docs.doc() };
      }),
    );
    return tabs.filter(Boolean);
  }

  /** Whether an empty tab had to be left behind: with its last tab the browser would end. */
  async close(tabId) {
    const [only, other] = await this.chrome.tabs.query({});
    const last = only?.id === tabId && other === undefined;
    const stand = last ? await this.#create(only.windowId) : null;
    try {
      await this.chrome.tabs.remove(tabId);
    } catch (error) {
      if (stand) await this.chrome.tabs.remove(stand.id).catch(() => {});
      throw await this.#refused(tabId, error);
    } finally {
      if (stand) this.#ours.delete(stand.id);
    }
    return last;
  }

  async focus(tabId, window) {
    const tab = await this.chrome.tabs.update(tabId, { active: true }).catch(async (error) => {
      throw await this.#refused(tabId, error);
    });
    if (window) await this.chrome.windows.update(tab.windowId, { focused: true });
  }

  /** Why the browser did not do it: the tab is gone, or it would not, as while the person drags a tab. */
  async #refused(tabId, error) {
    await this.info(tabId);
    return new Fault("cdp", String(error?.message ?? error).slice(0, 200));
  }

  /** `tabs.onCreated`: a candidate unless we made it. */
  created(tab) {
    // While one of ours is being made, the browser may tell of it before we know its id.
    if (this.#opening > 0) return void this.#unsorted.push(tab);
    if (this.#ours.has(tab.id) || this.roster.get(tab.id)) return;
    const match = this.#children.created({ tabId: tab.id, url: tab.pendingUrl || tab.url }, performance.now());
    if (match) this.#adoptChild(match);
  }

  /** A debugger event on an adopted tab that may explain a new one. */
  opens(tab, method, params) {
    let kind = null;
    if (method === "Page.windowOpen") kind = "window";
    else if (["newTab", "newBackgroundTab", "newForegroundTab", "newWindow"].includes(params.disposition)) kind = "tab";
    if (!kind) return;
    this.emit({ k: "opening", tabId: tab.tabId });
    const match = this.#children.evidence({ source: tab.tabId, kind, url: params.url }, performance.now());
    if (match) this.#adoptChild(match);
  }

  /** Which tab is in front in each window, when the worker starts. */
  async load() {
    for (const { id, windowId } of await this.chrome.tabs.query({ active: true })) this.activated({ tabId: id, windowId });
    const window = await this.chrome.windows.getLastFocused().catch(() => null);
    if (window?.focused) this.focused(window.id);
  }

  /** `windows.onFocusChanged`; no window when another program has the focus. */
  focused(windowId) {
    if (windowId !== this.#focused.now) this.#focused = { now: windowId, before: this.#focused.now };
  }

  /** `tabs.onActivated`: remembers whom to give the focus back to. */
  activated({ tabId, windowId }) {
    const before = this.#active.get(windowId);
    if (before?.now !== tabId) this.#active.set(windowId, { now: tabId, before: before?.now });
  }

  async #adoptChild({ evidence, tabId }) {
    const source = this.roster.get(evidence.source);
    if (!source) return;
    const { key } = source;
    let tab = null;
    try {
      tab = await this.#adoptBeside(source, tabId, evidence, async (child) => {
        child.unannounced();
        await this.#confirm(child, evidence, source);
        if (source.gone) throw source.gone;
      });
      if (source.gone) throw source.gone;
      await this.#giveFocusBack(tabId, source.tabId);
      await this.group(tabId, key);
      const info = await this.info(tabId);
      if (tab.gone) throw tab.gone;
      this.emit({ k: "tab", what: "adopted", tab: info, doc: tab.docs.doc(), key, openerTabId: source.tabId });
      tab.announced(this.emit);
    } catch (error) {
      // Not ours, closed again, or a page that is not for agents: it stays the person's.
      if (tab?.early) await this.adopter.release(tab, "failed");
      if (error !== OTHERS && !source.gone) this.emit({ k: "opening", tabId: source.tabId, failed: true });
    }
  }

  /** A tab may stand still with its opener, which asks the person something: it is taken when both go on. */
  async #adoptBeside(source, tabId, { url: asked }, confirm) {
    for (;;) {
      try {
        return await this.adopter.adopt(tabId, source.key, confirm);
      } catch (error) {
        if (error.code !== "timeout" || !source.dialog) throw error;
        const before = await this.#address(tabId);
        const isOurs = () => this.roster.get(source.tabId) === source;
        while (source.dialog && isOurs()) {
          // Meanwhile the person may go elsewhere in it: then it is theirs. Afterwards its page itself may lead on.
          const now = await this.#address(tabId);
          if (![before, "about:blank", asked].some((url) => same(url, now))) throw error;
          await new Promise((resolve) => setTimeout(resolve, LIMITS.dialogMs));
        }
        if (!isOurs()) throw error;
      }
    }
  }

  async #address(tabId) {
    const { url, pendingUrl } = await this.chrome.tabs.get(tabId);
    return pendingUrl || url || "about:blank";
  }

  /** `window.open` names its opener. A click with a modifier names none; its address has matched. */
  async #confirm(child, evidence, source) {
    const { targetInfo } = await this.cdp.send(child, { method: "Target.getTargetInfo" }, { signal: AbortSignal.timeout(1000) });
    const { openerId, openerFrameId } = targetInfo;
    const named = [openerId, openerFrameId].some((id) => id && (id === source.targetId || source.docs.frame(id)));
    if (named || (evidence.kind === "tab" && !openerId)) return;
    const other = this.#children.evidence(evidence, performance.now());
    if (other) this.#adoptChild(other);
    throw OTHERS;
  }

  /** A tab opened by a background tab must not take the person's view. */
  async #giveFocusBack(tabId, sourceId) {
    const child = await this.chrome.tabs.get(tabId);
    // It may have closed itself as soon as it had opened the other.
    const source = await this.chrome.tabs.get(sourceId).catch(() => null);
    if (source && child.windowId !== source.windowId) return this.#giveWindowBack(child.windowId);
    if (!child.active) return;
    const active = this.#active.get(child.windowId);
    const before = active?.now === tabId ? active.before : active?.now;
    if (before === undefined || before === sourceId || before === tabId) return;
    await this.chrome.tabs.update(before, { active: true }).catch(() => {});
  }

  /** The same for a window that a page opened: back to the person's, or to their other program. */
  async #giveWindowBack(windowId) {
    const { now, before } = this.#focused;
    if (now !== windowId) return;
    const change = before === NO_WINDOW ? [windowId, { focused: false }] : [before, { focused: true }];
    await this.chrome.windows.update(...change).catch(() => {});
  }
}

/** The wire's `tab`. */
export function describe(tab) {
  const { id, windowId, groupId = -1, active, status = "", discarded = false } = tab;
  const url = clip(tab.url || tab.pendingUrl, LIMITS.urlChars);
  return { tabId: id, windowId, groupId, url, title: clip(tab.title, LIMITS.titleChars), active, status, discarded };
}

/** Stable per key, so that two agents are told apart. */
export function colorOf(key) {
  let hash = 0;
  for (const char of key) hash = (hash * 31 + char.codePointAt(0)) >>> 0;
  return COLORS[hash % COLORS.length];
}
