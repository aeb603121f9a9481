// The native port and its messages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS } from "../src/protocol.js";
import { Port } from "../src/port.js";

/** A browser with native ports that the test ends and speaks through. */
function fakeChrome() {
  const ports = [];
  const alarms = [];
  const runtime = {
    lastError: undefined,
    connectNative(host) {
      const hear = {};
      const port = {
        host,
        posted: [],
        postMessage: (message) => port.posted.push(message),
        onMessage: { addListener: (f) => (hear.message = f) },
        onDisconnect: { addListener: (f) => (hear.disconnect = f) },
        say: (message) => hear.message(message),
        end(error) {
          runtime.lastError = error && { message: error };
          hear.disconnect();
          runtime.lastError = undefined;
        },
      };
      ports.push(port);
      return port;
    },
  };
  return { ports, created: alarms, runtime, alarms: { create: (name, when) => alarms.push([name, when]) } };
}

function start(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(console, "warn", () => {});
  const chrome = fakeChrome();
  const received = [];
  const states = [];
  const port = new Port({ chrome, receive: (message, size) => received.push([message, size]), changed: (open) => states.push(open) });
  return { chrome, port, received, states, tick: (ms) => t.mock.timers.tick(ms) };
}

test("a lost port is opened again, after growing pauses with an upper bound", (t) => {
  const { chrome, port, states, tick } = start(t);
  port.connect("org.ghostlight");
  for (let expected = LIMITS.redialFirstMs, i = 0; i < 8; i += 1, expected = Math.min(expected * 2, LIMITS.redialLastMs)) {
    const before = chrome.ports.length;
    chrome.ports.at(-1).end("Native host has exited.");
    tick(expected * 0.7);
    assert.equal(chrome.ports.length, before, `not before ${expected * 0.75} ms`);
    tick(expected * 0.6);
    assert.equal(chrome.ports.length, before + 1, `within ${expected * 1.25} ms`);
  }
  assert.deepEqual(states.slice(0, 3), [true, false, true]);
  assert.ok(chrome.ports.every(({ host }) => host === "org.ghostlight"));
});

test("a port that delivered starts from the short pause again", (t) => {
  const { chrome, port, tick } = start(t);
  port.connect("h");
  for (let i = 0; i < 5; i += 1) {
    chrome.ports.at(-1).end("Native host has exited.");
    tick(LIMITS.redialLastMs * 1.3);
  }
  chrome.ports.at(-1).say({ t: "greet" });
  const before = chrome.ports.length;
  chrome.ports.at(-1).end("Native host has exited.");
  tick(LIMITS.redialFirstMs * 1.3);
  assert.equal(chrome.ports.length, before + 1);
});

test("where no host is installed only the alarm asks again, and the popup can tell", (t) => {
  const { chrome, port, tick } = start(t);
  port.guardByAlarm();
  port.connect("h");
  chrome.ports[0].end("Specified native messaging host not found.");
  tick(60_000);
  assert.deepEqual([chrome.ports.length, port.hostMissing, chrome.created.length], [1, true, 1]);
  port.connect();
  assert.deepEqual([chrome.ports.length, port.hostMissing], [2, false]);
  port.connect();
  assert.equal(chrome.ports.length, 2, "one port at a time");
});

test("the alarm that starts a killed worker is quick while tabs are adopted, and set only when that changes", (t) => {
  const { chrome, port } = start(t);
  for (const adopted of [undefined, true, true, false, false]) port.guardByAlarm(adopted);
  const seconds = chrome.created.map(([, { periodInMinutes }]) => Math.round(periodInMinutes * 60));
  assert.deepEqual(seconds, [30, 3, 30]);
});

test("messages arrive whole, in parts too; what is no message is dropped", (t) => {
  const { chrome, port, received } = start(t);
  port.connect("h");
  const [native] = chrome.ports;
  const text = JSON.stringify({ t: "req", id: "1" });
  for (const bad of [null, 7, "x", { t: "part", xfer: 1, i: 5, n: 2, bytes: 3, text: "x" }]) native.say(bad);
  native.say({ t: "part", xfer: 2, i: 1, n: 2, bytes: text.length, text: text.slice(5) });
  native.say({ t: "part", xfer: 2, i: 0, n: 2, bytes: text.length, text: text.slice(0, 5) });
  native.say({ t: "ping", n: 3 });
  assert.deepEqual(received.map(([message]) => message), [{ t: "req", id: "1" }, { t: "ping", n: 3 }]);
});

test("long messages leave in parts, and none without a port", (t) => {
  const { chrome, port } = start(t);
  assert.equal(port.post({ frame: { t: "pong" } }), false);
  port.connect("h");
  const frame = { t: "res", text: "x".repeat(LIMITS.frameBytes) };
  assert.equal(port.post({ frame }), true);
  assert.equal(port.post({ text: `{"t":"pong"}` }), true);
  const { posted } = chrome.ports[0];
  assert.deepEqual(JSON.parse(posted.slice(0, -1).map(({ text }) => text).join("")), frame);
  assert.deepEqual(posted.at(-1), { t: "pong" });
  chrome.ports[0].end("Native host has exited.");
  assert.equal(port.post({ frame: { t: "pong" } }), false);
});

test("a message of a port that is gone is not heard", (t) => {
  const { chrome, port, received, tick } = start(t);
  port.connect("h");
  chrome.ports[0].end("Native host has exited.");
  tick(LIMITS.redialLastMs);
  chrome.ports[0].say({ t: "greet" });
  assert.deepEqual(received, []);
});
