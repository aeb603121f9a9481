// Setting one control to one value, by its kind, with the value read back.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const { refusal, cut, flat } = parts;
  const TOGGLES = ["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"];
  const PICKED = new Set(["date", "time", "month", "week", "datetime-local", "color", "range"]);
  const YES = new Set(["true", "on", "yes", "1", "checked"]);
  const NO = new Set(["false", "off", "no", "0", "unchecked", ""]);

  // The control that an element stands for: a label's, or the only field inside a wrapper.
  function control(element) {
    if (see(element).localName === "label" && element.control) return element.control;
    const role = parts.role(element);
    const fillable = see(element).matches("input, select, textarea") || parts.isEditingHost(element) || TOGGLES.includes(role);
    if (fillable) return element;
    if (see(element).isContentEditable) return parts.closest(element, parts.isEditingHost);
    const isField = (at) => see(at).matches("input:not([type=hidden]), select, textarea") || parts.isEditingHost(at);
    const fields = parts.elements(element).elements.filter(isField);
    if (fields.length === 1) return fields[0];
    throw refusal("not_a_field", { ...parts.brief(element), fields: fields.length });
  }

  function ready(element) {
    if (element.type === "file") throw refusal("file_input");
    if (parts.isDisabled(element)) throw refusal("disabled", parts.brief(element));
    if (parts.isReadonly(element)) throw refusal("readonly", parts.brief(element));
  }

  function announce(element) {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true, composed: true }));
  }

  function pick(select, wanted) {
    const all = [...select.options];
    const tests = [
      (option) => flat(option.label) === flat(wanted),
      (option) => option.value === wanted,
      (option) => parts.fold(option.label) === parts.fold(wanted),
    ];
    for (const test of tests) {
      const found = all.filter(test);
      if (found.length > 0) return found[0];
    }
    return null;
  }

  function noSuchOption(select, wanted) {
    const { options, moreOptions } = parts.options(select);
    return refusal("no_such_option", { wanted: cut(wanted, 100), options: options.map((option) => option.label), more: moreOptions });
  }

  function setSelect(select, value) {
    const wanted = String(value);
    const whole = pick(select, wanted);
    const pieces = whole || !select.multiple ? [wanted] : wanted.split(",").map((piece) => piece.trim()).filter(Boolean);
    const chosen = pieces.map((piece) => {
      const option = pick(select, piece);
      if (!option) throw noSuchOption(select, piece);
      if (option.disabled || option.parentElement.disabled) throw refusal("option_disabled", { option: cut(flat(option.label), 100) });
      return option;
    });
    const before = parts.rawValue(select);
    select.focus({ preventScroll: true });
    if (select.multiple) for (const option of select.options) option.selected = chosen.includes(option);
    else select.selectedIndex = [...select.options].indexOf(chosen[0]);
    const changed = before !== parts.rawValue(select);
    if (changed) announce(select);
    if (!chosen.every((option) => option.selected)) throw refusal("not_accepted", actual(select));
    return { kind: "select", changed, ...actual(select) };
  }

  const actual = (element) => parts.value(element, parts.role(element), 500);

  function toggle(element, role, value) {
    const words = String(value).trim().toLowerCase();
    const own = element.localName === "input" ? element.value.toLowerCase() : "";
    const wanted = value === true || YES.has(words) || (own !== "" && own !== "on" && words === own);
    if (!wanted && !(value === false || NO.has(words))) throw refusal("bad_value", { expected: "true or false" });
    const state = parts.checked(element, role);
    const isRadio = role === "radio" || role === "menuitemradio";
    if (isRadio && !wanted && state === true) throw refusal("radio_off");
    return { kind: "toggle", state, wanted, act: state !== wanted, key: parts.mint(element) };
  }

  const pad = (text) => String(text).padStart(2, "0");
  const CLOCK = /^(\d{1,2}):(\d{2})(:\d{2}(?:\.\d{1,3})?)?\s*([ap]m)?$/i;

  // What each picker understands, from what people write; null when it cannot be meant.
  const NORMAL = {
    date: (text) => match(text, /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, ([, y, m, d]) => `${y}-${pad(m)}-${pad(d)}`),
    month: (text) => match(text, /^(\d{4})[-/.](\d{1,2})$/, ([, y, m]) => `${y}-${pad(m)}`),
    week: (text) => match(text, /^(\d{4})-?w(\d{1,2})$/i, ([, y, w]) => `${y}-W${pad(w)}`),
    time: (text) => match(text, CLOCK, ([, h, m, s, half]) => `${pad(hour(h, half))}:${m}${s ?? ""}`),
    range: (text) => (text !== "" && Number.isFinite(Number(text)) ? String(Number(text)) : null),
    color: colour,
  };
  NORMAL["datetime-local"] = (text) => {
    const [day, ...rest] = text.split(/[T ]+/);
    const [date, time] = [NORMAL.date(day), NORMAL.time(rest.join(" "))];
    return date && time ? `${date}T${time}` : null;
  };

  function match(text, pattern, build) {
    const found = text.match(pattern);
    return found ? build(found) : null;
  }

  function hour(text, half) {
    const number = Number(text);
    if (!half) return number;
    return (number % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  }

  function colour(text) {
    if (!CSS.supports("color", text)) return null;
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.fillStyle = text;
    return context.fillStyle;
  }

  function setNative(element, text) {
    const kind = Object.getPrototypeOf(element);
    Object.getOwnPropertyDescriptor(kind, "value").set.call(element, text);
  }

  function setPicked(element, value) {
    const text = String(value).trim();
    const wanted = text === "" && element.type !== "range" && element.type !== "color" ? "" : NORMAL[element.type](text);
    if (wanted === null) throw refusal("bad_value", { expected: EXPECTED[element.type] });
    const before = element.value;
    see(element).focus({ preventScroll: true });
    setNative(element, wanted);
    if (!same(element, wanted) || (!element.validity.valid && wanted !== "")) {
      const limits = { min: element.min || undefined, max: element.max || undefined, step: element.step || undefined };
      setNative(element, before);
      throw refusal("not_accepted", { ...actual(element), ...limits, expected: EXPECTED[element.type] });
    }
    if (before !== element.value) announce(element);
    return { kind: "picked", changed: before !== element.value, ...actual(element) };
  }

  const EXPECTED = {
    date: "YYYY-MM-DD", time: "HH:MM", month: "YYYY-MM", week: "YYYY-Www", "datetime-local": "YYYY-MM-DDTHH:MM",
    color: "#rrggbb or a CSS colour", range: "a number", number: "a number",
  };

  function same(element, wanted) {
    if (element.type === "range") return Number(element.value) === Number(wanted);
    const timed = element.type === "time" || element.type === "datetime-local";
    if (timed && element.value !== "") return element.value.startsWith(wanted) || wanted.startsWith(element.value);
    return element.value === wanted;
  }

  // Focused with everything selected: what is inserted next replaces it.
  function selectAll(element) {
    see(element).focus({ preventScroll: true });
    if (parts.focused() !== element) throw refusal("no_focus", parts.brief(element));
    if (typeof see(element).select === "function") return element.select();
    const range = see(document).createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

  // What the last field held as it was about to be filled, and whether it heard of anything since.
  let former = { ended: new AbortController() };

  const content = (element) => (parts.isEditingHost(element) ? see(element).innerText : element.value);

  function setText(element, value) {
    const text = String(value);
    if (element.type === "number" && text.trim() !== "" && !Number.isFinite(Number(text))) {
      throw refusal("bad_value", { expected: EXPECTED.number });
    }
    if (element.localName === "input" && /[\r\n]/.test(text)) throw refusal("one_line");
    if (element.maxLength > 0 && text.length > element.maxLength) throw refusal("too_long", { maxLength: element.maxLength });
    if (!parts.isShown(element)) throw refusal("hidden", parts.brief(element));
    if (parts.isKeyTaker(element)) throw refusal("not_a_field", { ...parts.brief(element), fields: 0 });
    see(element).scrollIntoViewIfNeeded?.(true);
    selectAll(element);
    former.ended.abort();
    const before = (former = { value: content(element), heard: false, ended: new AbortController() });
    see(element).addEventListener("input", () => (before.heard = true), { capture: true, once: true, signal: before.ended.signal });
    const secret = parts.isSecret(element) || undefined;
    const host = parts.isEditingHost(element) || undefined;
    return { kind: "text", key: parts.mint(element), empty: content(element).trim() === "", already: content(element) === text, secret, host };
  }

  // What is left to do is the caller's: "toggle" a real click, "text" real input of what replaces the selection.
  function setValue(key, value) {
    const element = control(parts.resolve(key));
    const role = parts.role(element);
    ready(element);
    if (element.localName === "select") return setSelect(element, value);
    const native = element.localName === "input";
    if (TOGGLES.includes(role) && (!native || ["checkbox", "radio"].includes(element.type))) return toggle(element, role, value);
    if (PICKED.has(element.type)) return setPicked(element, value);
    if (parts.isTextField(element) || parts.isEditingHost(element)) return setText(element, value);
    throw refusal("not_a_field", { ...parts.brief(element), fields: 0 });
  }

  const comparable = (text) => text.replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ").replace(/\n+$/, "");

  // A mask adds blanks and marks between what was typed and leaves nothing of it out. Points and commas are read as a number's.
  function isFormatted(raw, wanted) {
    const bare = (text) => text.replace(/[\s()/:_-]/g, "");
    return wanted !== "" && bare(raw) === bare(wanted);
  }

  const GROUPED = /^(-?)(\d{1,3}(?:([,.'’\s])\d{3}(?:\3\d{3})*)|\d+)(?:([.,])(\d+))?$/;
  // What is no such number, as a number of an account that begins with 0, is compared as a text.
  const PLAIN = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

  // The same number in groups of three, with a currency or a noughted fraction. One group after a point alone may be a fraction.
  function isSameNumber(raw, wanted) {
    const found = raw.replace(/[\p{Sc}%]/gu, "").trim().match(GROUPED);
    const meant = wanted.trim().match(PLAIN);
    if (!found || !meant || found[3] === (found[4] ?? "")) return false;
    const [, sign, whole, group, , fraction = ""] = found;
    if (group === "." && fraction === "" && whole.length < 8) return false;
    const [, itsSign, itsWhole, itsFraction = ""] = meant;
    const digits = Math.max(fraction.length, itsFraction.length);
    return sign === itsSign && whole.replace(/\D/g, "") === itsWhole && fraction.padEnd(digits, "0") === itsFraction.padEnd(digits, "0");
  }

  // The value as it stands now, and whether it is the wanted one.
  function readBack(key, value) {
    const element = parts.resolve(key);
    const role = parts.role(element);
    if (TOGGLES.includes(role)) return { state: parts.checked(element, role), matches: parts.checked(element, role) === value };
    const raw = content(element) ?? "";
    const wanted = String(value);
    const numeric = element.type === "number" && raw !== "" && Number(raw) === Number(wanted);
    const exact = numeric || comparable(raw) === comparable(wanted);
    const formatted = (!exact && (isFormatted(raw, wanted) || isSameNumber(raw, wanted))) || undefined;
    return { ...actual(element), matches: exact || formatted === true, formatted, untouched: (raw === former.value && !former.heard && parts.focused() === element) || undefined, invalid: element.validity?.valid === false || undefined };
  }

  // Ends what is heard of the last field. Its own leaving comes before the next field is typed into.
  let committed = null;

  // What is typed counts for a page when its field is left; what is set counts at once. On leaving, the browser would say it a
  // second time: that is held back, unless something else was typed in between.
  function commit(key, value) {
    const element = parts.resolve(key);
    if (parts.isEditingHost(element)) return null;
    const told = element.value;
    element.dispatchEvent(new Event("change", { bubbles: true }));
    if (!element.isConnected) return null;
    const root = element.getRootNode();
    const heard = new AbortController();
    committed?.abort();
    committed = heard;
    const options = { capture: true, signal: heard.signal };
    element.addEventListener("input", () => heard.abort(), options);
    (root === document ? window : root).addEventListener("change", (event) => {
      if (event.composedPath()[0] !== element || !event.isTrusted) return;
      heard.abort();
      if (element.value === told) event.stopImmediatePropagation();
    }, options);
    return readBack(key, value);
  }

  // The way to a control that cannot be clicked because nothing of it is painted.
  function press(key) {
    parts.resolve(key).click();
    return {};
  }

  parts.expose({ setValue, readBack, commit, press });
}
