// Tests: the person's word.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Control } from "../src/control.js";

/** One adopted tab, whose page takes its time until `freed`. */
function world() {
  const log = [];
  let freed;
  const slow = () => new Promise((resolve) => (freed = resolve));
  const state = {
    latch: "running",
    saveLatch: async (latch) => {
      state.latch = latch;
    },
  };
  const control = new Control({
    state,
    router: { latched: (latch) => log.push(`router ${latch}`) },
    sequences: { releaseAll: slow },
    adopter: { giveUp() {}, release: slow },
    roster: { all: () => [{}] },
    events: { push: ({ what }) => log.push(`told ${what}`), flush() {} },
    changed: async () => void log.push(`shown ${state.latch}`),
  });
  return { log, control, freed: () => freed() };
}

test("the person sees at once that agents may do nothing more, however slow a page is", async () => {
  for (const [what, latch] of [["stop", "stopped"], ["pause", "paused"]]) {
    const { log, control, freed } = world();
    const moved = control.move(what, "popup");
    assert.deepEqual(log, [`router ${latch}`, `told ${what}`, `shown ${latch}`]);
    freed();
    assert.equal(await moved, true);
    assert.equal(log.length, 3);
  }
});
