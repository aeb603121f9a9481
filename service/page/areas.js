// The areas of image maps: links without a box of their own, drawn by an image elsewhere in the document.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see } = parts;

  function imageOf(area) {
    const map = see(area).closest("map");
    const names = [map?.name, map?.id].filter(Boolean).map((name) => `#${name}`);
    const images = names.length > 0 ? see(area).getRootNode().querySelectorAll("img[usemap]") : [];
    return [...images].find((image) => names.includes(image.useMap)) ?? null;
  }

  const numbers = (area) => area.coords.split(/[\s,;]+/).map(Number.parseFloat).filter(Number.isFinite);

  // [left, top, right, bottom] in the image's own pixels; a polygon by the box around it.
  function extent(area, image) {
    const given = numbers(area);
    const shape = area.shape.toLowerCase();
    if (shape === "default") return [0, 0, image.width, image.height];
    if (shape.startsWith("circ")) {
      const [x, y, radius] = given;
      return [x - radius, y - radius, x + radius, y + radius];
    }
    const xs = given.filter((_, i) => i % 2 === 0);
    const ys = given.filter((_, i) => i % 2 === 1);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }

  // Its box in the viewport, as `getClientRects` would tell it.
  function areaBoxes(area) {
    const image = imageOf(area);
    const whole = image && parts.boxes(image)[0];
    if (!whole) return [];
    const style = getComputedStyle(image);
    const scale = image.offsetWidth > 0 ? whole.width / image.offsetWidth : 1;
    const [left, top, right, bottom] = extent(area, image);
    const x = whole.left + (image.clientLeft + parseFloat(style.paddingLeft) + left) * scale;
    const y = whole.top + (image.clientTop + parseFloat(style.paddingTop) + top) * scale;
    const box = new DOMRect(x, y, (right - left) * scale, (bottom - top) * scale);
    return box.width > 0 && box.height > 0 ? [box] : [];
  }

  const isArea = (element) => see(element).localName === "area";

  Object.assign(parts, { imageOf, areaBoxes, isArea });
}
