// Tests: input sequences and held keys.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Ledger, Sequences } from "../src/input.js";
import { Parting } from "../src/parting.js";
import { Fault } from "../src/protocol.js";
import { AdoptedTab } from "../src/roster.js";

const key = (type, name) => ({ method: "Input.dispatchKeyEvent", params: { type, key: name, code: name } });
const mouse = (type, button = "left") => ({ method: "Input.dispatchMouseEvent", params: { type, button, x: 5, y: 5 } });

/** A tab whose commands answer at once, unless `answer(step, n)` says otherwise. */
function start(answer = () => Promise.resolve({})) {
  const log = [];
  const ledger = new Ledger(async (held) => void log.push(["save", Object.values(held).flat().map(([name]) => name).sort()]));
  const tab = new AdoptedTab({ tabId: 1, key: "k" });
  tab.attached = true;
  tab.docs.seed("", { frame: { id: "F", loaderId: "L", url: "https://a.test/" } });
  const cdp = {
    send: (_tab, step, { signal, pastDialog } = {}) => {
      log.push([step.params.type ?? step.method, step.params.key ?? step.params.button]);
      return tab.race(answer(step, log.length), { signal, pastDialog });
    },
  };
  const drawn = async () => { throw new Fault("tab_discarded", "not drawn"); };
  const adopter = { files: false, roster: { get: () => tab }, drawn };
  const control = new AbortController();
  const call = { sent: false, signal: control.signal };
  const sequences = new Sequences({ cdp, ledger, adopter, choosers: { intercept() {}, release() {} } });
  const parting = Object.assign(new Parting({ cdp, ledger, bounded: { end: async () => {} } }), { sequences });
  const run = (p) => sequences.run(call, tab, p);
  return { log, ledger, tab, call, control, run, sequences, parting };
}

test("a pointer is not sent to a tab that is not drawn; a key is", async () => {
  const { log, run, tab } = start();
  tab.unseen = true;
  await assert.rejects(run({ steps: [mouse("mousePressed"), mouse("mouseReleased")] }), { code: "tab_discarded" });
  assert.deepEqual(log, []);
  assert.equal((await run({ steps: [key("keyDown", "a")], finally: [key("keyUp", "a")] })).done, 1);
});

test("steps leave in order, their answers come in order, and nothing stays held", async () => {
  const { log, run, ledger, call } = start((step) => Promise.resolve({ was: step.params.type }));
  const out = await run({ steps: [key("keyDown", "a"), key("keyUp", "a")] });
  assert.deepEqual(out, { done: 2, results: [{ was: "keyDown" }, { was: "keyUp" }] });
  assert.deepEqual(log, [["save", ["key a"]], ["keyDown", "a"], ["keyUp", "a"], ["save", []]]);
  assert.equal(ledger.held(1).size, 0);
  assert.equal(call.sent, true);
});

test("two tabs at once do not lose each other's keys", async () => {
  const saved = [];
  const ledger = new Ledger(async (held) => void saved.push(Object.keys(held)));
  await Promise.all([ledger.expect(1, [key("keyDown", "a")]), ledger.expect(2, [key("keyDown", "b")])]);
  assert.deepEqual(saved.at(-1), ["1", "2"]);
  await ledger.settle(1);
  assert.deepEqual(saved.at(-1), ["2"]);
});

test("what is pressed is stored before it is pressed", async () => {
  const { log, run } = start();
  await run({ steps: [mouse("mousePressed"), key("rawKeyDown", "Shift")] });
  assert.deepEqual(log[0], ["save", ["button left", "key Shift"]]);
  assert.deepEqual(log.at(-1), ["save", ["button left", "key Shift"]], "held on purpose, until another sequence lets go");
});

test("a sequence that ends early lets go of what it holds, after its own last steps", async () => {
  const world = start((step) => (step.params.key === "b" ? Promise.reject(new Fault("cdp", "no")) : Promise.resolve({})));
  const steps = [key("keyDown", "a"), mouse("mousePressed"), { ...key("keyDown", "b"), wait: true }, key("keyDown", "c")];
  await assert.rejects(world.run({ steps, finally: [key("keyUp", "z")] }), { code: "cdp" });
  assert.deepEqual(world.log.filter(([kind]) => kind !== "save"), [
    ["keyDown", "a"], ["mousePressed", "left"], ["keyDown", "b"], ["keyUp", "z"], ["keyUp", "b"], ["Input.cancelDragging", undefined], ["mouseReleased", "left"], ["keyUp", "a"],
  ]);
  assert.equal(world.ledger.held(1).size, 0);
});

test("what is under way when a call is cancelled is answered before anything is let go", async () => {
  let answer;
  const world = start((step) => (step.params.type === "mouseMoved" ? new Promise((resolve) => { answer = resolve; }) : Promise.resolve({})));
  const running = world.run({ steps: [mouse("mousePressed"), { ...mouse("mouseMoved"), wait: true }] });
  while (!answer) await new Promise((resolve) => setImmediate(resolve));
  world.control.abort(new Fault("cancelled", "no longer wanted"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(world.log.at(-1), ["mouseMoved", "left"]);
  answer({});
  await running.catch(() => {});
  assert.deepEqual(world.log.slice(-3, -1), [["Input.cancelDragging", undefined], ["mouseReleased", "left"]]);
});

test("a dialog ends the sequence; the step that opened it counts", async () => {
  const world = start((step) => (step.params.type === "mouseReleased" ? new Promise(() => {}) : Promise.resolve({})));
  const running = world.run({ steps: [mouse("mousePressed"), mouse("mouseReleased"), { ...key("keyDown", "a"), wait: true }] });
  await new Promise((resolve) => setImmediate(resolve));
  world.tab.dialogOpened({ type: "confirm", message: "sure?" });
  const { stopped, results } = await running;
  assert.deepEqual([stopped, results[1]], [{ reason: "dialog", dialog: { type: "confirm", message: "sure?" } }, null]);
});

test("a guard, a cancel and a detach are seen before each step", async () => {
  const cases = {
    stale_document: ({ tab }) => tab.docs.seed("", { frame: { id: "F", loaderId: "M", url: "https://a.test/" } }),
    cancelled: ({ control }) => control.abort(new Fault("cancelled")),
    paused: ({ control }) => control.abort(new Fault("paused")),
    timeout: ({ control }) => control.abort(new Fault("timeout")),
    detached: ({ tab }) => (tab.attached = false),
  };
  for (const [reason, happen] of Object.entries(cases)) {
    const world = start();
    const running = world.run({ steps: [{ ...key("keyDown", "a"), afterMs: 300 }, key("keyUp", "a")], guard: { frameId: "F", loaderId: "L" } });
    await new Promise((resolve) => setImmediate(resolve));
    happen(world);
    const { done, stopped } = await running;
    assert.deepEqual([done, stopped], [1, { reason }], reason);
  }
});

test("a sequence that cannot begin sends nothing and is refused", async () => {
  const cases = {
    dialog_open: ({ tab }) => (tab.asks = { type: "alert", message: "" }),
    stale_document: ({ tab }) => tab.docs.clear(),
    detached: ({ tab }) => (tab.attached = false),
  };
  for (const [code, happen] of Object.entries(cases)) {
    const world = start();
    happen(world);
    const p = { steps: [key("keyDown", "a")], finally: [key("keyUp", "z")], guard: { frameId: "F", loaderId: "L" } };
    await assert.rejects(world.run(p), { code }, code);
    assert.deepEqual([world.call.sent, world.log.filter(([kind]) => kind !== "save")], [false, []], code);
  }
  for (const [steps, code] of [["x", "bad_request"], [[{ method: "Storage.clearCookies" }], "unsupported"], [[null], "bad_request"], [[{ method: "Page.navigate", params: { url: "chrome://x" } }], "restricted_page"]]) {
    await assert.rejects(start().run({ steps }), { code });
  }
});

test("what a former worker held is let go, away from everything", async () => {
  const { log, ledger, sequences } = start();
  const press = mouse("mousePressed");
  ledger.load({ 1: [["button left", { ...press, params: { ...press.params, ...Ledger.change(press)[1].params } }]] });
  await sequences.releaseAll();
  assert.deepEqual(log, [["Input.cancelDragging", undefined], ["mouseReleased", "left"], ["save", []]]);
  const [, lift] = Ledger.change(press);
  assert.deepEqual([lift.params.x, lift.params.y], [-1, -1]);
});

test("a tab that is let go has nothing pressed and nothing armed, and hears of nothing else", async () => {
  const { log, ledger, tab, run, parting } = start();
  tab.docs.apply("", "Runtime.executionContextCreated", { context: { id: 1, name: "ghostlight", uniqueId: "u", auxData: { frameId: "F" } } });
  await run({ steps: [key("keyDown", "a"), mouse("mousePressed")] });
  const running = run({ steps: [{ ...key("keyDown", "b"), afterMs: 9_000 }, key("keyDown", "c")] });
  while (ledger.held(1).size < 3) await new Promise((resolve) => setImmediate(resolve));
  log.length = 0;
  tab.leave(new Fault("not_adopted", "the tab was let go"));
  await parting.leave(tab);
  assert.deepEqual((await running).stopped, { reason: "detached" });
  assert.deepEqual(log.filter(([kind]) => kind !== "save"), [
    ["keyUp", "b"], ["Input.cancelDragging", undefined], ["mouseReleased", "left"], ["keyUp", "a"], ["Runtime.evaluate", undefined],
  ]);
  assert.equal(ledger.held(1).size, 0);
});

test("of a caller's last steps, a tab that was let go hears those alone that let go", async () => {
  const { log, ledger, tab, run, parting } = start();
  const drag = (type) => ({ method: "Input.dispatchDragEvent", params: { type, x: 5, y: 5 } });
  const steps = [key("keyDown", "a"), { ...mouse("mousePressed"), afterMs: 9_000 }];
  const last = [
    { method: "Page.navigate", params: { url: "https://b.test/" } }, { method: "Runtime.evaluate", params: {} }, { method: "Page.reload" },
    drag("drop"), drag("dragCancel"), mouse("mouseReleased"), key("keyDown", "b"), key("keyUp", "a"),
  ].map((step) => ({ params: {}, ...step }));
  const running = run({ steps, finally: last });
  while (ledger.held(1).size < 2) await new Promise((resolve) => setImmediate(resolve));
  log.length = 0;
  tab.leave(new Fault("stopped", "the tab was let go"));
  await parting.leave(tab);
  await running;
  assert.deepEqual(log.filter(([kind]) => kind !== "save"), [
    ["dragCancel", undefined], ["keyUp", "a"], ["Input.cancelDragging", undefined], ["mouseReleased", "left"],
  ]);
});

test("a page that does not answer is let go all the same, soon", async () => {
  const { tab, run, parting, ledger } = start((step) => (step.params.type === "keyDown" ? Promise.resolve({}) : new Promise(() => {})));
  await run({ steps: [key("keyDown", "a")] });
  await parting.leave(tab);
  assert.equal(ledger.held(1).size, 0);
});

test("what was held in a tab that is closed is forgotten", async () => {
  const { log, ledger, run, parting } = start();
  await run({ steps: [key("keyDown", "a")] });
  await parting.closed(1);
  await parting.closed(2);
  assert.deepEqual([log.at(-1), ledger.tabs()], [["save", []], []]);
  assert.equal(log.filter(([kind]) => kind === "save").length, 3);
});
