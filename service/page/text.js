// The text of the page for reading: the main content, or all of it.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const { children, isElement, isText } = parts;
  const WHOLE = 2_000_000;
  const FIELDS = new Set(["input", "textarea", "select", "iframe", "frame", "svg", "canvas", "video", "audio", "object", "embed"]);
  const MAIN = "main, [role=main], article, [role=article]";

  class Writer {
    constructor() {
      Object.assign(this, { out: [], length: 0, gap: 0, space: false, started: false });
    }

    // At least `lines` line breaks before the next word.
    breaks(lines) {
      if (this.started) this.gap = Math.max(this.gap, lines);
      this.space = false;
    }

    raw(text) {
      this.out.push(text);
      this.length += text.length;
    }

    word(text, preformatted) {
      if (preformatted) {
        this.lead();
        return this.raw(text.replace(/\r\n?/g, "\n"));
      }
      const flat = text.replace(/[ \t\r\n\f]+/g, " ");
      if (flat === " " || flat === "") {
        this.space ||= flat === " " && this.started;
        return;
      }
      if (flat.startsWith(" ")) this.space = this.started;
      this.lead();
      this.raw(flat.trim());
      this.space = flat.endsWith(" ");
    }

    lead() {
      if (this.gap > 0) this.raw("\n".repeat(this.gap));
      else if (this.space) this.raw(" ");
      this.gap = 0;
      this.space = false;
      this.started = true;
    }
  }

  const PARAGRAPHS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "table", "section", "article",
    "figure", "dl", "fieldset"]);

  function write(node, writer, preformatted, mute = false) {
    if (writer.length > WHOLE) return;
    if (isText(node)) return mute ? undefined : writer.word(node.data, preformatted);
    if (!isElement(node) || parts.isSkipped(node) || FIELDS.has(see(node).localName)) return;
    const sight = parts.sight(node);
    if (sight === "hidden") return;
    const tag = see(node).localName;
    if (tag === "br") return writer.breaks(Math.min(writer.gap + 1, 2));
    if (tag === "img") return node.alt ? writer.word(` ${node.alt} `, false) : undefined;
    const gap = parts.isInline(node) || tag === "button" ? 0 : PARAGRAPHS.has(tag) ? 2 : 1;
    const cell = tag === "td" || tag === "th";
    if (cell) writer.space ||= writer.started && writer.gap === 0;
    else if (gap > 0) writer.breaks(gap);
    if (cell && writer.space && node.previousElementSibling) writer.word("| ", false);
    const inner = preformatted || tag === "pre";
    for (const child of children(node)) write(child, writer, inner, sight === "unpainted");
    if (!cell && gap > 0) writer.breaks(gap);
    if (cell) writer.space = true;
  }

  function textOf(root) {
    const writer = new Writer();
    write(root, writer, false);
    return writer.out.join("").replace(/[ \t]+\n/g, "\n");
  }

  // The longest main region, when it holds a fair part of the page; a modal dialog stands before it.
  function choose(scope) {
    const body = see(document).body ?? see(document).documentElement;
    const modal = [...see(document).querySelectorAll("dialog:modal, [aria-modal=true]")].filter(parts.isShown);
    const whole = { source: "body", text: textOf(body) };
    if (scope === "body") return whole;
    const regions = [...see(document).querySelectorAll(MAIN)].filter((at) => parts.isShown(at));
    const kind = (at) => (see(at).matches("article, [role=article]") ? "article" : "main");
    const best = regions.map((at) => ({ source: kind(at), text: textOf(at) }))
      .sort((a, b) => b.text.length - a.text.length)[0];
    const chosen = best && (best.text.length >= 200 || best.text.length * 4 >= whole.text.length) ? best : whole;
    const outside = chosen === whole ? [] : modal.filter((at) => !see(at).closest(MAIN));
    const dialogs = outside.map(textOf).filter(Boolean);
    return { source: chosen.source, text: [...dialogs, chosen.text].join("\n\n"), bodyLength: whole.text.length };
  }

  function text({ maxChars = 50_000, scope = "main" } = {}) {
    const chosen = choose(scope);
    const cutOff = chosen.text.length > maxChars;
    return {
      page: parts.page(),
      source: chosen.source,
      text: cutOff ? chosen.text.slice(0, maxChars) : chosen.text,
      length: chosen.text.length,
      bodyLength: chosen.bodyLength,
      frames: window.length || undefined,
      closed: parts.isClosedIn(parts.elements(see(document).documentElement).elements),
    };
  }

  parts.expose({ text });
}
