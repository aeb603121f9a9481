// Worker deaths, new services, repeated requests and large messages, in a real Chromium.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BUTTON, click, driver, key, mouse } from "./pages.js";
import { Browser, until } from "./rig.js";

let browser;
let service;
let openPage;
let evaluate;

function take(next) {
  service = next;
  ({ openPage, evaluate } = driver(browser, service));
}

const inWorker = async (expression) => browser.pipe.evaluate(await browser.worker(), expression);

/** Kills the worker, wakes it as a tab event would, and welcomes the new life. */
async function restartWorker() {
  const seen = browser.connections.length;
  await browser.killWorker();
  await browser.pipe.send("Target.createTarget", { url: "about:blank" });
  const next = await browser.connection(seen);
  await next.open();
  take(next);
  return next.hello;
}

before(async () => {
  browser = await Browser.start({
    "/button": BUTTON,
    "/frames": `<title>frames</title><iframe src="http://localhost:%PORT%/inner"></iframe>`,
    "/pair": `<title>pair</title>${`<iframe src="http://localhost:%PORT%/inner"></iframe>`.repeat(2)}`,
    "/inner": `<title>inner</title><body>inner`,
  });
  take(await browser.service());
});
after(() => browser.close());

test("a result that was not acknowledged is sent again after a new greet", async () => {
  service.autoAck = false;
  const first = await service.call("tab.list", {}, { id: "kept-1" });
  const before = service.frames.length;
  const hello = await service.open();
  assert.ok(hello.pending.includes("kept-1"));
  const again = await until(() => service.frames.slice(before).find(({ t, id }) => t === "res" && id === "kept-1"), "the result again");
  assert.deepEqual(again, first);
  service.send({ t: "ack", res: ["kept-1"], ev: 0 });
  service.autoAck = true;
  assert.ok(!(await service.open()).pending.includes("kept-1"));
});

test("a request with an id that ran is not run again", async () => {
  const tabId = await openPage("/button");
  const results = () => service.frames.filter(({ t, id }) => t === "res" && id === "once");
  const send = () => service.send({ t: "req", id: "once", m: "page", p: { tabId, fn: "count" }, key: "k1", deadlineMs: 5_000, effect: true });
  service.autoAck = false;
  send();
  send();
  await until(() => results().length >= 1, "the first result");
  send();
  await until(() => results().length >= 2, "the kept result");
  assert.ok(results().every(({ ok }) => ok.value === 1));
  service.autoAck = true;
  service.send({ t: "ack", res: ["once"], ev: 0 });
  send();
  const late = await until(() => results().find(({ err }) => err), "a refusal");
  assert.deepEqual([late.err.code, late.sent], ["internal", true]);
  assert.equal((await service.ok("page", { tabId, fn: "count" })).value, 2);
});

test("large requests and results travel in parts, whole", async () => {
  const tabId = await openPage("/button");
  const text = "é\"\\\u2028😀".repeat(300_000);
  const echo = await service.ok("page", { tabId, fn: "echo", args: [text] }, { deadlineMs: 20_000 });
  assert.equal(echo.value, text);
  const big = await service.ok("page", { tabId, fn: "big", args: [5 << 20] }, { deadlineMs: 20_000 });
  assert.equal(big.value.length, 5 << 20);
  assert.ok(service.frames.some(({ t, n }) => t === "part" && n > 10));
  assert.equal(await service.code("page", { tabId, fn: "big", args: [33 << 20] }, { deadlineMs: 30_000 }), "too_large");
});

test("after its worker died a tab is used on without being attached again", async () => {
  const tabId = await openPage("/frames");
  await until(async () => (await service.ok("frames", { tabId })).frames.length === 2, "the frame of another site");
  await service.ok("page", { tabId, fn: "count" });
  const { runId, workerId, profileId } = service.hello;
  const hello = await restartWorker();
  assert.deepEqual([hello.runId, hello.profileId], [runId, profileId]);
  assert.notEqual(hello.workerId, workerId);
  const kept = hello.tabs.find((tab) => tab.tabId === tabId);
  assert.equal(kept.key, "k1");
  assert.ok(kept.doc.url.endsWith("/frames"));
  assert.equal((await service.ok("page", { tabId, fn: "count" })).value, 2, "the agent in the page lived on");
  const { frames } = await service.ok("frames", { tabId });
  const inner = frames.find(({ url }) => url.endsWith("/inner"));
  assert.equal((await service.ok("page", { tabId, frameId: inner.frameId, fn: "title" })).value, "inner");
  assert.ok((await service.ok("capture", { tabId })).data.length > 100);
});

test("a dialog that was open when the worker died is known to the next one", async () => {
  const tabId = await openPage("/button");
  await service.ok("cdp.seq", { tabId, steps: click(250, 50) });
  await restartWorker();
  assert.equal(await service.code("page", { tabId, fn: "title" }), "dialog_open");
  await service.ok("cdp", { tabId, method: "Page.handleJavaScriptDialog", params: { accept: false } });
  await until(async () => (await service.call("page", { tabId, fn: "title" })).ok?.value === "false", "the page");
});

test("so is the frame that asked: when it goes, its dialog goes with it", async () => {
  const tabId = await openPage("/pair");
  const framed = async () => (await service.ok("frames", { tabId })).frames.filter(({ session }) => session);
  const [inner] = await until(async () => (await framed()).length === 2 && framed(), "the frames of another site");
  await service.call("cdp", { tabId, session: inner.session, method: "Runtime.evaluate", params: { expression: "setTimeout(() => alert('in'))" } });
  await service.event((e) => e.k === "dialog" && e.tabId === tabId, "the dialog");
  const { targetId } = (await browser.pipe.targets()).find(({ type, title, attached }) => type === "page" && title === "pair" && attached);
  await restartWorker();
  assert.equal(await service.code("page", { tabId, fn: "title" }), "dialog_open");
  await browser.pipe.evaluate(targetId, "document.querySelector('iframe').remove()");
  await until(async () => (await service.call("page", { tabId, fn: "title" })).ok?.value === "pair", "the page without its frame");
});

test("keys held when the worker dies are let go by the next one", async () => {
  const tabId = await openPage("/button");
  await service.ok("cdp.seq", { tabId, steps: [key("keyDown", "a"), mouse("mousePressed", 50, 50, { button: "left", clickCount: 1 })] });
  await restartWorker();
  await until(async () => {
    const seen = await evaluate(tabId, "seen.join()");
    return ["keydown a", "mousedown", "mouseup", "keyup a"].every((kind) => seen.includes(kind));
  }, "the releases");
  assert.equal(await evaluate(tabId, "document.title"), "ready", "an interrupted press is not a click on the button");
});

test("after an agent's click a file button is the person's again, even when the worker or the page dies first", async () => {
  const ends = {
    worker: () => restartWorker(),
    page: async (tabId, targetId) => {
      browser.pipe.act(targetId, [{ method: "Page.crash" }]).catch(() => {});
      await until(async () => (await service.code("page", { tabId, fn: "title" })) === "crashed", "the crash");
      // Until an agent's click is over.
      await new Promise((resolve) => setTimeout(resolve, 1_600));
      await service.ok("cdp", { tabId, method: "Page.reload" });
      await until(async () => (await service.call("page", { tabId, fn: "title" })).ok?.value === "ready", "the page");
    },
  };
  for (const [end, dies] of Object.entries(ends)) {
    const tabId = await openPage("/button");
    await service.ok("cdp.seq", { tabId, steps: click(50, 50) });
    await evaluate(tabId, `document.title = "${end}"`);
    const { targetId } = (await browser.pipe.targets()).find(({ title }) => title === end);
    await dies(tabId, targetId);
    await inWorker(`chrome.tabs.update(${tabId}, { active: true })`);
    await browser.pipe.act(targetId, click(50, 220));
    await until(async () => (await evaluate(tabId, "seen.join()")).includes("click"), "the person's click");
    await service.ok("cdp.seq", { tabId, steps: click(50, 50) });
    assert.ok(!service.events.some((e) => e.k === "chooser" && e.tabId === tabId), `${end}: the file dialog was kept from the person`);
  }
});

test("a new agent replaces the old one, the same one leaves its state alone", async () => {
  const tabId = await openPage("/button");
  await service.ok("page", { tabId, fn: "count" });
  await service.open();
  assert.equal((await service.ok("page", { tabId, fn: "count" })).value, 2);
  await service.open("agent-2", [{ name: "x", source: `globalThis[Symbol.for("ghostlight.agent")] = { version: () => 2 };` }]);
  assert.equal((await service.ok("page", { tabId, fn: "version" })).value, 2);
  assert.equal(await service.code("page", { tabId, fn: "count" }), "unsupported");
  await service.open();
  assert.equal((await service.ok("page", { tabId, fn: "count" })).value, 1);
});

test("effects on one tab run one after the other, and a cancelled one stops between two steps", async () => {
  const tabId = await openPage("/button");
  const slow = (id) => service.call("cdp.seq", { tabId, steps: [{ ...key("keyDown", "x"), afterMs: 5_000 }, key("keyUp", "x")] }, { id });
  const first = slow("slow-1");
  const second = slow("slow-2");
  await until(async () => (await evaluate(tabId, "seen.join()")).includes("keydown x"), "the first key");
  service.send({ t: "cancel", id: "slow-2" });
  assert.deepEqual([(await second).err.code, (await second).sent], ["cancelled", false]);
  service.send({ t: "cancel", id: "slow-1" });
  const { ok, sent } = await first;
  assert.deepEqual([ok.done, ok.stopped.reason, sent], [1, "cancelled", true]);
  await until(async () => (await evaluate(tabId, "seen.join()")).includes("keyup x"), "the key's release");
});

test("a request that hangs ends at its deadline and does not hold others", async () => {
  const tabId = await openPage("/button");
  const hung = service.call("cdp", { tabId, method: "Runtime.evaluate", params: { expression: "new Promise(() => {})", awaitPromise: true } }, { effect: true, deadlineMs: 300 });
  assert.equal(await evaluate(tabId, "1 + 1"), 2);
  const { err, sent } = await hung;
  assert.deepEqual([err.code, sent], ["timeout", true]);
  await service.ok("cdp.seq", { tabId, steps: click(50, 50) });
});

test("a page that hangs ends its requests, holds up no new worker, and can be closed", async () => {
  const tabId = await openPage("/button");
  const loop = { tabId, method: "Runtime.evaluate", params: { expression: "for (;;);" } };
  assert.equal(await service.code("cdp", loop, { effect: true, deadlineMs: 300 }), "timeout");
  assert.equal(await service.code("page", { tabId, fn: "title" }, { deadlineMs: 300 }), "timeout");
  const other = await openPage("/button");
  const begun = Date.now();
  await restartWorker();
  assert.ok(Date.now() - begun < 15_000, `${Date.now() - begun} ms`);
  assert.equal((await service.ok("page", { tabId: other, fn: "title" })).value, "ready");
  const code = await service.code("page", { tabId, fn: "title" }, { deadlineMs: 500 });
  assert.equal(code, "timeout");
  await service.ok("tab.release", { tabId, close: true });
});

test("a closed tab says so, and is told", async () => {
  const tabId = await openPage("/button");
  await service.ok("tab.release", { tabId, close: true });
  await service.event((e) => e.k === "tab" && e.what === "removed" && e.tabId === tabId);
  assert.equal(await service.code("page", { tabId, fn: "title" }), "not_adopted");
});

test("a worker that is killed while tabs are adopted comes back by itself", async () => {
  const tabId = await openPage("/button");
  const seen = browser.connections.length;
  const begun = Date.now();
  await browser.killWorker();
  const next = await browser.connection(seen);
  assert.ok(Date.now() - begun < 20_000, `${Date.now() - begun} ms`);
  await next.open();
  take(next);
  assert.equal((await service.ok("page", { tabId, fn: "title" })).value, "ready");
});

test("a released tab stays open and is nobody's", async () => {
  const tabId = await openPage("/button");
  await service.ok("workspace.release");
  assert.deepEqual((await service.ok("tab.list")).tabs, []);
  assert.equal(await service.code("page", { tabId, fn: "title" }), "not_adopted");
  const open = await browser.pipe.evaluate(await browser.worker(), `chrome.tabs.get(${tabId}).then((tab) => tab.groupId)`);
  assert.equal(open, -1);
});
