// Calls into the page agent, in the isolated world of one frame's present document.
import { checkGuard } from "./guard.js";
import { Fault, LIMITS } from "./protocol.js";
import { closedRoots, forget, named } from "./roots.js";

const CALL = `async function (fn, args, ...nodes) {
  const agent = globalThis[Symbol.for("ghostlight.agent")];
  if (!agent || !Object.hasOwn(agent, fn) || typeof agent[fn] !== "function") return { missing: true };
  try {
    return { value: await agent[fn](...args, ...nodes) };
  } catch (e) {
    if (e !== null && typeof e === "object" && typeof e.code === "string") return { fault: e.code, detail: e.detail };
    return { fault: "agent_error", detail: { error: String(e).slice(0, 300), at: String(e && e.stack).slice(0, 600) } };
  }
}`;

export class Page {
  constructor({ cdp, agent }) {
    Object.assign(this, { cdp, agent });
  }

  async call(call, tab, { frameId, fn, args = [], roots = false, node, guard, timeoutMs }) {
    if (typeof fn !== "string" || !Array.isArray(args)) throw new Fault("bad_request", "a page call names fn and a list of args");
    if (tab.dialog) throw tab.dialogFault();
    if (tab.crashed) throw tab.crashFault();
    const signal = timeoutMs > 0 ? AbortSignal.any([call.signal, AbortSignal.timeout(timeoutMs)]) : call.signal;
    const world = await this.#world(tab, frameId, { guard, signal });
    const doc = tab.docs.doc(frameId);
    const { result, exceptionDetails } = await this.#handing(tab, world, { call, signal, roots, node }, (send, handed) => {
      if (call.effect) call.sent = true;
      const values = [{ value: fn }, { value: args }, ...handed];
      return this.#run(world, send, values);
    });
    if (exceptionDetails) throw new Fault("page", "agent_error", { error: String(exceptionDetails.text).slice(0, 300) });
    const { missing, fault, detail, value } = result.value ?? {};
    if (missing) throw new Fault("unsupported", `the page agent has no ${fn.slice(0, 60)}`);
    if (fault !== undefined) throw new Fault("page", fault.slice(0, 80), detail);
    return { value: value ?? null, doc };
  }

  /** `work` with the nodes that were asked for. They are the call's own, and let go however it ends. */
  async #handing(tab, world, { call, signal, roots, node }, work) {
    const within = (bounds) => (method, params) => this.cdp.send(tab, { session: world.session, method, params }, bounds);
    const send = within({ signal });
    if (!roots && node === undefined) return work(send, []);
    const group = `ghostlight-${call.id}`;
    try {
      const handed = roots ? await closedRoots(world, send, group) : [];
      if (node !== undefined) handed.push(await named(world, send, node, group));
      return await work(send, handed);
    } finally {
      // What ended the call, its own signal or a dialog, does not hold this back.
      forget(within({ signal: AbortSignal.timeout(LIMITS.setupMs), pastDialog: true }), group);
    }
  }

  async #run(world, send, values) {
    const asked = {
      functionDeclaration: CALL, uniqueContextId: world.uniqueId, arguments: values, awaitPromise: true, returnByValue: true,
    };
    const answer = await send("Runtime.callFunctionOn", asked);
    if (!answer.result.value?.missing) return answer;
    // A document that came while its tab was adopted may have a world and no agent in it.
    await send("Runtime.evaluate", { expression: this.agent.source, uniqueContextId: world.uniqueId });
    return send("Runtime.callFunctionOn", asked);
  }

  /** The agent's world; a document that was committed just now gets a moment for it. */
  async #world(tab, frameId, { guard, signal }) {
    const until = performance.now() + LIMITS.worldMs;
    for (;;) {
      checkGuard(guard, guard && tab.docs.frame(guard.frameId));
      if (frameId !== undefined && !tab.docs.frame(frameId)) throw new Fault("stale_document", "the frame is gone");
      const world = tab.docs.world(frameId);
      if (world) return world;
      if (performance.now() > until) throw new Fault("stale_document", "the document has no agent yet");
      await tab.race(new Promise((resolve) => setTimeout(resolve, 5)), { signal });
    }
  }
}
