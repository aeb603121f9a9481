// Tests: what a tab says before the service knows of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Observer } from "../src/observe.js";
import { AdoptedTab } from "../src/roster.js";

test("what a tab says before it is announced is told after it, and how much was too much", () => {
  for (const lines of [500, 503]) {
    const told = [];
    const tab = new AdoptedTab({ tabId: 7, key: "k" });
    const observer = new Observer({ roster: { get: () => tab }, emit: (item) => told.push(item) });
    tab.unannounced();
    const says = (value) =>
      observer.event({ tabId: 7 }, "Runtime.consoleAPICalled", { type: "log", args: [{ type: "string", value }], timestamp: 1 });
    for (let n = 0; n < lines; n += 1) says(String(n));
    if (lines > 500) observer.event({ tabId: 7 }, "Network.requestServedFromCache", { requestId: "r" });
    assert.deepEqual(told, []);
    tab.announced((item) => told.push(item));
    assert.deepEqual(told.slice(0, 500).map(({ text }) => text), Array.from({ length: 500 }, (_, n) => String(n)));
    assert.deepEqual(told.slice(500), lines > 500 ? [{ k: "lost", tabId: 7, request: 1, console: 3 }] : []);
    says("then");
    assert.equal(told.at(-1).text, "then");
  }
});
