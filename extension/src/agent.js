// The page agent's source as the service sent it: kept in memory, installed only by the adoption code.
import { Fault } from "./protocol.js";

export class Agent {
  #wait = deferred();

  hash = "";
  source = "";

  /** From `welcome`. Whether it differs from what was known. */
  take({ hash, parts }) {
    if (typeof hash !== "string" || !Array.isArray(parts)) throw new Fault("bad_request", "a welcome carries the agent");
    const changed = hash !== this.hash;
    this.hash = hash;
    this.source = install(hash, parts.map((part) => String(part.source)).join("\n"));
    this.#wait.resolve();
    return changed;
  }

  /** Until the first welcome of this worker. */
  known() {
    return this.#wait.promise;
  }
}

/** The agent as one script that does nothing where the same agent already lives. */
function install(hash, source) {
  const mark = `globalThis[Symbol.for("ghostlight.agent.hash")]`;
  const text = JSON.stringify(hash);
  return `if (${mark} !== ${text}) { (function () {\n${source}\n})(); ${mark} = ${text}; }`;
}

function deferred() {
  const out = {};
  out.promise = new Promise((resolve, reject) => Object.assign(out, { resolve, reject }));
  return out;
}
