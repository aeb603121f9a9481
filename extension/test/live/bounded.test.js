// Code of an agent in a real page ends at its bound, whatever it does, and the page stays usable.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { driver, scene } from "./pages.js";
import { until } from "./rig.js";

const LATER = "await new Promise((done) => setTimeout(done, 20));";
const LOOP = "while (true);";
let { browser, service, openPage, evaluate } = await scene({ "/": "<title>page</title><script>setInterval(() => (window.ticks = (window.ticks ?? 0) + 1), 10)</script>" });
after(() => browser.close());

function run(tabId, expression, { boundMs = 300, id } = {}) {
  const params = { expression, replMode: true, awaitPromise: true, returnByValue: true };
  return service.call("cdp", { tabId, method: "Runtime.evaluate", params, boundMs }, { effect: true, ...(id && { id }) });
}

test("what ends in time gives its value, also past a debugger statement", async () => {
  const tabId = await openPage("/");
  const { ok, sent } = await run(tabId, "debugger; await 0; 6 * 7", { boundMs: 5_000 });
  assert.deepEqual([ok.result.result.value, sent], [42, true]);
});

test("loops are stopped, waiting is not, and each time the page is as before", async () => {
  const tabId = await openPage("/");
  const cases = [
    [LOOP, true], [`await 0; ${LOOP}`, true], [LATER + LOOP, true], ["/(a*)*b/.test('a'.repeat(50))", true],
    ["await new Promise(() => {})", false],
  ];
  for (const [expression, stopped] of cases) {
    const started = Date.now();
    const { err, sent } = await run(tabId, expression);
    assert.deepEqual([err.code, err.detail, sent], ["timeout", { stopped }, true], expression);
    assert.ok(Date.now() - started < 3_000, expression);
    const ticks = await evaluate(tabId, "ticks");
    await until(async () => (await evaluate(tabId, "ticks")) > ticks, "the page's own timer");
  }
});

test("a cancelled loop is stopped too", async () => {
  const tabId = await openPage("/");
  const answer = run(tabId, `document.title = "runs"; ${LOOP}`, { boundMs: 60_000, id: "loop" });
  await until(async () => (await browser.pipe.targets()).some(({ title }) => title === "runs"), "the loop");
  service.send({ t: "cancel", id: "loop" });
  assert.equal((await answer).err.code, "cancelled");
  assert.equal(await evaluate(tabId, "document.title"), "runs");
});

test("a loop ends with the person's Stop, and the page is as before", async () => {
  const tabId = await openPage("/");
  const answer = run(tabId, `document.title = "stops"; await 0; ${LOOP}`, { boundMs: 60_000 });
  const { targetId } = await until(async () => (await browser.pipe.targets()).find(({ title }) => title === "stops"), "the loop");
  const press = async (button) => {
    const popup = await browser.popup();
    await popup.press(button);
    await popup.close();
    await service.event((e) => e.k === "control" && e.what === button, button);
  };
  await press("stop");
  assert.equal((await answer).err.code, "stopped");
  await service.event((e) => e.what === "released" && e.tabId === tabId, "the release");
  await browser.pipe.send("Target.activateTarget", { targetId });
  await until(() => browser.pipe.evaluate(targetId, "(window.was ??= ticks) < ticks"), "the page's own timer");
  await press("restart");
});

test("a dialog ends it at once, and the page goes on afterwards", async () => {
  const tabId = await openPage("/");
  const { err } = await run(tabId, "document.title = String(confirm('sure?'))", { boundMs: 60_000 });
  assert.deepEqual([err.code, err.detail.type], ["dialog_open", "confirm"]);
  await service.ok("cdp", { tabId, method: "Page.handleJavaScriptDialog", params: { accept: true } }, { effect: true });
  await until(async () => (await evaluate(tabId, "document.title")) === "true", "the answer");
  assert.equal((await run(tabId, "1", { boundMs: 5_000 })).ok.result.result.value, 1);
});

test("only effects that run code have a bound", async () => {
  const tabId = await openPage("/");
  const params = { expression: "1" };
  assert.equal(await service.code("cdp", { tabId, method: "Runtime.evaluate", params, boundMs: 100 }), "bad_request");
  assert.equal(await service.code("cdp", { tabId, method: "Page.reload", boundMs: 100 }), "bad_request");
  assert.equal(await service.code("cdp", { tabId, method: "Runtime.evaluate", params, boundMs: 0 }, { effect: true }), "bad_request");
  assert.equal(await service.code("cdp", { tabId, method: "Debugger.enable" }), "unsupported");
});

test("a worker that dies meanwhile leaves nothing debugged", async () => {
  const tabId = await openPage("/");
  run(tabId, "await new Promise(() => {})", { boundMs: 60_000 }).catch(() => {});
  await until(async () => (await evaluate(tabId, "1")) === 1, "the wait");
  const seen = browser.connections.length;
  await browser.killWorker();
  service = await browser.connection(seen);
  await service.open();
  ({ openPage, evaluate } = driver(browser, service));
  const pause = `chrome.debugger.sendCommand({ tabId: ${tabId} }, "Debugger.pause").catch((error) => error.message)`;
  await until(async () => /not enabled/.test(await browser.pipe.evaluate(await browser.worker(), pause)), "no debugger");
});
