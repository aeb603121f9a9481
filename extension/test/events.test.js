// Tests: the batches of events.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Events } from "../src/events.js";
import { LIMITS } from "../src/protocol.js";

/** Timers that a test fires by hand. */
function handTimers() {
  const due = new Map();
  const delays = [];
  let next = 0;
  return {
    setTimeout: (work, ms) => (due.set((next += 1), work), delays.push(ms), next),
    clearTimeout: (id) => due.delete(id),
    fire: () => [...due].forEach(([id, work]) => (due.delete(id), work())),
    delays,
    get waiting() {
      return due.size;
    },
  };
}

function start() {
  const posted = [];
  const timers = handTimers();
  const events = new Events((frame) => posted.push(frame), timers);
  return { posted, timers, events };
}

test("events wait for a welcome, then go in numbered batches", () => {
  const { posted, timers, events } = start();
  events.push({ k: "dialog", tabId: 1 });
  timers.fire();
  assert.deepEqual(posted, []);
  events.open();
  events.push({ k: "detach", tabId: 1 });
  events.push({ k: "download", tabId: 1 });
  assert.equal(timers.waiting, 1);
  timers.fire();
  assert.deepEqual(posted.map(({ seq, items, dropped }) => [seq, items.length, dropped]), [[1, 1, 0], [2, 2, 0]]);
});

test("what must not overtake an event can flush it first, and an empty batch is not sent", () => {
  const { posted, timers, events } = start();
  events.open();
  events.push({ k: "doc" });
  events.flush();
  events.flush();
  assert.equal(posted.length, 1);
  assert.equal(timers.waiting, 0);
});

test("a large batch does not wait for the clock", () => {
  const { posted, events } = start();
  events.open();
  for (let i = 0; i < 3; i += 1) events.push({ k: "console", text: "x".repeat(LIMITS.eventBytes / 2) });
  assert.ok(posted.length >= 1);
});

test("what a tool may wait for goes at once, the rest in its own time", () => {
  const { timers, events } = start();
  const delay = (item) => {
    events.flush();
    events.push(item);
    return timers.delays.at(-1);
  };
  events.open();
  const soon = [{ k: "doc", main: true }, { k: "load" }, { k: "dialog", what: "opened" }, { k: "tab", what: "adopted" }, { k: "control", what: "pause" }];
  const later = [{ k: "doc", main: false }, { k: "request" }, { k: "console", text: "" }, { k: "tab", what: "updated", tab: { tabId: 1 } }];
  for (const item of soon) assert.equal(delay(item), 0, item.k);
  for (const item of later) assert.equal(delay(item), LIMITS.eventMs, item.k);
  events.push({ k: "load" });
  assert.deepEqual([timers.delays.at(-1), timers.waiting], [0, 1]);
});

test("only the latest of a burst of changes of one tab is told", () => {
  const { posted, events } = start();
  events.open();
  for (const title of ["a", "b"]) events.push({ k: "tab", what: "updated", tab: { tabId: 1, title } });
  events.push({ k: "tab", what: "updated", tab: { tabId: 2, title: "c" } });
  events.flush();
  assert.deepEqual(posted[0].items.map(({ tab }) => tab.title), ["b", "c"]);
});

test("beyond the bound optional events go first, and the count is told", () => {
  const { posted, events } = start();
  events.push({ k: "request", n: 0 });
  for (let n = 0; n < LIMITS.eventsWaiting; n += 1) events.push({ k: "doc", n });
  events.push({ k: "doc", n: "last" });
  events.open();
  const [{ items, dropped }] = posted;
  assert.equal(dropped, 2);
  const [lost, ...others] = items;
  assert.equal(lost.request, 1);
  assert.equal(others.length, LIMITS.eventsWaiting);
  assert.ok(others.every(({ k }) => k === "doc"));
  assert.equal(items.at(-1).n, "last");
});

test("a service that does not keep up gets no more optional events until it acknowledges", () => {
  const { posted, events } = start();
  events.open();
  const line = { k: "console", text: "x".repeat(LIMITS.eventBytes) };
  const batches = LIMITS.eventsUnackedBytes / LIMITS.eventBytes + 1;
  for (let i = 0; i < batches + 5; i += 1) events.push({ ...line });
  const sent = posted.length;
  assert.ok(sent <= batches);
  events.push({ k: "doc" });
  events.flush();
  assert.deepEqual([posted.length, posted.at(-1).dropped > 0], [sent + 1, true]);
  events.ack(posted.at(-1).seq);
  events.push({ ...line });
  assert.equal(posted.length, sent + 2);
});

test("what had to be dropped is told per tab, before what came after it", () => {
  const { posted, events } = start();
  for (let i = 0; i < LIMITS.eventsWaiting + 3; i += 1) events.push({ k: i % 2 ? "console" : "request", tabId: 7 });
  events.push({ k: "download", tabId: 8 });
  events.open();
  const [{ items, dropped }] = posted;
  assert.deepEqual(items[0], { k: "lost", tabId: 7, request: 2, console: 2 });
  assert.deepEqual([dropped, items.length, items.at(-1).k], [4, LIMITS.eventsWaiting + 1, "download"]);
});
