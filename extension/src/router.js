// The requests of the service: one run and one result each, within bounds and deadline, kept until acknowledged.
import { Lanes } from "./lanes.js";
import { byteLength } from "./parts.js";
import { encode, Fault, LIMITS } from "./protocol.js";

export class Router {
  #running = new Map();
  #bytes = 0;
  #kept = new Map();
  #keptBytes = 0;
  #forgotten = new Set();
  #lanes = new Lanes();

  /** `methods` {lane, isEffect, run}; `latch()` names the state; `post({text, frame?})` sends; `before()` flushes events. */
  constructor({ methods, latch, post, before, worker, ready, timers = globalThis }) {
    Object.assign(this, { methods, latch, post, before, worker, ready, timers });
  }

  /** Ids that run or have a result kept. */
  pending() {
    return [...this.#running.keys(), ...this.#kept.keys()];
  }

  get busy() {
    return this.#running.size;
  }

  /** `size` is the request's length in text. */
  request(req, size) {
    const { id } = req;
    if (typeof id !== "string" || id === "" || id.length > LIMITS.idChars) return;
    if (this.#running.has(id)) return;
    if (this.#kept.has(id)) return this.post({ text: this.#kept.get(id) });
    if (this.#forgotten.has(id)) return this.#refuse(id, new Fault("internal", "the result is no longer kept"), true);
    if (this.#running.size >= LIMITS.requests || this.#bytes + size > LIMITS.requestBytes) {
      return this.#refuse(id, new Fault("busy", "too many requests"), false);
    }
    const call = this.#call(req, size);
    this.#running.set(id, call);
    this.#bytes += size;
    this.#serve(call, req);
  }

  #call(req, size) {
    const control = new AbortController();
    const { id, m, key, deadlineMs } = req;
    const ms = Number.isFinite(deadlineMs) ? Math.min(Math.max(deadlineMs, 1), LIMITS.requestMs) : LIMITS.requestMs;
    const call = { id, m, key, size, sent: false, signal: control.signal, lane: null, go: null };
    const late = new Fault("timeout", "the deadline passed");
    call.interrupt = (fault) => control.abort(fault);
    call.timer = this.timers.setTimeout(() => {
      call.interrupt(late);
      call.timer = this.timers.setTimeout(() => this.#finish(call, { fault: late }), LIMITS.settleMs);
    }, ms);
    return call;
  }

  async #serve(call, req) {
    let outcome;
    try {
      // The stored latch decides whether anything may run at all.
      await this.ready;
      checkShape(req);
      call.effect = this.methods.isEffect(req);
      this.#checkLatch(call);
      await this.#enter(call, this.methods.lane(req, call.effect));
      this.#checkLatch(call);
      outcome = { ok: await this.methods.run(call, req.p) };
    } catch (error) {
      outcome = { fault: Fault.from(error) };
    }
    this.#finish(call, outcome);
  }

  #checkLatch(call) {
    if (call.signal.aborted) throw call.signal.reason;
    const latch = this.latch();
    const lettingGo = call.m === "workspace.release" || (call.m === "tab.release" && !call.effect);
    if (latch === "stopped" && !lettingGo) throw new Fault("stopped", "the person stopped the agents");
    if (latch === "paused" && call.effect) throw new Fault("paused", "the person paused the agents");
  }

  #enter(call, lane) {
    if (lane === null) return Promise.resolve();
    const turn = this.#lanes.enter(lane, call.id);
    if (turn === "busy") throw new Fault("busy", "too many effects wait for this tab");
    call.lane = lane;
    if (turn === "run") return Promise.resolve();
    return new Promise((resolve, reject) => {
      call.go = resolve;
      call.signal.addEventListener("abort", () => reject(call.signal.reason), { once: true });
    });
  }

  #finish(call, { ok, fault }) {
    if (this.#running.get(call.id) !== call) return;
    this.#running.delete(call.id);
    this.#bytes -= call.size;
    this.timers.clearTimeout(call.timer);
    if (call.lane !== null) this.#running.get(this.#lanes.leave(call.lane, call.id))?.go?.();
    // What still runs for it must not outlive its answer.
    call.interrupt(new Fault("cancelled", "answered"));
    this.#answer(call, fault ? { err: fault.wire() } : { ok: ok ?? {} });
  }

  #answer(call, body) {
    const head = { t: "res", id: call.id, worker: this.worker, sent: call.sent };
    let message = encode({ ...head, ...body });
    if (message.text.length * 3 > LIMITS.partedBytes && byteLength(message.text) > LIMITS.partedBytes) {
      const fault = new Fault("too_large", `the result exceeds ${LIMITS.partedBytes} bytes`);
      message = encode({ ...head, err: fault.wire() });
    }
    this.#keep(call.id, message.text);
    this.before();
    this.post(message);
  }

  #refuse(id, fault, sent) {
    this.post(encode({ t: "res", id, worker: this.worker, err: fault.wire(), sent }));
  }

  #keep(id, text) {
    this.#kept.set(id, text);
    this.#keptBytes += text.length;
    while (this.#kept.size > LIMITS.kept || this.#keptBytes > LIMITS.keptBytes) {
      this.#forget(this.#kept.keys().next().value);
    }
  }

  #forget(id) {
    const text = this.#kept.get(id);
    if (text === undefined) return;
    this.#kept.delete(id);
    this.#keptBytes -= text.length;
    this.#forgotten.add(id);
    if (this.#forgotten.size > LIMITS.forgotten) this.#forgotten.delete(this.#forgotten.values().next().value);
  }

  cancel(id) {
    this.#running.get(id)?.interrupt(new Fault("cancelled", "cancelled by the service"));
  }

  acknowledge(ids) {
    for (const id of ids) this.#forget(id);
  }

  /** Every kept result once more, after a welcome. */
  resend() {
    for (const text of this.#kept.values()) this.post({ text });
  }

  /** The latch closed: what waits is refused, sequences end between two steps; on stop everything ends. */
  latched(state) {
    const fault = new Fault(state, state === "stopped" ? "the person stopped the agents" : "the person paused the agents");
    for (const call of this.#running.values()) {
      const waits = call.effect && !call.sent;
      if (state === "stopped" || waits || call.m === "cdp.seq") call.interrupt(fault);
    }
  }
}

function checkShape({ m, p, key }) {
  if (typeof m !== "string") throw new Fault("bad_request", "a request names its method");
  if (p === null || typeof p !== "object" || Array.isArray(p)) throw new Fault("bad_request", "parameters are an object");
  if (typeof key !== "string" || key === "" || key.length > 128) throw new Fault("bad_request", "a request carries a key");
}
