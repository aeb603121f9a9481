// Documents that come and go: history, errors, frames of other sites, discarded and restricted tabs, in a real Chromium.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { BUTTON, click, scene } from "./pages.js";
import { until } from "./rig.js";

const { browser, service, openPage, evaluate } = await scene({
  "/button": BUTTON,
  "/family": `${BUTTON}<iframe src="/other"></iframe>`,
  "/other": "<title>other</title>other",
  "/frames": `<title>frames</title><body style="margin:0"><iframe src="http://localhost:%PORT%/inner" style="border:0;width:400px;height:300px"></iframe>`,
  "/inner": `<title>inner</title><body style="margin:0"><button style="width:100px;height:100px" onclick="document.title='clicked'">x</button>
    <button style="width:100px;height:100px" onclick="alert('from inside')">a</button>`,
  "/leave": `<title>leave</title><script>addEventListener("beforeunload", (e) => e.preventDefault())</script><button style="position:absolute;left:0;top:0;width:100px;height:100px">x</button>`,
  "/file": ["application/octet-stream", "data", { "content-disposition": "attachment; filename=x.bin" }],
  "/noisy": `<title>noisy</title><script>console.log("said", 7); fetch("/other").then(() => (document.title = "fetched"))</script>`,
  "/missing-image": `<title>x</title><img src="/nope.png">`,
});
after(() => browser.close());

const inWorker = async (expression) => browser.pipe.evaluate(await browser.worker(), expression);
const navigate = (tabId, url) => service.call("cdp", { tabId, method: "Page.navigate", params: { url } }, { effect: true });
const title = async (tabId, frameId) => (await service.ok("page", { tabId, frameId, fn: "title" })).value;

test("going back to a cached document finds it and its agent", async () => {
  const tabId = await openPage("/family");
  await navigate(tabId, browser.url("/other"));
  await until(async () => (await title(tabId).catch(() => null)) === "other", "the other page");
  assert.equal((await service.ok("frames", { tabId })).frames.length, 1);
  const { result } = await service.ok("cdp", { tabId, method: "Page.getNavigationHistory" });
  const { id: entryId } = result.entries[result.currentIndex - 1];
  await service.ok("cdp", { tabId, method: "Page.navigateToHistoryEntry", params: { entryId } });
  await until(async () => (await title(tabId).catch(() => null)) === "ready", "the first page again");
  await service.ok("cdp.seq", { tabId, steps: click(50, 50) });
  await until(async () => (await title(tabId).catch(() => null)) === "clicked", "the click");
  const { frames } = await service.ok("frames", { tabId });
  assert.equal(frames.length, 2);
  assert.equal(await title(tabId, frames[1].frameId), "other");
});

test("a page that cannot be reached is told as such", async () => {
  const tabId = await openPage("/button");
  const url = "http://127.0.0.1:9/nothing";
  const { ok } = await navigate(tabId, url);
  assert.match(ok.result.errorText, /ERR_/);
  const { doc } = await service.event((e) => e.k === "doc" && e.doc.tabId === tabId && e.doc.unreachable, "the error page");
  assert.equal(doc.url, url);
  assert.equal((await navigate(tabId, browser.url("/other"))).err, undefined);
  await until(async () => (await title(tabId).catch(() => null)) === "other", "a page again");
});

test("a change of address within the document keeps the document", async () => {
  const tabId = await openPage("/button");
  const { doc: before } = await service.ok("page", { tabId, fn: "title" });
  await evaluate(tabId, "history.pushState(null, '', '/pushed#x')");
  const { doc } = await service.event((e) => e.k === "doc" && e.sameDocument && e.doc.tabId === tabId, "the event");
  assert.deepEqual([doc.loaderId, doc.url], [before.loaderId, browser.url("/pushed#x")]);
});

test("the frames of a page that was just opened are all told", async () => {
  const { tab: { tabId } } = await service.ok("tab.open");
  await navigate(tabId, browser.url("/frames"));
  await service.event((e) => e.k === "load" && e.tabId === tabId && e.state === "dom" && e.loaderId !== "", "the document");
  const paths = ({ frames }) => frames.map(({ url }) => URL.canParse(url) && new URL(url).pathname);
  // The inner document may still be on its way when the outer one can be read.
  const told = await until(async () => {
    const now = await service.ok("frames", { tabId });
    return paths(now)[1] && now;
  }, "the inner document");
  assert.deepEqual(paths(told), ["/frames", "/inner"]);
  await until(async () => (await title(tabId, told.frames[1].frameId).catch(() => null)) === "inner", "its title");
});

test("clicks and dialogs reach through a frame of another site in a hidden tab", async () => {
  const tabId = await openPage("/frames");
  const inner = await until(async () => (await service.ok("frames", { tabId })).frames.find(({ session }) => session), "the frame");
  await until(async () => (await title(tabId, inner.frameId)) === "inner", "its document");
  await service.ok("cdp.seq", { tabId, steps: click(50, 50) });
  await until(async () => (await title(tabId, inner.frameId)) === "clicked", "the click inside");
  await service.ok("cdp.seq", { tabId, steps: click(50, 50).map((step) => ({ ...step, session: inner.session })) });
  const out = await service.ok("cdp.seq", { tabId, steps: click(150, 50) });
  assert.equal(out.stopped.dialog.message, "from inside");
  await service.ok("cdp", { tabId, method: "Page.handleJavaScriptDialog", params: { accept: true } });
  assert.equal(await title(tabId, inner.frameId), "clicked");
  assert.equal(await service.code("cdp", { tabId, session: "nope", method: "Runtime.evaluate", params: { expression: "1" } }), "stale_document");
});

test("leaving a page that asks first answers with its dialog, also when closing", async () => {
  const tabId = await openPage("/leave");
  await service.ok("cdp.seq", { tabId, steps: click(50, 50) });
  const { err, sent } = await navigate(tabId, browser.url("/other"));
  assert.deepEqual([err.code, err.detail.type, sent], ["dialog_open", "beforeunload", true]);
  await service.ok("cdp", { tabId, method: "Page.handleJavaScriptDialog", params: { accept: false } });
  assert.equal(await title(tabId), "leave");
  assert.equal(await service.code("tab.release", { tabId, close: true }), "dialog_open");
  await service.ok("cdp", { tabId, method: "Page.handleJavaScriptDialog", params: { accept: true } });
  await service.event((e) => e.what === "removed" && e.tabId === tabId, "the end of the tab");
});

test("a download is told", async () => {
  const tabId = await openPage("/other");
  await navigate(tabId, browser.url("/file"));
  await service.event((e) => e.k === "download" && e.tabId === tabId, "the download");
});

test("console and requests are told from adoption on, unless they are not wanted", async () => {
  const quiet = await openPage("/other");
  await service.ok("watch", { tabId: quiet, sets: [] });
  await navigate(quiet, browser.url("/noisy"));
  await until(async () => (await title(quiet).catch(() => null)) === "fetched", "the quiet tab");
  const tabId = await openPage("/noisy");
  const of = (e, k) => e.k === k && e.tabId === tabId;
  const start = await service.event((e) => of(e, "request") && e.what === "start" && e.url.endsWith("/other"), "the request");
  assert.deepEqual([start.tabId, start.method, start.kind], [tabId, "GET", "Fetch"]);
  const head = await service.event((e) => e.k === "request" && e.what === "head" && e.requestId === start.requestId, "its head");
  assert.equal(head.status, 200);
  await service.event((e) => e.k === "request" && e.what === "done" && e.requestId === start.requestId, "its end");
  const said = await service.event((e) => of(e, "console"), "the line");
  assert.deepEqual([said.level, said.text, said.line], ["log", "said 7", 1]);
  assert.ok(service.events.every((e) => e.tabId !== quiet || e.k !== "console"));
});

test("a discarded tab is loaded again before it is used", async () => {
  const tabId = await openPage("/button");
  const next = await inWorker(`chrome.tabs.discard(${tabId}).then((tab) => tab?.id ?? ${tabId})`);
  await until(async () => (await service.call("page", { tabId: next, fn: "title" })).ok?.value === "ready", "the page again");
  assert.equal(await service.code("cdp.seq", { tabId: next, steps: click(50, 50) }), "tab_discarded");
  await inWorker(`chrome.tabs.update(${next}, { active: true })`);
  await until(async () => (await service.code("cdp.seq", { tabId: next, steps: click(50, 50) })) === "ok", "the tab to be drawn");
});

test("a tab that the person takes to a page of the browser is out of reach until it comes back", async () => {
  const tabId = await openPage("/button");
  await inWorker(`chrome.tabs.update(${tabId}, { url: "chrome://version" })`);
  await service.event((e) => e.k === "detach" && e.tabId === tabId, "the detach");
  await until(async () => (await service.code("page", { tabId, fn: "title" })) === "restricted_page", "the refusal");
  await inWorker(`chrome.tabs.update(${tabId}, { url: "${browser.url("/other")}" })`);
  await until(async () => (await title(tabId).catch(() => null)) === "other", "the page");
});

test("pictures and reads beside a navigation end soon, and nobody takes it for a detach", async () => {
  const tabId = await openPage("/frames");
  const codes = new Set();
  for (let i = 0; i < 12; i += 1) {
    const work = [navigate(tabId, browser.url(i % 2 ? "/frames" : "/button")).then(() => "ok")];
    for (let n = 0; n < 3; n += 1) work.push(service.code("capture", { tabId }), service.code("page", { tabId, fn: "title" }), service.code("frames", { tabId }));
    for (const code of await Promise.all(work)) codes.add(code);
  }
  codes.delete("stale_document");
  assert.deepEqual([...codes], ["ok"]);
  assert.ok(service.events.every((e) => e.k !== "detach" || e.tabId !== tabId));
});

test("a tab that the browser replaced is followed to its new id", async () => {
  const tabId = await openPage("/button");
  const next = await inWorker(`chrome.tabs.create({ url: "${browser.url("/other")}", active: false }).then((tab) => tab.id)`);
  await inWorker(`chrome.tabs.onReplaced.dispatch(${next}, ${tabId})`);
  await service.event((e) => e.what === "replaced" && e.tabId === next && e.oldTabId === tabId, "the event");
  assert.equal(await service.code("page", { tabId, fn: "title" }), "not_adopted");
  await until(async () => (await service.call("page", { tabId: next, fn: "title" })).ok?.value === "other", "the page under its new id");
});

test("a page cannot lead an agent into the extension itself", async () => {
  const tabId = await openPage("/button");
  await evaluate(tabId, `location.href = "chrome-extension://${browser.id}/ui/popup.html"`);
  const tries = () => service.code("cdp", { tabId, method: "Runtime.evaluate", params: { expression: "typeof chrome.debugger" } });
  await until(async () => ["ok", "restricted_page"].includes(await tries()), "an answer");
  assert.notEqual(await evaluate(tabId, "String(globalThis.chrome?.debugger)").catch(() => "refused"), "[object Object]");
  const open = await inWorker(`chrome.tabs.get(${tabId}).then((tab) => tab.title)`);
  assert.notEqual(open, "Ghostlight");
});

test("a tab that is closed while it is worked on says so", async () => {
  const tabId = await openPage("/button");
  const hung = service.call("page", { tabId, fn: "never" });
  await service.ok("page", { tabId, fn: "title" });
  await inWorker(`chrome.tabs.remove(${tabId})`);
  assert.ok(["tab_closed", "detached", "stale_document"].includes((await hung).err.code));
});
