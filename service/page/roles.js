// Roles, by the attribute or by what HTML implies, and which elements an agent can act on.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const PLAIN = {
    article: "article", aside: "complementary", button: "button", dd: "definition", details: "group", dialog: "dialog", dt: "term",
    fieldset: "group", figure: "figure", form: "form", h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading",
    h6: "heading", hr: "separator", iframe: "iframe", frame: "iframe", li: "listitem", main: "main", menu: "list", meter: "meter",
    nav: "navigation", ol: "list", ul: "list", optgroup: "group", option: "option", output: "status", p: "paragraph",
    progress: "progressbar", search: "search", summary: "button", table: "table", tbody: "rowgroup", thead: "rowgroup",
    tfoot: "rowgroup", td: "cell", tr: "row", textarea: "textbox", video: "video", audio: "audio", canvas: "canvas",
    blockquote: "blockquote", math: "math", embed: "document", object: "document",
  };
  const INPUT = {
    button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio", range: "slider",
    number: "spinbutton", search: "searchbox", file: "button", color: "button", email: "textbox", tel: "textbox", url: "textbox",
    text: "textbox", password: "textbox", date: "textbox", time: "textbox", month: "textbox", week: "textbox",
    "datetime-local": "textbox",
  };
  const KNOWN = new Set([...Object.values(PLAIN), ...Object.values(INPUT), "alert", "alertdialog", "application", "banner", "code",
    "columnheader", "combobox", "contentinfo", "directory", "document", "feed", "generic", "grid", "gridcell", "img", "image",
    "link", "listbox", "log", "marquee", "menu", "menubar", "menuitem", "menuitemcheckbox", "menuitemradio", "none", "note",
    "presentation", "radiogroup", "region", "rowheader", "scrollbar", "switch", "tab", "tablist", "tabpanel", "timer", "toolbar",
    "tooltip", "tree", "treegrid", "treeitem", "emphasis", "strong"]);
  const WIDGETS = new Set(["button", "checkbox", "combobox", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio",
    "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem", "scrollbar"]);
  const CONTENT_NAMED = new Set(["button", "checkbox", "columnheader", "heading", "link", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "radio", "rowheader", "switch", "tab", "tooltip", "treeitem"]);
  const SECTIONING = "article, aside, main, nav, section";

  function ofInput(element) {
    if (see(element).type === "hidden") return "none";
    const role = INPUT[see(element).type] ?? "textbox";
    return element.list && (role === "textbox" || role === "searchbox") ? "combobox" : role;
  }

  const isNamed = (element) => see(element).hasAttribute("aria-label") || see(element).hasAttribute("aria-labelledby");

  const isAddressed = (element) => see(element).hasAttribute("href") || see(element).hasAttribute("xlink:href");

  function implied(element) {
    const tag = see(element).localName;
    switch (tag) {
      case "a": case "area": return isAddressed(element) ? "link" : "generic";
      case "input": return ofInput(element);
      case "select": return element.multiple || element.size > 1 ? "listbox" : "combobox";
      case "img": return see(element).getAttribute("alt") === "" && !isNamed(element) ? "none" : "img";
      case "svg": return isNamed(element) || element.querySelector(":scope > title") ? "img" : "generic";
      case "th": return element.scope === "row" || element.scope === "rowgroup" ? "rowheader" : "columnheader";
      case "section": return isNamed(element) ? "region" : "generic";
      case "header": return see(element).closest(SECTIONING) ? "generic" : "banner";
      case "footer": return see(element).closest(SECTIONING) ? "generic" : "contentinfo";
      default: return PLAIN[tag] ?? "generic";
    }
  }

  const isEditable = (element) => element !== null && see(element).isContentEditable === true;

  // Where the whole document is edited, its body stands for it.
  const isEditingHost = (element) => isEditable(element) && (element === see(document).body
    || (element !== see(document).documentElement && !isEditable(see(element).parentElement)));

  function role(element) {
    const given = see(element).getAttribute("role");
    if (given) {
      const known = given.toLowerCase().split(/\s+/).find((word) => KNOWN.has(word));
      if (known) return known === "image" ? "img" : known === "presentation" ? "none" : known;
    }
    const own = implied(element);
    return own === "generic" && isEditingHost(element) ? "textbox" : own;
  }

  // By its kind alone: not whether it can be seen or is enabled.
  function isInteractive(element, ownRole = role(element)) {
    if (WIDGETS.has(ownRole)) return true;
    if (isEditingHost(element)) return true;
    if (see(element).hasAttribute("onclick") || see(element).getAttribute("draggable") === "true") return true;
    if (see(element).hasAttribute("tabindex") && see(element).tabIndex >= 0) return true;
    return (ownRole === "video" || ownRole === "audio") && see(element).controls;
  }

  // Scripts that listen on plain elements usually give them the hand; children inherit it and are not meant.
  function hasHand(element) {
    if (getComputedStyle(element).cursor !== "pointer") return false;
    const above = parts.parent(element);
    return !above || getComputedStyle(above).cursor !== "pointer";
  }

  const isActionable = (element) => isInteractive(element) || hasHand(element);

  function actionableAround(node) {
    return parts.closest(node, isActionable);
  }

  Object.assign(parts, {
    role, isInteractive, isActionable, hasHand, isEditingHost, actionableAround, CONTENT_NAMED, isAddressed, isNamed,
    isKind: (word) => KNOWN.has(word),
  });
}
