// Tests: one effect at a time per tab.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Lanes } from "../src/lanes.js";

test("one runs, the others wait their turn, in order", () => {
  const lanes = new Lanes();
  assert.deepEqual(["a", "b", "c"].map((id) => lanes.enter("tab 1", id)), ["run", "wait", "wait"]);
  assert.equal(lanes.enter("tab 2", "d"), "run");
  assert.equal(lanes.leave("tab 1", "a"), "b");
  assert.equal(lanes.leave("tab 1", "b"), "c");
  assert.equal(lanes.leave("tab 1", "c"), null);
  assert.equal(lanes.enter("tab 1", "e"), "run");
});

test("one that gives up waiting is passed over", () => {
  const lanes = new Lanes();
  ["a", "b", "c"].forEach((id) => lanes.enter("tab 1", id));
  assert.equal(lanes.leave("tab 1", "b"), null);
  assert.equal(lanes.running("tab 1"), "a");
  assert.equal(lanes.leave("tab 1", "a"), "c");
});

test("beyond its bound a lane is busy, and one that never entered changes nothing", () => {
  const lanes = new Lanes(2);
  assert.deepEqual(["a", "b", "c", "d"].map((id) => lanes.enter("t", id)), ["run", "wait", "wait", "busy"]);
  assert.equal(lanes.leave("t", "d"), null);
  assert.equal(lanes.leave("elsewhere", "x"), null);
  assert.equal(lanes.leave("t", "a"), "b");
});
