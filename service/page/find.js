// Finding elements by words: in any script, innermost and actionable first.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const { isText, fold, tokens } = parts;
  const LISTED = 20;
  const WEIGHED = 300;
  // What people call elements, beside the role's own name.
  const SPOKEN = {
    textbox: ["input", "field", "text", "box", "textbox"], searchbox: ["searchbox", "search", "input", "field", "box", "bar"],
    combobox: ["combobox", "select", "dropdown", "input", "field", "menu", "box"], listbox: ["listbox", "select", "list"], link: ["link"],
    button: ["button", "btn"], checkbox: ["checkbox", "box"], radio: ["radio", "option"], switch: ["switch", "toggle"],
    img: ["img", "image", "picture", "icon"], heading: ["heading", "title", "headline"], navigation: ["navigation", "nav", "menu"],
    spinbutton: ["spinbutton", "number", "input", "field"], slider: ["slider", "range"], tab: ["tab"], menuitem: ["menuitem", "menu", "item"],
    dialog: ["dialog", "modal", "popup"], table: ["table"], form: ["form"],
  };

  function ownText(element) {
    let text = "";
    for (let node = see(element).firstChild; node; node = see(node).nextSibling) if (isText(node)) text += node.data;
    return text;
  }

  const ATTRIBUTES = ["placeholder", "title", "alt", "name", "id", "type", "aria-label", "aria-description", "data-testid"];

  // What of an element can be matched: its name first, then everything else it is known by.
  function searchable(element, role, text) {
    const name = role === "generic" && !parts.isNamed(element) ? "" : fold(parts.accessibleName(element, role).text);
    const others = [text.slice(0, 300)];
    for (const key of ATTRIBUTES) if (see(element).hasAttribute(key)) others.push(see(element).getAttribute(key));
    for (const label of parts.labelsOf(element)) others.push(label.textContent);
    return { name, others: fold(others.join(" ")), spoken: spokenFor(role) };
  }

  // Lower is better; null is no match. Words for the kind of element count when the rest is in the name.
  function rank(wanted, subject) {
    const { name, others, spoken } = subject;
    const { whole } = wanted;
    const telling = wanted.tokens.filter((word) => !spoken.includes(word));
    const all = `${name} ${others}`;
    const hits = telling.filter((word) => all.includes(word)).length;
    const most = telling.length > 1 && hits * 2 > telling.length;
    if (!whole || (hits < telling.length && !most)) return null;
    const rest = telling.join(" ");
    if (name === whole || (rest && name === rest)) return 0;
    if (name.startsWith(whole) || (rest && name.startsWith(`${rest} `))) return 1;
    const nameWords = new Set(tokens(name));
    if (telling.length > 0 && telling.every((word) => nameWords.has(word))) return 2;
    if (name.includes(whole) || (rest && name.includes(rest))) return 3;
    if (telling.length > 0 && hits === telling.length) return 4;
    if (telling.length === 0 && wanted.tokens.length > 0) return 5;
    return most ? 6 : null;
  }

  const SEARCHED = new Set(["heading", "img", "dialog", "alertdialog", "alert", "status", "iframe", "table", "navigation", "search",
    "form", "region", "tabpanel", "listitem", "cell", "columnheader", "rowheader", "progressbar", "meter", "canvas", "video", "audio"]);

  function isCandidate(element, role, text) {
    return text.trim() !== "" || SEARCHED.has(role) || parts.isNamed(element) || parts.isInteractive(element, role) || parts.hasHand(element);
  }

  // A hit inside another hit says the same thing twice. A small actionable element stands for what is in it; any
  // other container gives way to what it contains.
  function innermost(hits) {
    const byElement = new Map(hits.map((hit) => [hit.element, hit]));
    const dropped = new Set();
    for (const hit of hits) {
      for (let above = parts.parent(hit.element); above; above = parts.parent(above)) {
        const outer = byElement.get(above);
        if (!outer || dropped.has(outer)) continue;
        if (outer.actionable && !hit.actionable && see(above).textContent.length < 200) {
          dropped.add(hit);
          outer.rank = Math.min(outer.rank, hit.rank);
        } else if (!(outer.actionable && outer.rank < hit.rank)) dropped.add(outer);
      }
    }
    return hits.filter((hit) => !dropped.has(hit));
  }

  // The best of them that can be seen, at most so many: on a long page thousands may fit.
  function seen(ranked) {
    const hits = [];
    for (const { element, role, rank } of ranked.sort((a, b) => a.rank - b.rank)) {
      if (hits.length === WEIGHED) break;
      if (parts.isShown(element)) hits.push({ element, role, rank, actionable: parts.isActionable(element) });
    }
    return hits;
  }

  function matches(wanted, promising) {
    const ranked = [];
    for (const element of promising) {
      const role = parts.role(element);
      const text = ownText(element);
      if (!isCandidate(element, role, text)) continue;
      const found = rank(wanted, searchable(element, role, text));
      if (found !== null) ranked.push({ element, role, rank: found });
    }
    const hits = seen(ranked);
    return { hits: innermost(hits), isAll: hits.length < WEIGHED };
  }

  const spokenFor = (role) => SPOKEN[role] ?? [role];
  const SAID = new Set(Object.values(SPOKEN).flat());

  // Which words occur in and below each element is settled first: names are costly to make.
  function search(wanted) {
    const { elements, above } = parts.elements(see(document).documentElement);
    const isKind = wanted.tokens.some((word) => SAID.has(word) || parts.isKind(word));
    const bits = parts.occurrences(wanted.tokens, elements, above);
    const promising = elements.filter((element, i) => {
      if (bits[i] === 0 && !isKind) return false;
      const missing = wanted.tokens.filter((word, n) => !(bits[i] & (1 << n)) && !spokenFor(parts.role(element)).includes(word));
      return missing.length * 2 < wanted.tokens.length;
    });
    const found = matches(wanted, promising);
    // A word that is put together from several elements is in none of them.
    const isSplit = found.hits.length === 0 && parts.occursAnywhere(wanted.tokens);
    return { elements, ...(isSplit ? matches(wanted, elements) : found) };
  }

  function find(text, limit = LISTED) {
    const { elements, hits, isAll } = search(parts.query(text));
    hits.sort((a, b) => a.rank - b.rank || Number(b.actionable) - Number(a.actionable));
    return {
      page: parts.page(),
      results: hits.slice(0, limit).map(result),
      total: hits.length,
      more: !isAll || undefined,
      closed: parts.isClosedIn(elements),
      unopened: parts.isUnopened(),
    };
  }

  function result(hit) {
    const line = parts.describe(hit.element, hit.role);
    if (line.role === "generic" || line.role === "none") line.role = see(hit.element).localName;
    const box = parts.boxes(hit.element)[0];
    return {
      ...line,
      name: line.name || parts.gist(hit.element, 120),
      key: parts.mint(hit.element),
      rank: hit.rank,
      actionable: hit.actionable,
      inViewport: box ? parts.inViewport(box) : false,
    };
  }

  parts.expose({ find });
}
