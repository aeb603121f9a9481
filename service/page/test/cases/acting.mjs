// Preparing, pressing, watching and observing.
import assert from "node:assert/strict";
import { Refused, named } from "../browser.mjs";

const key = async (browser, name) => named(await browser.call("snapshot", {}), name).key;

const refused = (promise, code) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof Refused, String(error));
    assert.equal(error.code, code, error.message);
    return true;
  });

async function click(browser, name) {
  const target = await key(browser, name);
  const { root } = await browser.call("prepare", target);
  await browser.call("arm", target, { pointer: true });
  await browser.press(root);
  return browser.call("outcome", {});
}

export default {
  "a click far below is scrolled to and verified": async (browser) => {
    await browser.show(`<div style="height:4000px"></div><button onclick="document.title = 'clicked'">Far</button>`);
    const seen = await click(browser, "Far");
    assert.deepEqual([seen.hit, seen.title, seen.settled], ["verified", "clicked", true]);
  },

  "a click on a dead page changes nothing and comes to rest": async (browser) => {
    await browser.show(`<button>Dead</button>`);
    await click(browser, "Dead");
    const seen = await click(browser, "Dead");
    assert.equal(seen.settled, true);
    assert.deepEqual([seen.hit, seen.mutations, seen.changed, seen.alerts, seen.focus, seen.value], ["verified", 0, [], [], undefined, undefined]);
  },

  "a click on the unseen field of an editor that draws its text goes into the text": async (browser) => {
    await browser.show(`<div style="width:300px;cursor:text" onmousedown="event.preventDefault(); this.querySelector('textarea').focus()">
      <textarea aria-label=Code style="position:absolute;width:1px;height:1px;opacity:0;border:0;padding:0"></textarea><p>drawn</p></div>
      <div style="width:300px" onclick="document.title='wrong'"><textarea aria-label=Trap style="position:absolute;width:0;height:0;border:0;padding:0"></textarea><p>plain</p></div>`);
    const seen = await click(browser, "Code");
    assert.deepEqual([seen.hit, seen.focus?.name], ["verified", "Code"]);
    await refused(browser.call("prepare", await key(browser, "Trap"), { timeoutMs: 100 }), "hidden");
    assert.notEqual(await browser.page("document.title"), "wrong");
  },

  "what lets the pointer through is clicked where it lies, unless it is a control": async (browser) => {
    await browser.show(`<div id=pad><p style="pointer-events:none">Line 3</p></div><div><a href="#x" style="pointer-events:none">Off</a></div>
      <script>pad.addEventListener("click", () => document.title = "in the pad")</script>`);
    const { results: [line] } = await browser.call("find", "Line 3");
    const { root } = await browser.call("prepare", line.key);
    await browser.call("arm", line.key, { pointer: true });
    await browser.press(root);
    const seen = await browser.call("outcome", {});
    assert.deepEqual([seen.hit, seen.title], ["verified", "in the pad"]);
    await refused(browser.call("prepare", await key(browser, "Off"), { timeoutMs: 100 }), "covered");
  },

  "a small field among others is clicked itself": async (browser) => {
    const small = (name) => `<input aria-label=${name} style="width:30px;height:18px;padding:0;border:0">`;
    await browser.show(`<div style="display:inline-flex">${["DD", "MM", "YY", "HH"].map(small).join("")}</div>`);
    for (const name of ["DD", "MM", "HH"]) assert.equal((await click(browser, name)).focus?.name, name);
  },

  "words over a page press nothing that is not their own": async (browser) => {
    await browser.show(`<style>body { margin: 0; height: 60px }</style><button style="position:fixed;left:0;top:0;width:200px;height:60px"
      onclick="document.title='gone'">Delete</button><div style="position:fixed;inset:0;pointer-events:none"><p style="width:90px">Saved</p></div>`);
    const { results } = await browser.call("find", "Saved");
    await refused(browser.call("prepare", results[0].key, { timeoutMs: 100 }), "covered");
  },

  "a shadow target and an inline link over two lines are reachable": async (browser) => {
    await browser.show(`<div id=h></div><p style="width:120px">some words <a href="#x">a link that wraps around</a></p>
      <script>h.attachShadow({ mode: "open" }).innerHTML = "<button><b>Deep</b></button>"</script>`);
    assert.equal((await click(browser, "Deep")).hit, "verified");
    const seen = await click(browser, "a link that wraps around");
    assert.ok(seen.hit === "verified" && seen.url.endsWith("#x"));
  },

  "a form and a document with members named by the page are read and clicked": async (browser) => {
    const names = ["title", "type", "name", "id", "value", "children", "childNodes", "parentElement", "localName", "nodeType", "getAttribute", "hasAttribute",
      "matches", "closest", "shadowRoot", "assignedSlot", "getRootNode", "checkVisibility", "getClientRects", "isConnected", "inert", "hidden", "style",
      "textContent", "innerText", "placeholder", "required", "readOnly", "labels", "contains", "tabIndex", "querySelector", "href", "action",
      "firstChild", "nextSibling", "firstElementChild", "childElementCount", "querySelectorAll", "getAnimations", "isContentEditable", "ownerSVGElement",
      "getBoundingClientRect", "scrollIntoView", "scrollIntoViewIfNeeded", "scrollHeight", "scrollTop", "scrollBy", "host", "focus"];
    await browser.show(`<input form=f name=nextElementSibling><form id=f aria-label="Booking" style="cursor:pointer;height:500px;overflow:auto">
      ${names.map((name) => `<label>L-${name} <input name=${name}></label>`).join("")}
      <button type=button onclick="this.textContent='Went'">Go</button><div contenteditable aria-label=Note></div><div style="height:4000px">in it</div></form><p>Behind</p>`);
    await browser.page(`for (const name of ["title", "body", "activeElement", "documentElement", "elementFromPoint", "querySelectorAll", "createTreeWalker"]) {
      const image = new Image(); image.name = image.alt = name; document.forms[0].after(image) } 1`);
    const reading = await browser.call("snapshot", { maxChars: 50_000 });
    for (const name of names) assert.equal(named(reading, `L-${name}`).role, "textbox", name);
    const text = JSON.stringify(reading.lines);
    assert.ok(text.indexOf("in it") < text.indexOf("Behind"), text);
    assert.deepEqual([named(reading, "Note").role, named(await browser.call("snapshot", { depth: 0 }), "Booking").collapsed], ["textbox", 2 * names.length + 3]);
    const form = named(reading, "Booking").key;
    const part = await browser.call("snapshot", { maxChars: 300, root: form });
    const rest = JSON.stringify((await browser.call("snapshot", { root: part.cut.key })).lines);
    assert.ok(part.cut.remaining > 60 && rest.includes("in it") && !rest.includes("Behind"), rest);
    await browser.call("prepare", form);
    await browser.call("scrollTo", form);
    await browser.call("scrollProbe", { key: form });
    assert.deepEqual((await browser.call("scrollDirectly", { dx: 0, dy: 300 })).moved, { dx: 0, dy: 300, by: "script" });
    await refused(browser.call("setValue", form, "x"), "not_a_field");
    const found = await browser.call("find", "go");
    assert.equal(found.results[0].name, "Go");
    assert.equal((await click(browser, "Go")).hit, "verified");
    await key(browser, "Went");
    assert.ok((await browser.call("text", {})).text.includes("L-title"));
    await browser.call("arm", form, {});
    await browser.page(`document.querySelector("p").append(f); f.append(document.createElement("p")); 1`);
    const moved = await browser.call("outcome", {});
    assert.deepEqual([moved.changed.map(({ name }) => name), moved.targetGone], [["Booking"], undefined]);
    await browser.page("f.remove()");
    await refused(browser.call("prepare", form), "stale");
  },

  "what is in the way is named": async (browser) => {
    await browser.show(`<button>Under</button><div role=dialog aria-label="Cookie choice" style="position:fixed;inset:0;background:#fff"><p>Cookies</p></div>`);
    const target = await key(browser, "Under");
    await assert.rejects(browser.call("prepare", target, { timeoutMs: 300 }), (error) => {
      assert.deepEqual([error.code, error.detail.by], ["covered", { role: "dialog", name: "Cookie choice" }]);
      return true;
    });
  },

  "hidden, disabled, inert, read-only and moving targets are refused": async (browser) => {
    await browser.show(`<button id=h>Hidden</button><button disabled>Off</button><div inert><button>Inert</button></div><input readonly aria-label=Fixed>
      <button id=m style="position:absolute">Moving</button><script>let x = 0; (function step() { m.style.left = (x += 3) % 600 + "px"; requestAnimationFrame(step) })()</script>`);
    const short = { timeoutMs: 200 };
    const reading = await browser.call("snapshot", {});
    await browser.page(`h.hidden = true`);
    await refused(browser.call("prepare", named(reading, "Hidden").key, short), "hidden");
    await refused(browser.call("prepare", named(reading, "Off").key, short), "disabled");
    await refused(browser.call("prepare", named(reading, "Inert").key, short), "inert");
    await refused(browser.call("prepare", named(reading, "Fixed").key, { ...short, kind: "edit" }), "readonly");
    await refused(browser.call("prepare", named(reading, "Moving").key, short), "moving");
  },

  "a button that becomes enabled in time is waited for": async (browser) => {
    await browser.show(`<button id=b disabled>Soon</button><script>setTimeout(() => b.disabled = false, 250)</script>`);
    await browser.call("prepare", await key(browser, "Soon"));
  },

  "an element that slips over the target gets nothing": async (browser) => {
    await browser.show(`<button onclick="this.textContent = 'hit'">Pay</button><script>
      addEventListener("mousemove", () => { const d = document.createElement("div"); d.ariaLabel = "Trap"; d.setAttribute("role", "button"); d.style = "position:fixed;inset:0;background:#eee";
        d.onclick = () => document.title = "trapped"; document.body.append(d) }, { once: true })</script>`);
    const seen = await click(browser, "Pay");
    assert.deepEqual([seen.hit, seen.by.name, await browser.page("document.title")], ["intercepted", "Trap", ""]);
  },

  "a target that moved away is told, and nothing is hit": async (browser) => {
    await browser.show(`<button id=b>Run</button><button id=c style="position:absolute;top:300px" onclick="document.title='wrong'">Other</button>`);
    const target = await key(browser, "Run");
    const { root } = await browser.call("prepare", target);
    await browser.call("arm", target, { pointer: true });
    await browser.page(`b.style = "position:absolute;top:500px"; c.style.top = 0; c.style.left = 0; c.style.width = "300px"; c.style.height = "60px"; 1`);
    await browser.press(root);
    const seen = await browser.call("outcome", {});
    assert.deepEqual([seen.hit, await browser.page("document.title")], ["moved", ""]);
  },

  "a watch that nobody ended lets the person's clicks and menus through": async (browser) => {
    const later = { timestamp: Date.now() / 1000 + 60 };
    await browser.show(`<button id=b>Run</button><button style="position:absolute;top:300px" onclick="document.title='person'">Other</button>
      <script>addEventListener("contextmenu", (event) => setTimeout(() => (document.body.title = event.defaultPrevented)))</script>`);
    const reading = await browser.call("snapshot", {});
    const { root } = await browser.call("prepare", named(reading, "Other").key);
    for (const watch of [{ pointer: true }, { hover: true }]) {
      await browser.page("document.title = document.body.title = ''");
      await browser.call("arm", named(reading, "Run").key, watch);
      await browser.press(root);
      if (watch.pointer) assert.equal(await browser.page("document.title"), "", "at once it is stopped");
      await browser.press(root, { ...later, button: "right" });
      await browser.press(root, later);
      assert.deepEqual(await browser.page("new Promise((done) => setTimeout(() => done([document.title, document.body.title])))"), ["person", "false"]);
    }
    await browser.call("disarm");
  },

  "a checkbox behind its label is clicked through the label": async (browser) => {
    await browser.show(`<label style="display:block;padding:20px"><input type=checkbox style="opacity:0;position:absolute"><span style="position:absolute;left:0;top:0;width:80px;height:80px">Agree</span></label>`);
    const seen = await click(browser, "Agree");
    assert.deepEqual([seen.hit, seen.states], ["verified", { checked: true }]);
  },

  "changes are told by what they are": async (browser) => {
    await browser.show(`<button onclick="out.textContent = 'Saved'; this.setAttribute('aria-expanded', 'true'); i.focus(); const d = document.createElement('div'); d.setAttribute('role', 'dialog'); d.ariaLabel = 'Done'; d.textContent = 'ok'; document.body.append(d)">Go</button>
      <div id=out role=status></div><input id=i aria-label=Next>`);
    const seen = await click(browser, "Go");
    assert.deepEqual(seen.alerts, ["Saved"]);
    assert.equal(seen.focus.name, "Next");
    assert.deepEqual(seen.states, { expanded: true });
    assert.deepEqual(seen.changed.map((change) => [change.what, change.role, change.name]).slice(0, 2), [["changed", "status", "Saved"], ["added", "dialog", "Done"]]);
  },

  "an action that changes more than can be kept is still told": async (browser) => {
    await browser.show(`<button onclick="this.setAttribute('aria-expanded', 'true'); const p = document.createElement('p'); p.append('-'); document.body.append(p); for (let i = 0; i < 200000; i += 1) p.firstChild.data = i">Many</button>`);
    const seen = await click(browser, "Many");
    assert.deepEqual([seen.hit, seen.mutations, seen.changed.map(({ what }) => what)], ["verified", 200_002, ["changed", "added"]]);
  },

  "typing is told by the value before and after, never a secret's": async (browser) => {
    await browser.show(`<input aria-label=Name><input type=password aria-label=Word>`);
    for (const [name, expected] of [["Name", { before: "", after: "abc" }], ["Word", { secret: true, filled: true }]]) {
      await click(browser, name);
      await browser.call("arm", null, {});
      await browser.cdp("Input.insertText", { text: "abc" });
      assert.deepEqual((await browser.call("outcome", {})).value, expected);
    }
  },

  "a navigation that has begun is told before the new document is there": async (browser) => {
    await browser.show(`<button onclick="setTimeout(() => location = '/slow', 30)">Slow</button><a href="#here">Here</a>`);
    assert.equal((await click(browser, "Here")).leaving, undefined);
    browser.hold("/slow");
    const seen = await click(browser, "Slow");
    assert.deepEqual([seen.hit, seen.leaving?.endsWith("/slow"), seen.settled], ["verified", true, false]);
    browser.letGo();
  },

  "settling ends on a page that never rests": async (browser) => {
    await browser.show(`<p id=p></p><script>setInterval(() => p.textContent = Math.random(), 20)</script>`);
    assert.equal((await browser.call("settle", { capMs: 400 })).settled, false);
  },

  "a point in a frame is given in its own viewport, and the page around says what it has there": async (browser) => {
    await browser.show(`<body style="margin:0"><iframe src=/inner width=400 height=200 style="border:0"></iframe><div role=dialog aria-label=Veil style="position:fixed;inset:0"></div>`,
      { "/inner": `<body style="margin:0"><button style="position:absolute;left:100px;top:40px;width:80px;height:20px">Inner</button>` });
    const [frame] = await browser.frameIds();
    const target = named(await browser.callIn(frame, "snapshot", {}), "Inner").key;
    const { root, points, size } = await browser.callIn(frame, "prepare", target);
    assert.deepEqual([root, points.length, size], [{ x: 140, y: 50 }, 4, { x: 400, y: 200 }]);
    const above = await browser.call("above", root);
    assert.deepEqual([above.root, above.by.name], [root, "Veil"]);
  },

  "zoomed, scaled and pinched pages are hit where they are": async (browser) => {
    const html = `<meta name=viewport content="width=device-width"><div style="height:600px"></div><button style="margin-left:500px">T</button><div style="height:2000px"></div>`;
    const pinch = (pageScaleFactor) => browser.cdp("Emulation.setPageScaleFactor", { pageScaleFactor });
    await browser.show(`<style>html{zoom:1.5}</style>${html}`);
    assert.equal((await click(browser, "T")).hit, "verified", "zoom");
    await browser.show(`<style>body{transform:scale(.5)}</style>${html}`);
    assert.equal((await click(browser, "T")).hit, "verified", "transform");
    await browser.show(html);
    await pinch(2);
    assert.equal((await click(browser, "T")).hit, "verified", "pinch");
    await pinch(1);
  },

  "a wheel is verified by what it moved": async (browser) => {
    await browser.show(`<div style="height:3000px">tall</div>`);
    const { root: point } = await browser.call("scrollProbe", {});
    await browser.cdp("Input.dispatchMouseEvent", { type: "mouseWheel", ...point, deltaX: 0, deltaY: 300 });
    const seen = await browser.call("scrollOutcome");
    assert.deepEqual([seen.moved, seen.what, seen.atTop], [{ dx: 0, dy: 300, by: "wheel" }, "page", false]);
  },

  "where a wheel does nothing the direct way is told": async (browser) => {
    await browser.show(`<div style="height:3000px">tall</div><script>addEventListener("wheel", (e) => e.preventDefault(), { passive: false })</script>`);
    const { root: point } = await browser.call("scrollProbe", {});
    await browser.cdp("Input.dispatchMouseEvent", { type: "mouseWheel", ...point, deltaX: 0, deltaY: 300 });
    assert.equal((await browser.call("scrollOutcome")).moved, undefined);
    assert.deepEqual((await browser.call("scrollDirectly", { dx: 0, dy: 300 })).moved, { dx: 0, dy: 300, by: "script" });
  },

  "a wheel that a map takes is told to be taken, and one that it leaves is not": async (browser) => {
    await browser.show(`<div id=map style="height:3000px">map</div>
      <script>let zoom = 0; map.addEventListener("wheel", (e) => { if (zoom++ === 0) e.preventDefault() }, { passive: false })</script>`);
    const turn = async () => {
      const { root: point } = await browser.call("scrollProbe", {});
      await browser.cdp("Input.dispatchMouseEvent", { type: "mouseWheel", ...point, deltaX: 0, deltaY: 300 });
      return browser.call("scrollOutcome");
    };
    const [first, second] = [await turn(), await turn()];
    assert.deepEqual([first.taken, first.moved, second.taken, second.moved?.by], [true, undefined, undefined, "wheel"]);
  },
};
