// Accessible names in the order of the accname specification.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const { flat, cut, children, isElement, isText, isInline, isSkipped } = parts;
  const NAME = 150;
  const GATHERED = 400;

  // What an element adds to a text around it. `walk` bounds the work and stops at cycles.
  function contribution(node, walk) {
    if (isText(node)) return node.data;
    if (!isElement(node) || isSkipped(node) || walk.seen.has(node) || walk.length > GATHERED) return "";
    walk.seen.add(node);
    const sight = walk.referenced ? "shown" : parts.sight(node);
    if (sight === "hidden") return "";
    const label = flat(see(node).getAttribute("aria-label") ?? "");
    if (label) return ` ${label} `;
    const embedded = embeddedValue(node);
    if (embedded !== null) return ` ${embedded} `;
    const alternative = native(node, walk);
    if (alternative) return ` ${alternative} `;
    const inner = contents(node, walk, sight === "unpainted");
    if (!inner.trim()) return see(node).title ? ` ${see(node).title} ` : inner;
    return isInline(node) ? inner : ` ${inner} `;
  }

  function contents(element, walk, mute = false) {
    let text = "";
    for (const child of children(element)) {
      if (text.length > GATHERED) break;
      if (mute && isText(child)) continue;
      text += contribution(child, walk);
    }
    walk.length += text.length;
    return text;
  }

  // A control inside a label speaks by its value, unless the value is a secret.
  function embeddedValue(element) {
    switch (see(element).localName) {
      case "select": return parts.isSecret(element) ? "" : [...element.selectedOptions].map((option) => option.label).join(" ");
      case "textarea": return parts.isSecret(element) ? "" : element.value;
      case "input": {
        if (["checkbox", "radio", "button", "submit", "reset", "image", "hidden", "file"].includes(see(element).type)) return null;
        return parts.isSecret(element) ? "" : element.value;
      }
      default: return null;
    }
  }

  const BUTTON_WORDS = { submit: "Submit", reset: "Reset" };

  function ofInput(element, walk) {
    if (see(element).type === "button" || see(element).type === "submit" || see(element).type === "reset") {
      return flat(element.value) || BUTTON_WORDS[see(element).type] || "";
    }
    if (see(element).type === "image") return flat(element.alt || element.value) || "Submit";
    return ofLabels(element, walk);
  }

  function ofLabels(element, walk) {
    const words = parts.labelsOf(element).map((label) => {
      const inner = fresh(walk);
      inner.seen.add(element);
      return flat(contents(label, inner));
    });
    return words.filter(Boolean).join(" ");
  }

  function ofFirst(element, selector, walk) {
    const found = element.querySelector(`:scope > ${selector}`);
    return found ? flat(contents(found, fresh(walk))) : "";
  }

  // What HTML and SVG themselves offer as a name.
  function native(element, walk) {
    switch (see(element).localName) {
      case "img": case "area": return flat(element.alt ?? "");
      case "svg": return flat(element.querySelector(":scope > title")?.textContent ?? "");
      case "fieldset": return ofFirst(element, "legend", walk);
      case "table": return ofFirst(element, "caption", walk);
      case "figure": return ofFirst(element, "figcaption", walk);
      case "optgroup": case "option": return flat(element.label ?? "");
      case "iframe": return flat(see(element).title ?? "");
      default: return "";
    }
  }

  const fresh = (walk) => ({ seen: new Set(walk?.seen ?? []), length: 0, referenced: walk?.referenced ?? false });

  function byReference(element, walk) {
    const ids = see(element).getAttribute("aria-labelledby")?.trim().split(/\s+/) ?? [];
    const root = see(element).getRootNode();
    const words = ids.map((id) => {
      const target = see(root).getElementById?.(id);
      if (!target) return "";
      const inner = { ...fresh(walk), referenced: true };
      inner.seen.delete(target);
      return flat(contribution(target, inner));
    });
    return words.filter(Boolean).join(" ");
  }

  // {text, from}: `from` is "content" when the text below the element is the name.
  function accessibleName(element, role) {
    const walk = { seen: new Set([element]), length: 0, referenced: false };
    const found = (text, from) => ({ text: cut(flat(text), NAME), from });
    const referenced = see(element).hasAttribute("aria-labelledby") ? byReference(element, walk) : "";
    if (referenced) return found(referenced, "label");
    const label = flat(see(element).getAttribute("aria-label") ?? "");
    if (label) return found(label, "label");
    const own = see(element).localName === "input" ? ofInput(element, walk) : ofLabels(element, walk) || native(element, walk);
    if (own) return found(own, "native");
    if (parts.CONTENT_NAMED.has(role)) {
      const inner = flat(contents(element, walk));
      if (inner) return found(inner, "content");
    }
    if (see(element).title) return found(see(element).title, "title");
    if (see(element).placeholder) return found(see(element).placeholder, "placeholder");
    return { text: "", from: "none" };
  }

  // All text below an element, for searching and for short words about it.
  function gist(element, limit = NAME) {
    return cut(flat(contents(element, { seen: new Set(), length: 0, referenced: false })), limit);
  }

  Object.assign(parts, { accessibleName, gist });
}
