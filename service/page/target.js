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
  // Pixels: a field with its label is no higher.
  const FIELD = 160;
  // A floating label lies on the border of its field.
  const BRIM = 12;

  function elementAt(x, y) {
    let element = see(document).elementFromPoint(x, y);
    while (element && parts.shadow(element)) {
      const inner = parts.shadow(element).elementFromPoint(x, y);
      if (!inner || inner === element) break;
      element = inner;
    }
    return element;
  }

  // A pointer on `hit` acts on `target`: inside it, on its label, on what it is painted over, or on the actionable element
  // around both.
  function reaches(hit, target) {
    if (!hit) return false;
    if (contains(target, hit)) return true;
    const label = closest(hit, (at) => see(at).localName === "label");
    if (label && label.control === target) return true;
    if (isPaintedOver(target, hit)) return true;
    if (!contains(hit, target)) return false;
    const around = parts.actionableAround(target);
    // What lets the pointer through is hit where it lies; a link or a button that does so is meant to be out of order.
    if (around === null) return getComputedStyle(target).pointerEvents === "none";
    return around !== target && contains(around, hit);
  }

  const isThrough = (at) => getComputedStyle(at).pointerEvents === "none";

  // Words that let the pointer through, as a placeholder or a floating label: what lies below in the same field takes it. A
  // button or a link that lets it through is one that cannot be used.
  function isPaintedOver(words, hit) {
    if (!isThrough(words)) return false;
    const field = closest(words, (at) => !isThrough(at));
    const owner = parts.actionableAround(words);
    if (!field || !isBoxOf(field, words) || (owner && !contains(owner, field))) return false;
    const taker = parts.actionableAround(hit);
    return taker !== null && contains(field, taker) && !parts.isDisabled(taker);
  }

  // A box around the words, or nearly so, and never the document.
  function isBoxOf(field, words) {
    if (field === see(document).body || field === see(document).documentElement) return false;
    const [box, own] = [see(field).getBoundingClientRect(), see(words).getBoundingClientRect()];
    const sticksOut = Math.max(box.left - own.left, own.right - box.right, box.top - own.top, own.bottom - box.bottom);
    return box.height <= FIELD && sticksOut <= BRIM;
  }

  // Where input finds a point of this viewport: it counts from what a pinch has zoomed to, elements from the whole viewport.
  function rooted({ x, y }) {
    if (window !== top) return { x, y };
    return { x: x - visualViewport.offsetLeft, y: y - visualViewport.offsetTop };
  }

  // A point of a frame further in, as this document has it: where input finds it, and what lies there.
  function above(point) {
    const hit = elementAt(point.x, point.y);
    return { root: rooted(point), by: hit ? coverName(hit) : undefined, ...extent() };
  }

  const extent = () => ({ size: { x: innerWidth, y: innerHeight }, scroll: { x: scrollX, y: scrollY } });

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

  // All points that reach it, the best first: what lies over a frame is not seen from inside.
  function hitPoints(element) {
    const points = candidates(element);
    if (points.length === 0) throw refusal("off_screen");
    const hits = points.map((point) => elementAt(point.x, point.y));
    const reached = points.filter((_, i) => reaches(hits[i], element));
    if (reached.length > 0) return reached.map(rooted);
    const cover = hits.find(Boolean);
    throw refusal("covered", { by: cover ? coverName(cover, element) : undefined });
  }

  // Names the whole thing in the way, not the leaf that was hit.
  function coverName(cover, target = null) {
    const isNotable = (at) => (target === null || !contains(at, target)) && ["dialog", "alertdialog"].includes(parts.role(at));
    return parts.brief(closest(cover, isNotable) ?? parts.actionableAround(cover) ?? cover);
  }

  // An animation that has not painted its first frame looks like rest.
  function begun(element) {
    const waiting = [];
    closest(element, (at) => {
      for (const animation of see(at).getAnimations?.() ?? []) if (animation.pending) waiting.push(animation.ready.catch(() => {}));
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
    if (align === null) see(element).scrollIntoViewIfNeeded?.(true);
    else see(element).scrollIntoView({ block: align, inline: align, behavior: "instant" });
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
    return hitPoints(element);
  }

  const isLarge = (at) => parts.boxes(at).some((box) => box.width >= 40 && box.height >= 16);
  const isDot = (at) => !parts.boxes(at).some((box) => box.width > 2 && box.height > 2);

  const isCutAway = (element) => closest(parts.parent(element), (at) =>
    getComputedStyle(at).overflow !== "visible" && (see(at).clientWidth < 8 || see(at).clientHeight < 8)) !== null;

  const isHit = (element) => candidates(element).some(({ x, y }) => contains(element, elementAt(x, y)));

  // Takes the keys of an editor and holds none of its text.
  const isKeyTaker = (element) => see(element).localName === "textarea" &&
    (parts.boxes(element).every((box) => box.width < 20) || (isCutAway(element) && !isHit(element)));

  // Where keys go in a field that nobody can hit, a person clicks what is drawn for it: the text of an editor, the box of a list.
  function drawnAround(element) {
    const isList = see(element).localName !== "select" && ["combobox", "listbox"].includes(parts.role(element));
    if (!isList && !parts.isTextField(element) && !parts.isEditingHost(element) && !see(element).editContext) return null;
    const above = parts.parent(element);
    const isClipped = isList && (isThrough(element) || isDot(element) || (above !== null && isDot(above)));
    if (isLarge(element) && !isClipped && !isKeyTaker(element)) return null;
    const around = closest(above, (at) => isLarge(at) && parts.isShown(at));
    if (!around) return null;
    bringIntoView(around, null);
    // What can be hit itself is: the middle of a row of small fields is one of the others.
    if (!isKeyTaker(element) && isHit(element)) return null;
    const box = see(around).getBoundingClientRect();
    const hit = elementAt(box.left + box.width / 2, box.top + box.height / 2);
    if (!hit || !contains(around, hit)) return null;
    if (getComputedStyle(hit).cursor === "text") return around;
    return isClipped && box.height <= FIELD && isTakenFor(element, hit) ? around : null;
  }

  function isTakenFor(element, hit) {
    const taker = parts.actionableAround(hit);
    return taker ? contains(taker, element) && !parts.isDisabled(taker) : isThrough(element);
  }

  function painted(element) {
    const around = drawnAround(element);
    if (around) return around;
    if (see(element).localName === "option") return see(element).closest("select") ?? element;
    const [label] = parts.labelsOf(element);
    return label && !parts.isShown(element) && parts.isShown(label) ? label : element;
  }

  async function prepare(key, { kind = "click", timeoutMs = 3_000 } = {}) {
    const element = painted(parts.resolve(key));
    const deadline = performance.now() + timeoutMs;
    for (let round = 0; ; round += 1) {
      try {
        const points = await attempt(element, kind, ALIGN[round % ALIGN.length]);
        return { root: points[0], points: points.slice(1), ...extent() };
      } catch (reason) {
        const wait = WAITS[Math.min(round + 1, WAITS.length - 1)];
        if (reason.code === "stale" || reason.code === "inert" || performance.now() + wait > deadline) throw reason;
        await parts.pause(wait);
      }
    }
  }

  Object.assign(parts, { elementAt, reaches, painted, rooted, isKeyTaker });
  parts.expose({ prepare, above });
}
