// What the popup may ask and command. Nobody else may.
import { label } from "./name.js";

/** Our own popup: our id, its address, and no tab. */
export function isOurPopup(sender, runtime) {
  return sender.id === runtime.id && sender.url === runtime.getURL("ui/popup.html") && sender.tab === undefined;
}

/** One message of the popup. */
export async function answer(relay, { ask, tabId, key } = {}) {
  if (["pause", "resume", "stop", "restart"].includes(ask)) await relay.control.move(ask, "popup");
  if (ask === "redial") relay.port.connect();
  if (ask === "focus" && relay.roster.get(tabId)) await relay.tabs.focus(tabId, true);
  if (ask === "offer") await offer(relay, tabId, key);
  return report(relay);
}

/** The person hands a tab to one of the agents. */
async function offer(relay, tabId, key) {
  if (!Number.isInteger(tabId) || relay.state.latch === "stopped" || relay.roster.of(key).length === 0) return;
  const handed = async (tab) => {
    // What was said before is not for agents.
    tab.since = Date.now();
    tab.unannounced();
  };
  const tab = await relay.adopter.adopt(tabId, key, handed).catch(() => null);
  if (!tab) return;
  await relay.tabs.group(tabId, key);
  const info = await relay.tabs.info(tabId);
  if (tab.gone) return;
  relay.events.push({ k: "tab", what: "adopted", tab: info, doc: tab.docs.doc(), key, openerTabId: null });
  tab.announced((item) => relay.events.push(item));
}

async function report(relay) {
  const { state, link, port, roster, tabs } = relay;
  const keys = [...new Set(roster.all().map((tab) => tab.key))];
  const agents = await Promise.all(keys.map(async (key) => {
    const list = await tabs.list(key);
    const { title = "Ghostlight", color = "grey" } = state.groups[key] ?? {};
    return { key, title, color, tabs: list.map(({ tabId, title: name, url }) => ({ tabId, title: name, url })) };
  }));
  const version = relay.chrome.runtime.getManifest().version;
  const name = await label(navigator, state.profileId);
  return { latch: state.latch, connection: connection(link, port), refusal: link.refusal, version, name, agents };
}

function connection({ welcomed, refusal }, port) {
  if (welcomed) return "connected";
  if (refusal) return "refused";
  if (port.open) return "waiting";
  return port.hostMissing ? "missing" : "redialing";
}
