// A private Chromium with this extension, a native host that only pipes, and the service's end of the wire.
import { spawn } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Joiner, needsParts, split } from "../../src/parts.js";

const EXTENSION = fileURLToPath(new URL("../..", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const DEADLINE = 30_000;

const HOST = `#!${process.execPath}
const socket = require("node:net").connect(process.env.GHOSTLIGHT_TEST_SOCKET);
process.stdin.pipe(socket); socket.pipe(process.stdout);
const end = () => process.exit(0);
process.stdin.on("end", end); socket.on("close", end); socket.on("error", end); process.stdout.on("error", end);
`;

/** The agent of these tests, as small as they allow. */
export const AGENT = [
  { name: "a.js", source: `"use strict"; const counts = { calls: 0 }; const swallow = (event) => event.stopImmediatePropagation();` },
  {
    name: "b.js",
    source: `globalThis[Symbol.for("ghostlight.agent")] = {
  echo: (value) => value,
  // As the real one does while a click of its own is awaited.
  arm: () => addEventListener("click", swallow, true),
  disarm: () => removeEventListener("click", swallow, true),
  title: () => document.title,
  count: () => (counts.calls += 1),
  world: () => typeof window.pageSecret,
  refuse: () => { throw { code: "covered", detail: { by: "div" } }; },
  broken: () => { throw new Error("a bug"); },
  never: () => new Promise(() => {}),
  lone: () => "a\\ud800b",
  big: (n) => "x".repeat(n),
};`,
  },
];

/** Waits for `probe` to give something true, with a deadline. */
export async function until(probe, what, ms = DEADLINE) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** One connection of a native host: the service's end of the wire. */
export class Service {
  frames = [];
  events = [];
  hello = null;
  closed = false;
  #waiting = new Map();
  #joiner = new Joiner();
  #next = 0;
  #buffer = Buffer.alloc(0);
  #xfer = 0;

  constructor(socket, prefix) {
    this.socket = socket;
    this.prefix = prefix;
    this.autoAck = true;
    socket.on("data", (data) => this.#data(data));
    socket.on("close", () => (this.closed = true));
    socket.on("error", () => {});
  }

  #data(data) {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    while (this.#buffer.length >= 4) {
      const length = this.#buffer.readUInt32LE(0);
      if (this.#buffer.length < 4 + length) return;
      const frame = JSON.parse(this.#buffer.subarray(4, 4 + length).toString("utf8"));
      this.#buffer = this.#buffer.subarray(4 + length);
      this.#frame(frame);
    }
  }

  #frame(frame) {
    this.frames.push(frame);
    if (frame.t === "part") {
      const text = this.#joiner.push(frame, performance.now());
      if (text !== null) this.#frame(JSON.parse(text));
    } else if (frame.t === "hello") {
      this.hello = frame;
    } else if (frame.t === "ev") {
      this.events.push(...frame.items);
      if (this.autoAck) this.send({ t: "ack", res: [], ev: frame.seq });
    } else if (frame.t === "res") {
      if (this.autoAck) this.send({ t: "ack", res: [frame.id], ev: 0 });
      this.#waiting.get(frame.id)?.(frame);
    }
  }

  send(frame) {
    const text = JSON.stringify(frame);
    if (needsParts(text)) return split(text, (this.#xfer += 1)).forEach((part) => this.#write(JSON.stringify(part)));
    return this.#write(text);
  }

  #write(text) {
    const body = Buffer.from(text);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    this.socket.write(Buffer.concat([head, body]));
  }

  /** Greet, hello, welcome. */
  async open(hash = "agent-1", parts = AGENT) {
    this.hello = null;
    this.send({ t: "greet" });
    await until(() => this.hello, "hello");
    this.send({ t: "welcome", proto: 1, svc: { version: "0" }, connection: 1, agent: { hash, parts } });
    return this.hello;
  }

  /** The whole `res` of one request. */
  call(m, p = {}, { key = "k1", effect = false, deadlineMs = 10_000, id = `${this.prefix}-${(this.#next += 1)}` } = {}) {
    const answer = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${m} ${JSON.stringify(p).slice(0, 200)}`)), deadlineMs + 5_000);
      this.#waiting.set(id, (frame) => (clearTimeout(timer), resolve(frame)));
    });
    this.send({ t: "req", id, m, p, key, deadlineMs, effect });
    return answer;
  }

  /** The `ok` of one request; a fault fails the test. */
  async ok(m, p, options) {
    const { ok, err } = await this.call(m, p, options);
    if (err) throw new Error(`${m}: ${err.code} ${err.message} ${JSON.stringify(err.detail ?? null)}`);
    return ok;
  }

  /** The fault code of one request, `ok` if it went well. */
  async code(m, p, options) {
    return (await this.call(m, p, options)).err?.code ?? "ok";
  }

  event(match, what) {
    return until(() => this.events.find(match), what ?? match.toString());
  }
}

/** The test's own eyes and hands in the browser, beside the extension's. */
class Pipe {
  #next = 0;
  #waiting = new Map();
  #text = "";

  constructor(child) {
    this.input = child.stdio[3];
    child.stdio[4].on("data", (data) => this.#data(data.toString("utf8")));
    this.input.on("error", () => {});
  }

  #data(data) {
    const messages = (this.#text + data).split("\0");
    this.#text = messages.pop();
    for (const { id, result, error } of messages.map((text) => JSON.parse(text))) {
      const waiting = this.#waiting.get(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = (this.#next += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  async targets() {
    return (await this.send("Target.getTargets")).targetInfos;
  }

  async #within(targetId, work) {
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const done = await work((method, params) => this.send(method, params, sessionId));
    await this.send("Target.detachFromTarget", { sessionId });
    return done;
  }

  /** The person's own input. */
  act(targetId, steps) {
    return this.#within(targetId, async (send) => {
      for (const { method, params } of steps) await send(method, params);
    });
  }

  /** Evaluates in a target, e.g. the service worker. */
  async evaluate(targetId, expression) {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.#within(targetId, (send) => send("Runtime.evaluate", asked));
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
}

export class Browser {
  connections = [];

  static async start(pages = {}, { headed = process.env.HEADED === "1" } = {}) {
    const browser = new Browser();
    browser.id = (await readFile(join(EXTENSION, "ID"), "utf8")).trim();
    browser.home = await mkdtemp(join(tmpdir(), "ghostlight-ext-"));
    await browser.#serve(pages);
    await browser.#listen();
    await browser.#profile();
    browser.#spawn(headed);
    return browser;
  }

  async #serve(pages) {
    this.site = createServer((request, response) => {
      const { pathname } = new URL(request.url, "http://x");
      const page = pages[pathname];
      if (page === undefined) return response.writeHead(404).end();
      const [type, body, headers] = Array.isArray(page) ? page : ["text/html; charset=utf-8", page];
      const text = typeof body === "function" ? body(this) : body.replaceAll("%PORT%", this.port);
      return response.writeHead(200, { "content-type": type, ...headers }).end(text);
    });
    await new Promise((resolve) => this.site.listen(0, "127.0.0.1", resolve));
    this.port = String(this.site.address().port);
  }

  url(path, host = "127.0.0.1") {
    return `http://${host}:${this.port}${path}`;
  }

  async #listen() {
    const path = join(this.home, "wire.sock");
    this.server = createSocketServer((socket) => {
      this.connections.push(new Service(socket, `s${this.connections.length}`));
    });
    await new Promise((resolve) => this.server.listen(path, resolve));
    this.socketPath = path;
  }

  async #profile() {
    const profile = join(this.home, "profile");
    await mkdir(join(profile, "NativeMessagingHosts"), { recursive: true });
    await mkdir(join(profile, "Default"), { recursive: true });
    await writeFile(join(profile, "Default", "Preferences"), JSON.stringify({ extensions: { ui: { developer_mode: true } } }));
    const host = join(this.home, "host.cjs");
    await writeFile(host, HOST, { mode: 0o755 });
    const manifest = { name: "org.ghostlight", description: "test", path: host, type: "stdio", allowed_origins: [`chrome-extension://${this.id}/`] };
    await writeFile(join(profile, "NativeMessagingHosts", "org.ghostlight.json"), JSON.stringify(manifest));
    this.profile = profile;
  }

  #spawn(headed) {
    const flags = [
      ...(headed ? [] : ["--headless=new"]), "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--silent-debugger-extension-api", "--remote-debugging-pipe",
      `--user-data-dir=${this.profile}`, `--load-extension=${EXTENSION}`, "about:blank",
    ];
    const env = { ...process.env, GHOSTLIGHT_TEST_SOCKET: this.socketPath };
    this.child = spawn(CHROMIUM, flags, { env, stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
    this.stderr = "";
    this.child.stderr.on("data", (data) => (this.stderr = (this.stderr + String(data).replace(/^.*dbus.*\n/gm, "")).slice(-4_000)));
    this.exited = new Promise((resolve) => this.child.on("exit", resolve));
    this.pipe = new Pipe(this.child);
  }

  /** The newest connection of a native host, after `seen` earlier ones. */
  async connection(seen = 0) {
    await until(() => this.connections.length > seen, "a native host").catch((error) => {
      throw new Error(`${error.message}\n${this.stderr}`);
    });
    return this.connections.at(-1);
  }

  /** A service that has been greeted and welcomed. */
  async service() {
    const service = await this.connection();
    await service.open();
    return service;
  }

  async worker() {
    const target = (await this.pipe.targets()).find(({ type, url }) => type === "service_worker" && url.includes(this.id));
    return target?.targetId;
  }

  /** Ends the service worker as the browser does when it is short of memory. */
  async killWorker() {
    const targetId = await this.worker();
    await this.pipe.send("Target.closeTarget", { targetId });
    await until(async () => (await this.worker()) !== targetId, "the worker's end");
  }

  /** The real popup, opened as by a click on the toolbar button; `press(id)` clicks one of its buttons. */
  async popup() {
    await this.pipe.evaluate(await this.worker(), "chrome.action.openPopup()");
    const find = async () => (await this.pipe.targets()).find(({ url }) => url.endsWith("/ui/popup.html"));
    const { targetId } = await until(find, "the popup");
    const evaluate = (expression) => this.pipe.evaluate(targetId, expression);
    await until(() => evaluate("document.readyState === 'complete' && document.querySelector('#state')?.textContent"), "the popup's report");
    const press = (id) => evaluate(`document.getElementById(${JSON.stringify(id)}).click()`);
    const close = () => this.pipe.send("Target.closeTarget", { targetId });
    return { targetId, evaluate, press, close };
  }

  async close() {
    this.child.kill("SIGTERM");
    await this.exited;
    for (const { socket } of this.connections) socket.destroy();
    this.server.close();
    this.site.closeAllConnections();
    this.site.close();
    await rm(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
