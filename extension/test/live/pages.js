// Pages, gestures and the scene that several live tests share.
import { Browser } from "./rig.js";

export const BUTTON = `<!doctype html><title>ready</title><script>window.pageSecret = 1</script>
<button id=b style="position:absolute;left:0;top:0;width:100px;height:100px" onclick="document.title='clicked'">x</button>
<input id=i style="position:absolute;left:0;top:120px;width:200px;height:30px">
<button id=d style="position:absolute;left:200px;top:0;width:100px;height:100px" onclick="document.title=String(confirm('sure?'))">d</button>
<input id=f type=file multiple style="position:absolute;left:0;top:200px;width:200px;height:40px">
<script>
  window.seen = [];
  for (const kind of ["mousedown", "mouseup", "click", "keydown", "keyup"]) addEventListener(kind, (e) => seen.push(kind + (e.key ? " " + e.key : "")), true);
</script>`;

export const mouse = (type, x, y, more = {}) => ({ method: "Input.dispatchMouseEvent", params: { type, x, y, ...more } });
export const click = (x, y, more = {}) => [
  mouse("mouseMoved", x, y),
  mouse("mousePressed", x, y, { button: "left", clickCount: 1, ...more }),
  mouse("mouseReleased", x, y, { button: "left", clickCount: 1, ...more }),
];
export const key = (type, name) => ({ method: "Input.dispatchKeyEvent", params: { type, key: name, code: `Key${name.toUpperCase()}`, windowsVirtualKeyCode: name.toUpperCase().charCodeAt(0) } });

/** What one service does with one browser, in the words of these tests. */
export function driver(browser, service, options = {}) {
  const loaded = (tabId, path) => {
    const docs = service.events.filter((e) => e.k === "doc" && e.main && e.doc.tabId === tabId);
    const doc = docs.at(-1)?.doc;
    return doc?.url.endsWith(path) && service.events.some((e) => e.k === "load" && e.state === "load" && e.loaderId === doc.loaderId);
  };
  return {
    async openPage(path) {
      const { tab: { tabId } } = await service.ok("tab.open", { group: { title: "Agent", color: "cyan" } }, options);
      await service.ok("cdp", { tabId, method: "Page.navigate", params: { url: browser.url(path) } }, { effect: true, ...options });
      await service.event(() => loaded(tabId, path), `the load of ${path}`);
      return tabId;
    },
    async evaluate(tabId, expression) {
      const { result } = await service.ok("cdp", { tabId, method: "Runtime.evaluate", params: { expression, returnByValue: true } }, options);
      return result.result.value;
    },
  };
}

/** A browser on these pages and the one service it is connected to. */
export async function scene(pages) {
  const browser = await Browser.start(pages);
  const service = await browser.service();
  return { browser, service, ...driver(browser, service) };
}
