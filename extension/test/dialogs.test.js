// Tests: a dialog that the browser ended together with its document, and did not say so.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Dialogs } from "../src/dialogs.js";
import { Fault, LIMITS } from "../src/protocol.js";
import { AdoptedTab } from "../src/roster.js";

const ASKS = { type: "confirm", message: "sure?" };

/** A tab with a dialog; `answer` ends the last command, by itself the question whether scripts run. */
function world() {
  const told = [];
  let answer;
  const cdp = { send: () => new Promise((resolve, reject) => (answer = { resolve, reject })) };
  const tabs = {
    get: async () => ({ url: "https://a.test/", pendingUrl: "https://b.test/" }),
    update: async (tabId, { url }) => told.push(`${tabId} to ${url}`),
  };
  const tab = new AdoptedTab({ tabId: 1, key: "k", sessions: [["", null]] });
  const roster = { all: () => [tab], changed: () => {}, of: () => [tab] };
  const dialogs = new Dialogs({ chrome: { tabs }, cdp, roster, emit: (item) => told.push(item.what) });
  tab.dialogOpened(ASKS, undefined);
  return { tab, dialogs, told, answer: () => answer };
}

test("a dialog ends when its page answers, however late", async () => {
  for (const late of [false, true]) {
    for (const end of ["resolve", "reject"]) {
      const { tab, dialogs, told, answer } = world();
      const doubted = dialogs.doubt(tab);
      if (late) await doubted;
      assert.deepEqual([tab.dialog, told], [ASKS, []]);
      answer()[end]();
      await doubted;
      await Promise.resolve();
      assert.deepEqual([tab.dialog, told], [null, ["closed"]], `${late} ${end}`);
    }
  }
});

test("a dialog that ended while no worker lived is told as closed by the next one", async () => {
  const { tab, dialogs, told, answer } = world();
  dialogs.restore();
  answer().resolve();
  await tab.doubted;
  assert.deepEqual([tab.dialog, told], [null, ["closed"]]);
});

test("a doubt is waited for a moment only, and says nothing of the next dialog", async () => {
  const { tab, dialogs, told, answer } = world();
  const began = performance.now();
  await dialogs.doubt(tab);
  assert.ok(performance.now() - began >= LIMITS.doubtMs - 1);
  dialogs.closed(tab);
  tab.dialogOpened({ ...ASKS, message: "next" }, undefined);
  answer().resolve();
  await tab.doubted;
  assert.deepEqual([tab.dialog.message, told], ["next", ["closed"]]);
});

test("a dialog that nobody reaches is dismissed by asking for the next page again, never accepted", async () => {
  const cases = [
    ["stale_document", false, ["1 to https://b.test/"]],
    ["stale_document", true, []],
    ["timeout", false, []],
    ["cdp", false, ["closed"]],
  ];
  for (const [code, accept, wanted] of cases) {
    const { tab, dialogs, told, answer } = world();
    const params = { accept };
    const answered = dialogs.answer(tab, { method: "Page.handleJavaScriptDialog", params }).then(() => "left", (fault) => fault.code);
    answer().reject(new Fault(code, ""));
    assert.equal(await answered, told[0]?.includes(" to ") ? "left" : code);
    assert.deepEqual(told, wanted, `${code} ${accept}`);
  }
});

test("a dialog is told in tabs of its own workspace that stand still with it, and in no others", async () => {
  const asked = [];
  const silent = (tab) => (asked.push(tab.tabId), new Promise(() => {}));
  const tabs = [[1, "k"], [2, "k"], [3, "other"]].map(([tabId, key]) => new AdoptedTab({ tabId, key, sessions: [["", null]] }));
  for (const tab of tabs) tab.attached = true;
  const roster = { all: () => tabs, changed: () => {}, of: (key) => tabs.filter((tab) => tab.key === key) };
  const dialogs = new Dialogs({ chrome: {}, cdp: { send: silent }, roster, emit: () => {} });
  await dialogs.opened(tabs[0], { ...ASKS, frameId: undefined });
  assert.deepEqual(asked, [2]);
  while (!tabs[1].dialog) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(tabs.map((tab) => tab.dialog?.message ?? null), ["sure?", "sure?", null]);
});
