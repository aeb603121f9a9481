// The page as a flat list of lines in document order, bounded, with a place to go on where it was cut.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const { flat, children, isElement, isText } = parts;
  const VISITED = 20_000;
  const SLICE_MS = 2_000;
  const TEXT = 2_000;
  // Worth a line but no reference: nothing is ever done to them that is not done to what is inside.
  const UNKEYED = new Set(["listitem", "row", "cell", "definition", "term", "separator", "status", "rowheader", "columnheader"]);
  const SILENT = new Set(["generic", "none", "rowgroup", "paragraph", "emphasis", "strong", "code"]);
  const NAMED_ONLY = new Set(["form", "img", "figure", "canvas", "document", "group"]);
  const LEAVES = new Set(["select", "textarea", "input", "img", "video", "audio", "canvas", "iframe", "frame", "meter", "progress",
    "object", "embed"]);

  // Editors and terminals draw their text in what they hide, and take keys elsewhere.
  const isDrawn = ({ cursor, pointerEvents }) => cursor === "text" && pointerEvents !== "none";

  class Walk {
    constructor({ filter = "all", depth = 15, maxChars = 50_000, indent = 0, root }) {
      Object.assign(this, { filter, depth, indent, left: maxChars, lines: [], visited: 0, outside: 0, closed: false, run: "", cut: null });
      // Whoever asks for a part of a page wants to see into it.
      this.intoAny = root !== undefined || parts.isSmall();
      this.interactiveOnly = filter === "interactive";
      this.until = performance.now() + SLICE_MS;
    }

    push(line, node) {
      if (this.cut) return false;
      if (this.left <= 0) {
        this.cut = node;
        return false;
      }
      this.left -= cost(line, this.indent);
      this.lines.push(line);
      return true;
    }

    // Text that has gathered since the last line becomes one of its own, or the tail of its element's.
    flush(depth, node, owner) {
      const text = flat(this.run);
      this.run = "";
      if (!text || this.cut) return;
      const line = { depth, text: parts.cut(text, TEXT) };
      if (owner && this.lines.at(-1) === owner && owner.text === undefined) {
        owner.text = line.text;
        this.left -= line.text.length + 2;
      } else this.push(line, node);
    }

    over(node) {
      if (this.cut) return true;
      this.visited += 1;
      const late = this.visited % 256 === 0 && performance.now() > this.until;
      if (this.visited <= VISITED && !late) return false;
      this.cut = node;
      return true;
    }

    visit(node, at) {
      if (isText(node)) {
        if (!this.interactiveOnly && !at.quiet && !at.mute && !this.cut) this.run += node.data;
        return;
      }
      if (!isElement(node) || parts.isSkipped(node) || this.over(node)) return;
      const sight = parts.sight(node);
      if (sight === "hidden") return;
      if (see(node).localName === "br") this.run += " ";
      this.closed ||= parts.mayHide(node, this.intoAny);
      const line = sight === "shown" ? this.lineOf(node, at) : null;
      const here = { ...at, mute: sight === "unpainted" };
      if (line) this.element(node, line, here);
      else this.transparent(node, here);
    }

    transparent(node, at) {
      const block = !parts.isInline(node);
      if (speaksForControl(node)) at = { ...at, quiet: true };
      if (block) this.flush(at.depth, node, at.owner);
      this.below(node, { ...at, ...this.dimming(node, at) });
      if (block) this.flush(at.depth, node, at.owner);
    }

    element(node, line, at) {
      this.flush(at.depth, node, at.owner);
      line.depth = at.depth;
      if (!this.push(line, node)) return;
      if (line.keyed) line.key = parts.mint(node);
      delete line.keyed;
      const inside = { ...at, ...this.dimming(node, at), depth: at.depth + 1, owner: line, quiet: at.quiet || line.named };
      delete line.named;
      if (LEAVES.has(see(node).localName) || inside.leaf) return;
      if (inside.depth > this.depth && see(node).childElementCount > 0) {
        line.collapsed = see(node).querySelectorAll("*").length;
        line.key ??= parts.mint(node);
        return;
      }
      this.below(node, inside);
      this.flush(inside.depth, node, line);
    }

    below(node, at) {
      if (parts.isPlain(node)) {
        for (let child = see(node).firstChild; child && !this.cut; child = see(child).nextSibling) this.visit(child, at);
        return;
      }
      for (const child of children(node)) {
        this.visit(child, at);
        if (this.cut) return;
      }
    }

    // What is hidden from assistive software or inert is shown only where something can be acted on.
    dimming(node, at) {
      const hidden = see(node).getAttribute("aria-hidden") === "true" && !isDrawn(getComputedStyle(node));
      return { dim: at.dim || hidden, inert: see(at).inert || see(node).inert === true, quiet: at.quiet || hidden };
    }

    lineOf(node, at) {
      const role = parts.role(node);
      const interactive = parts.isInteractive(node, role) || parts.hasHand(node);
      const dim = at.dim || see(at).inert || see(node).getAttribute("aria-hidden") === "true";
      if (!interactive && (this.interactiveOnly || dim)) return null;
      if (interactive && this.interactiveOnly && !this.inSight(node)) return null;
      if (!interactive && (SILENT.has(role) || (at.quiet && role === "img"))) return null;
      const name = parts.accessibleName(node, role);
      if (!interactive && NAMED_ONLY.has(role) && !name.text && role !== "iframe") return null;
      const line = { ...parts.describe(node, role, name), ...parts.options(node) };
      if (role === "generic" || role === "none") this.plain(node, line);
      if (role === "iframe") this.frame(node, line);
      if (see(at).inert || see(node).inert) line.states.inert = true;
      if (dim && !line.states.inert) line.states.hidden = true;
      line.named ||= name.from === "content" || parts.isToldByValue(node, line.value) || line.secret === true;
      line.keyed = !UNKEYED.has(role) || interactive;
      return line;
    }

    // An element without a role that can be clicked: its text is the best name there is.
    plain(node, line) {
      line.role = see(node).localName;
      const inner = see(node).querySelector("a[href], button, input, select, textarea, [tabindex]");
      if (!line.name && !inner) {
        line.name = parts.gist(node, 100);
        line.named = true;
      }
    }

    frame(node, line) {
      line.frame = parts.frameIndex(node);
      line.href = parts.cut(node.src ?? "", 300) || undefined;
    }

    inSight(node) {
      if (parts.boxes(node).some(parts.inViewport)) return true;
      this.outside += 1;
      return false;
    }
  }

  // The text of such a label is printed as its control's name.
  function speaksForControl(node) {
    if (see(node).localName !== "label" || !node.control) return false;
    return parts.sight(node.control) === "shown" && parts.accessibleName(node.control, parts.role(node.control)).from === "native";
  }

  const REFERENCE = 12;
  const STATE = 10;

  // About as many characters as the line will have; `indent` is what stands before all of it.
  function cost(line, indent) {
    const depth = 2 * (line.depth + indent);
    const part = (text, around) => (text ? text.length + around : 0);
    if (!line.role) return depth + part(line.text, 3);
    const options = (line.options ?? []).reduce((sum, { label, value }) => sum + depth + part(label, 22) + part(value, 9), 0);
    const facts = part(line.name, 3) + part(line.value, 9) + part(line.href, 8) + part(line.text, 4) + part(line.placeholder, 15) + part(line.type, 6);
    return depth + line.role.length + 1 + facts + (line.keyed ? REFERENCE : 0) + STATE * Object.keys(line.states).length + options;
  }

  const startDepth = { depth: 0, dim: false, inert: false, quiet: false, mute: false, owner: null };

  // The rest of `root` in document order, `node` first.
  function resume(walk, node, root) {
    for (let at = node; at && !walk.cut; ) {
      walk.visit(at, startDepth);
      let above = at;
      while (above !== root && !nextSibling(above)) above = parts.parent(above);
      at = above === root || !above ? null : nextSibling(above);
      walk.flush(0, at ?? root, null);
    }
  }

  function nextSibling(node) {
    const above = parts.parent(node);
    if (!above) return null;
    if (parts.isPlain(above)) return see(node).nextSibling;
    const siblings = [...children(above)];
    return siblings[siblings.indexOf(node) + 1] ?? null;
  }

  const wholeCount = (root) => see(root).querySelectorAll("*").length;

  function walked(options, start) {
    const walk = new Walk(options);
    start(walk);
    for (const line of walk.lines) delete line.named;
    return walk;
  }

  // The whole document. When the reading would end before it comes to what the viewport shows, it begins there.
  function whole(options, root) {
    const walk = walked(options, (fresh) => {
      if (root && parts.isEditingHost(root)) fresh.visit(root, startDepth);
      else if (root) fresh.below(root, startDepth);
      fresh.flush(0, root, null);
    });
    const start = walk.cut && !walk.interactiveOnly ? parts.firstInView(root) : null;
    if (!start || !(start === walk.cut || parts.follows(walk.cut, start))) return walk;
    const later = walked(options, (fresh) => resume(fresh, start, root));
    later.skipped = { key: parts.mintSpan(children(root)[0], root), remaining: [...see(root).querySelectorAll("*")].indexOf(start) };
    return later;
  }

  function part(options, span, root) {
    return walked(options, (walk) => {
      if (span) return resume(walk, span.node, root);
      walk.visit(root, startDepth);
      walk.flush(0, root, null);
    });
  }

  function snapshot(options = {}) {
    const span = options.root === undefined ? null : parts.resolveSpan(options.root);
    const root = span?.root ?? (options.root === undefined ? see(document).body ?? see(document).documentElement : parts.resolve(options.root));
    const walk = options.root === undefined ? whole(options, root) : part(options, span, root);
    const left = walk.cut ? wholeCount(root) - walk.visited - (walk.skipped?.remaining ?? 0) : 0;
    return {
      page: parts.page(),
      lines: walk.lines,
      visited: walk.visited,
      outside: walk.outside,
      closed: walk.closed,
      skipped: walk.skipped,
      cut: walk.cut ? { key: parts.mintSpan(walk.cut, root), remaining: Math.max(1, left) } : undefined,
    };
  }

  // Facts about this document that every reading carries.
  function page() {
    const pinched = window.visualViewport.scale !== 1;
    return {
      url: location.href,
      title: see(document).title,
      readyState: see(document).readyState,
      viewport: { width: innerWidth, height: innerHeight, dpr: devicePixelRatio, pinched: pinched || undefined },
      scroll: { x: Math.round(scrollX), y: Math.round(scrollY) },
      inner: parts.scrolledInside(),
      height: see(document).documentElement?.scrollHeight ?? 0,
    };
  }

  Object.assign(parts, { page });
  // This frame's own place among its parent's, in the count of `frameIndex`.
  function place() {
    return [...Array(window.parent.length).keys()].find((index) => window.parent[index] === window) ?? -1;
  }

  // Whether the focus is in this document or in a frame of it.
  const inFocus = () => see(document).hasFocus();

  parts.expose({ snapshot, state: page, place, inFocus });
}
