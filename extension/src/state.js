// What the extension remembers: identity and latch for good, adopted tabs and held keys for this browser run.

const LOCAL = ["profileId", "latch", "host"];
const SESSION = ["runId", "tabs", "held", "groups"];

export class State {
  /** One per life of this worker. */
  workerId = crypto.randomUUID();
  profileId = "";
  runId = "";
  latch = "running";
  host = undefined;
  tabs = [];
  held = {};
  groups = {};

  constructor(storage) {
    this.storage = storage;
  }

  async load() {
    const [local, session] = await Promise.all([this.storage.local.get(LOCAL), this.storage.session.get(SESSION)]);
    if (!local.profileId) await this.storage.local.set({ profileId: (local.profileId = crypto.randomUUID()) });
    if (!session.runId) await this.storage.session.set({ runId: (session.runId = crypto.randomUUID()) });
    this.profileId = local.profileId;
    this.runId = session.runId;
    this.host = typeof local.host === "string" ? local.host : undefined;
    this.latch = ["paused", "stopped"].includes(local.latch) ? local.latch : "running";
    this.tabs = Array.isArray(session.tabs) ? session.tabs : [];
    this.held = session.held ?? {};
    this.groups = session.groups ?? {};
  }

  saveLatch(latch) {
    this.latch = latch;
    return this.storage.local.set({ latch });
  }

  saveTabs(tabs) {
    this.tabs = tabs;
    return this.storage.session.set({ tabs });
  }

  saveHeld(held) {
    this.held = held;
    return this.storage.session.set({ held });
  }

  saveGroups(groups) {
    this.groups = groups;
    return this.storage.session.set({ groups });
  }
}
