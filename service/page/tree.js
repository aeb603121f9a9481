// The flat tree: children and parents through open shadow roots and slots, and what can be seen of it.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const SKIPPED = new Set(["script", "style", "noscript", "template", "head", "meta", "link", "title", "base",
    "datalist", "param", "source", "track", "colgroup", "defs", "desc", "metadata", "symbol", "clipPath", "mask", "pattern", "marker",
    "linearGradient", "radialGradient", "filter"]);
  const INLINE = new Set(["a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
    "var", "wbr", "slot"]);
  const isElement = (node) => see(node).nodeType === 1;
  const isText = (node) => see(node).nodeType === 3;

  // Closed shadow roots that the browser has handed over.
  const opened = (parts.opened ??= new WeakMap());

  const shadow = (node) => see(node).shadowRoot ?? opened.get(node) ?? null;

  function children(node) {
    const root = shadow(node);
    if (root) return root.childNodes;
    if (see(node).localName === "slot" && node.assignedNodes) {
      const assigned = node.assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    if (see(node).localName === "details" && !node.open) return [...node.childNodes].filter((child) => see(child).localName === "summary");
    return see(node).childNodes;
  }

  // Whether its children are simply those of the document: then they can be walked without a list.
  function isPlain(node) {
    const { localName } = see(node);
    return localName !== "slot" && localName !== "details" && shadow(node) === null;
  }

  function parent(node) {
    if (see(node).assignedSlot) return see(node).assignedSlot;
    const above = see(node).parentElement;
    if (above) return (opened.has(above) && closedSlot(opened.get(above), node)) || above;
    const root = see(node).getRootNode();
    return see(root).host ?? null;
  }

  // A slot of a closed root is kept from the nodes that lie in it.
  function closedSlot(root, node) {
    return [...root.querySelectorAll("slot")].find((slot) => slot.assignedNodes().includes(node));
  }

  // Whether `outer` is `inner` or above it in the flat tree.
  function contains(outer, inner) {
    for (let node = inner; node; node = parent(node)) if (node === outer) return true;
    return false;
  }

  function closest(node, accept) {
    for (let at = node; at; at = parent(at)) if (isElement(at) && accept(at)) return at;
    return null;
  }

  // "shown", "boxless" or "unpainted" (elements below may still be seen; in the second its own text not) or "hidden".
  function sight(element) {
    if (see(element).checkVisibility({ visibilityProperty: true })) return "shown";
    if (parts.isArea(element)) return (parts.imageOf(element) && sight(parts.imageOf(element))) ?? "hidden";
    const style = getComputedStyle(element);
    if (style.display === "none") return "hidden";
    if (style.visibility !== "visible") return "unpainted";
    return style.display === "contents" ? "boxless" : "hidden";
  }

  // The first client rectangle with an area, in the viewport of this frame.
  function boxes(element) {
    const all = [...see(element).getClientRects()].filter((box) => box.width > 0 && box.height > 0);
    if (all.length > 0) return all;
    if (parts.isArea(element)) return parts.areaBoxes(element);
    if (getComputedStyle(element).display !== "contents") return all;
    return [...see(element).children].flatMap((child) => boxes(child)).slice(0, 4);
  }

  function inViewport(box) {
    return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  }

  function isShown(element) {
    if (["hidden", "unpainted"].includes(sight(element))) return false;
    return boxes(element).length > 0;
  }

  // Every element under `root` in document order, shadow roots included, and for each the place of its parent in the list.
  function elements(root, found = { elements: [], above: [] }, at = -1) {
    const take = (node) => {
      if (!isElement(node) || SKIPPED.has(see(node).localName)) return;
      found.above.push(at);
      elements(node, found, found.elements.push(node) - 1);
    };
    if (!isPlain(root)) for (const node of children(root)) take(node);
    else for (let node = see(root).firstElementChild; node; node = see(node).nextElementSibling) take(node);
    return found;
  }

  function shadowRoots(root, found = []) {
    const walker = see(document).createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
      const own = shadow(node);
      if (!own || own === root) continue;
      found.push(own);
      shadowRoots(own, found);
    }
    return found;
  }

  // The focused element, inside open shadow roots too; null when nothing has the focus: a whole document only as it is edited.
  function focused() {
    let element = see(document).activeElement;
    while (element && shadow(element)?.activeElement) element = shadow(element).activeElement;
    const isWhole = element === see(document).body || element === see(document).documentElement;
    return isWhole && !parts.isEditingHost(element) ? null : element;
  }

  // A frame's place among its parent's, as the browser counts them; -1 when it is not counted (inside a shadow root).
  function frameIndex(element) {
    return [...Array(window.length).keys()].find((index) => window[index] === element.contentWindow) ?? -1;
  }

  const none = [];
  let labelled = null;

  // `element.labels` walks the whole tree for every element asked; this walks it once per synchronous run.
  function labelsOf(element) {
    if (labelled === null) {
      labelled = new Map();
      queueMicrotask(() => (labelled = null));
    }
    const root = see(element).getRootNode();
    if (!labelled.has(root)) labelled.set(root, labelMap(root));
    return labelled.get(root).get(element) ?? none;
  }

  function labelMap(root) {
    const map = new Map();
    for (const label of see(root).querySelectorAll("label")) {
      if (label.control) map.set(label.control, [...(map.get(label.control) ?? []), label]);
    }
    return map;
  }

  // Pictures stand in the line of text; the words drawn in them do not.
  const isInline = (element) => INLINE.has(see(element).localName) || (see(element).ownerSVGElement !== undefined && see(element).localName !== "text");
  const isSkipped = (element) => SKIPPED.has(see(element).localName);

  Object.assign(parts, {
    isElement, isText, children, parent, contains, closest, sight, boxes, inViewport, isShown, elements, shadowRoots, focused,
    isInline, isSkipped, labelsOf, frameIndex, isPlain, shadow,
  });
}
