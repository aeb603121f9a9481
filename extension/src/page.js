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
    const send = (method, params) => this.cdp.send(tab, { session: world.session, method, params }, { signal });
    const handed = roots ? await closedRoots(world, send) : [];
    if (node !== undefined) handed.push(await named(world, send, node));
    if (call.effect) call.sent = true;
    const asked = {
      functionDeclaration: CALL,
      uniqueContextId: world.uniqueId,
      arguments: [{ value: fn }, { value: args }, ...handed],
      awaitPromise: true,
      returnByValue: true,
    };
    let { result, exceptionDetails } = await send("Runtime.callFunctionOn", asked);
    if (result.value?.missing) {
      // A document that came while its tab was adopted may have a world and no agent in it.
      await send("Runtime.evaluate", { expression: this.agent.source, uniqueContextId: world.uniqueId });
      ({ result, exceptionDetails } = await send("Runtime.callFunctionOn", asked));
    }
    if (handed.length > 0) forget(send);
    if (exceptionDetails) throw new Fault("page", "agent_error", { error: String(exceptionDetails.text).slice(0, 300) });
    const { missing, fault, detail, value } = result.value ?? {};
    if (missing) throw new Fault("unsupported", `the page agent has no ${fn.slice(0, 60)}`);
    if (fault !== undefined) throw new Fault("page", fault.slice(0, 80), detail);
    return { value: value ?? null, doc };
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
