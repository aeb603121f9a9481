// Tests: requests as the wire tells them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { REQUESTS } from "../src/requests.js";

const request = (url, more) => ({ url, method: "POST", headers: { Accept: "*/*", Authorization: "Bearer s3cret" }, ...more });

test("a request, its redirect and its answer", () => {
  const start = REQUESTS.requestWillBeSent({ type: "XHR", frameId: "F", request: request("http://a.test/", { hasPostData: true }), timestamp: 1.5 });
  assert.deepEqual(start, {
    what: "start", kind: "XHR", frameId: "F", method: "POST", url: "http://a.test/", at: 1500, sent: true,
    headers: [["Accept", "*/*"], ["Authorization", "[redacted]"]],
  });
  const hop = REQUESTS.requestWillBeSent({ type: "XHR", request: request("http://b.test/"), redirectResponse: { status: 302 }, timestamp: 2 });
  assert.deepEqual([hop.what, hop.status, hop.url], ["redirect", 302, "http://b.test/"]);
  const head = REQUESTS.responseReceived({ response: { status: 200, mimeType: "text/html", headers: { "Set-Cookie": "s3cret" }, fromDiskCache: true }, timestamp: 3 });
  assert.deepEqual(head, { what: "head", status: 200, mime: "text/html", at: 3000, from: "cache", headers: [["Set-Cookie", "[redacted]"]] });
});

test("no secret header leaves the browser, whatever its case", () => {
  const names = ["cookie", "COOKIE", "Set-Cookie", "authorization", "Proxy-Authorization", "X-Api-Key", "x-csrf-token", "X-Auth-Token", "Session-Id"];
  const headers = Object.fromEntries(names.map((name) => [name, "s3cret"]));
  const head = REQUESTS.responseReceived({ response: { status: 200, mimeType: "", headers }, timestamp: 1 });
  assert.equal(JSON.stringify(head).includes("s3cret"), false);
});

test("what is written into the page itself is no request, and each fact is bounded", () => {
  assert.equal(REQUESTS.requestWillBeSent({ request: request("data:text/plain,x") }), null);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`h${i}`, "v".repeat(9999)]));
  const { headers, url } = REQUESTS.requestWillBeSent({ request: { url: `http://a.test/${"x".repeat(99_999)}`, method: "GET", headers: many } });
  assert.ok(JSON.stringify([headers, url]).length < 20_000);
});

test("a failure has its reason", () => {
  const failed = REQUESTS.loadingFailed({ errorText: "net::ERR_FAILED", corsErrorStatus: { corsError: "MissingAllowOriginHeader" }, timestamp: 1 });
  assert.deepEqual(failed, { what: "failed", error: "net::ERR_FAILED", canceled: false, at: 1000, why: "MissingAllowOriginHeader" });
});
