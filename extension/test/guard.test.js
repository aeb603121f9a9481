// Tests: what is allowed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDestination, checkGuard, isWorkable, methodKind } from "../src/guard.js";

const code = (work) => {
  try {
    work();
    return "ok";
  } catch (fault) {
    return fault.code;
  }
};

test("an agent goes to the web, to about:blank, and to files only where the person allowed it", () => {
  const cases = {
    "http://localhost:8080/x": "ok",
    "https://example.org": "ok",
    "HTTPS://EXAMPLE.ORG/": "ok",
    "about:blank": "ok",
    "about:blank#x": "ok",
    "about:version": "restricted_page",
    "about:blankets": "restricted_page",
    "chrome://settings": "restricted_page",
    "chrome-extension://abc/ui/popup.html": "restricted_page",
    "devtools://devtools/x": "restricted_page",
    "javascript:alert(1)": "restricted_page",
    " javascript:alert(1)": "restricted_page",
    "java\nscript:alert(1)": "restricted_page",
    "data:text/html,x": "restricted_page",
    "blob:https://example.org/1": "restricted_page",
    "view-source:https://example.org": "restricted_page",
    "filesystem:https://example.org/x": "restricted_page",
    "ftp://example.org": "restricted_page",
    "file:///etc/passwd": "restricted_page",
    "example.org": "bad_request",
    "": "bad_request",
  };
  for (const [url, wanted] of Object.entries(cases)) assert.equal(code(() => checkDestination(url, false)), wanted, url);
  assert.equal(code(() => checkDestination(undefined, false)), "bad_request");
  assert.equal(code(() => checkDestination("file:///tmp/x", true)), "ok");
});

test("a document at an address of the browser or an extension is not worked in", () => {
  for (const url of ["http://x/", "https://x/", "about:blank", "about:srcdoc", "blob:https://x/1", "", "chrome-error://chromewebdata/"]) {
    assert.ok(isWorkable(url, false), url);
  }
  for (const url of ["chrome://x", "chrome-extension://x/", "devtools://x", "file:///x", "data:text/html,x", "blob:chrome-extension://x/1", "chrome-untrusted://x"]) {
    assert.ok(!isWorkable(url, false), url);
  }
  assert.ok(isWorkable("file:///x", true));
});

test("a method is on the list or refused, whatever its name", () => {
  const kinds = { "Page.navigate": "effect", "Input.insertText": "effect", "Runtime.evaluate": "ask", "DOM.describeNode": "read" };
  for (const [method, kind] of Object.entries(kinds)) assert.equal(methodKind(method), kind);
  for (const method of ["Storage.getCookies", "page.navigate", "Page.navigate ", "constructor", "__proto__", "", undefined, null, 7, {}]) {
    assert.equal(code(() => methodKind(method)), "unsupported", String(method));
  }
});

test("a guard holds for the same document in the same frame only", () => {
  const guard = { frameId: "F", loaderId: "L" };
  assert.equal(code(() => checkGuard(undefined, null)), "ok");
  assert.equal(code(() => checkGuard(guard, { frameId: "F", loaderId: "L" })), "ok");
  assert.equal(code(() => checkGuard(guard, { frameId: "F", loaderId: "M" })), "stale_document");
  assert.equal(code(() => checkGuard(guard, null)), "stale_document");
  assert.equal(code(() => checkGuard({}, null)), "bad_request");
});
