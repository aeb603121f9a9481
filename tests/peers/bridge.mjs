// Shows a stdio server to the conformance runner, which speaks HTTP only: bridge.mjs ALIASES.json COMMAND...
//
// The HTTP layer is made up here (statuses, header checks, session ids): what the runner says about it
// says nothing about the server. ALIASES maps the runner's fixture tools to tools that the server has; one with
// `"tab": true` is called in a tab that the bridge opens just before.

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Answer, Caught, Child } from "./bridge_ends.mjs";
import { Shared } from "./bridge_shared.mjs";

const [aliasFile, ...command] = process.argv.slice(2);
const NEW = "2026-07-28";
const VERSION = "io.modelcontextprotocol/protocolVersion";
const LOCAL = ["127.0.0.1", "localhost", "[::1]"];
const aliases = JSON.parse(readFileSync(aliasFile, "utf8"));
const shared = new Shared(command);
const sessions = new Map();

/** A connection of the 2025 revision: one process of the server, from `initialize` to DELETE. */
class Session {
  constructor() {
    this.id = randomUUID();
    this.posts = new Map();
    this.stream = undefined;
    this.waiting = [];
    this.child = new Child(command, (message) => this.receive(message));
    sessions.set(this.id, this);
  }

  receive(message) {
    if (message.method === undefined) {
      const post = this.posts.get(message.id);
      this.posts.delete(message.id);
      return post?.end(message);
    }
    const open = [...this.posts.values()].at(-1) ?? this.stream;
    return open ? open.event(message) : this.waiting.push(message);
  }

  post(message, answer) {
    this.posts.set(message.id, answer);
    this.child.send(message);
  }

  listen(answer) {
    this.stream = answer;
    answer.open();
    for (const message of this.waiting.splice(0)) answer.event(message);
    answer.onGone(() => {
      this.stream = undefined;
    });
  }

  end() {
    sessions.delete(this.id);
    this.child.end();
  }
}

function refuse(response, status, message, code = -32600) {
  new Answer(response).end({ jsonrpc: "2.0", id: null, error: { code, message: `bridge: ${message}` } }, status);
}

/** Sends a request to where its POST goes, as the call of the server's own tool that it stands for. */
function forward(message, answer, target) {
  const alias = message.method === "tools/call" ? aliases[message.params?.name] : undefined;
  if (!alias) return target.post(message, answer);
  const { name, arguments: input, tab } = alias;
  const call = (here) => {
    const params = { ...message.params, name, arguments: { ...input, ...here } };
    target.post({ ...message, params }, answer);
  };
  if (!tab) return call();
  const meta = message.params._meta;
  const params = { name: "tabs_create_mcp", arguments: {}, ...(meta && { _meta: { ...meta, progressToken: undefined } }) };
  const created = { jsonrpc: "2.0", id: `${message.id}-tab`, method: "tools/call", params };
  return target.post(created, new Caught(({ result }) => {
    const { tabId, workspaceId } = result?.structuredContent ?? {};
    call({ tabId, ...(workspaceId && { workspaceId }) });
  }));
}

function postOld(request, response, message) {
  if (message.method === "initialize") {
    const session = new Session();
    return session.post(message, new Answer(response, { "mcp-session-id": session.id }));
  }
  const id = request.headers["mcp-session-id"];
  const session = sessions.get(id);
  if (!session) return refuse(response, id ? 404 : 400, "no such session");
  if (message.method === undefined || message.id === undefined) {
    session.child.send(message);
    return response.writeHead(202).end();
  }
  return forward(message, new Answer(response), session);
}

function postNew(request, response, message) {
  const told = request.headers["mcp-protocol-version"];
  const meant = message.params?._meta?.[VERSION];
  const method = request.headers["mcp-method"];
  if ((meant !== undefined && told !== meant) || (method !== undefined && method !== message.method)) {
    return refuse(response, 400, "header and body differ", -32020);
  }
  if (message.id === undefined) {
    shared.child.send(message);
    return response.writeHead(202).end();
  }
  return forward(message, new Answer(response), shared);
}

/** Which revision a POST means: the 2026 one names itself in the body or in the header. */
function isNew(request, message) {
  const told = request.headers["mcp-protocol-version"];
  const dated = /^\d{4}-\d\d-\d\d$/.test(told ?? "2025-11-25");
  const named = message?.params?._meta?.[VERSION] !== undefined || told === NEW || !dated;
  return named && !request.headers["mcp-session-id"];
}

function post(request, response) {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (part) => {
    text += part;
  });
  request.on("end", () => {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return refuse(response, 400, "not JSON", -32700);
    }
    return (isNew(request, message) ? postNew : postOld)(request, response, message);
  });
}

function isLocal(request) {
  const { host = "", origin } = request.headers;
  const from = origin ? new URL(origin).hostname : "localhost";
  return LOCAL.includes(host.replace(/:\d+$/, "")) && LOCAL.includes(from);
}

const server = createServer((request, response) => {
  if (!isLocal(request)) return response.writeHead(403).end();
  if (request.method === "POST") return post(request, response);
  const session = sessions.get(request.headers["mcp-session-id"]);
  if (!session) return response.writeHead(405).end();
  if (request.method === "GET") return session.listen(new Answer(response));
  session.end();
  return response.writeHead(200).end();
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/mcp`);
});
process.on("SIGTERM", () => {
  server.closeAllConnections();
  server.close();
  for (const session of sessions.values()) session.end();
  shared.child.end();
});
