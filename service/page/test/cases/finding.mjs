// Finding elements by words.
import assert from "node:assert/strict";

const PAGE = `
  <form><label>Country <select><option>France</select></label><label>E-mail address <input type=email placeholder="you@example.org"></label>
  <input type=submit value="Save draft"><button>Save</button><a href=/help>Help pages</a></form>
  <button>購入する</button><button>Оформить заказ</button><button>Ｆｕｌｌ　ｗｉｄｔｈ</button>
  <div class=card onclick=1><h3>Blue shirt</h3><button>Add to cart</button></div><div class=card><h3>Red shirt</h3><button>Add to cart</button></div>
  <p>Total price: 12 €</p><button hidden>Invisible</button><input type=search aria-label="Site">
  <button>Café crème</button><button>STRASSE 5</button><button>Ёлка</button><button>İstanbul</button><button>ΟΔΟΣ</button><button>データ</button>
  <button>مُرحَبًا</button><button>加入購物車</button><button>🛒</button><button>I ❤️ tea</button><button>plain text</button>
  <span id=what>Quantity of</span><span id=of>Apples</span><input type=number aria-labelledby="what of">
  <table role=grid>${[9, 18].map((day) => `<tr><td role=gridcell aria-labelledby=d-${day}><a id=d-${day} aria-label="May ${day}, 2026">${day}</a>`).join("")}</table>
  <h2><span>F</span><i></i>irst <b>L</b>etter</h2>
  <x-radio tabindex=0 aria-label="By post">◉</x-radio>`;

const CASES = {
  "Save draft": [["button", "Save draft"]],
  Country: [["combobox", "Country"]],
  country: [["combobox", "Country"]],
  "購入": [["button", "購入する"]],
  "заказ": [["button", "Оформить заказ"]],
  "full width": [["button", "Ｆｕｌｌ ｗｉｄｔｈ"]],
  "save button": [["button", "Save"], ["button", "Save draft"]],
  "the e-mail field": [["textbox", "E-mail address"]],
  "you@example.org": [["textbox", "E-mail address"]],
  "search bar": [["searchbox", "Site"]],
  "help link": [["link", "Help pages"]],
  "total price": [["p", "Total price: 12 €"]],
  "cafe creme": [["button", "Café crème"]],
  "straße": [["button", "STRASSE 5"]],
  "елка": [["button", "Ёлка"]],
  istanbul: [["button", "İstanbul"]],
  "οδός": [["button", "ΟΔΟΣ"]],
  "ﾃﾞｰﾀ": [["button", "データ"]],
  "مرحبا": [["button", "مُرحَبًا"]],
  "購物車": [["button", "加入購物車"]],
  "🛒": [["button", "🛒"]],
  "❤": [["button", "I ❤️ tea"]],
  "quantity": [["spinbutton", "Quantity of Apples"]],
  "first letter": [["heading", "First Letter"]],
  "by post": [["x-radio", "By post"]],
  "May 18, 2026": [["a", "May 18, 2026"], ["a", "May 9, 2026"]],
  Invisible: [],
  "no such thing anywhere": [],
};

export default {
  "words find the element that is meant, in any script": async (browser) => {
    await browser.show(PAGE);
    for (const [query, expected] of Object.entries(CASES)) {
      const { results } = await browser.call("find", query);
      const got = results.slice(0, Math.max(expected.length, 1)).map((hit) => [hit.role === "paragraph" ? "p" : hit.role, hit.name]);
      assert.deepEqual(got, expected, query);
    }
  },

  "equal hits have one rank": async (browser) => {
    await browser.show(PAGE);
    const found = await browser.call("find", "add to cart");
    assert.deepEqual(found.results.slice(0, 2).map((hit) => hit.rank), [0, 0]);
    assert.notEqual(found.results[0].key, found.results[1].key);
  },

  "of very many hits the best are weighed and it is told that there are more": async (browser) => {
    await browser.show(`${"<a href=#>Row of many</a>".repeat(1_000)}<button>Row</button>`);
    const { results, total, more } = await browser.call("find", "row");
    assert.deepEqual([results[0].role, total, more], ["button", 300, true]);
    assert.equal((await browser.call("find", "button")).more, undefined);
  },

  "only what is listed gets a key": async (browser) => {
    await browser.show("<button>only</button>".repeat(50));
    const { results, total } = await browser.call("find", "only");
    assert.deepEqual([results.length, total, results.at(-1).key], [20, 50, 20]);
  },

  "shadow roots are searched": async (browser) => {
    await browser.show(`<div id=h></div><script>h.attachShadow({ mode: "open" }).innerHTML = "<button>Deep one</button>"</script>`);
    assert.equal((await browser.call("find", "deep one")).results[0].role, "button");
  },
};
