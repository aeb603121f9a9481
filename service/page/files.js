// Files for a control that takes them, put in as a person's choice would be, and what the control holds then.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see, refusal } = parts;

  const takesFiles = (element) => Boolean(element) && see(element).localName === "input" && element.type === "file";

  // The file input that an element is, labels or contains; none for a button that may ask for files when pressed.
  function fileInput(element) {
    if (takesFiles(element)) return element;
    const label = parts.closest(element, (at) => see(at).localName === "label");
    if (takesFiles(label?.control)) return label.control;
    const inside = parts.elements(element).elements.filter(takesFiles);
    return inside.length === 1 ? inside[0] : null;
  }

  function fileTarget(key) {
    const input = fileInput(parts.resolve(key));
    return { key: input ? parts.mint(input) : null };
  }

  // One rule of `accept`: `.png`, `image/png` or `image/*`.
  function fits(rule, { name, type }) {
    if (rule.startsWith(".")) return name.toLowerCase().endsWith(rule);
    return rule.endsWith("/*") ? type.startsWith(rule.slice(0, -1)) : type === rule;
  }

  function check(input, files) {
    if (!takesFiles(input)) throw refusal("no_file_input");
    if (parts.isDisabled(input)) throw refusal("disabled", parts.brief(input));
    if (input.webkitdirectory) throw refusal("folder");
    if (files.length > 1 && !input.multiple) throw refusal("one_file");
    const rules = input.accept.toLowerCase().split(",").map((rule) => rule.trim()).filter(Boolean);
    const other = rules.length > 0 && files.find((file) => !rules.some((rule) => fits(rule, file)));
    if (other) throw refusal("other_kind", { expected: parts.cut(input.accept, 200) });
  }

  function made({ name, type, data }) {
    const text = atob(data);
    return new File([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], name, { type, lastModified: Date.now() });
  }

  const listed = (input) => [...input.files].map(({ name, size }) => ({ name, size }));

  // Of a key, or of the element itself where the browser named it.
  function setFiles(key, files, named) {
    const input = named ?? parts.resolve(key);
    check(input, files);
    const chosen = new DataTransfer();
    for (const file of files) chosen.items.add(made(file));
    input.files = chosen.files;
    const held = listed(input);
    input.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    input.dispatchEvent(new Event("change", { bubbles: true, composed: true }));
    return { held, after: listed(input) };
  }

  // For a place that takes files only as dropped: whether it wanted them, and took the drop.
  function dropFiles(key, files) {
    const element = parts.resolve(key);
    const dataTransfer = new DataTransfer();
    const all = files.map(made);
    for (const file of all) dataTransfer.items.add(file);
    const { left, top, width, height } = see(element).getBoundingClientRect();
    const told = { bubbles: true, cancelable: true, composed: true, clientX: left + width / 2, clientY: top + height / 2, dataTransfer };
    const isTaken = (type) => !element.dispatchEvent(new DragEvent(type, told));
    isTaken("dragenter");
    const held = isWanted(element, () => isTaken("dragover")) && isTaken("drop") ? all.map(({ name, size }) => ({ name, size })) : [];
    if (held.length === 0) isTaken("dragleave");
    return { held, after: held };
  }

  // By the place or what is around it; a document as a whole takes files so as not to be replaced by them.
  function isWanted(element, offer) {
    const root = element.ownerDocument.documentElement;
    let wanted = false;
    const note = (event) => (wanted = event.defaultPrevented);
    root.addEventListener("dragover", note, { once: true });
    offer();
    root.removeEventListener("dragover", note);
    return wanted;
  }

  parts.expose({ fileTarget, setFiles, dropFiles });
}
