// What a MiniWoB++ page gets beside its own scripts: a seed from its address, time enough, and a report of its reward.
const query = new URLSearchParams(location.search);
const reward = () => ({ done: window.WOB_DONE_GLOBAL, reward: window.WOB_RAW_REWARD_GLOBAL });
const say = (what) => navigator.sendBeacon("/said", JSON.stringify({ what: `${what} ${query.get("run")}`, value: reward() }));
let told;
const look = () => {
  const now = JSON.stringify(reward());
  if (now !== told) say("state");
  told = now;
};

Math.seedrandom(query.get("seed"));
// Pages set their own, shorter time.
Object.defineProperty(window.core, "EPISODE_MAX_TIME", { get: () => 600_000, set() {} });
setInterval(look, 40);
addEventListener("pagehide", () => say("left"));
