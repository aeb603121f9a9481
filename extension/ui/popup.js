// The popup: how it stands, who works where, and the person's word over all of it.

const REFRESH_MS = 1000;

const LATCHES = {
  paused: { state: "Paused", tone: "--warn", hint: "Agents start nothing and wait for you." },
  stopped: { state: "Stopped", tone: "--bad", hint: "All tabs were let go. No agent can do anything until you start again." },
};

const CONNECTIONS = {
  connected: { state: "Connected", tone: "--good" },
  waiting: { state: "Waiting", tone: "--warn", hint: "Waiting for the Ghostlight service. It starts with the first agent." },
  redialing: { state: "Not connected", tone: "--warn", hint: "The connection was lost. Trying again by itself." },
  missing: {
    state: "Not set up",
    tone: "--bad",
    hint: "Ghostlight is not installed for this browser. Run “ghostlight doctor” in a terminal: it says what is missing.",
  },
  refused: { state: "Refused", tone: "--bad" },
};

const $ = (id) => document.getElementById(id);

async function ask(what, more = {}) {
  const report = await chrome.runtime.sendMessage({ ask: what, ...more }).catch(() => null);
  if (report) show(report, await currentTab());
}

async function currentTab() {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab && /^https?:/.test(tab.url ?? "") ? tab : null;
}

function show(report, current) {
  const { latch, agents } = report;
  const connection = CONNECTIONS[report.connection];
  const look = LATCHES[latch] ?? connection;
  const refusal = report.connection === "refused" ? `The service refused this extension: ${report.refusal.message}` : "";
  const hint = LATCHES[latch]?.hint ?? (refusal || connection.hint || "");
  $("state").textContent = look.state;
  $("state").style.setProperty("--tone", `var(${look.tone})`);
  $("hint").textContent = hint;
  $("hint").hidden = hint === "";
  $("name").textContent = `Agents call this browser “${report.name}”.`;
  $("pause").hidden = latch !== "running";
  $("resume").hidden = latch !== "paused";
  $("stop").hidden = latch === "stopped";
  $("restart").hidden = latch !== "stopped";
  $("nobody").hidden = agents.length > 0;
  $("bar").hidden = agents.length === 0;
  redraw($("agents"), agents, () => agents.map(agentItem));
  offer(report, current);
}

/** Rebuilds a list only when it changed, so that the focus stays where the person has it. */
function redraw(list, facts, build) {
  const text = JSON.stringify(facts);
  if (list.dataset.shown === text) return;
  list.dataset.shown = text;
  list.replaceChildren(...build());
}

function agentItem({ title, color, tabs }) {
  const name = element("span", "name", title);
  const count = element("span", "count", tabs.length === 1 ? "1 tab" : `${tabs.length} tabs`);
  const head = element("div", "agent", name, count);
  head.style.setProperty("--color", `var(--${color})`);
  return element("li", "", head, ...tabs.map(tabButton));
}

function tabButton({ tabId, title, url }) {
  const button = element("button", "tab", element("span", "name", title || "Untitled"), element("span", "site", site(url)));
  button.type = "button";
  button.title = "Show this tab";
  button.addEventListener("click", () => ask("focus", { tabId }));
  return button;
}

function offer({ latch, connection, agents }, current) {
  const owned = agents.some(({ tabs }) => tabs.some(({ tabId }) => tabId === current?.id));
  const section = $("offer");
  section.hidden = latch === "stopped" || connection !== "connected" || current === null || owned || agents.length === 0;
  if (section.hidden) return;
  $("offered").textContent = current.title;
  redraw($("takers"), [agents.map(({ key, title }) => [key, title]), current.id], () => agents.map(({ key, title }) => {
    const button = element("button", "", `To ${title}`);
    button.type = "button";
    button.addEventListener("click", () => ask("offer", { tabId: current.id, key }));
    return button;
  }));
}

function site(url) {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}

function element(name, className, ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

for (const id of ["pause", "resume", "stop", "restart"]) $(id).addEventListener("click", () => ask(id));
ask("status");
setInterval(() => ask("status"), REFRESH_MS);
