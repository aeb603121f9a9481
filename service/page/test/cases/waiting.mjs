// Waiting for what appears, is there, or goes.
import assert from "node:assert/strict";
import { Refused } from "../browser.mjs";

const PAGE = `
  <p>Please <b>wa</b>it\u00a0for <i>the</i> answer</p><div id=box hidden>Secret <span>plan</span></div>
  <div style="visibility:hidden">Unseen <em style="visibility:visible">but this</em></div><script>const a = "in a script"</script>
  <input type=submit value="Send it"><input type=text value="typed"><button>Größe</button><p>One</p><p>Two</p>
  <div id=host></div><script>host.attachShadow({mode: "open"}).innerHTML = "<p class=in>Inside</p>"</script>`;

const ask = (browser, wanted) => browser.call("awaitState", { state: "visible", withinMs: 0, ...wanted });

export default {
  "what can be seen is found by its words or a selector, the rest is told to be hidden": async (browser) => {
    await browser.show(PAGE);
    const cases = [
      [{ text: "please wait for the answer" }, "p"], [{ text: "WAIT" }, "p"], [{ text: "but this" }, "em"], [{ text: "grosse" }, "button"],
      [{ text: "größe" }, "button"], [{ text: "send it" }, "button"], [{ text: "typed" }, "none"], [{ text: "in a script" }, "none"],
      [{ text: "inside" }, "p"], [{ text: "onetwo" }, "none"], [{ text: "one two" }, "body"], [{ text: "unseen" }, "hidden"],
      [{ text: "secret plan" }, "hidden"], [{ selector: "#box" }, "hidden"], [{ selector: ".in" }, "p"], [{ selector: "#box span" }, "hidden"],
      [{ selector: "p", text: "two" }, "p"], [{ selector: "button", text: "two" }, "none"], [{ selector: ".absent" }, "none"],
    ];
    for (const [wanted, expected] of cases) {
      const { met, role, hidden } = await ask(browser, wanted);
      assert.equal(met ? role.replace("paragraph", "p").replace("emphasis", "em").replace("generic", "body") : hidden ? "hidden" : "none", expected, JSON.stringify(wanted));
      assert.equal((await ask(browser, { ...wanted, state: "present" })).met, expected !== "none", JSON.stringify(wanted));
      assert.equal((await ask(browser, { ...wanted, state: "gone" })).met, !met, JSON.stringify(wanted));
    }
    await assert.rejects(ask(browser, { selector: "p[" }), new Refused({ code: "bad_selector" }));
  },

  "a change is seen soon after it happens": async (browser) => {
    await browser.show(`<p id=p>Loading</p><div id=host></div><style>.on { display: block } #late { display: none }</style><b id=late>Late</b>
      <script>host.attachShadow({mode: "open"}).innerHTML = "<i>x</i>";
      setTimeout(() => { p.textContent = "Done"; host.shadowRoot.firstChild.textContent = "Deep" }, 100); setTimeout(() => (late.style.display = "block"), 150)</script>`);
    for (const [wanted, state] of [["done", "visible"], ["deep", "visible"], ["loading", "gone"], ["late", "visible"]]) {
      const started = Date.now();
      assert.ok((await ask(browser, { text: wanted, state, withinMs: 5_000 })).met, wanted);
      assert.ok(Date.now() - started < 2_000, wanted);
    }
    const started = Date.now();
    assert.equal((await ask(browser, { text: "never", withinMs: 300 })).met, false);
    assert.ok(Date.now() - started < 1_500);
  },
};
