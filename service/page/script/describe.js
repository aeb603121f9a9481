// A value of the page in words: plain data as JSON, everything else by what it is. Runs in the page's own world, as the body of one function.
const DEEP = 20;
const WIDE = 2_000;
const brief = (text, length) => (text.length > length ? `${text.slice(0, length)}…` : text);

function element(node) {
  const marks = [node.id && `#${node.id}`, ...[...(node.classList ?? [])].slice(0, 3).map((name) => `.${name}`)].filter(Boolean);
  const text = brief((node.textContent ?? "").replace(/\s+/g, " ").trim(), 60);
  return `element ${node.localName}${marks.join("")}${text && ` ${JSON.stringify(text)}`}`;
}

// What is told in words alone.
function named(value) {
  if (typeof value === "function") return `function ${value.name || "without a name"}`;
  if (value === window || value instanceof Window) return "window";
  if (value instanceof Document) return `document ${value.URL}`;
  if (value instanceof Element) return element(value);
  if (value instanceof Node) return `${value.nodeName} ${JSON.stringify(brief(value.textContent ?? "", 60))}`;
  if (value instanceof Error) return brief(String(value), 500);
  if (value instanceof RegExp) return `pattern ${value}`;
  if (value instanceof Promise) return "promise";
  if (value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) return value.constructor.name;
  if (value instanceof ArrayBuffer || value instanceof DataView) return `${value.constructor.name} of ${value.byteLength} bytes`;
  if (value instanceof Blob) return `${value.constructor.name} of ${value.size} bytes`;
  return null;
}

class Full extends Error {}

class Teller {
  out = [];
  open = new Set();

  constructor(most) {
    this.left = most;
  }

  put(text) {
    this.out.push(text.slice(0, this.left));
    if (text.length > this.left) throw new Full();
    this.left -= text.length;
  }

  say(words) {
    this.put(JSON.stringify(`[${words}]`));
  }

  list(items, count) {
    this.put("[");
    let index = 0;
    for (const item of items) {
      if (index > 0) this.put(",");
      if (index === WIDE) {
        this.say(`${count - index} more`);
        break;
      }
      this.value(item);
      index += 1;
    }
    this.put("]");
  }

  members(value) {
    const names = Object.keys(value);
    this.put("{");
    for (const [index, name] of names.entries()) {
      if (index > 0) this.put(",");
      if (index === WIDE) {
        this.put(`"[more]":${names.length - index}`);
        break;
      }
      this.put(`${JSON.stringify(name)}:`);
      this.member(value, name);
    }
    this.put("}");
  }

  member(value, name) {
    let member;
    try {
      member = value[name];
    } catch (error) {
      return this.say(`threw ${brief(String(error), 200)}`);
    }
    return this.value(member);
  }

  object(value) {
    const words = named(value);
    if (words !== null) return this.say(words);
    if (typeof value.toJSON === "function") return this.value(value.toJSON());
    if (value instanceof Map || value instanceof Set) {
      this.put(`{"[${value instanceof Map ? "Map" : "Set"} of ${value.size}]":`);
      this.list(value, value.size);
      return this.put("}");
    }
    const counted = Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof NodeList || value instanceof HTMLCollection;
    return counted ? this.list(value, value.length) : this.members(value);
  }

  value(value) {
    if (value === null || typeof value === "boolean" || Number.isFinite(value)) return this.put(JSON.stringify(value));
    if (typeof value === "string") return this.put(JSON.stringify(value.slice(0, this.left + 1)));
    if (typeof value === "bigint") return this.say(`bigint ${value}`);
    if (typeof value !== "object" && typeof value !== "function") return this.say(String(value));
    if (this.open.has(value)) return this.say("circular");
    if (this.open.size === DEEP) return this.say("deeper than is told");
    this.open.add(value);
    try {
      this.object(value);
    } catch (error) {
      if (error instanceof Full) throw error;
      this.say(`threw ${brief(String(error), 200)}`);
    }
    return this.open.delete(value);
  }
}

function tell(value, most) {
  const teller = new Teller(most);
  let cut = false;
  try {
    teller.value(value);
  } catch (error) {
    if (!(error instanceof Full)) throw error;
    cut = true;
  }
  return { text: teller.out.join("").toWellFormed(), cut };
}
