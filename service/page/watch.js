// Watches the next trusted pointer sequence: it may reach only the element it was meant for.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const PRESSES = ["pointerdown", "mousedown"];
  const SEQUENCE = [...PRESSES, "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
  const MOVES = ["pointermove", "mousemove", "pointerover", "mouseover"];
  // Milliseconds: a sequence of input ends within ten seconds. Where nobody asks what it came to, as after a Stop, what comes
  // later is the person's own.
  const LONGEST = 13_000;
  let armed = null;

  function disarm() {
    if (!armed) return;
    for (const type of armed.types) removeEventListener(type, armed.listen, true);
    removeEventListener("contextmenu", keepClosed);
    armed.ended = true;
  }

  // By when the input was made: a busy page may hear of it much later.
  const isLate = (event) => event.timeStamp > armed.until;

  // Whether a pointer at the event's place lies on the target at all: else the target has moved away.
  function liesOn(event) {
    return parts.boxes(armed.target).some((box) => event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top
      && event.clientY <= box.bottom);
  }

  function judge(event) {
    const [first] = event.composedPath();
    // A closed shadow root shows its host in place of what is in it.
    const hit = see(first).nodeType === 1 && parts.shadow(first) ? parts.elementAt(event.clientX, event.clientY) ?? first : first;
    if (!armed.target) return { hit: "seen", by: see(hit).nodeType === 1 ? parts.brief(parts.actionableAround(hit) ?? hit) : undefined };
    if (see(hit).nodeType === 1 && parts.reaches(hit, armed.target)) return { hit: "verified" };
    const by = see(hit).nodeType === 1 ? parts.brief(parts.actionableAround(hit) ?? hit) : undefined;
    return { hit: liesOn(event) ? "intercepted" : "moved", by };
  }

  function listen(event) {
    if (!event.isTrusted || !armed || armed.ended) return;
    if (isLate(event)) return disarm();
    armed.verdict ??= judge(event);
    armed.seen += 1;
    if (armed.verdict.hit === "intercepted" || armed.verdict.hit === "moved") {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }

  // After the page's own handlers: the browser's menu would open in front of the person and wait.
  function keepClosed(event) {
    if (!event.isTrusted) return;
    if (isLate(event)) return disarm();
    event.preventDefault();
  }

  // `key` null: nothing is meant, only told. `hover` judges the move instead of the press.
  function watchPointer(key, { hover = false } = {}) {
    disarm();
    const target = key === null ? null : parts.painted(parts.resolve(key));
    const types = hover ? MOVES : SEQUENCE;
    armed = { target, types, listen, until: performance.now() + LONGEST, seen: 0, verdict: null, ended: false };
    for (const type of types) addEventListener(type, listen, { capture: true });
    addEventListener("contextmenu", keepClosed);
  }

  // "none": no trusted event came here at all.
  function pointerVerdict(keep) {
    if (!armed) return { hit: "unarmed" };
    const verdict = armed.verdict ?? { hit: "none" };
    disarm();
    if (!keep) armed = null;
    return verdict;
  }

  Object.assign(parts, { watchPointer, pointerVerdict });
}
