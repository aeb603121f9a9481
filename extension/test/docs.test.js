// Tests: the table of documents.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Docs } from "../src/docs.js";

const frame = (id, loaderId, more = {}) => ({ id, loaderId, url: `https://a.test/${loaderId}`, securityOrigin: "https://a.test", ...more });
const world = (frameId, uniqueId, name = "ghostlight") => ({ context: { id: 7, name, uniqueId, auxData: { frameId } } });

function page() {
  const docs = new Docs(7);
  docs.seed("", { frame: frame("M", "L1"), childFrames: [{ frame: frame("C", "L2", { parentId: "M" }) }] });
  docs.apply("", "Runtime.executionContextCreated", world("M", "u1"));
  docs.apply("", "Runtime.executionContextCreated", world("C", "u2"));
  return docs;
}

test("frames and their agents are known from the browser's answers", () => {
  const docs = page();
  assert.deepEqual(docs.list().map(({ frameId, parentId }) => [frameId, parentId]), [["M", undefined], ["C", "M"]]);
  assert.deepEqual(docs.doc(), { tabId: 7, frameId: "M", loaderId: "L1", origin: "https://a.test", url: "https://a.test/L1", unreachable: false });
  assert.equal(docs.world().uniqueId, "u1");
  assert.equal(docs.world("C").uniqueId, "u2");
  assert.equal(docs.world("X"), null);
});

test("an answer that was asked for before a document came does not hide it", () => {
  const docs = new Docs(7);
  const asked = docs.clock;
  docs.apply("", "Page.frameNavigated", { frame: frame("M", "L2") });
  docs.seed("", { frame: frame("M", "L1"), childFrames: [{ frame: frame("C", "L0", { parentId: "M" }) }] }, asked);
  assert.deepEqual(docs.list().map(({ frameId, loaderId }) => [frameId, loaderId]), [["M", "L2"]]);
  docs.seed("", { frame: frame("M", "L3") });
  assert.equal(docs.doc().loaderId, "L3");
});

test("a world of another name is not the agent's", () => {
  const docs = page();
  docs.apply("", "Runtime.executionContextCreated", world("M", "evil", "other"));
  assert.equal(docs.world().uniqueId, "u1");
});

test("a new document replaces frames and agents of the former one", () => {
  const docs = page();
  docs.apply("", "Runtime.executionContextsCleared", {});
  assert.equal(docs.world(), null);
  const change = docs.apply("", "Page.frameNavigated", { frame: frame("M", "L3"), type: "Navigation" });
  assert.deepEqual([change.main, change.sameDocument, change.doc.loaderId], [true, false, "L3"]);
  assert.deepEqual(docs.list().map(({ frameId }) => frameId), ["M"]);
  docs.apply("", "Runtime.executionContextCreated", world("M", "u3"));
  assert.equal(docs.world().uniqueId, "u3");
});

test("the agent of a document from the cache is not used before the document is named", () => {
  const docs = page();
  docs.apply("", "Runtime.executionContextsCleared", {});
  docs.apply("", "Runtime.executionContextCreated", world("M", "old"));
  docs.apply("", "Runtime.executionContextCreated", world("K", "oldchild"));
  assert.equal(docs.world(), null);
  docs.apply("", "Page.frameNavigated", { frame: frame("M", "L0"), type: "BackForwardCacheRestore" });
  docs.seed("", { frame: frame("M", "L0"), childFrames: [{ frame: frame("K", "L9", { parentId: "M" }) }] });
  assert.deepEqual([docs.world().uniqueId, docs.world("K").uniqueId, docs.frame("C")], ["old", "oldchild", null]);
});

test("a frame that moves to a process of its own keeps its place in the tree", () => {
  const docs = page();
  docs.apply("", "Page.frameDetached", { frameId: "C", reason: "swap" });
  assert.deepEqual(docs.list().map(({ frameId }) => frameId), ["M"]);
  docs.seed("S", { frame: frame("C", "L5") });
  docs.apply("S", "Runtime.executionContextCreated", world("C", "u5"));
  const child = docs.list()[1];
  assert.deepEqual([child.session, child.parentId, child.loaderId], ["S", "M", "L5"]);
  assert.deepEqual(docs.world("C"), { session: "S", uniqueId: "u5", contextId: 7 });
  docs.drop("S");
  assert.deepEqual(docs.list().map(({ frameId }) => frameId), ["M"]);
});

test("what the process that a frame has left says late is not about its new document", () => {
  const docs = page();
  const asked = docs.clock;
  docs.apply("", "Page.frameNavigated", { frame: frame("C", "L3", { parentId: "M" }) });
  docs.seed("S", { frame: frame("C", "L5") }, asked);
  docs.apply("S", "Runtime.executionContextCreated", world("C", "u5"));
  docs.apply("", "Runtime.executionContextCreated", world("C", "late"));
  docs.apply("", "Runtime.executionContextDestroyed", { executionContextUniqueId: "late" });
  docs.apply("", "Page.frameDetached", { frameId: "C", reason: "swap" });
  assert.deepEqual([docs.frame("C").session, docs.frame("C").loaderId, docs.world("C").uniqueId], ["S", "L5", "u5"]);
});

test("a removed frame takes its own frames along", () => {
  const docs = page();
  docs.apply("", "Page.frameAttached", { frameId: "G", parentFrameId: "C" });
  docs.apply("", "Page.frameDetached", { frameId: "C", reason: "remove" });
  assert.deepEqual([docs.frame("C"), docs.frame("G")], [null, null]);
});

test("an error page is named by the address that was tried", () => {
  const docs = page();
  const error = frame("M", "L4", { url: "chrome-error://chromewebdata/", unreachableUrl: "https://down.test/" });
  const { doc } = docs.apply("", "Page.frameNavigated", { frame: error });
  assert.deepEqual([doc.url, doc.unreachable], ["https://down.test/", true]);
});

test("a move within the document changes the address only, and is told once", () => {
  const docs = page();
  const move = { frameId: "M", url: "https://a.test/L1#x" };
  assert.deepEqual(docs.apply("", "Page.navigatedWithinDocument", move)?.doc.loaderId, "L1");
  assert.equal(docs.apply("", "Page.navigatedWithinDocument", move), null);
  assert.equal(docs.doc().url, "https://a.test/L1#x");
});

test("an opaque origin has one name", () => {
  for (const securityOrigin of ["://", "", "null", undefined]) {
    const { doc } = page().apply("", "Page.frameNavigated", { frame: frame("M", "L4", { securityOrigin }) });
    assert.equal(doc.origin, "null");
  }
});
