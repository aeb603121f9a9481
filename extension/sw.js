// Wiring only: every listener of the browser is registered here, synchronously, and hands over to the parts.
import { Relay } from "./src/relay.js";
import { answer, isOurPopup } from "./src/popup.js";

const relay = new Relay(chrome);

/** Events that arrive before the stored state is loaded wait for it, in order. */
const after = (handle) => (...args) => {
  relay.loaded.then(() => handle(...args));
};

chrome.debugger.onEvent.addListener(after((source, method, params) => relay.observer.event(source, method, params)));
chrome.debugger.onDetach.addListener(after((source, reason) => {
  if (relay.observer.detached(source, reason)) relay.control.move("stop", "bar");
}));
chrome.tabs.onCreated.addListener(after((tab) => relay.tabs.created(tab)));
chrome.tabs.onUpdated.addListener(after((_tabId, _change, tab) => relay.observer.updated(tab)));
chrome.tabs.onRemoved.addListener(after((tabId) => relay.adopter.closed(tabId)));
chrome.tabs.onReplaced.addListener(after((added, removed) => relay.observer.replaced(added, removed)));
chrome.tabs.onActivated.addListener(after((where) => relay.tabs.activated(where)));
chrome.windows.onFocusChanged.addListener(after((windowId) => relay.tabs.focused(windowId)));
chrome.commands.onCommand.addListener(after((command) => {
  if (command === "pause") relay.control.toggle("shortcut");
  if (command === "stop") relay.control.move("stop", "shortcut");
}));
chrome.alarms.onAlarm.addListener(after(() => relay.port.connect()));
// Listened to only so that the worker starts with the browser and right after an installation.
chrome.runtime.onInstalled.addListener(() => {});
chrome.runtime.onStartup.addListener(() => {});
chrome.runtime.onMessage.addListener((message, sender, reply) => {
  if (!isOurPopup(sender, chrome.runtime)) return false;
  relay.ready.then(() => answer(relay, message)).then(reply, () => reply(null));
  return true;
});
relay.port.guardByAlarm();
