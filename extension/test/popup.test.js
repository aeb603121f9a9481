// Tests: the popup's words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isOurPopup } from "../src/popup.js";

const runtime = { id: "us", getURL: (path) => `chrome-extension://us/${path}` };

test("only our popup, and not as a tab, is heard", () => {
  const popup = { id: "us", url: "chrome-extension://us/ui/popup.html" };
  assert.equal(isOurPopup(popup, runtime), true);
  for (const other of [
    { ...popup, id: "them" },
    { ...popup, url: "https://evil.test/ui/popup.html" },
    { ...popup, url: "chrome-extension://us/ui/popup.html?x" },
    { ...popup, url: undefined },
    { ...popup, tab: { id: 1 } },
    {},
  ]) assert.equal(isOurPopup(other, runtime), false, JSON.stringify(other));
});
