// What the person can do, and what stays theirs, in a real Chromium.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BUTTON, click, driver, key, mouse } from "./pages.js";
import { Browser, until } from "./rig.js";

const OPENER = `<!doctype html><title>opener</title>
<a id=a href="/child?link" target=_blank style="position:absolute;left:0;top:0;width:100px;height:100px">link</a>
<button id=w onclick="window.open('/child?script')" style="position:absolute;left:200px;top:0;width:100px;height:100px">open</button>`;

const ASKS = `<!doctype html><title>asks</title>
<button onclick="window.open('/child?asked'); alert('opened')" style="position:absolute;left:0;top:0;width:100px;height:100px">ask</button>`;

let browser;
let service;
let openPage;
let evaluate;

before(async () => {
  browser = await Browser.start({ "/button": BUTTON, "/opener": OPENER, "/asks": ASKS, "/child": "<title>child</title>" });
  service = await browser.service();
  ({ openPage, evaluate } = driver(browser, service));
});
after(() => browser.close());

const inWorker = async (expression) => browser.pipe.evaluate(await browser.worker(), expression);

async function press(...buttons) {
  const popup = await browser.popup();
  for (const button of buttons) await popup.press(button);
  await popup.close();
}

const control = (what, by = "popup") => service.event((e) => e.k === "control" && e.what === what && e.by === by, `control ${what}`);

test("a tab opened by an adopted background tab is adopted, by link, script and modified click", async () => {
  const tabId = await openPage("/opener");
  const activeBefore = await inWorker("chrome.tabs.query({active: true, currentWindow: true}).then(([tab]) => tab.id)");
  const cases = [
    ["/child?link", click(50, 50)],
    ["/child?script", click(250, 50)],
    ["/child?link", click(50, 50, { modifiers: 2 })],
  ];
  for (const [end, steps] of cases) {
    service.events = service.events.filter(({ what }) => what !== "adopted");
    await service.ok("cdp.seq", { tabId, steps });
    const event = await service.event((e) => e.what === "adopted" && e.openerTabId === tabId, `the child of ${end}`);
    assert.equal(event.key, "k1");
    await until(async () => (await evaluate(event.tab.tabId, "location.href")).endsWith(end), end);
    assert.equal((await service.ok("page", { tabId: event.tab.tabId, fn: "title" })).value, "child");
  }
  assert.equal(await inWorker("chrome.tabs.query({active: true, currentWindow: true}).then(([tab]) => tab.id)"), activeBefore);
});

test("a tab that a page opens just before it asks something is adopted when it may go on", async () => {
  const tabId = await openPage("/asks");
  await service.ok("cdp.seq", { tabId, steps: click(50, 50) });
  await service.event((e) => e.k === "dialog" && e.tabId === tabId, "the dialog");
  // Longer than a tab may take to be set up.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  await service.ok("cdp", { tabId, method: "Page.handleJavaScriptDialog", params: { accept: true } });
  const { tab } = await service.event((e) => e.what === "adopted" && e.openerTabId === tabId, "the child");
  await until(async () => (await evaluate(tab.tabId, "document.title")) === "child", "its page");
});

test("a tab the person opens is not adopted, even beside a child of ours", async () => {
  const tabId = await openPage("/opener");
  const mine = await inWorker(`chrome.tabs.create({ url: "${browser.url("/child?person")}" }).then((tab) => tab.id)`);
  service.events = service.events.filter(({ what }) => what !== "adopted");
  await service.ok("cdp.seq", { tabId, steps: click(250, 50) });
  const other = await inWorker(`chrome.tabs.create({ url: "${browser.url("/child?other")}" }).then((tab) => tab.id)`);
  await service.event((e) => e.what === "adopted" && e.openerTabId === tabId, "our own child");
  const { tabs } = await service.ok("tab.list");
  assert.ok(tabs.every((tab) => tab.tabId !== mine && tab.tabId !== other));
  assert.equal(service.events.filter(({ what }) => what === "adopted").length, 1);
  const attached = await inWorker("chrome.debugger.getTargets().then((all) => all.filter((t) => t.attached).map((t) => t.tabId))");
  assert.ok(!attached.includes(mine) && !attached.includes(other));
});

test("pause lets agents look but not act, lets go of keys, and outlives the worker", async () => {
  const tabId = await openPage("/button");
  const running = service.call("cdp.seq", { tabId, steps: [{ ...key("keyDown", "x"), afterMs: 9_000 }, key("keyUp", "x")] });
  const waiting = service.call("cdp.seq", { tabId, steps: click(50, 50) });
  await until(async () => (await evaluate(tabId, "seen.join()")).includes("keydown x"), "the key");
  await press("pause");
  await control("pause");
  assert.deepEqual([(await running).ok.stopped.reason, (await waiting).err.code], ["paused", "paused"]);
  await until(async () => (await evaluate(tabId, "seen.join()")).includes("keyup x"), "the key's release");
  assert.equal(await inWorker("chrome.action.getBadgeText({})"), "II");
  const refused = async () => {
    assert.equal(await service.code("cdp.seq", { tabId, steps: click(50, 50) }), "paused");
    assert.equal(await service.code("cdp", { tabId, method: "Page.reload" }), "paused");
    assert.equal(await service.code("tab.open"), "paused");
    assert.equal(await service.code("tab.release", { tabId, close: true }), "paused");
    assert.equal((await service.ok("page", { tabId, fn: "title" })).value, "ready");
  };
  await refused();
  const seen = browser.connections.length;
  await browser.killWorker();
  await browser.pipe.send("Target.createTarget", { url: "about:blank" });
  service = await browser.connection(seen);
  assert.equal((await service.open()).latch, "paused");
  ({ openPage, evaluate } = driver(browser, service));
  await refused();
  await press("resume");
  await control("resume");
  await service.ok("cdp.seq", { tabId, steps: click(50, 50) });
});

test("stop lets every tab go and refuses all until the person starts again", async () => {
  const tabId = await openPage("/button");
  await press("stop");
  await control("stop");
  await service.event((e) => e.what === "released" && e.tabId === tabId && e.reason === "stopped");
  assert.equal(await inWorker("chrome.debugger.getTargets().then((all) => all.filter((t) => t.attached && t.tabId).length)"), 0);
  assert.equal(await inWorker("chrome.action.getBadgeText({})"), "■");
  for (const [m, p] of [["tab.open", {}], ["tab.list", {}], ["page", { tabId, fn: "title" }]]) {
    assert.equal(await service.code(m, p), "stopped", m);
  }
  await press("restart");
  await control("restart");
  assert.equal(await service.code("page", { tabId, fn: "title" }), "not_adopted");
  await openPage("/button");
});

test("a tab that was let go in the middle of a click is wholly the person's", async () => {
  const ways = {
    stop: () => press("stop", "restart"),
    "tab.release": (tabId) => service.ok("tab.release", { tabId }),
    "workspace.release": () => service.ok("workspace.release"),
  };
  for (const [way, letGo] of Object.entries(ways)) {
    const tabId = await openPage("/button");
    await service.ok("page", { tabId, fn: "arm" });
    const held = [key("keyDown", "a"), mouse("mousePressed", 50, 50, { button: "left", clickCount: 1 })];
    await service.ok("cdp.seq", { tabId, steps: held });
    const { url } = await inWorker(`chrome.tabs.get(${tabId})`);
    await evaluate(tabId, `document.title = "${way}"`);
    const { targetId } = (await browser.pipe.targets()).find((target) => target.title === way && target.url === url);
    await letGo(tabId);
    await service.event((e) => e.what === "released" && e.tabId === tabId);
    await until(async () => (await browser.pipe.evaluate(targetId, "seen.join()")).includes("keyup a"), `the key's release by ${way}`);
    assert.match(await browser.pipe.evaluate(targetId, "seen.join()"), /mouseup/, way);
    await inWorker(`chrome.tabs.update(${tabId}, { active: true })`);
    await browser.pipe.act(targetId, click(50, 50));
    assert.equal(await browser.pipe.evaluate(targetId, "document.title"), "clicked", way);
  }
});

test("a tab the person hands over in the popup is the agent's", async () => {
  await openPage("/button");
  const mine = await inWorker(`chrome.tabs.create({ url: "${browser.url("/child?gift")}" }).then((tab) => tab.id)`);
  assert.equal(await service.code("tab.adopt", { tabId: mine }), "not_adopted");
  const popup = await browser.popup();
  await until(() => popup.evaluate("!!document.querySelector('#takers button')"), "the offer");
  await popup.evaluate("document.querySelector('#takers button').click()");
  const { tab, openerTabId } = await service.event((e) => e.what === "adopted" && e.tab.tabId === mine, "the gift");
  assert.deepEqual([tab.tabId, openerTabId], [mine, null]);
  await popup.close();
  assert.equal((await service.ok("page", { tabId: mine, fn: "title" })).value, "child");
});

test("the popup's words from anywhere else are not heard", async () => {
  const { targetId } = await browser.pipe.send("Target.createTarget", { url: `chrome-extension://${browser.id}/ui/popup.html` });
  await until(() => browser.pipe.evaluate(targetId, "document.readyState === 'complete'"), "the popup as a tab");
  const heard = await browser.pipe.evaluate(targetId, `chrome.runtime.sendMessage({ ask: "stop" }).then((report) => report ?? null, () => null)`);
  assert.equal(heard, null);
  assert.equal((await service.ok("tab.list")).tabs.length > 0, true);
  await browser.pipe.send("Target.closeTarget", { targetId });
});

test("Cancel in the browser's bar is a stop", async () => {
  const tabId = await openPage("/button");
  await inWorker(`chrome.debugger.onDetach.dispatch({ tabId: ${tabId} }, "canceled_by_user")`);
  await control("stop", "bar");
  assert.equal(await service.code("tab.open"), "stopped");
  await press("restart");
});
