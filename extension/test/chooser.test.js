// Tests: the browser's file dialog is the person's whenever no agent's click is under way.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Choosers } from "../src/chooser.js";
import { AdoptedTab } from "../src/roster.js";

/** A tab with a frame in a process of its own; `told` is what its sessions were told, by the last word of each. */
function world() {
  const told = {};
  const cdp = {
    send: async (tab, { session, method, params }, { pastDialog = false }) => {
      if (tab.dialog && !pastDialog) throw tab.dialogFault();
      if (tab.crashed) throw tab.crashFault();
      told[session] = `${method === "Page.setInterceptFileChooserDialog" && params.enabled}`;
    },
  };
  const tab = new AdoptedTab({ tabId: 1, key: "k", sessions: [["", null], ["S", null]] });
  tab.attached = true;
  return { told, tab, choosers: new Choosers({ cdp, emit() {} }) };
}

test("what a former worker kept from the person is given back by the next one", async () => {
  const { told, tab, choosers } = world();
  await choosers.restore([tab]);
  assert.deepEqual(told, { "": "false", S: "false" });
});

test("a click that opened a dialog leaves the file dialog to the person too", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { told, tab, choosers } = world();
  await choosers.intercept(tab);
  assert.deepEqual(told, { "": "true", S: "true" });
  tab.dialogOpened({ type: "alert", message: "" }, "F");
  choosers.release(tab);
  t.mock.timers.tick(60_000);
  await Promise.resolve();
  assert.deepEqual(told, { "": "false", S: "false" });
});

test("and so does one whose page crashed, when another document comes", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { told, tab, choosers } = world();
  await choosers.intercept(tab);
  tab.pageCrashed();
  choosers.release(tab);
  t.mock.timers.tick(60_000);
  await Promise.resolve();
  assert.deepEqual(told, { "": "true", S: "true" });
  tab.documentChanged(0);
  choosers.documentCame(tab);
  await Promise.resolve();
  assert.deepEqual(told, { "": "false", S: "false" });
});

test("a frame that came since the last click has no file dialog of its own", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { told, tab, choosers } = world();
  await choosers.intercept(tab);
  choosers.release(tab);
  tab.sessions.set("T", null);
  await choosers.intercept(tab);
  assert.equal(told.T, "true");
});
