// Tests: requests and their results.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault, LIMITS } from "../src/protocol.js";
import { Router } from "../src/router.js";

/** A router whose methods end when the test says so. */
function start({ latch = "running", ready = Promise.resolve() } = {}) {
  const posted = [];
  const calls = new Map();
  const world = { latch, posted, calls, flushed: 0, timers: [] };
  const methods = {
    isEffect: ({ effect }) => effect === true,
    lane: ({ p }, effect) => (effect ? `tab ${p.tabId}` : null),
    run: (call) => new Promise((resolve, reject) => {
      calls.set(call.id, { call, resolve, reject });
      call.signal.addEventListener("abort", () => reject(call.signal.reason), { once: true });
    }),
  };
  const timers = { setTimeout: (work, ms) => world.timers.push({ work, ms }), clearTimeout() {} };
  world.router = new Router({
    methods, ready, timers, worker: "w",
    latch: () => world.latch,
    post: ({ text }) => posted.push(JSON.parse(text)),
    before: () => (world.flushed += 1),
  });
  world.send = (id, more = {}) => world.router.request({ t: "req", id, m: "x", p: { tabId: 1 }, key: "k", deadlineMs: 100, ...more }, 10);
  return world;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a request gets one result, after the events before it", async () => {
  const world = start();
  const { router, send, posted, calls } = world;
  send("a");
  await turn();
  assert.deepEqual([router.pending(), world.flushed], [["a"], 0]);
  calls.get("a").resolve({ n: 1 });
  await turn();
  assert.deepEqual(posted, [{ t: "res", id: "a", worker: "w", sent: false, ok: { n: 1 } }]);
  assert.equal(world.flushed, 1);
});

test("nothing runs before the stored latch is loaded", async () => {
  let load;
  const { send, posted, calls } = start({ ready: new Promise((resolve) => (load = resolve)) });
  send("a", { effect: true });
  await turn();
  assert.equal(calls.size, 0);
  load();
  await turn();
  assert.equal(calls.size, 1);
  assert.deepEqual(posted, []);
});

test("a repeated id is not run again: running, kept, acknowledged", async () => {
  const { router, send, posted, calls } = start();
  send("a");
  send("a");
  await turn();
  assert.equal(calls.size, 1);
  calls.get("a").resolve({});
  await turn();
  send("a");
  assert.deepEqual(posted.map(({ id, ok }) => [id, ok]), [["a", {}], ["a", {}]]);
  router.acknowledge(["a", "unknown"]);
  assert.deepEqual(router.pending(), []);
  send("a");
  assert.deepEqual([posted[2].err.code, posted[2].sent], ["internal", true]);
});

test("kept results are sent again, the oldest forgotten beyond the bound", async () => {
  const { router, send, posted, calls } = start();
  const ids = Array.from({ length: LIMITS.kept + 2 }, (_, i) => `r${i}`);
  for (const id of ids) {
    send(id);
    await turn();
    calls.get(id).resolve({});
    await turn();
  }
  posted.length = 0;
  router.resend();
  assert.deepEqual(posted.map(({ id }) => id), ids.slice(2));
});

test("what is malformed, too much or refused by the latch is answered, and runs nothing", async () => {
  const bad = { m: 7, p: [1], key: "" };
  for (const [member, value] of Object.entries(bad)) {
    const { send, posted, calls } = start();
    send("a", { [member]: value });
    await turn();
    assert.deepEqual([posted[0]?.err.code, calls.size], ["bad_request", 0], member);
  }
  for (const [latch, effect, code] of [["paused", true, "paused"], ["stopped", false, "stopped"], ["stopped", true, "stopped"]]) {
    const { send, posted, calls } = start({ latch });
    send("a", { effect });
    await turn();
    assert.deepEqual([posted[0]?.err.code, calls.size], [code, 0], latch);
  }
  const { send, posted } = start();
  for (let i = 0; i <= LIMITS.requests; i += 1) send(`r${i}`);
  assert.deepEqual(posted.map(({ id, err }) => [id, err.code]), [[`r${LIMITS.requests}`, "busy"]]);
});

test("an id that is no id is not answered", async () => {
  const { router, posted } = start();
  for (const id of [undefined, 7, "", "x".repeat(LIMITS.idChars + 1)]) router.request({ id, m: "x", p: {}, key: "k" }, 1);
  await turn();
  assert.deepEqual(posted, []);
});

test("effects on one tab wait for each other; a pause refuses the waiting and not the sent", async () => {
  const world = start();
  const { router, send, posted, calls } = world;
  for (const id of ["a", "b"]) send(id, { effect: true });
  send("read");
  await turn();
  assert.deepEqual([...calls.keys()], ["a", "read"]);
  calls.get("a").call.sent = true;
  world.latch = "paused";
  router.latched("paused");
  await turn();
  assert.deepEqual(posted.map(({ id, err }) => [id, err.code]), [["b", "paused"]]);
  calls.get("a").resolve({});
  await turn();
  assert.deepEqual([posted[1].id, posted[1].sent, calls.has("b")], ["a", true, false]);
});

test("a cancelled request in a lane lets the next one run", async () => {
  const { router, send, posted, calls } = start();
  for (const id of ["a", "b", "c"]) send(id, { effect: true });
  await turn();
  router.cancel("b");
  router.cancel("a");
  await turn();
  assert.deepEqual(posted.map(({ id, err }) => [id, err.code]).sort(), [["a", "cancelled"], ["b", "cancelled"]]);
  assert.ok(calls.has("c") && !calls.has("b"));
});

test("a request ends at its deadline, and even when its method does not listen", async () => {
  const world = start();
  const { send, posted, calls } = world;
  send("a");
  await turn();
  world.timers[0].work();
  await turn();
  assert.equal(posted[0].err.code, "timeout");
  calls.get("a").resolve({});
  send("b", { deadlineMs: 1e12 });
  assert.equal(world.timers.at(-1).ms, LIMITS.requestMs);
  send("c", { deadlineMs: -5 });
  assert.equal(world.timers.at(-1).ms, 1);
});

test("a result that is too large is a fault, a fault that is no fault is internal", async () => {
  const { send, posted, calls } = start();
  send("a");
  send("b");
  await turn();
  calls.get("a").resolve({ text: "x".repeat(LIMITS.partedBytes) });
  calls.get("b").reject(new TypeError("oops"));
  await turn();
  assert.deepEqual(posted.map(({ id, err }) => [id, err.code]).sort(), [["a", "too_large"], ["b", "internal"]]);
});

test("a lone surrogate does not leave", async () => {
  const { send, posted, calls } = start();
  send("a");
  await turn();
  calls.get("a").resolve({ "k\ud800": ["x\udc00", { ok: "\\ud800 😀" }] });
  await turn();
  assert.deepEqual(posted[0].ok, { "k\ufffd": ["x\ufffd", { ok: "\\ud800 😀" }] });
  assert.equal(new Fault("nonsense").code, "internal");
});
