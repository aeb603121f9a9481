// Lists that show a part of many rows move their elements along and give them other contents: a key must not follow.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;
  const PLACES = ["aria-rowindex", "aria-posinset", "data-index", "data-row-index", "row-index", "data-item-index"];
  const ROW = [...PLACES.map((name) => `[${name}]`), '[style*="translate"]', '[style*=" top:"]', '[style^="top:"]'].join();
  const printed = (parts.printedRows ??= new WeakMap());

  function placeOf(element) {
    const row = see(element).closest(ROW);
    if (!row) return null;
    const { transform, translate, top } = see(row).style ?? {};
    return [...PLACES.map((name) => see(row).getAttribute(name)), transform, translate, top].join();
  }

  const called = (element) => parts.accessibleName(element, parts.role(element)).text || parts.gist(element);

  // As what an element in such a row is about to be printed.
  function noteRow(element) {
    const place = placeOf(element);
    if (place === null) printed.delete(element);
    else printed.set(element, { place, name: called(element) });
  }

  // Whether it stands for another row now: at another place and with another name. Either alone is an ordinary change.
  function isReused(element) {
    const before = printed.get(element);
    return before !== undefined && placeOf(element) !== before.place && called(element) !== before.name;
  }

  Object.assign(parts, { noteRow, isReused });
}
