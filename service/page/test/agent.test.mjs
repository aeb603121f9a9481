// Runs every case of the page agent in one real Chromium.
import { after, before, describe, test } from "node:test";
import { Browser } from "./browser.mjs";
import acting from "./cases/acting.mjs";
import filling from "./cases/filling.mjs";
import finding from "./cases/finding.mjs";
import waiting from "./cases/waiting.mjs";
import reading from "./cases/reading.mjs";

let browser;
before(async () => {
  browser = await Browser.start();
});
after(() => browser?.stop());

for (const [part, cases] of Object.entries({ reading, finding, acting, filling, waiting })) {
  describe(part, () => {
    for (const [sentence, run] of Object.entries(cases)) test(sentence, { timeout: 20_000 }, () => run(browser));
  });
}
