// What a page said on its console, as one text with its level and place: marks filled in, objects previewed. Pure.
import { clip } from "./protocol.js";

const CHARS = 2048;
const LEVELS = { startGroup: "group", startGroupCollapsed: "group", verbose: "debug" };

/** `Runtime.consoleAPICalled`; null for what says nothing. */
export function said({ type, args = [], stackTrace }) {
  if (type === "endGroup") return null;
  return { level: LEVELS[type] ?? type, text: clip(words(args), CHARS), ...place(stackTrace?.callFrames?.[0]) };
}

/** `Runtime.exceptionThrown` */
export function thrown({ exceptionDetails: { text = "", exception, stackTrace, ...at } }) {
  const what = exception ? show(exception) : "";
  const whole = what === "" || text.includes(what) ? text : `${text} ${what}`;
  return { level: "exception", text: clip(whole, CHARS), ...place(stackTrace?.callFrames?.[0] ?? at) };
}

/** `Log.entryAdded`: the browser's own words about the page. */
export function logged({ entry: { level, text, source, ...at } }) {
  return { level: LEVELS[level] ?? level, text: clip(text, CHARS), source: clip(source, 40), ...place(at) };
}

function place({ url, lineNumber, columnNumber } = {}) {
  if (!url) return {};
  return { url: clip(url), line: (lineNumber ?? 0) + 1, ...(columnNumber !== undefined && { column: columnNumber + 1 }) };
}

/** The arguments as the browser's own console shows them. */
export function words(args) {
  const [first, ...rest] = args;
  if (typeof first?.value !== "string" || !first.value.includes("%")) return args.map(show).join(" ");
  const filled = first.value.replace(/%[sdifoOc%]/g, (mark) => {
    if (mark === "%%") return "%";
    if (rest.length === 0) return mark;
    return fill(mark, rest.shift());
  });
  return [filled, ...rest.map(show)].join(" ");
}

function fill(mark, arg) {
  if (mark === "%c") return "";
  if (mark === "%d" || mark === "%i") return String(Math.trunc(Number(arg.value)));
  return mark === "%f" ? String(Number(arg.value)) : show(arg);
}

function show({ type, subtype, value, unserializableValue, description, preview }) {
  if (subtype === "null" || type === "undefined") return subtype ?? type;
  if (value !== undefined && type !== "object") return String(value);
  if (preview && subtype !== "error") return outline(preview);
  return String(unserializableValue ?? description ?? (value === undefined ? type : JSON.stringify(value)));
}

/** `{a: 1, b: "x", …}`, `[1, 2]`, `Map(1) {"k" => 2}` */
function outline({ subtype, description = "", properties = [], entries, overflow }) {
  const more = overflow ? ["…"] : [];
  if (entries) return `${description} {${[...entries.map(entry), ...more].join(", ")}}`;
  if (properties.length === 0 && subtype && subtype !== "array") return description;
  if (subtype === "array") return `[${[...properties.map(inner), ...more].join(", ")}]`;
  const name = description === "Object" ? "" : `${description} `;
  return `${name}{${[...properties.map((property) => `${property.name}: ${inner(property)}`), ...more].join(", ")}}`;
}

function entry({ key, value }) {
  return key ? `${nested(key)} => ${nested(value)}` : nested(value);
}

const nested = (preview) => (preview.type === "object" ? outline(preview) : inner({ type: preview.type, value: preview.description }));

function inner({ type, value = "" }) {
  return type === "string" ? JSON.stringify(value) : value || type;
}
