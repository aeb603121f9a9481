// A private Chromium over a debugging pipe, one tab, the page agent installed as the extension installs it.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { closedRoots } from "../../../extension/src/roots.js";

const HERE = dirname(fileURLToPath(import.meta.url));
const WORLD = "ghostlight";
const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--window-size=1000,800"];

// The order of the parts is the order of the Rust list that embeds them.
export function agentSource() {
  const list = readFileSync(join(HERE, "../../src/page.rs"), "utf8");
  const names = [...list.matchAll(/part!\("([a-z]+)"\)/g)].map((found) => found[1]);
  const files = readdirSync(join(HERE, "..")).filter((name) => name.endsWith(".js"));
  if (names.length !== files.length) throw new Error(`page.rs embeds ${names} but the folder holds ${files}`);
  return names.map((name) => readFileSync(join(HERE, "..", `${name}.js`), "utf8")).join("\n");
}

class Pipe {
  constructor(child) {
    this.out = child.stdio[3];
    this.waiting = new Map();
    this.listeners = new Set();
    this.next = 1;
    let rest = "";
    child.stdio[4].setEncoding("utf8").on("data", (text) => {
      const pieces = (rest + text).split("\0");
      rest = pieces.pop();
      for (const piece of pieces) this.receive(JSON.parse(piece));
    });
  }

  receive(message) {
    if (message.id === undefined) return this.listeners.forEach((listen) => listen(message));
    const { done, fail } = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) fail(new Error(message.error.message));
    else done(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((done, fail) => this.waiting.set(id, { done, fail }));
  }
}

export class Refused extends Error {
  constructor({ code, detail }) {
    super(`${code} ${JSON.stringify(detail ?? null)}`);
    Object.assign(this, { code, detail });
  }
}

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "page-agent-"));
    const program = process.env.CHROMIUM ?? "/usr/bin/chromium";
    browser.child = spawn(program, [...FLAGS, `--user-data-dir=${browser.profile}`, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.pipe = new Pipe(browser.child);
    browser.pages = new Map();
    browser.server = createServer((request, response) => browser.answer(request, response));
    await new Promise((done) => browser.server.listen(0, "127.0.0.1", done));
    browser.port = browser.server.address().port;
    await browser.attach().catch(async (error) => {
      await browser.stop();
      throw error;
    });
    return browser;
  }

  // Requests for `path` get no answer until `letGo`, and then none with content: the page stays.
  hold(path) {
    this.held = { path, responses: [] };
  }

  letGo() {
    for (const response of this.held.responses) response.writeHead(204).end();
    this.held = null;
  }

  answer(request, response) {
    if (this.held?.path === request.url) return this.held.responses.push(response);
    const body = this.pages.get(request.url);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(body ?? "");
  }

  async attach() {
    const { targetInfos } = await this.pipe.send("Target.getTargets");
    const { targetId } = targetInfos.find((target) => target.type === "page");
    this.session = (await this.pipe.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    this.contexts = new Map();
    this.unique = new Map();
    this.pipe.listeners.add(({ method, params }) => this.on(method, params));
    await this.cdp("Page.enable");
    await this.cdp("Runtime.enable");
    await this.cdp("Emulation.setFocusEmulationEnabled", { enabled: true });
    await this.cdp("Page.addScriptToEvaluateOnNewDocument", { source: agentSource(), worldName: WORLD, runImmediately: true });
  }

  on(method, params) {
    if (method === "Runtime.executionContextCreated" && params.context.name === WORLD) {
      this.contexts.set(params.context.auxData.frameId, params.context.id);
      this.unique.set(params.context.auxData.frameId, params.context.uniqueId);
    }
    if (method === "Page.loadEventFired") this.loaded?.();
  }

  cdp(method, params) {
    return this.pipe.send(method, params, this.session);
  }

  // Serves `html` and every other page of `more`, and shows the first.
  async show(html, more = {}) {
    this.count = (this.count ?? 0) + 1;
    const path = `/page-${this.count}`;
    this.pages.set(path, html);
    for (const [name, body] of Object.entries(more)) this.pages.set(name, body);
    const loaded = new Promise((done) => (this.loaded = done));
    const { frameId } = await this.cdp("Page.navigate", { url: `http://127.0.0.1:${this.port}${path}` });
    this.frame = frameId;
    await loaded;
  }

  async call(fn, ...args) {
    return this.callIn(this.frame, fn, ...args);
  }

  async callIn(frame, fn, ...args) {
    return this.run(frame, fn, args, []);
  }

  // Hands every closed shadow root over, as the extension does.
  async openRoots() {
    const world = { uniqueId: this.unique.get(this.frame), contextId: this.contexts.get(this.frame) };
    return this.run(this.frame, "takeRoots", [], await closedRoots(world, (method, params) => this.cdp(method, params), "roots"));
  }

  async run(frame, fn, args, roots) {
    const run = "async function (fn, args, ...roots) { try { return { ok: await globalThis[Symbol.for('ghostlight.agent')][fn](...args, ...roots) } } catch (err) { return { err } } }";
    const { result, exceptionDetails } = await this.cdp("Runtime.callFunctionOn", {
      functionDeclaration: run, executionContextId: this.contexts.get(frame), awaitPromise: true, returnByValue: true,
      arguments: [{ value: fn }, { value: args }, ...roots],
    });
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    if (result.value.err) throw new Refused(result.value.err);
    return result.value.ok;
  }

  // In the page's own world, as its scripts would.
  async page(expression) {
    const { result } = await this.cdp("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    return result.value;
  }

  // In the agent's world.
  async world(expression) {
    const { result } = await this.cdp("Runtime.evaluate", { expression, contextId: this.contexts.get(this.frame), returnByValue: true });
    return result.value;
  }

  // How many listeners of its window the agent has for events of this type.
  async listeners(type) {
    const { result } = await this.cdp("Runtime.evaluate", { expression: "window", contextId: this.contexts.get(this.frame) });
    const { listeners } = await this.cdp("DOMDebugger.getEventListeners", { objectId: result.objectId });
    return listeners.filter((listener) => listener.type === type).length;
  }

  // Three commands at once, as the extension sends them.
  async press({ x, y }, { button = "left", ...more } = {}) {
    const at = (type, press) => this.cdp("Input.dispatchMouseEvent", { type, x, y, ...press, ...more });
    await Promise.all([at("mouseMoved"), at("mousePressed", { button, clickCount: 1 }), at("mouseReleased", { button, clickCount: 1 })]);
  }

  async frameIds() {
    const { frameTree } = await this.cdp("Page.getFrameTree");
    return (frameTree.childFrames ?? []).map((child) => child.frame.id);
  }

  async stop() {
    const gone = new Promise((done) => this.child.once("exit", done));
    this.pipe.send("Browser.close").catch(() => {});
    await gone;
    this.server.close();
    this.server.closeAllConnections();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

// The line about an element, by its name.
export function named(reading, name) {
  const found = reading.lines.find((line) => line.name === name);
  if (!found) throw new Error(`no line named ${name}: ${JSON.stringify(reading.lines)}`);
  return found;
}
