// Tests: closing and focusing tabs, and what is told when the browser refuses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Adopter } from "../src/adopt.js";
import { Methods } from "../src/methods.js";
import { AdoptedTab, Roster } from "../src/roster.js";
import { Tabs } from "../src/tabs.js";

const DRAGGED = "Tabs cannot be edited right now (user may be dragging a tab).";

/** One adopted tab, 7, among `open` ones; `refuse` names calls of the browser that fail, or tabs that it does not close. */
function world({ open = [7, 8], refuse = {} } = {}) {
  const told = [];
  const there = new Set(open);
  const call = (name, work) => async (...args) => {
    if (refuse[name]) throw new Error(refuse[name]);
    return work(...args);
  };
  const get = call("get", (id) => {
    if (!there.has(id)) throw new Error(`No tab with id: ${id}.`);
    return { id, windowId: 1, url: "https://a.test/", active: false };
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
  const tab = new AdoptedTab({ tabId: 7, key: "k" });
  tab.attached = true;
  roster.add(tab);
  const emit = (item) => told.push(item.what ?? item.k);
  const tabs = new Tabs({ chrome, roster, emit });
  const adopter = new Adopter({ chrome, roster, emit });
  const methods = new Methods({ roster, adopter, tabs });
  const asked = { key: "k", sent: false, signal: new AbortController().signal };
  const run = (m, p) => methods.run({ ...asked, m }, { tabId: 7, ...p });
  const faulted = async (m, p) => {
    const call = Object.assign(asked, { m });
    const { code, message } = await methods.run(call, { tabId: 7, ...p }).then(() => assert.fail("it was told as done"), (fault) => fault);
    return { code, message, sent: call.sent };
  };
  return { told, there, roster, run, faulted };
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
