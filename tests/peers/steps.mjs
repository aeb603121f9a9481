// What every client written in JavaScript is asked to do, and how a step is told.

import { execFileSync } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";

export function step(name, fine, seen) {
  if (!fine) {
    console.error(`${name}: ${seen instanceof Error ? seen.stack : JSON.stringify(seen)}`);
    process.exit(1);
  }
  console.log(`ok ${name}`);
}

async function service(order) {
  // What the client has to say meanwhile is said before the order takes effect.
  await after(100);
  execFileSync(process.env.SERVICE, [order], { stdio: "inherit" });
}

/** The error that a promise ends with. */
export async function failure(promise) {
  const [settled] = await Promise.allSettled([promise]);
  return settled.status === "rejected" ? settled.reason : new Error(`it ended well: ${JSON.stringify(settled.value)}`);
}

export async function list(client) {
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  step("tools are listed once each", names.includes("explain") && new Set(names).size === names.length, names);
}

export async function explain(call, name) {
  const result = await call("explain", {});
  step(name, !result.isError && result.content[0].text, result);
}

export async function refusals(call) {
  const bad = await call("explain", { nonsense: 1 });
  step("bad arguments are told in a result", bad.isError, bad);
  const tab = await call("navigate", { tabId: 1, url: "about:blank" });
  step("a tab that is not there is told in a result", tab.isError, tab);
  const error = await failure(call("no_such_tool", {}));
  step("an unknown tool is -32602", error.code === -32602, error);
}

/** A call left by its caller and one that ran out of time, while the service stands still. */
export async function cancellation(call, whileHeld = async () => {}) {
  await service("hold");
  try {
    const left = await failure(call("explain", {}, { signal: AbortSignal.timeout(300) }));
    step("a held call is left", /abort|timeout/i.test(String(left)), left);
    const late = await failure(call("explain", {}, { timeout: 300 }));
    step("a held call runs out of time", /timed out/i.test(String(late)), late);
    await whileHeld();
  } finally {
    await service("go");
  }
  await explain(call, "the next call is answered");
}

/** A tab of its own, the page in it, what it says and how it looks; without a browser there is no page. */
export async function page(call, isNew) {
  const url = process.env.PAGE;
  if (!url) return;
  const created = await call("tabs_create_mcp", {});
  const { tabId, workspaceId } = created.structuredContent ?? {};
  step("a tab is created", !created.isError && Number.isInteger(tabId), created);
  step("its workspace is named where the client must name it", isNew === (typeof workspaceId === "string"), created);
  const here = isNew ? { tabId, workspaceId } : { tabId };
  const loaded = await call("navigate", { url, ...here });
  step("the page is opened", !loaded.isError && loaded.structuredContent.title === "Peers", loaded);
  const text = await call("get_page_text", here);
  step("the page is read", /Ghost light on stage/.test(JSON.stringify(text.content)), text);
  const shot = await call("computer", { action: "screenshot", ...here });
  const picture = shot.content.find((part) => part.type === "image");
  step("the page is seen", Buffer.from(picture?.data ?? "", "base64").length > 1000, shot.content);
  if (!isNew) return;
  const lost = await call("navigate", { url, tabId });
  step("without its workspace the tab is not there", lost.isError, lost);
}
