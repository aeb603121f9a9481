// Commands that run code of an agent in the page, and end for certain: what still computes at the bound is terminated.
import { Fault, LIMITS } from "./protocol.js";

const RUN_CODE = new Set(["Runtime.evaluate", "Runtime.callFunctionOn"]);

export class Bounded {
  /** The tab and session that are being stopped, by name → `{paused(), done}`: whether it was. */
  #stopping = new Map();
  /** Tab → the session in which code of an agent runs. */
  #running = new Map();
  /** Tabs that were let go and whose code is being stopped, by id. */
  #ending = new Map();

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
    this.#running.set(tab, session);
    try {
      // Only a debugger that is there before the code can interrupt it. `debugger` statements stay without effect.
      const early = { signal: AbortSignal.any([call.signal, AbortSignal.timeout(LIMITS.setupMs)]) };
      const on = this.#send(tab, session, "Debugger.enable", {}, early);
      await Promise.all([on, this.#send(tab, session, "Debugger.setBreakpointsActive", { active: false }, early)]);
      return await this.#bounded(call, tab, command, AbortSignal.timeout(ms));
    } finally {
      this.#running.delete(tab);
      this.#leave(tab, session);
    }
  }

  /** The tab was let go: code that computes in it ends, before the debugger goes. */
  async end(tab) {
    const session = this.#running.get(tab);
    if (session === undefined || tab.dialog) return;
    this.#ending.set(tab.tabId, tab);
    await this.#stop(tab, session, { probeMs: LIMITS.partingMs, parting: true });
    this.#ending.delete(tab.tabId);
  }

  /** The tab with this id that is no longer adopted, while code is being stopped in it. */
  ending(tabId) {
    return this.#ending.get(tabId) ?? null;
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
  async #stop(tab, session, { probeMs = LIMITS.probeMs, parting = false } = {}) {
    // A page that is already paused for it would answer.
    const stopping = this.#stopping.get(`${tab.tabId} ${session}`);
    if (stopping) return stopping.done;
    const options = { signal: AbortSignal.timeout(probeMs), pastDialog: true, parting };
    const idle = this.#send(tab, session, "Runtime.evaluate", { expression: "0" }, options);
    if (await idle.then(() => true, (fault) => fault.code !== "timeout")) return false;
    return this.#pause(tab, session, parting);
  }

  #pause(tab, session, parting) {
    const name = `${tab.tabId} ${session}`;
    const stopping = {};
    const paused = new Promise((resolve) => (stopping.paused = resolve));
    const late = new Promise((resolve) => setTimeout(resolve, LIMITS.pauseMs, false));
    stopping.done = Promise.race([paused, late]).finally(() => this.#stopping.delete(name));
    this.#stopping.set(name, stopping);
    const options = { signal: AbortSignal.timeout(LIMITS.pauseMs), pastDialog: true, parting };
    this.#send(tab, session, "Debugger.pause", {}, options).catch(() => {});
    return stopping.done;
  }

  /** `Debugger.paused`: code that is to be stopped ends here, any other goes on at once. */
  async paused(tab, session) {
    const stopping = this.#stopping.get(`${tab.tabId} ${session}`);
    const options = { signal: AbortSignal.timeout(LIMITS.setupMs), pastDialog: true, parting: true };
    await this.#send(tab, session, "Debugger.resume", { terminateOnResume: stopping !== undefined }, options).catch(() => {});
    stopping?.paused(true);
  }

  /** Not waited for: behind a dialog it comes when that is closed. */
  #leave(tab, session) {
    this.#send(tab, session, "Debugger.disable", {}, { pastDialog: true }).catch(() => {});
  }

  #send(tab, session, method, params, options) {
    return this.cdp.send(tab, { session, method, params }, options);
  }
}
