// The conversation with the service behind the port: greeted, said hello, welcomed; then each frame to its place.
import { clip, encode, PROTO } from "./protocol.js";

export class Link {
  /** Set once welcomed: `{connection, version}`. */
  welcomed = null;
  /** Set when the service refused us: `{code, message}`. */
  refusal = null;

  constructor({ port, router, events, agent, ready, hello, changed }) {
    Object.assign(this, { port, router, events, agent, ready, hello, changed });
  }

  /** The port opened or closed. */
  portChanged() {
    this.welcomed = null;
    this.events.close();
    this.changed();
  }

  receive(message, size) {
    switch (message.t) {
      case "greet":
        return void this.#greeted();
      case "welcome":
        return this.#welcomed(message);
      case "refuse":
        return this.#refused(message.code, message.message);
      case "req":
        return this.router.request(message, size);
      case "cancel":
        return this.router.cancel(message.id);
      case "ack":
        if (Array.isArray(message.res)) this.router.acknowledge(message.res);
        if (Number.isInteger(message.ev)) this.events.ack(message.ev);
        return undefined;
      case "ping":
        return void this.port.post({ frame: { t: "pong", n: message.n } });
      default:
        return undefined;
    }
  }

  async #greeted() {
    this.welcomed = null;
    this.refusal = null;
    this.events.close();
    this.port.restart();
    await this.ready;
    this.port.post(encode({ t: "hello", proto: PROTO, ...(await this.hello()), pending: this.router.pending() }));
  }

  #welcomed({ proto, svc, connection, agent }) {
    if (!(proto >= PROTO.min && proto <= PROTO.max)) return this.#refused("protocol", `protocol ${proto} is not spoken here`);
    try {
      this.agent.take(agent ?? {});
    } catch (fault) {
      return this.#refused(fault.code, fault.message);
    }
    this.welcomed = { connection, version: String(svc?.version ?? "") };
    // What happened before a result is told before it.
    this.events.open();
    this.router.resend();
    this.changed();
    return undefined;
  }

  /** No work until the next greet; the popup shows why. */
  #refused(code, message) {
    this.refusal = { code: String(code), message: clip(message, 300) };
    this.changed();
  }
}
