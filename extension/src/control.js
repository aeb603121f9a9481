// The person's word: pause, resume, stop, start again. It holds over every restart, and the extension obeys it by itself.
import { Fault } from "./protocol.js";

const MOVES = {
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
  stop: { from: ["running", "paused"], to: "stopped" },
  restart: { from: ["stopped"], to: "running" },
};

export class Control {
  constructor({ state, router, sequences, adopter, roster, events, changed }) {
    Object.assign(this, { state, router, sequences, adopter, roster, events, changed });
  }

  get latch() {
    return this.state.latch;
  }

  /** `by`: `popup`, `bar` or `shortcut`. Whether anything changed. */
  async move(what, by) {
    const move = MOVES[what];
    if (!move?.from.includes(this.state.latch)) return false;
    const stored = this.state.saveLatch(move.to);
    if (move.to !== "running") this.router.latched(move.to);
    this.events.push({ k: "control", what, by });
    this.events.flush();
    // Seen at once: the slowest page decides when all is let go.
    const shown = this.changed();
    if (move.to === "paused") await this.sequences.releaseAll();
    if (move.to === "stopped") await this.#letGo();
    await Promise.all([stored, shown]);
    return true;
  }

  async #letGo() {
    this.adopter.giveUp(new Fault("stopped", "the person stopped the agents"));
    await Promise.all(this.roster.all().map((tab) => this.adopter.release(tab, "stopped")));
  }

  /** The keyboard shortcut: pauses, or resumes. */
  toggle(by) {
    return this.move(this.state.latch === "paused" ? "resume" : "pause", by);
  }
}
