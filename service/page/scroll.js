// Where a wheel would turn, what it moved, and the direct way when it moved nothing.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  let probe = null;

  function chainAt(element) {
    const chain = [];
    for (let at = element; at; at = parts.parent(at)) {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = see(at);
      if (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1) chain.push(at);
    }
    const root = see(document).scrollingElement;
    if (root && !chain.includes(root)) chain.push(root);
    return chain;
  }

  const offsets = () => probe.chain.map((at) => [see(at).scrollLeft, see(at).scrollTop]);

  function middle(element) {
    const box = see(element).getBoundingClientRect();
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    const right = Math.min(box.right, innerWidth);
    const bottom = Math.min(box.bottom, innerHeight);
    if (right - left < 1 || bottom - top < 1) throw parts.refusal("off_screen", parts.brief(element));
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }

  // What is kept from scrolling by then is kept by something in the page, like a map; not by a page that scrolls itself.
  function noteWheel(event) {
    if (!event.isTrusted) return;
    if (event.currentTarget === window) probe.wheel = event;
    else probe.passed = !event.defaultPrevented;
  }

  function listenToWheel() {
    for (const [at, capture] of [[window, true], [see(document).documentElement, false]]) {
      at.addEventListener("wheel", noteWheel, { capture, passive: true, signal: probe.ended.signal });
    }
  }

  // Remembers the offsets of everything that a wheel at the element, the point or the middle could move.
  function scrollProbe({ key, point } = {}) {
    const element = key === undefined ? null : parts.resolve(key);
    if (element) see(element).scrollIntoViewIfNeeded?.(true);
    const at = element ? middle(element) : point ?? { x: innerWidth / 2, y: innerHeight / 2 };
    const under = parts.elementAt(at.x, at.y) ?? see(document).documentElement;
    probe?.ended.abort();
    probe = { chain: chainAt(under), element, ended: new AbortController() };
    listenToWheel();
    probe.before = offsets();
    return { root: parts.rooted(at), size: { x: innerWidth, y: innerHeight } };
  }

  async function moved() {
    let last = offsets();
    for (let round = 0; round < 40; round += 1) {
      await parts.frames(2);
      const now = offsets();
      const started = now.some((at, i) => at.some((v, axis) => v !== probe.before[i][axis]));
      if (JSON.stringify(now) === JSON.stringify(last) && (started || round >= 4)) break;
      last = now;
    }
    return offsets().map(([x, y], i) => ({ element: probe.chain[i], dx: x - probe.before[i][0], dy: y - probe.before[i][1] }))
      .find(({ dx, dy }) => Math.abs(dx) >= 1 || Math.abs(dy) >= 1);
  }

  function told(change, by) {
    probe.ended.abort();
    const root = see(document).scrollingElement;
    const at = change?.element ?? probe.chain[0];
    return {
      page: parts.page(),
      moved: change ? { dx: Math.round(change.dx), dy: Math.round(change.dy), by } : undefined,
      taken: change === undefined && probe.wheel?.defaultPrevented && !probe.passed ? true : undefined,
      what: at === root ? "page" : at ? parts.brief(at) : undefined,
      atTop: at ? see(at).scrollTop <= 1 : true,
      atBottom: at ? see(at).scrollTop + see(at).clientHeight >= see(at).scrollHeight - 1 : true,
    };
  }

  async function scrollOutcome() {
    if (!probe) return { page: parts.page(), unarmed: true };
    return told(await moved(), "wheel");
  }

  // Only after a wheel that moved nothing: the first thing in the chain that can still move.
  async function scrollDirectly({ dx, dy }) {
    if (!probe) throw parts.refusal("unarmed");
    for (const element of probe.chain) {
      see(element).scrollBy({ left: dx, top: dy, behavior: "instant" });
      const change = await moved();
      if (change) return told(change, "script");
    }
    return told(undefined, "script");
  }

  function scrollTo(key) {
    const element = parts.resolve(key);
    see(element).scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    return { page: parts.page(), ...parts.brief(element) };
  }

  parts.expose({ scrollProbe, scrollOutcome, scrollDirectly, scrollTo });
}
