// Waiting for an element or a text of this document: looked for at every change, and now and then where changes are not told.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see, isText, isElement, isSkipped } = parts;
  const PATIENCE_MS = 250;
  const SPACING_MS = 30;
  const HITS = 50;
  const BUTTONS = new Set(["submit", "button", "reset"]);

  // The document's text as it is read, and which element each piece of it stands in.
  class Script {
    text = "";
    starts = [];
    owners = [];

    add(piece, owner) {
      const flat = parts.folded(piece).replace(/\s+/g, " ");
      const next = this.text === "" || this.text.endsWith(" ") ? flat.trimStart() : flat;
      if (next === "") return;
      this.starts.push(this.text.length);
      this.owners.push(owner);
      this.text += next;
    }

    // `shown`: without what nobody can see.
    read(node, shown, owner = null, mute = false) {
      if (isText(node)) return mute ? undefined : this.add(node.data, owner);
      if (!isElement(node) || isSkipped(node)) return undefined;
      const sight = shown ? parts.sight(node) : "shown";
      if (sight === "hidden") return undefined;
      if (!parts.isInline(node)) this.add(" ", node);
      if (see(node).localName === "input" && BUTTONS.has(see(node).type)) this.add(node.value, node);
      for (const child of parts.children(node)) this.read(child, shown, node, sight === "unpainted");
      if (!parts.isInline(node)) this.add(" ", node);
      return undefined;
    }

    ownerAt(place) {
      let low = 0;
      for (let high = this.starts.length; high - low > 1;) {
        const middle = (low + high) >> 1;
        if (this.starts[middle] <= place) low = middle;
        else high = middle;
      }
      return this.owners[low];
    }

    // The innermost elements around each occurrence.
    around(wanted) {
      const found = [];
      for (let at = this.text.indexOf(wanted); at >= 0 && found.length < HITS; at = this.text.indexOf(wanted, at + wanted.length)) {
        const last = this.ownerAt(at + wanted.length - 1);
        let common = this.ownerAt(at);
        while (common && !parts.contains(common, last)) common = parts.parent(common);
        if (common) found.push(common);
      }
      return found;
    }
  }

  function withText(text, shown) {
    const script = new Script();
    script.read(see(document).documentElement, shown);
    return script.around(text);
  }

  function selected(selector) {
    const roots = [document, ...parts.shadowRoots(document)];
    try {
      return roots.flatMap((root) => [...see(root).querySelectorAll(selector)]);
    } catch {
      throw parts.refusal("bad_selector");
    }
  }

  // Elements that fit; with `shown` only those that can be seen.
  function fitting({ selector, text }, shown) {
    const wanted = parts.fold(text ?? "");
    if (selector === undefined) return withText(wanted, shown);
    const elements = selected(selector).filter((element) => !shown || parts.isShown(element));
    if (wanted === "" || elements.length === 0) return elements;
    const hits = withText(wanted, shown);
    return elements.filter((element) => hits.some((hit) => parts.contains(element, hit)));
  }

  function judge(wanted) {
    const [first] = fitting(wanted, wanted.state !== "present");
    if (wanted.state === "gone") return { met: first === undefined, first };
    const hidden = first === undefined && wanted.state === "visible" ? fitting(wanted, false).length : 0;
    return { met: first !== undefined, first, hidden };
  }

  class Changes {
    constructor() {
      this.observer = new MutationObserver(() => this.tell?.());
      const all = { subtree: true, childList: true, characterData: true, attributes: true };
      for (const root of [document, ...parts.shadowRoots(document)]) this.observer.observe(root, all);
    }

    async next(ms) {
      const change = new Promise((resolve) => (this.tell = resolve));
      await Promise.race([change, parts.pause(Math.min(ms, PATIENCE_MS))]);
      await parts.pause(Math.min(ms, SPACING_MS));
    }

    end() {
      this.observer.disconnect();
    }
  }

  // As soon as it is so, or how it stands after `withinMs`.
  async function awaitState(wanted) {
    const end = performance.now() + wanted.withinMs;
    const changes = new Changes();
    try {
      for (;;) {
        const { met, first, hidden } = judge(wanted);
        const left = end - performance.now();
        if (met || left <= 0) return { met, hidden: hidden || undefined, ...(first && { key: parts.mint(first), ...parts.brief(first) }) };
        await changes.next(left);
      }
    } finally {
      changes.end();
    }
  }

  parts.expose({ awaitState });
}
