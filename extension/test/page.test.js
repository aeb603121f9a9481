// Tests: what a call into the page agent is handed, and that it is let go again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Page } from "../src/page.js";
import { Fault } from "../src/protocol.js";

const closed = { shadowRoots: [{ shadowRootType: "closed", backendNodeId: 5 }] };

/** A tab with an agent; `answers` are the browser's, by method. Objects are held by the group they were made in. */
function world(answers = {}) {
  const held = new Map();
  let next = 0;
  const make = (group) => {
    held.set((next += 1), group);
    return { objectId: next };
  };
  const browser = {
    "Runtime.evaluate": ({ objectGroup }) => ({ result: make(objectGroup) }),
    "DOM.describeNode": () => ({ node: closed }),
    "DOM.resolveNode": ({ objectGroup }) => ({ object: make(objectGroup) }),
    "Runtime.callFunctionOn": () => ({ result: { value: { value: held.size } } }),
    "Runtime.releaseObjectGroup": ({ objectGroup }) => {
      for (const [id, group] of held) if (group === objectGroup) held.delete(id);
    },
    ...answers,
  };
  // As the extension's own: a command of a call that has ended does not leave.
  const cdp = {
    send: async (_tab, { method, params }, { signal } = {}) => {
      if (signal?.aborted) throw signal.reason;
      return browser[method](params);
    },
  };
  const docs = { frame: () => ({}), doc: () => ({}), world: () => ({ session: "", uniqueId: "u", contextId: 1 }) };
  const page = new Page({ cdp, agent: { source: "" } });
  const call = (id, p) => {
    const control = new AbortController();
    const done = page.call({ id, signal: control.signal }, { docs }, { fn: "f", ...p });
    return Object.assign(done, { stop: () => control.abort(new Fault("stopped")) });
  };
  return { held, call };
}

test("calls at once let go of what they were handed, and of nothing of each other's", async () => {
  const ends = {};
  const { held, call } = world({
    "Runtime.callFunctionOn": ({ arguments: [{ value: fn }] }) =>
      new Promise((resolve) => (ends[fn] = () => resolve({ result: { value: { value: held.size } } }))),
  });
  const [roots, node] = [call("a", { fn: "roots", roots: true }), call("b", { fn: "node", node: 9 })];
  while (!ends.roots || !ends.node) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(held.size, 3);
  ends.node();
  await node;
  assert.equal(held.size, 2, "the other's");
  ends.roots();
  assert.equal((await roots).value, 2, "still there as it ends");
  assert.equal(held.size, 0);
});

test("nothing stays held where no closed root is found, or where a call fails or is stopped", async () => {
  const fails = () => Promise.reject(new Fault("cdp", "no"));
  const cases = [
    ["no closed root", { "DOM.describeNode": () => ({ node: {} }) }, null],
    ["no node", { "DOM.resolveNode": fails }, "cdp"],
    ["no answer", { "Runtime.callFunctionOn": fails }, "cdp"],
  ];
  for (const [name, answers, code] of cases) {
    const { held, call } = world(answers);
    assert.equal(await call("a", { roots: true }).then(() => null, (fault) => fault.code), code, name);
    assert.equal(held.size, 0, name);
  }
  let stop;
  const { held, call } = world({ "Runtime.callFunctionOn": () => (stop(), fails()) });
  const stopped = call("a", { roots: true });
  stop = stopped.stop;
  await assert.rejects(stopped);
  assert.equal(held.size, 0, "stopped");
});
