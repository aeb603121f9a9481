// The ends of the bridge: a server process on stdio, an open POST, and an answer that the bridge wants itself.

import { spawn } from "node:child_process";

export class Child {
  constructor([program, ...args], receive) {
    this.process = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.process.stdin.on("error", () => {});
    let rest = "";
    this.process.stdout.setEncoding("utf8");
    this.process.stdout.on("data", (part) => {
      const lines = (rest + part).split("\n");
      rest = lines.pop();
      for (const line of lines) receive(JSON.parse(line));
    });
  }

  send(message) {
    this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  end() {
    this.process.stdin.end();
  }
}

/** An HTTP answer: plain JSON when only the response comes, a stream of events when anything else does. */
export class Answer {
  constructor(response, headers = {}) {
    this.response = response;
    this.headers = headers;
    this.streams = false;
  }

  open() {
    this.streams = true;
    this.response.writeHead(200, { "content-type": "text/event-stream", ...this.headers });
    this.response.flushHeaders();
  }

  event(message) {
    if (!this.streams) this.open();
    this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** Calls back when the client has gone. */
  onGone(callback) {
    this.response.on("close", callback);
  }

  end(message, status = 200) {
    if (this.streams) {
      this.event(message);
      return this.response.end();
    }
    this.response.writeHead(status, { "content-type": "application/json", ...this.headers });
    return this.response.end(JSON.stringify(message));
  }
}

/** Takes the response to a request that the bridge has made up. */
export class Caught {
  constructor(end) {
    this.end = end;
  }

  event() {}

  onGone() {}
}
