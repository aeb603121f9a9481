// Commands that run code of an agent in the page, and end for certain: what still computes at the bound is terminated.
import { Fault, LIMITS } from "./protocol.js";

const RUN_CODE = new Set(["Runtime.evaluate", "Runtime.callFunctionOn"]);

export class Bounded {
  /** The tab and session that are being stopped, by name → who waits for the pause. */
  #stopping = new Map();

  constructor({ cdp, roster }) {
    Object.assign(this, { cdp, roster });
  }

  /** A former worker may have died meanwhile: no page stays paused or debugged. */
  restore() {
    for (const tab of this.roster.all()) for (const session of tab.sessions.keys()) this.#leave(tab, session);
  }

  /** The command's answer within `ms`; else the fault `timeout`, whose detail tells whether running code was stopped. */
  async run(call, tab, command, ms) {
    if (!RUN_CODE.has(command.method) || !call.effect || !(ms > 0)) {
      throw new Fault("bad_request", "only an effect that runs code has a bound");
    }
    const { session } = command;
    try {
      // Only a debugger that is there before the code can interrupt it. `debugger` statements stay without effect.
      const early = { signal: AbortSignal.any([call.signal, AbortSignal.timeout(LIMITS.setupMs)]) };
      const on = this.#send(tab, session, "Debugger.enable", {}, early);
      await Promise.all([on, this.#send(tab, session, "Debugger.setBreakpointsActive", { active: false }, early)]);
      return await this.#bounded(call, tab, command, AbortSignal.timeout(ms));
    } finally {
      this.#leave(tab, session);
    }
  }

  async #bounded(call, tab, command, bound) {
    const signal = AbortSignal.any([call.signal, bound]);
    call.sent = true;
    try {
      return await this.cdp.send(tab, command, { signal });
    } catch (fault) {
      if (!signal.aborted) throw fault;
      const stopped = await this.#stop(tab, command.session);
      throw bound.aborted ? new Fault("timeout", "the code did not end in its time", { stopped }) : fault;
    }
  }

  /** Terminates what computes now; waiting for something is no computing. Whether there was anything. */
  async #stop(tab, session) {
    const within = (ms) => ({ signal: AbortSignal.timeout(ms), pastDialog: true });
    const idle = this.#send(tab, session, "Runtime.evaluate", { expression: "0" }, within(LIMITS.probeMs));
    if (await idle.then(() => true, (fault) => fault.code !== "timeout")) return false;
    const name = `${tab.tabId} ${session}`;
    const paused = new Promise((resolve) => this.#stopping.set(name, resolve));
    const late = new Promise((resolve) => setTimeout(resolve, LIMITS.pauseMs, false));
    this.#send(tab, session, "Debugger.pause", {}, within(LIMITS.pauseMs)).catch(() => {});
    const stopped = await Promise.race([paused, late]);
    this.#stopping.delete(name);
    return stopped;
  }

  /** `Debugger.paused`: code that is to be stopped ends here, any other goes on at once. */
  async paused(tab, session) {
    const stopped = this.#stopping.get(`${tab.tabId} ${session}`);
    const options = { signal: AbortSignal.timeout(LIMITS.setupMs), pastDialog: true };
    await this.#send(tab, session, "Debugger.resume", { terminateOnResume: stopped !== undefined }, options).catch(() => {});
    stopped?.(true);
  }

  /** Not waited for: behind a dialog it comes when that is closed. */
  #leave(tab, session) {
    this.#send(tab, session, "Debugger.disable", {}, { pastDialog: true }).catch(() => {});
  }

  #send(tab, session, method, params, options) {
    return this.cdp.send(tab, { session, method, params }, options);
  }
}
