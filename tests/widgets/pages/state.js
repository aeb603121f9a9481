// How a page reports what it was brought to: at each change, and once more as it is left.
const run = new URLSearchParams(location.search).get("run");
const LOOK = 40;

// Two beacons may overtake each other: `at` is when they were said, in microseconds.
let at = 0;

function say(what, value) {
  at = Math.max(at + 1, Math.round((performance.timeOrigin + performance.now()) * 1000));
  navigator.sendBeacon("/said", JSON.stringify({ what: `${what} ${run}`, value, at }));
}

// `state` gives plain data.
export function report(state) {
  let told;
  setInterval(() => {
    const now = JSON.stringify(state());
    if (now !== told) say("state", JSON.parse((told = now)));
  }, LOOK);
  addEventListener("pagehide", () => say("left", state()));
}

export const app = document.getElementById("app");

// Puts HTML into the page and gives the element with this selector.
export function put(html, selector = "*") {
  app.innerHTML = html;
  return app.querySelector(selector);
}
