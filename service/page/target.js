// From a key to a point where a pointer would reach its element: visible, still, enabled, uncovered.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const { refusal, closest, contains } = parts;
  const WAITS = [0, 20, 100, 100, 500];
  const ALIGN = [null, "center", "end", "start"];
  // Milliseconds: how long a box must not change, and how long a frame may take on a busy machine.
  const REST = 30;
  const FRAME_PATIENCE = 400;

  function elementAt(x, y) {
    let element = see(document).elementFromPoint(x, y);
    while (element && parts.shadow(element)) {
      const inner = parts.shadow(element).elementFromPoint(x, y);
      if (!inner || inner === element) break;
      element = inner;
    }
    return element;
  }

  // A pointer on `hit` acts on `target`: inside it, on its label, or on the actionable element around both.
  function reaches(hit, target) {
    if (!hit) return false;
    if (contains(target, hit)) return true;
    const label = closest(hit, (at) => see(at).localName === "label");
    if (label && label.control === target) return true;
    if (!contains(hit, target)) return false;
    const around = parts.actionableAround(target);
    return around !== null && around !== target && contains(around, hit);
  }

  // Sub-frames of the same origin: where a point of this frame lies in the viewport of the outermost frame we may look at.
  function climb(point) {
    let { x, y } = point;
    let frames = 0;
    for (let view = window; ; frames += 1) {
      const frame = frameElementOf(view);
      if (!frame) return { ...pinched(view, x, y), frames, clear: true };
      const box = frame.getBoundingClientRect();
      const style = getComputedStyle(frame);
      const scale = frame.offsetWidth > 0 ? box.width / frame.offsetWidth : 1;
      x = box.left + (frame.clientLeft + parseFloat(style.paddingLeft) + x) * scale;
      y = box.top + (frame.clientTop + parseFloat(style.paddingTop) + y) * scale;
      const hit = deepFrom(frame.ownerDocument, x, y);
      if (hit !== frame) return { ...pinched(view.parent, x, y), frames: frames + 1, clear: false, by: hit };
      view = view.parent;
    }
  }

  // Input counts from what a pinch has zoomed to, elements from the whole viewport.
  function pinched(view, x, y) {
    if (view !== view.top) return { x, y };
    return { x: x - view.visualViewport.offsetLeft, y: y - view.visualViewport.offsetTop };
  }

  function frameElementOf(view) {
    try {
      return view.frameElement;
    } catch {
      return null;
    }
  }

  function deepFrom(root, x, y) {
    let hit = root.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = see(hit).shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  }

  function visiblePart(box) {
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    const right = Math.min(box.right, innerWidth);
    const bottom = Math.min(box.bottom, innerHeight);
    return right - left >= 1 && bottom - top >= 1 ? { left, top, right, bottom } : null;
  }

  // The middle of each visible box, then off its middle: something small may lie on the very centre.
  function candidates(element) {
    const points = [];
    for (const box of parts.boxes(element).slice(0, 4)) {
      const part = visiblePart(box);
      if (!part) continue;
      const at = (fx, fy) => points.push({ x: part.left + (part.right - part.left) * fx, y: part.top + (part.bottom - part.top) * fy });
      at(0.5, 0.5);
      at(0.25, 0.5);
      at(0.75, 0.5);
      at(0.5, 0.25);
      at(0.5, 0.75);
    }
    return points;
  }

  function hitPoint(element) {
    const points = candidates(element);
    if (points.length === 0) throw refusal("off_screen");
    let cover = null;
    for (const point of points) {
      const hit = elementAt(point.x, point.y);
      if (reaches(hit, element)) {
        const root = climb(point);
        if (root.clear) return { point, root: { x: root.x, y: root.y, frames: root.frames } };
        cover ??= root.by;
      } else cover ??= hit;
    }
    throw refusal("covered", { by: cover ? coverName(cover, element) : undefined });
  }

  // Names the whole thing in the way, not the leaf that was hit.
  function coverName(cover, target) {
    const notable = closest(cover, (at) => !contains(at, target) && (parts.role(at) === "dialog" || parts.role(at) === "alertdialog"));
    return parts.brief(notable ?? parts.actionableAround(cover) ?? cover);
  }

  // An animation that has not painted its first frame looks like rest.
  function begun(element) {
    const waiting = [];
    closest(element, (at) => {
      for (const animation of at.getAnimations?.() ?? []) if (animation.pending) waiting.push(animation.ready.catch(() => {}));
      return false;
    });
    return Promise.race([Promise.all(waiting), parts.pause(FRAME_PATIENCE)]);
  }

  // The same box over painted frames, however slowly a busy machine paints them. Where no frame comes at all, nothing moves.
  async function still(element) {
    await begun(element);
    const before = see(element).getBoundingClientRect();
    const since = performance.now();
    while (performance.now() - since < REST) if (!(await parts.frames(1, FRAME_PATIENCE))) break;
    const after = see(element).getBoundingClientRect();
    return ["left", "top", "width", "height"].every((side) => Math.abs(before[side] - after[side]) < 0.5);
  }

  function bringIntoView(element, align) {
    if (align === null) element.scrollIntoViewIfNeeded?.(true);
    else element.scrollIntoView({ block: align, inline: align, behavior: "instant" });
  }

  // One try; throws what is in the way.
  async function attempt(element, kind, align) {
    if (!see(element).isConnected) throw refusal("stale");
    if (!parts.isShown(element)) throw refusal("hidden", parts.brief(element));
    bringIntoView(parts.isArea(element) ? parts.imageOf(element) : element, align);
    if (!(await still(element))) throw refusal("moving");
    if (kind === "click" || kind === "edit") {
      if (parts.isDisabled(element)) throw refusal("disabled", parts.brief(element));
      if (closest(element, (at) => see(at).inert === true)) throw refusal("inert", parts.brief(element));
    }
    if (kind === "edit" && parts.isReadonly(element)) throw refusal("readonly", parts.brief(element));
    return hitPoint(element);
  }

  function painted(element) {
    if (see(element).localName === "option") return see(element).closest("select") ?? element;
    const [label] = parts.labelsOf(element);
    return label && !parts.isShown(element) && parts.isShown(label) ? label : element;
  }

  async function prepare(key, { kind = "click", timeoutMs = 3_000 } = {}) {
    const element = painted(parts.resolve(key));
    const deadline = performance.now() + timeoutMs;
    for (let round = 0; ; round += 1) {
      try {
        const found = await attempt(element, kind, ALIGN[round % ALIGN.length]);
        const box = see(element).getBoundingClientRect();
        return { ...found, rect: { x: box.x, y: box.y, width: box.width, height: box.height }, target: parts.brief(element) };
      } catch (reason) {
        const wait = WAITS[Math.min(round + 1, WAITS.length - 1)];
        if (reason.code === "stale" || reason.code === "inert" || performance.now() + wait > deadline) throw reason;
        await parts.pause(wait);
      }
    }
  }

  Object.assign(parts, { elementAt, reaches, painted, climb });
  parts.expose({ prepare });
}
