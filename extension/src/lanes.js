// Who may run an effect now: one at a time per lane, first come first served, bounded. Pure.
import { LIMITS } from "./protocol.js";

export class Lanes {
  #lanes = new Map();

  constructor(limit = LIMITS.lane) {
    this.limit = limit;
  }

  /** `run`, `wait`, or `busy` when too many wait already. */
  enter(lane, id) {
    const line = this.#lanes.get(lane);
    if (!line) {
      this.#lanes.set(lane, { running: id, waiting: [] });
      return "run";
    }
    if (line.waiting.length >= this.limit) return "busy";
    line.waiting.push(id);
    return "wait";
  }

  /** `id` is done or gives up waiting. The id that runs next, if this one ran. */
  leave(lane, id) {
    const line = this.#lanes.get(lane);
    if (!line) return null;
    if (line.running !== id) {
      line.waiting = line.waiting.filter((waiting) => waiting !== id);
      return null;
    }
    line.running = line.waiting.shift() ?? null;
    if (line.running === null) this.#lanes.delete(lane);
    return line.running;
  }

  running(lane) {
    return this.#lanes.get(lane)?.running ?? null;
  }
}
