// Setting values, with the value read back.
import assert from "node:assert/strict";
import { Refused, named } from "../browser.mjs";

async function set(browser, name, value) {
  const { key } = named(await browser.call("snapshot", {}), name);
  const step = await browser.call("setValue", key, value);
  if (step.kind !== "text") return step;
  await browser.cdp("Input.insertText", { text: String(value) });
  return { ...step, ...(await browser.call("readBack", step.key, value)) };
}

async function refuses(browser, name, value, code) {
  await assert.rejects(set(browser, name, value), (error) => error instanceof Refused && (assert.equal(error.code, code, `${name}=${value}: ${error.message}`), true));
}

const PAGE = `
  <script>const log = []; for (const type of ["input", "change"]) addEventListener(type, (e) => log.push(type + ":" + e.target.getAttribute("aria-label")), true)</script>
  <select aria-label=Size><option value=s>Small<option value=m>Medium<option value=x disabled>Huge</select>
  <select aria-label=Many multiple><option>One<option>Two<option>Three</select>
  <input type=checkbox aria-label=Agree><input type=radio name=r value=a aria-label=A checked><input type=radio name=r value=b aria-label=B>
  <div role=switch tabindex=0 aria-checked=false aria-label=Dark>x</div>
  <input type=date aria-label=Day min=2026-01-01><input type=time aria-label=Hour><input type=month aria-label=Month><input type=week aria-label=Week>
  <input type=datetime-local aria-label=When><input type=color aria-label=Colour><input type=range aria-label=Loud min=0 max=10><input type=number aria-label=Count min=1>
  <input aria-label=Old value="was here"><input aria-label=Fixed readonly><input aria-label=Off disabled><input type=file aria-label=File>
  <input type=password aria-label=Secret><textarea aria-label=Long>x</textarea><div contenteditable aria-label=Rich>old <b>text</b></div>
  <input aria-label=Masked oninput="this.value = this.value.toUpperCase()"><input aria-label=Short maxlength=3>
  <div tabindex=0 aria-label=Wrapper><input placeholder=inner></div><label for=none>x</label><button>Push</button>`;

export default {
  "a field that only takes the keys of an editor takes no value, and a hidden one is told to be hidden": async (browser) => {
    await browser.show(`<div style="overflow:hidden;position:relative;width:3px;height:0"><textarea aria-label=Wide style="position:absolute;width:1000px;bottom:-1em;height:1em"></textarea></div>
      <textarea aria-label=Thin style="width:4px;height:16px;border:0;padding:0"></textarea><label>Kept <textarea id=gone></textarea></label>`);
    for (const name of ["Wide", "Thin"]) await refuses(browser, name, "x", "not_a_field");
    const { key } = named(await browser.call("snapshot", {}), "Kept");
    await browser.page(`gone.style.display = "none"`);
    await assert.rejects(browser.call("setValue", key, "x"), (error) => error.code === "hidden");
    assert.deepEqual(await browser.page(`[...document.querySelectorAll("textarea")].map((at) => at.value).join()`), ",,");
  },

  "an ordinary field of several lines is one whatever its page clips": async (browser) => {
    await browser.show(`<style>body { overflow: hidden; height: 0; margin: 0 }</style><div style="position:fixed;inset:0">
      <span style="overflow:hidden"><textarea aria-label=Note></textarea></span><div style="overflow:hidden;height:0"><div style="position:fixed;top:200px">
      <textarea aria-label=Deep></textarea></div></div></div>`);
    for (const name of ["Note", "Deep"]) assert.ok((await set(browser, name, "two\nlines")).matches, name);
  },

  "a field that heard of its keys or lost the focus is not tried again": async (browser) => {
    await browser.show(`<input aria-label=Scan><input aria-label=Other>`);
    const { key } = named(await browser.call("snapshot", {}), "Scan");
    const untouched = async (then) => {
      await browser.call("setValue", key, "12345678");
      await browser.page(then);
      return (await browser.call("readBack", key, "12345678")).untouched ?? false;
    };
    assert.equal(await untouched("0"), true);
    assert.equal(await untouched(`document.querySelector("input").dispatchEvent(new InputEvent("input", { bubbles: true }))`), false);
    assert.equal(await untouched(`document.querySelector("[aria-label=Other]").focus()`), false);
  },

  "a form of many fields is listened to for the last one only": async (browser) => {
    await browser.show(Array.from({ length: 9 }, (_, n) => `<input aria-label=f${n}>`).join(""));
    const reading = await browser.call("snapshot", {});
    for (let n = 0; n < 9; n += 1) await browser.call("commit", named(reading, `f${n}`).key, "");
    assert.equal(await browser.listeners("change"), 1);
  },

  "each kind of control takes its value": async (browser) => {
    await browser.show(PAGE);
    const cases = [
      ["Size", "Medium", "Medium"], ["Size", "s", "Small"], ["Many", "One, Three", "One, Three"], ["Day", "2026/3/7", "2026-03-07"],
      ["Hour", "3:05 pm", "15:05"], ["Month", "2026-4", "2026-04"], ["Week", "2026-W9", "2026-W09"], ["When", "2026-03-07 09:30", "2026-03-07T09:30"],
      ["Colour", "red", "#ff0000"], ["Loud", 7, "7"],
    ];
    for (const [name, value, expected] of cases) assert.equal((await set(browser, name, value)).value, expected, name);
    assert.deepEqual((await browser.page("log")).filter((line) => /Size|Day/.test(line)), ["input:Size", "change:Size", "input:Size", "change:Size", "input:Day", "change:Day"]);
  },

  "text is replaced by real input and read back": async (browser) => {
    await browser.show(PAGE);
    for (const [name, value] of [["Old", "new"], ["Long", "two\nlines"], ["Rich", "plain"], ["Count", 12], ["Wrapper", "found"]]) {
      const step = await set(browser, name, value);
      assert.ok(step.matches, `${name}: ${JSON.stringify(step)}`);
    }
    assert.equal(await browser.page(`document.querySelector("[aria-label=Old]").value`), "new");
  },

  "a number keeps its value when the page groups its digits, and only then": async (browser) => {
    await browser.show("<input aria-label=Sum>");
    const step = await set(browser, "Sum", "1");
    const cases = [
      ["1234", "$1,234"], ["1234567.5", "1.234.567,50 €"], ["-1234", "-1 234"], ["12", "$12.00"], ["7", "7 %"], ["1234", "1.234,00"],
      ["12345", "$123.45", false], ["1234", "1.234", false], ["1234", "1,23", false], ["12.34", "$1,234", false], ["", "$0", false], ["1234", "$1,2345", false],
      ["01234", "1234", false], ["12345678901234567891", "12345678901234567000", false], ["+4915112345", "4915112345", false], ["0x10", "16", false],
      ["12.5", "12.50"], ["1", `1${" ".repeat(60_000)}x`, false],
    ];
    for (const [wanted, shown, same = true] of cases) {
      await browser.page(`document.querySelector("input").value = ${JSON.stringify(shown)}`);
      const back = await browser.call("readBack", step.key, wanted);
      assert.deepEqual([back.matches, back.formatted ?? false], [same, same], `${wanted}: ${shown}`);
    }
  },

  "a value that is set is told to the page once, and what is typed after it again": async (browser) => {
    await browser.show(`<script>let told = 0</script><form onchange="told += 1"><input aria-label=Old value=old></form>`);
    const changes = () => browser.page("told");
    const step = await set(browser, "Old", "new");
    assert.equal(await changes(), 0);
    assert.equal((await browser.call("commit", step.key, "new")).matches, true);
    assert.equal(await changes(), 1);
    await browser.page("document.activeElement.blur()");
    assert.equal(await changes(), 1);
    await set(browser, "Old", "newer");
    await browser.call("commit", step.key, "newer");
    await browser.cdp("Input.insertText", { text: "!" });
    await browser.page("document.activeElement.blur()");
    assert.equal(await changes(), 3);
  },

  "a field that goes as the page hears of its value has taken it": async (browser) => {
    await browser.show(`<div><input aria-label=Cell onchange="this.replaceWith(this.value)"></div>`);
    const step = await set(browser, "Cell", "done");
    assert.equal(await browser.call("commit", step.key, "done"), null);
    assert.equal(await browser.page("document.querySelector('div').textContent"), "done");
  },

  "a value that the page changes is told": async (browser) => {
    await browser.show(PAGE);
    const step = await set(browser, "Masked", "abc");
    assert.deepEqual([step.value, step.matches], ["ABC", false]);
  },

  "what a mask adds is no other value": async (browser) => {
    const mask = (code) => `<input aria-label=M oninput="this.value = ${code}">`;
    for (const [code, value, matches, shown] of [
      ["this.value.replace(/^(\\d{3})(\\d+)$/, '($1) $2')", "5551234", true, "(555) 1234"],
      ["this.value.replace(/^(\\d)(\\d+)$/, '$1.$2')", "15", false, "1.5"],
      ["this.value.slice(0, 2)", "555", false, "55"],
    ]) {
      await browser.show(mask(code));
      const step = await set(browser, "M", value);
      assert.deepEqual([step.matches, step.value], [matches, shown]);
    }
  },

  "a secret is set and only its presence told": async (browser) => {
    await browser.show(PAGE);
    const step = await set(browser, "Secret", "hun\"ter2");
    assert.deepEqual([step.secret, step.filled, step.matches, step.value], [true, true, true, undefined]);
  },

  "what cannot be is refused, and the old value stands": async (browser) => {
    await browser.show(PAGE);
    const cases = [
      ["Size", "Gigantic", "no_such_option"], ["Size", "Huge", "option_disabled"], ["Day", "tomorrow", "bad_value"], ["Day", "2026-02-31", "not_accepted"],
      ["Day", "2025-01-01", "not_accepted"], ["Loud", 70, "not_accepted"], ["Colour", "reddish", "bad_value"], ["Count", "many", "bad_value"],
      ["Fixed", "x", "readonly"], ["Off", "x", "disabled"], ["File", "/etc/passwd", "file_input"], ["Push", "x", "not_a_field"],
      ["Agree", "perhaps", "bad_value"], ["A", false, "radio_off"], ["Short", "longer", "too_long"],
    ];
    for (const [name, value, code] of cases) await refuses(browser, name, value, code);
    assert.equal(await browser.page(`document.querySelector("[aria-label=Size]").value + document.querySelector("[aria-label=Day]").value`), "s");
    await assert.rejects(set(browser, "Size", "Gigantic"), (error) => (assert.deepEqual(error.detail.options, ["Small", "Medium", "Huge"]), true));
  },

  "switches say whether a click is needed": async (browser) => {
    await browser.show(PAGE);
    for (const [name, value, act] of [["Agree", true, true], ["Agree", "off", false], ["A", true, false], ["B", "b", true], ["Dark", "on", true]]) {
      assert.equal((await set(browser, name, value)).act, act, `${name}=${value}`);
    }
  },
};
