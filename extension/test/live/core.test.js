// The relay in a real Chromium: what each method does, and what is refused.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { BUTTON, click, scene } from "./pages.js";
import { until } from "./rig.js";

const { browser, service, openPage, evaluate } = await scene({
  "/button": BUTTON,
  "/frames": `<title>frames</title><iframe src="http://localhost:%PORT%/inner"></iframe><iframe src="/same"></iframe>`,
  "/inner": `<title>inner</title><body>inner`,
  "/same": `<title>same</title><body>same`,
  "/tall": `<title>tall</title><body style="margin:0"><div style="height:3000px;background:linear-gradient(red,blue)"></div>`,
});
after(() => browser.close());

test("hello answers a greet with who we are and what we hold", () => {
  const { hello } = service;
  assert.deepEqual(hello.proto, { min: 1, max: 1 });
  assert.match(hello.browser.version, /^\d+\.\d+\.[1-9]\d*\./);
  assert.equal(hello.latch, "running");
  assert.deepEqual([hello.tabs, hello.pending], [[], []]);
  assert.notEqual(hello.profileId, hello.runId);
});

test("a tab opens in the background, in the workspace's group, adopted", async () => {
  const { tab, doc } = await service.ok("tab.open", { group: { title: "Agent", color: "cyan" } });
  assert.equal(tab.active, false);
  assert.ok(tab.groupId > 0);
  assert.equal(doc.url, "about:blank");
  const { tabs } = await service.ok("tab.list");
  assert.ok(tabs.some(({ tabId, doc: { loaderId } }) => tabId === tab.tabId && loaderId === doc.loaderId));
});

test("cdp evaluates in the page, and the page agent in a world of its own", async () => {
  const tabId = await openPage("/button");
  assert.equal(await evaluate(tabId, "document.title + typeof window.pageSecret"), "readynumber");
  const { value, doc } = await service.ok("page", { tabId, fn: "world", args: [] });
  assert.equal(value, "undefined");
  assert.equal(doc.origin, `http://127.0.0.1:${browser.port}`);
});

test("the page agent's refusal is a fault with its code and facts", async () => {
  const tabId = await openPage("/button");
  const { err } = await service.call("page", { tabId, fn: "refuse" });
  assert.deepEqual([err.code, err.message, err.detail], ["page", "covered", { by: "div" }]);
  assert.equal((await service.call("page", { tabId, fn: "broken" })).err.message, "agent_error");
  assert.equal(await service.code("page", { tabId, fn: "absent" }), "unsupported");
  assert.equal(await service.code("page", { tabId, fn: "never", timeoutMs: 100 }), "timeout");
  assert.equal((await service.ok("page", { tabId, fn: "lone" })).value, "a\ufffdb");
});

test("a click in a hidden tab lands", async () => {
  const tabId = await openPage("/button");
  const out = await service.ok("cdp.seq", { tabId, steps: click(50, 50) }, { effect: true });
  assert.equal(out.done, 3);
  assert.equal(out.stopped, undefined);
  await until(async () => (await evaluate(tabId, "document.title")) === "clicked", "the click");
});

test("a click that asks for files is told and opens no dialog before the person", async () => {
  const tabId = await openPage("/button");
  await service.ok("cdp.seq", { tabId, steps: click(50, 220) });
  const event = await service.event((e) => e.k === "chooser" && e.tabId === tabId, "the chooser");
  assert.equal(event.multiple, true);
  const { result } = await service.ok("cdp", { tabId, method: "DOM.describeNode", params: { backendNodeId: event.backendNodeId } });
  assert.ok(result.node.attributes.includes("file"));
});

test("a picture of a hidden, scrolled tab says where it was taken", async () => {
  const tabId = await openPage("/tall");
  await evaluate(tabId, "scrollTo(0, 500)");
  const whole = await service.ok("capture", { tabId, format: "png" });
  assert.equal(whole.mime, "image/png");
  assert.ok(whole.data.length > 1000);
  assert.ok(whole.viewport.width > 100 && whole.viewport.dpr >= 1);
  assert.equal(whole.scroll.y, 500);
  const part = await service.ok("capture", { tabId, format: "jpeg", quality: 60, clip: { x: 0, y: 0, width: 50, height: 40 }, scale: 0.5 });
  assert.equal(part.mime, "image/jpeg");
  assert.equal(await evaluate(tabId, "scrollY"), 500);
  await service.ok("cdp", { tabId, method: "Emulation.setDeviceMetricsOverride", params: { width: 500, height: 400, deviceScaleFactor: 2, mobile: false } });
  const cases = [
    [{}, 1000, 800],
    [{ scale: 0.5 }, 500, 400],
    [{ clip: { x: 10, y: 20, width: 100, height: 50 } }, 200, 100],
  ];
  for (const [p, width, height] of cases) {
    const { data, viewport } = await service.ok("capture", { tabId, ...p });
    const png = Buffer.from(data, "base64");
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20), viewport], [width, height, { width: 500, height: 400, dpr: 2 }]);
  }
});

test("pictures of a page where nothing moves do not hang", async () => {
  const tabId = await openPage("/tall");
  const clip = { x: 0, y: 0, width: 200, height: 100 };
  for (let i = 0; i < 60; i += 1) await service.ok("capture", { tabId, ...(i % 2 && { clip }) }, { deadlineMs: 1500 });
});

test("a click that opens a dialog answers within a second and says so", async () => {
  const tabId = await openPage("/button");
  const begun = Date.now();
  const out = await service.ok("cdp.seq", { tabId, steps: click(250, 50) }, { effect: true });
  assert.ok(Date.now() - begun < 1000);
  assert.equal(out.stopped.reason, "dialog");
  assert.equal(out.stopped.dialog.message, "sure?");
  assert.equal(await service.code("page", { tabId, fn: "title" }), "dialog_open");
  assert.equal(await service.code("capture", { tabId }), "dialog_open");
  assert.equal(await service.code("cdp.seq", { tabId, steps: click(50, 50) }), "dialog_open");
  await service.ok("cdp", { tabId, method: "Page.handleJavaScriptDialog", params: { accept: true } });
  assert.equal((await service.ok("page", { tabId, fn: "title" })).value, "true");
});

test("pages that are not the web are refused before going there", async () => {
  const { tab: { tabId } } = await service.ok("tab.open", {});
  const cases = {
    "chrome://version": "restricted_page",
    [`chrome-extension://${browser.id}/ui/popup.html`]: "restricted_page",
    "javascript:alert(1)": "restricted_page",
    "data:text/html,x": "restricted_page",
    "view-source:http://127.0.0.1/": "restricted_page",
    "about:settings": "restricted_page",
    "not an address": "bad_request",
  };
  for (const [url, code] of Object.entries(cases)) {
    assert.equal(await service.code("cdp", { tabId, method: "Page.navigate", params: { url } }), code, url);
    assert.equal(await service.code("cdp.seq", { tabId, steps: [{ method: "Page.navigate", params: { url } }] }), code, url);
  }
});

test("only listed commands pass, and only on the workspace's own tabs", async () => {
  const { tab: { tabId } } = await service.ok("tab.open", {});
  for (const method of ["Storage.getCookies", "Target.createTarget", "Page.setBypassCSP", "DOM.setFileInputFiles", "toString"]) {
    assert.equal(await service.code("cdp", { tabId, method }), "unsupported", method);
    assert.equal(await service.code("cdp.seq", { tabId, steps: [{ method }] }), "unsupported", method);
  }
  assert.equal(await service.code("page", { tabId, fn: "title" }, { key: "other" }), "not_adopted");
  assert.equal(await service.code("page", { tabId: 999_999, fn: "title" }), "not_adopted");
  assert.equal(await service.code("nothing", {}), "unsupported");
  assert.equal(await service.code("tab.adopt", { tabId: 1 }, { key: "other" }), "not_adopted");
});

test("a guard for an earlier document stops reads and effects", async () => {
  const tabId = await openPage("/button");
  const { doc } = await service.ok("page", { tabId, fn: "title" });
  const guard = { frameId: doc.frameId, loaderId: doc.loaderId };
  assert.equal((await service.ok("page", { tabId, fn: "title", guard })).value, "ready");
  await service.ok("cdp", { tabId, method: "Page.navigate", params: { url: browser.url("/tall") } }, { effect: true });
  assert.equal(await service.code("page", { tabId, fn: "title", guard }), "stale_document");
  assert.equal(await service.code("cdp.seq", { tabId, steps: click(50, 50), guard }), "stale_document");
  assert.equal(await service.code("cdp", { tabId, method: "Page.reload", guard }, { effect: true }), "stale_document");
});

test("frames of the same and of another site are listed and reached", async () => {
  const tabId = await openPage("/frames");
  const frames = await until(async () => {
    const all = (await service.ok("frames", { tabId })).frames;
    return all.length === 3 && all.every(({ url }) => url !== "") && all;
  }, "three frames");
  const inner = frames.find(({ url }) => url.endsWith("/inner"));
  assert.ok(inner.session, "a frame of another site has a session of its own");
  assert.equal(inner.parentId, frames[0].frameId);
  for (const [end, title] of [["/inner", "inner"], ["/same", "same"]]) {
    const { frameId, loaderId } = frames.find(({ url }) => url.endsWith(end));
    const { value, doc } = await service.ok("page", { tabId, frameId, fn: "title", guard: { frameId, loaderId } });
    assert.deepEqual([value, doc.frameId], [title, frameId]);
  }
});
