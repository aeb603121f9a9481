// Tests: a tab that an adopted tab opened.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Children } from "../src/children.js";
import { LIMITS } from "../src/protocol.js";

const opened = { source: 1, kind: "window", url: "https://a.test/x" };
const clicked = { source: 1, kind: "tab", url: "https://a.test/x" };

test("a new tab is a candidate only with evidence from an adopted one", () => {
  const cases = [
    ["window.open", opened, { tabId: 2, url: "" }, true],
    ["window.open, blank", { ...opened, url: "" }, { tabId: 2, url: "about:blank" }, true],
    ["window.open, already on its way", opened, { tabId: 2, url: "https://a.test/x" }, true],
    ["window.open and the person's new tab", opened, { tabId: 2, url: "chrome://newtab/" }, false],
    ["modified click", clicked, { tabId: 2, url: "https://a.test/x" }, true],
    ["modified click and another address", clicked, { tabId: 2, url: "https://a.test/y" }, false],
    ["modified click and a tab without address", clicked, { tabId: 2, url: "" }, false],
  ];
  for (const [name, evidence, tab, wanted] of cases) {
    const told = new Children();
    assert.equal(told.evidence(evidence, 0), null);
    assert.equal(told.created(tab, 10) !== null, wanted, name);
    const seen = new Children();
    assert.equal(seen.created(tab, 0), null);
    assert.equal(seen.evidence(evidence, 10) !== null, wanted, `${name}, the other way round`);
  }
});

test("a tab that was there before a modified click is somebody else's, whatever its address", () => {
  const children = new Children();
  children.created({ tabId: 2, url: clicked.url }, 0);
  assert.equal(children.evidence(clicked, LIMITS.childOrderMs + 1), null);
  assert.equal(children.created({ tabId: 3, url: clicked.url }, LIMITS.childOrderMs + 5)?.tabId, 3);
});

test("evidence explains one tab, and not for long", () => {
  const children = new Children();
  children.evidence(opened, 0);
  assert.equal(children.created({ tabId: 2, url: "" }, LIMITS.childMs)?.tabId, 2);
  assert.equal(children.created({ tabId: 3, url: "" }, LIMITS.childMs), null);
  children.evidence(clicked, 10_000);
  assert.equal(children.created({ tabId: 4, url: clicked.url }, 10_001 + LIMITS.childMs), null);
});

test("evidence that pointed at a wrong tab finds the right one, within its time", () => {
  const children = new Children();
  children.evidence(opened, 0);
  const wrong = children.created({ tabId: 2, url: "" }, 5);
  children.created({ tabId: 3, url: "" }, 6);
  assert.equal(children.evidence(wrong.evidence, 10)?.tabId, 3);
});
