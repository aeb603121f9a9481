// Tests: giving a window a size.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../src/protocol.js";
import { Windows } from "../src/windows.js";

/** A window that was `state`; `after(what, stop)` runs with each change and look that the browser was asked for. */
function world(state, after = () => {}) {
  const changes = [];
  const now = { width: 800, height: 600, state, tabs: [] };
  const control = new AbortController();
  const stop = () => control.abort(new Fault("stopped", "the person stopped the agents"));
  let looks = 0;
  const windows = {
    get: async () => (after(`look ${(looks += 1)}`, stop), { ...now }),
    update: async (_id, change) => {
      changes.push(change);
      Object.assign(now, change);
      after(`change ${changes.length}`, stop);
    },
  };
  const call = { sent: false, signal: control.signal };
  const chrome = { windows, tabs: { get: async () => ({ windowId: 1 }) } };
  const resize = () => new Windows(chrome).resize(call, 7, { width: 500, height: 400 });
  return { changes, call, resize };
}

test("a maximized window becomes a normal one and gets its size", async () => {
  const { changes, call, resize } = world("maximized");
  const { before, after, refused } = await resize();
  assert.deepEqual([before.state, after, refused], ["maximized", { width: 500, height: 400, state: "normal", tabs: 0 }, undefined]);
  assert.deepEqual([changes.length, call.sent], [2, true]);
});

test("after a stop no further change of a window is asked for", async () => {
  const cases = [["look 1", [], false], ["change 1", [{ state: "normal" }], true], ["look 2", [{ state: "normal" }], true]];
  for (const [when, asked, sent] of cases) {
    const { changes, call, resize } = world("maximized", (now, stop) => now === when && stop());
    await assert.rejects(resize(), { code: "stopped" }, when);
    assert.deepEqual([changes, call.sent], [asked, sent], when);
  }
});
