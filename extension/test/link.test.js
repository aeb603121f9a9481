// Tests: the conversation with the service.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Events } from "../src/events.js";
import { Link } from "../src/link.js";
import { PROTO } from "../src/protocol.js";
import { Router } from "../src/router.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("after a new welcome no result comes before the events that preceded it", async () => {
  const posted = [];
  const events = new Events((frame) => posted.push(frame));
  const methods = { isEffect: () => false, lane: () => null, run: async () => void events.push({ k: "dialog", tabId: 1, what: "opened" }) };
  const ready = Promise.resolve();
  const post = ({ text }) => link.welcomed && posted.push(JSON.parse(text));
  const router = new Router({ methods, latch: () => "running", post, before: () => events.flush(), worker: "w", ready });
  const link = new Link({ router, events, agent: { take() {} }, ready, changed() {} });
  const welcome = () => link.receive({ t: "welcome", proto: PROTO.max, connection: "c" });
  welcome();
  link.portChanged();
  router.request({ t: "req", id: "a", m: "x", p: {}, key: "k" }, 10);
  await turn();
  assert.deepEqual(posted, []);
  welcome();
  assert.deepEqual(posted.map(({ t }) => t), ["ev", "res"]);
});
