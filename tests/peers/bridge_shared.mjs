// The one server process that all POSTs of the 2026 revision share, each under an id of its own.

import { Child } from "./bridge_ends.mjs";

const PREFIX = "io.modelcontextprotocol/";
const SUBSCRIPTION = `${PREFIX}subscriptionId`;
const ENVELOPE = {
  [`${PREFIX}protocolVersion`]: "2026-07-28",
  [`${PREFIX}clientInfo`]: { name: "bridge", version: "1.0.0" },
  [`${PREFIX}clientCapabilities`]: {},
};
const BAD_REQUEST = [-32020, -32021, -32022, -32700, -32600];

export class Shared {
  constructor(command) {
    this.open = new Map();
    this.last = 0;
    this.child = new Child(command, (message) => this.receive(message));
    // Over HTTP a header names the revision; a pipe is told by its first request.
    this.child.send({ jsonrpc: "2.0", id: "first", method: "tools/list", params: { _meta: ENVELOPE } });
  }

  post(message, answer) {
    const id = `post-${++this.last}`;
    const own = structuredClone(message);
    own.id = id;
    const token = own.params?._meta?.progressToken;
    if (token !== undefined) own.params._meta.progressToken = id;
    this.open.set(id, { answer, message, token });
    answer.onGone(() => {
      if (!this.open.delete(id)) return;
      this.child.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    });
    this.child.send(own);
  }

  receive(message) {
    if (message.method === undefined) return this.respond(message);
    const subscription = message.params?._meta?.[SUBSCRIPTION];
    const post = this.open.get(subscription ?? message.params?.progressToken);
    if (!post) return undefined;
    if (subscription !== undefined) message.params._meta[SUBSCRIPTION] = post.message.id;
    else message.params.progressToken = post.token;
    return post.answer.event(message);
  }

  respond(message) {
    const post = this.open.get(message.id);
    if (!post) return;
    this.open.delete(message.id);
    if (message.result?._meta?.[SUBSCRIPTION] !== undefined) {
      message.result._meta[SUBSCRIPTION] = post.message.id;
    }
    message.id = post.message.id;
    post.answer.end(message, status(message.error?.code, post.message));
  }
}

function status(code, request) {
  const meta = request.params?._meta ?? {};
  const whole = [`${PREFIX}protocolVersion`, `${PREFIX}clientCapabilities`].every((name) => name in meta);
  if (code === -32601) return 404;
  return BAD_REQUEST.includes(code) || (code === -32602 && !whole) ? 400 : 200;
}
