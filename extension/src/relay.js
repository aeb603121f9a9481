// All parts of the extension, joined. One per worker life.
import { Adopter } from "./adopt.js";
import { Agent } from "./agent.js";
import { Bounded } from "./bounded.js";
import { Capture } from "./capture.js";
import { Cdp } from "./cdp.js";
import { Choosers } from "./chooser.js";
import { Control } from "./control.js";
import { Dialogs } from "./dialogs.js";
import { Events } from "./events.js";
import { Ledger, Sequences } from "./input.js";
import { Link } from "./link.js";
import { Methods } from "./methods.js";
import { browserName } from "./name.js";
import { Observer } from "./observe.js";
import { Page } from "./page.js";
import { Parting } from "./parting.js";
import { Port } from "./port.js";
import { Presence } from "./presence.js";
import { encode, HOST } from "./protocol.js";
import { Roster } from "./roster.js";
import { Router } from "./router.js";
import { State } from "./state.js";
import { Tabs } from "./tabs.js";
import { Windows } from "./windows.js";

export class Relay {
  constructor(chrome) {
    this.chrome = chrome;
    this.state = new State(chrome.storage);
    this.loaded = this.state.load();
    this.ready = this.loaded.then(() => this.#restore());
    this.#buildHands(chrome);
    this.#buildVoice(chrome);
    this.loaded.then(() => this.port.connect(this.state.host ?? HOST));
  }

  /** What touches the browser. */
  #buildHands(chrome) {
    const { state } = this;
    const emit = (item) => this.events.push(item);
    this.agent = new Agent();
    this.roster = new Roster((tabs) => {
      this.port.guardByAlarm(tabs.length > 0);
      return state.saveTabs(tabs);
    });
    this.cdp = new Cdp(chrome.debugger);
    this.ledger = new Ledger((held) => state.saveHeld(held));
    const { agent, roster, cdp, ledger } = this;
    this.dialogs = new Dialogs({ chrome, cdp, roster, emit });
    const { dialogs } = this;
    this.bounded = new Bounded({ cdp, roster });
    const parting = new Parting({ cdp, ledger, bounded: this.bounded });
    this.adopter = new Adopter({ chrome, cdp, roster, agent, dialogs, parting, emit, stopped: () => state.latch === "stopped" });
    const { adopter } = this;
    this.tabs = new Tabs({ chrome, adopter, roster, cdp, state, emit });
    this.choosers = new Choosers({ cdp, emit });
    const { choosers } = this;
    this.sequences = new Sequences({ cdp, ledger, adopter, choosers });
    parting.sequences = this.sequences;
    this.observer = new Observer({ roster, adopter, dialogs, tabs: this.tabs, choosers, bounded: this.bounded, emit });
  }

  /** What speaks with the service and the person. */
  #buildVoice(chrome) {
    const { state, roster, adopter, dialogs, tabs, cdp, bounded, sequences, agent, ready } = this;
    this.port = new Port({ chrome, receive: (m, size) => this.#receive(m, size), changed: () => this.link.portChanged() });
    this.events = new Events((frame) => this.port.post(encode(frame)));
    const hands = { windows: new Windows(this.chrome), page: new Page({ cdp, agent }), capture: new Capture({ cdp }) };
    const methods = new Methods({ roster, adopter, dialogs, tabs, cdp, bounded, sequences, ...hands });
    this.router = new Router({
      methods, ready, worker: state.workerId,
      latch: () => state.latch,
      post: (message) => this.link.welcomed && this.port.post(message),
      before: () => this.events.flush(),
    });
    const { port, router, events } = this;
    this.presence = new Presence({ action: chrome.action, state, tabs, working: () => router.busy > 0 });
    this.control = new Control({ state, router, sequences, adopter, roster, events, changed: () => this.presence.latched() });
    this.link = new Link({ port, router, events, agent, ready, hello: () => this.#hello(), changed: () => {} });
  }

  /** A new worker life: what the former one had adopted is ours, what it held is let go. */
  async #restore() {
    this.ledger.load(this.state.held);
    this.adopter.remember(this.state.tabs);
    await Promise.all([this.adopter.filesAllowed(), this.tabs.load()]);
    await this.adopter.restore();
    this.bounded.restore();
    this.choosers.restore(this.roster.all());
    await this.sequences.releaseAll();
    await this.presence.latched();
  }

  #receive(message, size) {
    this.link.receive(message, size);
    if (message.t === "req") this.presence.touched();
  }

  async #hello() {
    const { profileId, runId, workerId, latch } = this.state;
    const { os } = await this.chrome.runtime.getPlatformInfo();
    const tabs = await Promise.all(this.roster.all().map(async (tab) => {
      const info = await this.tabs.info(tab.tabId).catch(() => ({ tabId: tab.tabId }));
      return { key: tab.key, ...info, doc: tab.docs.doc() };
    }));
    const ext = { version: this.chrome.runtime.getManifest().version };
    return { ext, browser: { ...(await browserName(navigator)), os }, profileId, runId, workerId, latch, tabs };
  }
}
