// Tests: commands to a tab, and what is told when its debugger goes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Adopter } from "../src/adopt.js";
import { Cdp } from "../src/cdp.js";
import { Dialogs } from "../src/dialogs.js";
import { Observer } from "../src/observe.js";
import { Fault } from "../src/protocol.js";
import { AdoptedTab, Roster } from "../src/roster.js";

const ASKS = { type: "alert", message: "hi" };

/** Tabs as a former worker stored them, of which the browser says that those `attached` have a debugger. */
function world(records, attached = []) {
  const told = [];
  const sent = [];
  const roster = new Roster(() => {});
  const emit = ({ k, what, tabId }) => void told.push([k, what, tabId].filter(Boolean).join(" "));
  const cdp = new Cdp({
    sendCommand: async ({ tabId }, method) => {
      if (!attached.includes(tabId)) throw new Error(`{"code":-32000,"message":"Debugger is not attached to the tab with id: ${tabId}."}`);
      sent.push(method);
      // A page that asks the person something answers nothing.
      if (method === "Runtime.evaluate" && roster.get(tabId).asks) return new Promise(() => {});
      return { frameTree: { frame: { id: "F", loaderId: "L", url: "https://a.test/" } } };
    },
    getTargets: async () => attached.map((tabId) => ({ tabId, attached: true })),
    detach: async () => {},
  });
  const dialogs = new Dialogs({ cdp, roster, emit });
  const parting = { closed() {} };
  const adopter = new Adopter({ cdp, roster, dialogs, parting, emit });
  const observer = new Observer({ roster, adopter, dialogs, emit });
  adopter.remember(records);
  return { told, sent, roster, cdp, adopter, observer };
}

function record(more = {}) {
  return { ...new AdoptedTab({ tabId: 1, key: "k", sessions: [["", null]], ...more }).record(), attached: true };
}

test("a lost debugger is told once, also where a command found it out first", async () => {
  for (const found of [false, true]) {
    const { told, roster, cdp, observer } = world([record({ dialog: ASKS })]);
    const tab = roster.get(1);
    if (found) await assert.rejects(cdp.send(tab, { method: "Page.getNavigationHistory" }), { code: "detached" });
    const waiting = assert.rejects(tab.race(new Promise(() => {}), { pastDialog: true }), { code: "detached" });
    observer.detached({ tabId: 1 }, "target_closed");
    await waiting;
    assert.deepEqual([told, tab.dialog], [["dialog closed 1", "detach 1"], null], String(found));
  }
});

test("a tab that was let go hears of nothing but what leaves it clean", async () => {
  const { roster, cdp, sent } = world([record()], [1]);
  const tab = roster.get(1);
  tab.leave(new Fault("not_adopted", "let go"));
  await assert.rejects(cdp.send(tab, { method: "Runtime.evaluate" }), { code: "not_adopted" });
  await cdp.send(tab, { method: "Input.dispatchKeyEvent" }, { parting: true });
  assert.deepEqual(sent, ["Input.dispatchKeyEvent"]);
});

test("a debugger that was lost while no worker lived is told, with all that went with it", async () => {
  const lost = { 1: { dialog: ASKS }, 2: { crashed: true }, 3: {} };
  const records = Object.entries(lost).map(([tabId, more]) => record({ tabId: Number(tabId), ...more }));
  const { told, roster, adopter } = world([...records, record({ tabId: 4 })], [4]);
  await adopter.restore();
  assert.deepEqual(told.sort(), ["detach 1", "detach 2", "detach 3", "dialog closed 1"]);
  assert.deepEqual(roster.all().map(({ attached, crashed, dialog }) => [attached, crashed, dialog]), [
    [false, false, null], [false, false, null], [false, false, null], [true, false, null],
  ]);
});

test("a new worker knows which frame asks, and which tabs stand still with it", () => {
  const before = world([record({ dialog: ASKS }), record({ tabId: 2 })]).roster;
  before.get(1).dialogOpened(ASKS, "F");
  before.get(2).stand(before.get(1));
  const stored = JSON.parse(JSON.stringify(before.all().map((tab) => tab.record())));
  const { roster } = world(stored.reverse());
  assert.equal(roster.get(1).asksIn, "F");
  assert.deepEqual(roster.get(2).dialog, { ...ASKS, tabId: 1 });
  // A tab that is gone holds nothing back.
  const alone = world(stored.filter(({ tabId }) => tabId === 2)).roster;
  assert.equal(alone.get(2).dialog, null);
});

test("it finds out which of them went on meanwhile", async () => {
  const { roster, adopter } = world([record({ dialog: ASKS }), { ...record({ tabId: 2 }), heldBy: 1 }], [1, 2]);
  assert.ok(roster.get(2).dialog);
  await adopter.restore();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([roster.get(1).dialog, roster.get(2).dialog], [ASKS, null]);
});
