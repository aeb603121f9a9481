// Sequences of commands on one tab, and the keys and buttons they hold: recorded before they are pressed, always released.
import { checkGuard, checkDestination, methodKind } from "./guard.js";
import { Fault, LIMITS } from "./protocol.js";

const REASONS = {
  dialog_open: "dialog", stale_document: "stale_document", paused: "paused", stopped: "stopped",
  cancelled: "cancelled", timeout: "timeout", detached: "detached", tab_closed: "detached", not_adopted: "detached",
};
const RELEASE_MS = 500;
/** What the browser hands to the place that it has drawn there. */
const POINTS = new Set(["Input.dispatchMouseEvent", "Input.dispatchDragEvent"]);

/** What is pressed on each tab. `press` and `lift` are pure; `save` keeps it over the worker's life. */
export class Ledger {
  #held = new Map();
  #expected = new Map();

  constructor(save) {
    this.save = save;
  }

  load(stored) {
    for (const [tabId, entries] of Object.entries(stored)) this.#held.set(Number(tabId), new Map(entries));
  }

  /** What a step presses or lifts: `[name, release]`, `[name, null]`, or null. */
  static change({ session, method, params = {} }) {
    if (method === "Input.dispatchMouseEvent" && params.button && params.button !== "none") {
      const name = `button ${params.button}`;
      if (params.type === "mouseReleased") return [name, null];
      // Let go outside of everything: an interrupted press must not become a click.
      const lift = { type: "mouseReleased", x: -1, y: -1, button: params.button, buttons: 0, clickCount: 0 };
      if (params.type === "mousePressed") return [name, { session, method, params: lift }];
    }
    if (method === "Input.dispatchKeyEvent") {
      const name = `key ${params.code || params.key || params.windowsVirtualKeyCode}`;
      if (params.type === "keyUp") return [name, null];
      const { key, code, windowsVirtualKeyCode, nativeVirtualKeyCode, location } = params;
      const lift = { type: "keyUp", key, code, windowsVirtualKeyCode, nativeVirtualKeyCode, location };
      if (params.type === "keyDown" || params.type === "rawKeyDown") return [name, { session, method, params: lift }];
    }
    return null;
  }

  /** Before a sequence: everything it will press counts as held from now on. */
  async expect(tabId, steps) {
    const presses = steps.map(Ledger.change).filter((change) => change?.[1]);
    if (presses.length === 0) return;
    this.#expected.set(tabId, new Map(presses));
    await this.save(this.#record());
  }

  note(tabId, step) {
    const change = Ledger.change(step);
    if (!change) return;
    const held = this.held(tabId);
    if (change[1]) held.set(...change);
    else held.delete(change[0]);
    this.#held.set(tabId, held);
  }

  held(tabId) {
    return this.#held.get(tabId) ?? new Map();
  }

  /** Releases of everything held on a tab; they count as sent. */
  take(tabId) {
    const steps = [...this.held(tabId).values()].reverse();
    this.#held.delete(tabId);
    return steps.flatMap((step) => (step.params.button ? [dragEnd(step), step] : [step]));
  }

  tabs() {
    return [...this.#held.keys()];
  }

  /** The tab is no more. */
  forget(tabId) {
    if (!this.#held.delete(tabId)) return undefined;
    return this.save(this.#record());
  }

  /** The sequence on this tab is over: only what is really held counts. */
  settle(tabId) {
    this.#expected.delete(tabId);
    return this.save(this.#record());
  }

  #record() {
    const out = {};
    for (const tabId of new Set([...this.#held.keys(), ...this.#expected.keys()])) {
      const held = new Map([...this.held(tabId), ...(this.#expected.get(tabId) ?? [])]);
      if (held.size > 0) out[tabId] = [...held];
    }
    return out;
  }
}

export class Sequences {
  /** Tab → its sequence under way. */
  #running = new Map();

  constructor({ cdp, ledger, adopter, choosers }) {
    Object.assign(this, { cdp, ledger, adopter, choosers });
  }

  async run(call, tab, p) {
    const work = this.#run(call, tab, p);
    this.#running.set(tab.tabId, work);
    return work.finally(() => this.#running.delete(tab.tabId));
  }

  async #run(call, tab, { steps, finally: last = [], guard }) {
    this.#check(steps);
    this.#check(last);
    if (tab.dialog) throw tab.dialogFault();
    const presses = [...steps, ...last];
    if (tab.unseen && presses.some(({ method }) => POINTS.has(method))) await this.adopter.drawn(tab);
    await this.ledger.expect(tab.tabId, presses);
    const run = { call, tab, guard, answers: [], results: [], stop: null, flying: Promise.resolve() };
    const input = presses.some(({ method }) => method.startsWith("Input."));
    if (input) await this.choosers.intercept(tab);
    try {
      await this.#steps(run, steps);
      await this.#last(run, last);
    } finally {
      if (input) this.choosers.release(tab);
      if (presses.some(Ledger.change)) await this.ledger.settle(tab.tabId);
    }
    return report(run);
  }

  #check(steps) {
    if (!Array.isArray(steps) || steps.length > LIMITS.steps) throw new Fault("bad_request", `steps are a list of at most ${LIMITS.steps}`);
    for (const step of steps) {
      if (!isPlain(step) || !isPlain(step.params ?? {})) throw new Fault("bad_request", "a step is {method, params}");
      methodKind(step.method);
      if (step.method === "Page.navigate") checkDestination(step.params?.url, this.adopter.files);
    }
  }

  async #steps(run, steps) {
    const { call, tab, answers } = run;
    for (const [i, step] of steps.entries()) {
      if (i >= LIMITS.stepsInFlight) await answers[i - LIMITS.stepsInFlight];
      if (!this.#may(run)) return;
      call.sent = true;
      this.ledger.note(tab.tabId, step);
      answers.push(this.#send(run, i, step));
      if (step.wait) await answers[i];
      if (step.afterMs > 0) await this.#pause(run, Math.min(step.afterMs, LIMITS.stepPauseMs));
    }
    await Promise.all(answers);
  }

  /** Whether the next step may leave; else the reason stands in `run.stop`. */
  #may(run) {
    const { call, tab, guard } = run;
    if (run.stop) return false;
    try {
      if (call.signal.aborted) throw call.signal.reason;
      if (tab.gone) throw tab.gone;
      if (tab.dialog) throw tab.dialogFault();
      if (tab.crashed) throw tab.crashFault();
      if (!tab.attached) throw new Fault("detached", "the debugger was detached");
      checkGuard(guard, guard && tab.docs.frame(guard.frameId));
      return true;
    } catch (fault) {
      run.stop = fault;
      return false;
    }
  }

  #send(run, i, { session, method, params }) {
    const work = this.cdp.send(run.tab, { session, method, params });
    run.flying = work.catch(() => {});
    return run.tab.race(work, { signal: run.call.signal }).then(
      (result) => void (run.results[i] = result),
      (fault) => void (run.stop ??= fault),
    );
  }

  async #pause(run, ms) {
    const work = new Promise((resolve) => setTimeout(resolve, ms));
    await run.tab.race(work, { signal: run.call.signal }).catch((fault) => (run.stop ??= fault));
  }

  /** The caller's last steps, then whatever is still held if the sequence ended early. */
  async #last(run, last) {
    const { tab, stop, answers } = run;
    if (stop && answers.length === 0) return;
    const steps = tab.gone ? last.filter(letsGo) : [...last];
    for (const step of steps) this.ledger.note(tab.tabId, step);
    if (stop) {
      // The step under way may begin a drag, which cannot be ended before. Answers come in order, so the last one's will do.
      await Promise.race([run.flying, new Promise((resolve) => setTimeout(resolve, RELEASE_MS))]);
      steps.push(...this.ledger.take(tab.tabId));
    }
    if (tab.attached) await this.#dispatch(tab, steps);
  }

  /** Sends all at once and waits a little. A dialog holds the answers back, not the effect. */
  async #dispatch(tab, steps) {
    const signal = AbortSignal.timeout(RELEASE_MS);
    const sent = steps.map((step) => this.cdp.send(tab, step, { signal, pastDialog: true, parting: true }).catch(() => {}));
    if (!tab.dialog) await Promise.all(sent);
  }

  /** Lets go of everything on these tabs: the worker is new, or the person paused. */
  async releaseAll(tabIds = this.ledger.tabs()) {
    await Promise.all(tabIds.map((tabId) => {
      const tab = this.adopter.roster.get(tabId);
      return tab ? this.letGo(tab) : this.ledger.forget(tabId);
    }));
  }

  /** The sequence under way lets go by itself, as it was interrupted; then what is left. */
  async letGo(tab) {
    const running = this.#running.get(tab.tabId);
    const late = () => new Promise((resolve) => setTimeout(resolve, 2 * RELEASE_MS));
    if (running) await Promise.race([running.catch(() => {}), late()]);
    const steps = this.ledger.take(tab.tabId);
    if (steps.length === 0) return;
    if (tab.attached) await this.#dispatch(tab, steps);
    await this.ledger.settle(tab.tabId);
  }
}

/** Whether a step does nothing but end a drag or lift a key. A button is lifted by the ledger, outside of the page. */
function letsGo({ method, params }) {
  if (method === "Input.dispatchDragEvent") return params?.type === "dragCancel";
  return method === "Input.dispatchKeyEvent" && params?.type === "keyUp";
}

/** What hangs on a button would be dropped where it is, wherever the button is let go. Nothing to do without a drag. */
const dragEnd = ({ session }) => ({ session, method: "Input.cancelDragging", params: {} });

function isPlain(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function report({ call, answers, results, stop, tab }) {
  const done = answers.length;
  const out = { done, results: Array.from({ length: done }, (_, i) => results[i] ?? null) };
  if (!stop) return out;
  const reason = REASONS[stop.code];
  if (done === 0) throw stop;
  if (!reason) throw new Fault(stop.code, stop.message, { ...stop.detail, done });
  call.sent = true;
  return { ...out, stopped: { reason, ...(reason === "dialog" && { dialog: tab.dialog ?? stop.detail }) } };
}
