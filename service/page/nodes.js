// The agent's namespace, its table of node keys, and how its functions refuse and hand out values.
"use strict";
{
  const parts = (globalThis[Symbol.for("ghostlight.parts")] ??= {});
  const agent = (globalThis[Symbol.for("ghostlight.agent")] ??= {});
  // Survives a second installation in the same document, so that printed keys keep their meaning.
  const table = (parts.table ??= { next: 1, nodes: new Map(), keys: new WeakMap(), spans: new Map() });
  const KEYS_PER_DOCUMENT = 20_000;

  function refusal(code, detail) {
    return detail === undefined ? { code } : { code, detail };
  }

  function remember(map, key, entry) {
    map.delete(key);
    map.set(key, entry);
    if (map.size > KEYS_PER_DOCUMENT) map.delete(map.keys().next().value);
  }

  // The key of an element that is about to be printed.
  function mint(element) {
    let key = table.keys.get(element);
    if (key === undefined) {
      key = table.next++;
      table.keys.set(element, key);
    }
    remember(table.nodes, key, new WeakRef(element));
    parts.noteRow(element);
    return key;
  }

  // A key for "from this node on, until the end of that root": where a cut reading goes on.
  function mintSpan(node, root) {
    const key = table.next++;
    remember(table.spans, key, { node: new WeakRef(node), root: new WeakRef(root) });
    return key;
  }

  function resolve(key) {
    if (table.spans.has(key)) throw refusal("not_an_element");
    const element = table.nodes.get(key)?.deref();
    if (!element || !see(element).isConnected) throw refusal("stale");
    if (parts.isReused(element)) throw refusal("reused", parts.brief(element));
    remember(table.nodes, key, table.nodes.get(key));
    return element;
  }

  function resolveSpan(key) {
    const span = table.spans.get(key);
    if (!span) return null;
    const node = span.node.deref();
    const root = span.root.deref();
    if (!node || !root || !see(node).isConnected || !see(root).isConnected) throw refusal("stale");
    return { node, root };
  }

  // Lone surrogates do not survive JSON on the way out. Our own plain data, so it is cleaned in place.
  function clean(value) {
    if (typeof value === "string") return value.toWellFormed();
    if (value === null || typeof value !== "object") return value;
    for (const name in value) {
      const member = value[name];
      if (typeof member === "string") {
        if (!member.isWellFormed()) value[name] = member.toWellFormed();
      } else if (member === undefined) delete value[name];
      else if (typeof member === "object") clean(member);
    }
    return value;
  }

  function cut(text, limit) {
    return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
  }

  function flat(text) {
    return text.replace(/[\s\u00a0]+/g, " ").trim();
  }

  // Callers get plain data or a thrown {code, detail}, whatever goes wrong inside.
  function expose(functions) {
    for (const [name, run] of Object.entries(functions)) {
      agent[name] = async (...args) => {
        try {
          return clean((await run(...args)) ?? null);
        } catch (error) {
          if (error !== null && typeof error === "object" && typeof error.code === "string") throw clean(error);
          throw refusal("internal", { error: cut(String(error?.stack ?? error), 300).toWellFormed() });
        }
      };
    }
  }

  // Forms and documents answer to names the page gave before their own: with <input name=title> in it, form.title is that
  // input. Through this they are read by what every form and document has.
  const plain = new WeakMap();
  const PLAIN = new Set([HTMLFormElement.prototype, HTMLDocument.prototype]);
  function see(node) {
    const kind = Object.getPrototypeOf(node);
    if (!PLAIN.has(kind)) return node;
    if (!plain.has(node)) plain.set(node, new Proxy(node, { get: (_, property) => inherited(kind, node, property) }));
    return plain.get(node);
  }

  function inherited(kind, node, property) {
    const value = Reflect.get(kind, property, node);
    return typeof value === "function" ? value.bind(node) : value;
  }

  // Not a timer: where the page's scripts are off, as in a sandboxed frame, timers fire for nobody.
  const after = (ms, run, signal) => scheduler.postTask(run, { delay: ms, signal }).catch(() => {});
  const pause = (ms) => after(ms, () => {});

  // Waits for so many painted frames and says whether they came: where none are made, a timer ends it.
  function frames(count, patience = 60 * count) {
    return new Promise((done) => {
      const late = new AbortController();
      after(patience, () => done(false), late.signal);
      const next = (left) => {
        if (left > 0) return requestAnimationFrame(() => next(left - 1));
        late.abort();
        done(true);
      };
      next(count);
    });
  }

  Object.assign(parts, { agent, refusal, mint, mintSpan, resolve, resolveSpan, clean, cut, flat, expose, pause, frames, see });
}
