// What the viewport shows first: where a long page is read from when its beginning alone would fill the reading.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;

  // Outside of shadow trees, so that two of them have an order.
  function outermost(node) {
    let at = node;
    for (let root = see(at).getRootNode(); see(root).host; root = see(at).getRootNode()) at = see(root).host;
    return at;
  }

  function follows(one, other) {
    const [a, b] = [outermost(one), outermost(other)];
    return a !== b && Boolean(see(a).compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);
  }

  // Bars that stay where they are while the page scrolls say nothing about where it is.
  const isPinned = (element) => ["fixed", "sticky"].includes(getComputedStyle(element).position);

  function isShownBelow(element, top) {
    if (!parts.isElement(element)) return false;
    const box = see(element).getBoundingClientRect();
    return box.height > 0 && box.bottom > top && box.top < innerHeight && !isPinned(element) && parts.isShown(element);
  }

  const topOf = (element) => see(element).getBoundingClientRect().top;

  // The first element in document order that begins within what the viewport shows, or the last that reaches into it.
  function firstInView(root) {
    let top = 0;
    for (let at = root; ; ) {
      if (getComputedStyle(at).overflowY !== "visible") top = Math.max(top, topOf(at));
      const next = [...parts.children(at)].find((child) => isShownBelow(child, top));
      if (!next) return at === root ? null : at;
      if (topOf(next) >= top) return next;
      at = next;
    }
  }

  const SAMPLED = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];

  // How far down everything is scrolled that lies in the document and shows itself in its viewport: other than before when it moved.
  function scrolledInside() {
    let sum = 0;
    for (const [x, y] of SAMPLED) {
      for (let at = parts.elementAt(innerWidth * x, innerHeight * y); at; at = parts.parent(at)) {
        if (at !== see(document).scrollingElement) sum += see(at).scrollTop;
      }
    }
    return Math.round(sum);
  }

  Object.assign(parts, { firstInView, follows, scrolledInside });
}
