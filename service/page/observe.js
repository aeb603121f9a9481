// What could be seen to change in this document around an action: facts for a receipt, never causes.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const { flat, cut, closest, isElement } = parts;
  const CHANGED = 10;
  const RECORDS = 3_000;
  const QUIET_MS = 100;
  const CAP_MS = 1_500;
  const TOLD = ["aria-expanded", "aria-checked", "aria-pressed", "aria-selected", "aria-invalid", "aria-disabled", "disabled", "open"];
  const WATCHED = [...TOLD, "aria-hidden", "hidden", "class", "style", "src", "href"];
  const LOUD = ["dialog", "alertdialog", "alert", "status", "log", "menu", "listbox", "tooltip"];
  let current = null;

  class Observation {
    constructor(subject, drag = false) {
      Object.assign(this, { subject, records: [], count: 0, last: performance.now(), valued: new Set() });
      if (drag && subject) this.box = see(subject).getBoundingClientRect();
      this.before = facts(subject);
      this.observer = new MutationObserver((records) => this.take(records));
      const wanted = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: WATCHED };
      for (const root of [document, ...parts.shadowRoots(document)]) this.observer.observe(root, wanted);
      this.onValue = (event) => event.composedPath()[0]?.nodeType === 1 && this.valued.add(event.composedPath()[0]);
      for (const type of ["input", "change"]) addEventListener(type, this.onValue, true);
      this.onDrop = (event) => event.isTrusted && (this.drop = event.dataTransfer.dropEffect);
      addEventListener("dragend", this.onDrop, true);
      this.followNavigation();
    }

    // Where the document is about to go, before another one is there.
    followNavigation() {
      this.leaving = undefined;
      this.onNavigate = ({ destination, downloadRequest }) => {
        if (!destination.sameDocument && downloadRequest === null) this.leaving = destination.url;
      };
      this.onStay = () => (this.leaving = undefined);
      navigation.addEventListener("navigate", this.onNavigate);
      for (const type of ["navigatesuccess", "navigateerror"]) navigation.addEventListener(type, this.onStay);
    }

    take(records) {
      this.count += records.length;
      this.last = performance.now();
      this.records.push(...records.slice(0, RECORDS - this.records.length));
    }

    async settle(quietMs, capMs) {
      const start = performance.now();
      this.last = Math.max(this.last, start);
      await parts.frames(2);
      for (;;) {
        this.drain();
        const now = performance.now();
        if (this.leaving !== undefined) return false;
        if (now - this.last >= quietMs) return true;
        if (now - start >= capMs) return false;
        await parts.pause(Math.min(quietMs - (now - this.last) + 1, 50));
      }
    }

    drain() {
      const records = this.observer.takeRecords();
      if (records.length > 0) this.take(records);
    }

    end() {
      this.drain();
      this.observer.disconnect();
      for (const type of ["input", "change"]) removeEventListener(type, this.onValue, true);
      removeEventListener("dragend", this.onDrop, true);
      navigation.removeEventListener("navigate", this.onNavigate);
      for (const type of ["navigatesuccess", "navigateerror"]) navigation.removeEventListener(type, this.onStay);
    }
  }

  function facts(subject) {
    const focus = parts.focused();
    const role = subject ? parts.role(subject) : null;
    return {
      url: location.href,
      title: see(document).title,
      focus,
      value: subject ? { ...parts.value(subject, role), raw: parts.rawValue(subject, role) } : {},
      states: subject ? parts.states(subject, role) : {},
    };
  }

  const LIVE = '[role="alert"], [role="status"], [aria-live="polite"], [aria-live="assertive"]';
  const isLive = (at) => ["alert", "status", "log"].includes(parts.role(at)) || see(at).matches(LIVE);
  const liveRegion = (node) => closest(node, isLive);

  const elementOf = (node) => (isElement(node) ? node : see(node).parentElement ?? see(node).getRootNode().host ?? null);

  // element -> what happened to it; the first word about an element stays.
  function changes(records) {
    const found = new Map();
    const note = (element, what) => element && see(element).isConnected && !found.has(element) && found.set(element, what);
    let removed = 0;
    for (const record of records) {
      if (record.type === "attributes") {
        if (TOLD.includes(record.attributeName)) note(record.target, "changed");
        else if (isElement(record.target) && LOUD.includes(parts.role(record.target))) note(record.target, "changed");
        continue;
      }
      for (const node of record.addedNodes) note(elementOf(node), isElement(node) ? "added" : "changed");
      removed += [...record.removedNodes].filter((node) => isElement(node) && !parts.isSkipped(node)).length;
      if (record.type === "characterData") note(elementOf(record.target), "changed");
    }
    return { found, removed };
  }

  function notable(found) {
    const listed = [...found].filter(([element]) => !parts.isSkipped(element) && parts.isShown(element));
    const isAdded = ([, what]) => what === "added";
    const inAdded = (element) => listed.some((entry) => isAdded(entry) && entry[0] !== element && see(entry[0]).contains(element));
    const outer = listed.filter((entry) => !isAdded(entry) || !inAdded(entry[0]));
    const weight = ([element]) => (LOUD.includes(parts.role(element)) ? 0 : 1);
    return outer.sort((a, b) => weight(a) - weight(b)).slice(0, CHANGED).map(([element, what]) => told(element, what));
  }

  function told(element, what) {
    const role = parts.role(element);
    const line = parts.describe(element, role);
    const short = parts.brief(element);
    const keyed = parts.isActionable(element) || LOUD.includes(role);
    return {
      what, ...short, states: { ...line.states, focused: undefined }, value: line.value, secret: line.secret, filled: line.filled,
      key: keyed ? parts.mint(element) : undefined,
    };
  }

  function alerts(found) {
    const regions = new Set();
    for (const [element] of found) {
      const region = liveRegion(element) ?? see(element).querySelector?.(LIVE);
      if (region && parts.isShown(region)) regions.add(region);
    }
    return [...regions].map((region) => parts.gist(region, 200)).filter(Boolean).slice(0, 3);
  }

  const isEditable = (element) => parts.isTextField(element) || see(element).isContentEditable === true;

  const differs = (a, b) => JSON.stringify(a) !== JSON.stringify(b);

  function stateChanges(before, after) {
    const names = Object.keys(after).filter((name) => name !== "focused" && differs(before[name], after[name]));
    return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, after[name] ?? false]));
  }

  function valueChange(before, after) {
    if (before.raw === after.raw) return undefined;
    if (after.secret || before.secret) return { secret: true, filled: after.filled };
    return { before: before.value, after: after.value };
  }

  // How far a dragged element is from where it was.
  function shift(before, element) {
    const now = see(element).getBoundingClientRect();
    const by = { x: Math.round(now.left - before.left), y: Math.round(now.top - before.top) };
    return by.x === 0 && by.y === 0 ? undefined : by;
  }

  function report(seen, settled) {
    const { before, subject } = seen;
    const gone = subject !== null && !see(subject).isConnected;
    const after = facts(gone ? null : subject);
    const { found, removed } = changes(seen.records);
    for (const element of seen.valued) if (element !== subject && see(element).isConnected) found.set(element, "changed");
    return {
      settled,
      leaving: seen.leaving,
      drop: seen.drop,
      shift: seen.box && !gone ? shift(seen.box, subject) : undefined,
      mutations: seen.count,
      removed: removed || undefined,
      url: before.url === after.url ? undefined : after.url,
      title: before.title === after.title ? undefined : cut(flat(after.title), 150),
      focus: before.focus === after.focus ? undefined : after.focus ? { ...parts.brief(after.focus), key: parts.mint(after.focus) } : {},
      value: gone ? undefined : valueChange(before.value, after.value),
      states: gone ? undefined : stateChanges(before.states, after.states),
      targetGone: gone || undefined,
      changed: notable(found),
      alerts: alerts(found),
    };
  }

  // `key` null: the focused element is the subject. `pointer`: also watch where the next pointer press lands.
  function arm(key, { pointer = false, hover = false, drag = false } = {}) {
    current?.end();
    const subject = key === null ? parts.focused() : parts.resolve(key);
    current = new Observation(subject, drag);
    if (pointer || hover) parts.watchPointer(key, { hover });
    if (subject === null) return {};
    const frame = parts.role(subject) === "iframe" ? parts.frameIndex(subject) : undefined;
    const single = (see(subject).localName === "input" && parts.isTextField(subject)) || undefined;
    return { subject: parts.brief(subject), secret: parts.isSecret(subject) || undefined, editable: isEditable(subject), single, frame };
  }

  // Tells what was seen since `arm`, and ends that unless it is to be asked again. `unarmed`: this is another document than the one that was armed.
  async function outcome({ quietMs = QUIET_MS, capMs = CAP_MS, keep = false } = {}) {
    const pointer = parts.pointerVerdict(keep);
    if (!current) return { hit: pointer.hit, by: pointer.by, unarmed: true, page: parts.page() };
    const seen = current;
    const settled = await seen.settle(quietMs, capMs);
    if (keep) seen.drain();
    else disarm();
    return { ...report(seen, settled), hit: pointer.hit, by: pointer.by, page: parts.page() };
  }

  function disarm() {
    parts.pointerVerdict();
    current?.end();
    current = null;
  }

  async function settle({ quietMs = QUIET_MS, capMs = CAP_MS } = {}) {
    const seen = new Observation(null);
    const settled = await seen.settle(quietMs, capMs);
    seen.end();
    return { page: parts.page(), settled };
  }

  parts.expose({ arm, outcome, disarm, settle });
}
