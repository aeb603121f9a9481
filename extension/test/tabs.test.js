// Tests: closing and focusing tabs, what is told when the browser refuses, and tabs that a page opens.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Adopter } from "../src/adopt.js";
import { Methods } from "../src/methods.js";
import { Fault, LIMITS } from "../src/protocol.js";
import { AdoptedTab, Roster } from "../src/roster.js";
import { Tabs } from "../src/tabs.js";

const DRAGGED = "Tabs cannot be edited right now (user may be dragging a tab).";

/** One adopted tab, 7, among `open` ones; `refuse` names calls of the browser that fail, or tabs that it does not close. */
function world({ open = [7, 8], refuse = {} } = {}) {
  const told = [];
  const there = new Set(open);
  /** Where the person went in a tab. */
  const typed = {};
  const call = (name, work) => async (...args) => {
    if (refuse[name]) throw new Error(refuse[name]);
    return work(...args);
  };
  const get = call("get", (id) => {
    if (!there.has(id)) throw new Error(`No tab with id: ${id}.`);
    return { id, windowId: 1, url: "https://a.test/", active: false, ...typed[id] };
  });
  const create = call("create", () => (there.add(9), { id: 9 }));
  const remove = call("remove", async (id) => {
    if (refuse[id]) throw new Error(refuse[id]);
    await get(id);
    there.delete(id);
  });
  const query = async () => [...there].map((id) => ({ id, windowId: 1 }));
  const chrome = { tabs: { get, create, remove, query, update: call("update", get) } };
  const roster = new Roster(() => {});
  const tab = new AdoptedTab({ tabId: 7, key: "k", targetId: "seven" });
  tab.attached = true;
  roster.add(tab);
  const emit = (item) => told.push(item.what ?? item.k);
  const cdp = { send: async () => ({ targetInfo: { openerId: tab.targetId } }), detach: async (id) => void told.push(`detach ${id}`) };
  const parting = { leave: async () => {}, closed() {} };
  const adopter = new Adopter({ chrome, cdp, roster, parting, emit });
  adopter.adopt = async (tabId, key, confirm) => {
    const child = new AdoptedTab({ tabId, key });
    child.attached = true;
    await confirm(child);
    roster.add(child);
    return child;
  };
  const tabs = new Tabs({ chrome, adopter, roster, cdp, state: { groups: {} }, emit });
  const methods = new Methods({ roster, adopter, tabs });
  const asked = { key: "k", sent: false, signal: new AbortController().signal };
  const run = (m, p) => methods.run({ ...asked, m }, { tabId: 7, ...p });
  const faulted = async (m, p) => {
    const call = Object.assign(asked, { m });
    const { code, message } = await methods.run(call, { tabId: 7, ...p }).then(() => assert.fail("it was told as done"), (fault) => fault);
    return { code, message, sent: call.sent };
  };
  /** The tab opens tab 8. */
  const opens = async () => {
    tabs.opens(tab, "Page.windowOpen", { url: "https://a.test/" });
    tabs.created({ id: 8, url: "https://a.test/" });
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { told, there, typed, roster, parting, adopter, run, faulted, opens };
}

test("a tab that the browser would not close or show is kept, and its words are told; nothing was done", async () => {
  for (const [m, name] of [["tab.release", "remove"], ["tab.focus", "update"]]) {
    const { told, roster, faulted } = world({ refuse: { [name]: DRAGGED } });
    assert.deepEqual(await faulted(m, { close: true }), { code: "cdp", message: DRAGGED, sent: false }, m);
    assert.deepEqual([told, roster.get(7)?.attached], [[], true], m);
  }
});

test("a browser's last tab leaves an empty one when it closes, and only then", async () => {
  const closed = world({ open: [7] });
  assert.deepEqual([await closed.run("tab.release", { close: true }), [...closed.there]], [{ left: true }, [9]]);
  const kept = world({ open: [7], refuse: { 7: DRAGGED } });
  assert.equal((await kept.faulted("tab.release", { close: true })).code, "cdp");
  assert.deepEqual([...kept.there], [7]);
});

test("a tab that was closed already is closed", async () => {
  const { told, run, roster } = world({ open: [8] });
  assert.deepEqual(await run("tab.release", { close: true }), {});
  assert.deepEqual([told, roster.get(7)], [["removed"], null]);
});

test("a tab whose opener has closed itself is announced all the same", async () => {
  const { told, opens } = world({ open: [8] });
  await opens();
  assert.deepEqual(told, ["opening", "adopted"]);
});

test("a tab that could not be announced is not kept", async () => {
  const { told, roster, opens } = world({ open: [7] });
  await opens();
  assert.deepEqual([told, roster.get(8)], [["opening", "detach 8", "released", "opening"], null]);
});

test("a tab is the person's again before its debugger goes, and forgotten once it is closed", async () => {
  const { told, parting, run } = world({ open: [7] });
  parting.leave = async () => void told.push("left");
  await run("tab.release", {});
  assert.deepEqual(told, ["left", "detach 7", "released"]);
  const other = world({ open: [7] });
  other.parting.closed = (tabId) => void other.told.push(`forgotten ${tabId}`);
  other.adopter.closed(7);
  assert.deepEqual(other.told, ["forgotten 7", "removed"]);
  // Whatever hinders it.
  const hindered = world({ open: [7] });
  hindered.parting.leave = () => Promise.reject(new Error("no"));
  await hindered.run("workspace.release", {}).catch(() => {});
  assert.ok(hindered.told.includes("detach 7"));
});

test("a tab that stands still with its opener is taken when the opener's dialog is over, unless that is closed", async () => {
  for (const closes of [false, true]) {
    const { told, roster, adopter, opens } = world({ open: [7, 8] });
    const adopt = adopter.adopt;
    adopter.adopt = async (...args) => {
      if (roster.get(7).dialog) throw new Fault("timeout", "the browser did not answer in time");
      return adopt(...args);
    };
    roster.get(7).dialogOpened({ type: "alert", message: "" }, undefined);
    await opens();
    assert.deepEqual(told, ["opening"]);
    if (closes) adopter.closed(7);
    else roster.get(7).asks = null;
    while (told.length < 2 || (closes && told.length < 3)) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(told, closes ? ["opening", "removed", "opening"] : ["opening", "adopted"]);
  }
});

test("a tab that stands still is the person's once they go elsewhere in it; nothing is told for an opener that was let go", async () => {
  for (const letGo of [false, true]) {
    const { told, typed, roster, adopter, run, opens } = world({ open: [7, 8] });
    let asked = 0;
    adopter.adopt = async () => {
      asked += 1;
      throw new Fault("timeout", "the browser did not answer in time");
    };
    const source = roster.get(7);
    source.dialogOpened({ type: "alert", message: "" }, undefined);
    await opens();
    if (letGo) await run("tab.release", {});
    else typed[8] = { pendingUrl: "https://mine.test/" };
    const until = performance.now() + 5 * LIMITS.dialogMs;
    while (told.length < 2 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
    source.asks = null;
    // As long as it would take to be asked for again.
    await new Promise((resolve) => setTimeout(resolve, 2 * LIMITS.dialogMs));
    const [last, times] = letGo ? ["released", 1] : ["opening", 2];
    assert.deepEqual([asked, told.at(-1), told.filter((word) => word === "opening").length], [1, last, times], `let go: ${letGo}`);
  }
});

test("a tab whose opener is let go while it is adopted stays the person's", async () => {
  for (const late of [false, true]) {
    const { told, roster, adopter, run, opens } = world({ open: [7, 8] });
    const adopt = adopter.adopt;
    adopter.adopt = async (tabId, key, confirm) => {
      const letGo = () => run("tab.release", {});
      if (!late) return adopt(tabId, key, (child) => letGo().then(() => confirm(child)));
      const child = await adopt(tabId, key, confirm);
      await letGo();
      return child;
    };
    await opens();
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([told.includes("adopted"), roster.all()], [false, []], `late: ${late}`);
  }
});
