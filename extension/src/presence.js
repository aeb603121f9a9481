// What the person sees without opening anything: the badge on the toolbar button, and the titles of the groups.

const LOOKS = {
  stopped: { text: "■", color: "#b3261e", title: "Ghostlight: stopped" },
  paused: { text: "II", color: "#8a5a00", title: "Ghostlight: paused" },
  working: { text: "•", color: "#1a73e8", title: "Ghostlight: an agent is working" },
  idle: { text: "", color: "#1a73e8", title: "Ghostlight" },
};
const LINGER_MS = 700;

export class Presence {
  #shown = null;
  #timer = null;

  constructor({ action, state, tabs, working }) {
    Object.assign(this, { action, state, tabs, working });
  }

  /** Requests come and go in milliseconds; the badge lingers so that it does not flicker. */
  touched() {
    if (this.#timer === null) this.#show();
    else clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.working()) this.touched();
      else this.#show();
    }, LINGER_MS);
  }

  async latched() {
    this.#show();
    await this.tabs.retitle();
  }

  #show() {
    const { latch } = this.state;
    const look = latch === "running" ? (this.working() ? "working" : "idle") : latch;
    if (look === this.#shown) return;
    this.#shown = look;
    const { text, color, title } = LOOKS[look];
    this.action.setBadgeText({ text });
    this.action.setBadgeBackgroundColor({ color });
    this.action.setTitle({ title });
  }
}
