// Tests: code of an agent that computes when its tab is let go.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Bounded } from "../src/bounded.js";
import { Cdp } from "../src/cdp.js";
import { Observer } from "../src/observe.js";
import { Parting } from "../src/parting.js";
import { Fault } from "../src/protocol.js";
import { AdoptedTab } from "../src/roster.js";

const CODE = { session: "", method: "Runtime.evaluate", params: { expression: "the agent's" } };

// The deadlines of commands alone do not keep this process.
const awake = setInterval(() => {}, 1_000);
after(() => clearInterval(awake));

/** A tab whose page runs code of an agent; while it `computes` it answers nothing that needs the page. */
async function world({ computes, pauses = true }) {
  const log = [];
  const deaf = (method, { expression }) => expression === CODE.params.expression || (computes && method.startsWith("Runtime."));
  const sendCommand = (_target, method, params) => {
    log.push(params.expression ?? [method, ...Object.values(params)].join(" "));
    if (method === "Debugger.pause" && pauses) queueMicrotask(pause);
    return deaf(method, params) ? new Promise(() => {}) : Promise.resolve({});
  };
  const cdp = new Cdp({ sendCommand });
  const tab = new AdoptedTab({ tabId: 1, key: "k", sessions: [["", null]] });
  tab.attached = true;
  const bounded = new Bounded({ cdp, roster: { all: () => [tab] } });
  // It is no longer in the roster.
  const observer = new Observer({ bounded, roster: { get: () => (tab.gone ? null : tab) } });
  const pause = () => observer.event({ tabId: 1 }, "Debugger.paused");
  const parting = Object.assign(new Parting({ cdp, bounded, ledger: null }), { sequences: { letGo: async () => {} } });
  const control = new AbortController();
  const running = bounded.run({ effect: true, signal: control.signal }, tab, CODE, 60_000).catch(({ code }) => code);
  const seen = async (what) => {
    while (!log.includes(what)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await seen(CODE.params.expression);
  const stop = async () => {
    control.abort(new Fault("stopped", ""));
    tab.leave(new Fault("stopped", ""));
    await parting.leave(tab);
    return running;
  };
  return { log, tab, control, pause, seen, stop };
}

const ENDED = ["Debugger.pause", "Debugger.resume true"];

test("code that computes ends with the tab's work", async () => {
  const { log, stop } = await world({ computes: true });
  assert.equal(await stop(), "stopped");
  assert.deepEqual(log.slice(-2), ENDED);
});

test("also when it was just about to be ended, and the page is paused for it", async () => {
  const { log, control, pause, seen, stop } = await world({ computes: true, pauses: false });
  control.abort(new Fault("cancelled", ""));
  await seen("Debugger.pause");
  const stopped = stop();
  pause();
  await stopped;
  assert.deepEqual(log.slice(-2), ENDED);
});

test("a page that only waits, or asks the person, is left alone", async () => {
  for (const asks of [false, true]) {
    const { log, tab, stop } = await world({ computes: asks });
    if (asks) tab.asks = { type: "alert", message: "" };
    await stop();
    assert.ok(!log.includes("Debugger.pause"), `asks: ${asks}`);
  }
});
