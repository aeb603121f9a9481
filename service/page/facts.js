// States and values of one element, without what must not leave the page.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const { cut, flat } = parts;
  const VALUE = 200;
  const HREF = 300;
  const OPTIONS = 60;
  const SECRET = /(^|\s)(current-password|new-password|one-time-code|cc-[a-z-]+)(\s|$)/i;
  const TEXT_TYPES = new Set(["text", "search", "email", "tel", "url", "password", "number"]);
  // A "show password" switch turns the field into plain text; the value stays a secret.
  const everSecret = (parts.everSecret ??= new WeakSet());

  function isSecret(element) {
    if (everSecret.has(element)) return true;
    const secret = see(element).type === "password" || SECRET.test(see(element).getAttribute?.("autocomplete") ?? "");
    if (secret) everSecret.add(element);
    return secret;
  }

  // Of a secret list only what it offers may be told.
  function selected(element) {
    if (see(element).localName !== "option") return tristate(element, "aria-selected");
    const list = element.closest("select");
    return only(element.selected && !(list && isSecret(list)));
  }

  const attribute = (element, name) => {
    const value = see(element).getAttribute(name);
    return value === null || value === "" || value === "undefined" ? null : value.toLowerCase();
  };

  function isDisabled(element) {
    if (see(element).matches(":disabled") || see(element).closest('[aria-disabled="true" i]')) return true;
    const { host } = see(see(element).getRootNode());
    return host !== undefined && host.closest('[aria-disabled="true" i]') !== null;
  }

  function isReadonly(element) {
    return see(element).readOnly === true || attribute(element, "aria-readonly") === "true";
  }

  function checked(element, role) {
    if (see(element).localName === "input" && (see(element).type === "checkbox" || see(element).type === "radio")) {
      return element.indeterminate ? "mixed" : element.checked;
    }
    const given = attribute(element, "aria-checked");
    if (given === "mixed") return "mixed";
    if (given !== null) return given === "true";
    return ["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"].includes(role) ? false : undefined;
  }

  function expanded(element) {
    const given = attribute(element, "aria-expanded");
    if (given !== null) return given === "true";
    if (see(element).localName === "summary" && see(element).parentElement?.localName === "details") return see(element).parentElement.open;
    return undefined;
  }

  function tristate(element, name) {
    const given = attribute(element, name);
    return given === null ? undefined : given === "mixed" ? "mixed" : given === "true";
  }

  function level(element, role) {
    if (role !== "heading") return undefined;
    return Number(see(element).getAttribute("aria-level")) || Number(see(element).localName[1]) || 2;
  }

  const only = (condition) => condition || undefined;

  // Only what is set: an absent state is one that does not apply or is off.
  function states(element, role) {
    const all = every(element, role);
    const set = {};
    for (const name in all) if (all[name] !== undefined) set[name] = all[name];
    return set;
  }

  function isInvalid(element) {
    if (["true", "grammar", "spelling"].includes(attribute(element, "aria-invalid"))) return true;
    return see(element).validity !== undefined && see(element).matches(":user-invalid");
  }

  function isMultiline(element, role) {
    if (see(element).localName === "textarea") return true;
    if (role !== "textbox" && role !== "searchbox") return false;
    return (attribute(element, "aria-multiline") ?? String(parts.isEditingHost(element))) === "true";
  }

  function every(element, role) {
    const current = attribute(element, "aria-current");
    return {
      checked: checked(element, role),
      expanded: expanded(element),
      pressed: tristate(element, "aria-pressed"),
      selected: selected(element),
      disabled: only(isDisabled(element)),
      multiline: only(isMultiline(element, role)),
      readonly: only(isReadonly(element)),
      required: only(see(element).required === true || attribute(element, "aria-required") === "true"),
      invalid: only(isInvalid(element)),
      focused: only(parts.focused() === element),
      level: level(element, role),
      current: current && current !== "false" ? current : undefined,
      modal: only(attribute(element, "aria-modal") === "true" || (see(element).localName === "dialog" && see(element).matches(":modal"))),
    };
  }

  // The value as a person would read it: `undefined` for elements without one.
  function rawValue(element, role) {
    const tag = see(element).localName;
    if (tag === "select") return [...element.selectedOptions].map((option) => flat(option.label)).join(", ");
    if (tag === "textarea") return element.value;
    if (tag === "input") {
      if (["checkbox", "radio", "button", "submit", "reset", "image", "hidden"].includes(see(element).type)) return undefined;
      if (see(element).type === "file") return [...element.files].map((file) => file.name).join(", ");
      return element.value;
    }
    if (tag === "progress" || tag === "meter") return String(element.value);
    if (parts.isEditingHost(element)) return see(element).innerText;
    return see(element).getAttribute("aria-valuetext") ?? see(element).getAttribute("aria-valuenow") ?? customValue(element, role);
  }

  function customValue(element, role) {
    // What an editor draws by itself is not in the element that takes its keys.
    if (see(element).editContext) return undefined;
    return role === "textbox" || role === "searchbox" ? flat(see(element).textContent) : undefined;
  }

  // Of a long text in an editor the value is the beginning.
  const isToldByValue = (element, told) => told !== undefined && told.length < VALUE && parts.isEditingHost(element);

  // {value} or {secret, filled}; empty for elements without a value.
  function value(element, role, limit = VALUE) {
    const raw = rawValue(element, role);
    if (raw === undefined) return {};
    if (isSecret(element)) return { secret: true, filled: raw !== "" };
    return { value: cut(raw, limit) };
  }

  function options(element) {
    // An input may have a list of what it suggests.
    const all = [...((see(element).localName === "select" ? element : see(element).localName === "input" && element.list)?.options ?? [])];
    if (all.length === 0) return {};
    return {
      options: all.slice(0, OPTIONS).map((option) => ({
        label: cut(flat(option.label), 100),
        value: option.value === option.label ? undefined : cut(option.value, 100),
        selected: selected(option),
        disabled: only(option.disabled),
      })),
      moreOptions: only(Math.max(0, all.length - OPTIONS)),
    };
  }

  // A drawing gives its addresses as they are written.
  function address(element) {
    const { href } = see(element);
    if (typeof href === "string") return href;
    const written = href?.baseVal;
    return written !== undefined && URL.canParse(written, document.baseURI) ? new URL(written, document.baseURI).href : written;
  }

  // Everything a line about an element may say.
  function describe(element, role = parts.role(element), name = parts.accessibleName(element, role)) {
    const type = see(element).localName === "input" && see(element).type !== "text" ? see(element).type : undefined;
    return {
      role,
      name: name.text,
      states: states(element, role),
      ...value(element, role),
      href: role === "link" && parts.isAddressed(element) ? cut(address(element) ?? "", HREF) : undefined,
      type,
      placeholder: name.from !== "placeholder" && see(element).placeholder ? cut(flat(see(element).placeholder), 100) : undefined,
    };
  }

  // Short: for receipts and for naming what is in the way.
  function brief(element) {
    const role = parts.role(element);
    const name = parts.accessibleName(element, role).text || parts.gist(element, 60);
    return { role: role === "generic" ? see(element).localName : role, name: cut(name, 80) };
  }

  const isTextField = (element) =>
    see(element).localName === "textarea" || (see(element).localName === "input" && TEXT_TYPES.has(see(element).type));

  Object.assign(parts, {
    isSecret, isDisabled, isReadonly, states, rawValue, value, options, describe, brief, isTextField, checked, isToldByValue,
  });
}
