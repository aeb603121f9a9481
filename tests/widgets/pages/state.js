// How a page reports what it was brought to: at each change, and once more as it is left.
const run = new URLSearchParams(location.search).get("run");
const LOOK = 40;

// Two beacons may overtake each other: `at` is their order.
let at = 0;

function say(what, value) {
  navigator.sendBeacon("/said", JSON.stringify({ what: `${what} ${run}`, value, at: (at += 1) }));
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
