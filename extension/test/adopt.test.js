// Tests: what is known of adopted tabs outlives the worker.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Adopter } from "../src/adopt.js";
import { Control } from "../src/control.js";
import { Methods } from "../src/methods.js";
import { Fault } from "../src/protocol.js";
import { Ledger, Sequences } from "../src/input.js";
import { Parting } from "../src/parting.js";
import { AdoptedTab, Roster } from "../src/roster.js";

/** A tab with its debugger lost, in a browser that says `info` of it; `saved()` is what the next worker would read. */
function world(info) {
  let saved;
  const roster = new Roster(([record]) => (saved = record));
  const tab = new AdoptedTab({ tabId: 7, key: "k" });
  roster.add(tab);
  let scripts = 0;
  const answers = {
    "Target.getTargetInfo": () => ({ targetInfo: { targetId: "t" } }),
    "Page.getFrameTree": () => ({ frameTree: { frame: { id: "F", loaderId: "L", url: "https://a.test/" } } }),
    "Page.addScriptToEvaluateOnNewDocument": () => ({ identifier: `script ${(scripts += 1)}` }),
  };
  // Each answer takes a turn, as the browser's do.
  const sent = [];
  const send = async (to, { method }) => {
    if (to.gone) throw to.gone;
    sent.push(method);
    await new Promise((resolve) => setImmediate(resolve));
    return answers[method]?.() ?? {};
  };
  const here = { url: "https://a.test/", status: "complete", discarded: false, height: 600, windowId: 1, ...info };
  const chrome = {
    extension: { isAllowedFileSchemeAccess: async () => false },
    tabs: {
      get: async () => ({ ...here }),
      reload: async () => {
        sent.push("reload");
        here.discarded = false;
      },
      query: async () => [{ width: 800, height: 600 }],
    },
  };
  const agent = { hash: "h", source: "", known: async () => {} };
  const attach = async (tabId) => void sent.push(`attach ${tabId}`);
  const detach = async (tabId) => void sent.push(`detach ${tabId}`);
  const cdp = { attach, detach, send, attachedTabs: async () => new Set() };
  const told = [];
  const emit = ({ what, k }) => told.push(what ?? k);
  const dialogs = { restore() {}, closed() {} };
  const adopter = new Adopter({ chrome, cdp, roster, agent, dialogs, emit, stopped: () => false });
  return { tab, adopter, roster, sent, told, saved: () => saved };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a worker that starts again knows that nobody has looked at a tab yet, or that somebody did", async () => {
  const info = { discarded: true, height: 0 };
  const { tab, adopter, saved } = world(info);
  await adopter.ensure(tab);
  await turn();
  assert.equal(saved().unseen, true);
  await assert.rejects(adopter.drawn(tab), { code: "tab_discarded" });
  adopter.chrome.tabs.get = async () => ({ height: 600 });
  await adopter.drawn(tab);
  await turn();
  assert.equal(saved().unseen, false);
});

test("it knows the agent's script of a document that came back from the cache", async () => {
  const { tab, adopter, saved } = world({});
  await adopter.ensure(tab);
  await turn();
  assert.deepEqual(saved().sessions, [["", "script 1"]]);
  await adopter.restored(tab, "");
  await turn();
  assert.deepEqual(saved().sessions, [["", "script 2"]]);
});

test("a tab on its way to an agent stays the person's when they stop all, or its workspace is let go, meanwhile", async () => {
  const ways = {
    stopped: async ({ adopter, roster }) => {
      const state = { latch: "running", saveLatch: async (latch) => void (state.latch = latch) };
      adopter.stopped = () => state.latch === "stopped";
      const rest = { router: { latched() {} }, events: { push() {}, flush() {} }, changed: async () => {} };
      const control = new Control({ state, adopter, roster, ...rest });
      const stopped = control.move("stop", "popup");
      await control.move("restart", "popup");
      await stopped;
    },
    not_adopted: async ({ adopter, roster }) => {
      roster.remove(7);
      const tabs = { forgetGroup() {} };
      await new Methods({ roster, adopter, tabs }).run({ m: "workspace.release", key: "k" }, {});
    },
  };
  for (const [code, happens] of Object.entries(ways)) {
    const here = world({});
    here.tab.attached = false;
    let confirm;
    const confirmed = new Promise((resolve) => (confirm = resolve));
    const adoption = here.adopter.adopt(8, "k", () => confirmed).catch((fault) => fault);
    while (!here.sent.includes("attach 8")) await turn();
    here.adopter.parting = { closed() {} };
    await happens(here);
    confirm();
    assert.equal((await adoption).code, code);
    assert.deepEqual([here.sent, here.roster.get(8)], [["attach 8", "detach 8"], null], code);
  }
});

test("a discarded tab that is let go while it is made ready is neither loaded nor attached any more", async () => {
  for (const [loads, wanted] of [[true, ["reload"]], [false, []]]) {
    const { tab, adopter, sent } = world({ discarded: true });
    let known;
    adopter.agent.known = () => new Promise((resolve) => (known = resolve));
    adopter.parting = { closed() {} };
    const ready = adopter.ensure(tab).catch((fault) => fault.code);
    if (loads) known();
    while (loads && !sent.includes("reload")) await turn();
    await adopter.release(tab, "released");
    known();
    assert.deepEqual([await ready, sent], ["not_adopted", wanted]);
  }
});

test("a lost debugger is told once, not by each worker", async () => {
  const first = world({});
  await first.adopter.ensure(first.tab);
  first.adopter.lost(first.tab, "target_closed");
  await turn();
  const next = world({});
  next.adopter.remember([first.saved()]);
  await next.adopter.restore();
  assert.deepEqual([first.told, next.told], [["doc", "detach"], []]);
  await next.adopter.ensure(next.roster.get(7));
  await turn();
  // The browser took it while no worker lived.
  const last = world({});
  last.adopter.remember([next.saved()]);
  await last.adopter.restore();
  assert.deepEqual(last.told, ["detach"]);
});

test("so is one that could not be attached again", async () => {
  const { tab, adopter, sent, saved } = world({});
  adopter.cdp.send = async () => {
    adopter.roster.changed();
    await turn();
    throw new Fault("timeout", "");
  };
  await assert.rejects(adopter.ensure(tab), { code: "timeout" });
  await turn();
  assert.deepEqual([sent, saved().attached], [["attach 7", "detach 7"], false]);
});

test("what a worker held that died while it let a tab go is released before the debugger goes", async () => {
  const { adopter, roster, sent } = world({});
  const { cdp } = adopter;
  cdp.attachedTabs = async () => new Set([7, 9, 8]);
  const ledger = new Ledger(async () => {});
  const release = { session: "S", method: "Input.dispatchKeyEvent", params: { type: "keyUp", key: "a" } };
  ledger.load({ 8: [["key a", release]] });
  const sequences = new Sequences({ cdp, ledger, adopter });
  adopter.parting = Object.assign(new Parting({ cdp, ledger, bounded: { end: async () => {} } }), { sequences });
  const send = cdp.send;
  cdp.send = (tab, command, options) => {
    if (command !== release) return send(tab, command, options);
    assert.deepEqual([tab.tabId, tab.sessions.has("S"), tab.attached], [8, true, true]);
    return send(tab, { method: "the key is released" }, options);
  };
  await adopter.restore();
  await sequences.releaseAll();
  while (!sent.includes("detach 8")) await turn();
  assert.deepEqual(sent.filter((step) => !/^Page|^Runtime/.test(step)), ["detach 9", "the key is released", "detach 8"]);
  assert.deepEqual([roster.get(8), ledger.tabs()], [null, []]);
});
