// Tests: what a page said, in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { logged, said, thrown, words } from "../src/console.js";

const text = (value) => ({ type: "string", value });
const number = (value) => ({ type: "number", value, description: String(value) });
const object = (preview, description = "Object") => ({ type: "object", description, preview: { type: "object", description, ...preview } });

test("arguments read as in the browser's own console", () => {
  const point = object({ properties: [{ name: "x", type: "number", value: "1" }, { name: "s", type: "string", value: 'a"b' }], overflow: true });
  const list = object({ subtype: "array", properties: [{ name: "0", type: "number", value: "1" }, { name: "1", type: "object", value: "Array(2)" }] });
  const map = object({ subtype: "map", description: "Map(1)", properties: [], entries: [{ key: { type: "string", description: "k" }, value: { type: "number", description: "2" } }] });
  const cases = [
    [[text("a"), number(1)], "a 1"],
    [[text("%s is %d of %f%%"), text("x"), number(1.9), number(2.5), text("more")], "x is 1 of 2.5% more"],
    [[text("%cstyled"), text("color: red")], "styled"],
    [[text("100% %s")], "100% %s"],
    [[{ type: "undefined" }, { type: "object", subtype: "null", value: null }, { type: "boolean", value: false }], "undefined null false"],
    [[{ type: "bigint", unserializableValue: "5n", description: "5n" }], "5n"],
    [[point], '{x: 1, s: "a\\"b", …}'],
    [[list], "[1, Array(2)]"],
    [[map], 'Map(1) {"k" => 2}'],
    [[object({ description: "Point", properties: [{ name: "f", type: "function", value: "" }] })], "Point {f: function}"],
    [[{ type: "object", subtype: "node", description: "div#id.cls" }], "div#id.cls"],
    [[{ type: "object", subtype: "error", description: "Error: x\n    at f", preview: { properties: [] } }], "Error: x\n    at f"],
    [[], ""],
  ];
  for (const [args, expected] of cases) assert.equal(words(args), expected);
});

test("a line has its level, its place and a bound", () => {
  const stackTrace = { callFrames: [{ url: "http://a.test/x.js", lineNumber: 4, columnNumber: 0 }] };
  assert.deepEqual(said({ type: "warning", args: [text("careful")], stackTrace }),
    { level: "warning", text: "careful", url: "http://a.test/x.js", line: 5, column: 1 });
  assert.equal(said({ type: "log", args: [text("x".repeat(9999))] }).text.length, 2048);
  assert.equal(said({ type: "startGroup", args: [text("g")] }).level, "group");
  assert.equal(said({ type: "endGroup", args: [text("console.groupEnd")] }), null);
});

test("an exception says what was thrown, once, and where", () => {
  const at = { url: "http://a.test/", lineNumber: 9, columnNumber: 2 };
  const error = { text: "Uncaught (in promise)", exception: { type: "object", subtype: "error", description: "Error: no" }, ...at };
  assert.deepEqual(thrown({ exceptionDetails: error }),
    { level: "exception", text: "Uncaught (in promise) Error: no", url: "http://a.test/", line: 10, column: 3 });
  assert.equal(thrown({ exceptionDetails: { text: "Uncaught", exception: { type: "number", value: 42 } } }).text, "Uncaught 42");
  assert.equal(thrown({ exceptionDetails: { text: "SyntaxError: x" } }).text, "SyntaxError: x");
});

test("the browser's own words name their kind", () => {
  const entry = { level: "verbose", text: "slow", source: "violation", url: "http://a.test/", lineNumber: 0, timestamp: 1 };
  assert.deepEqual(logged({ entry }), { level: "debug", text: "slow", source: "violation", url: "http://a.test/", line: 1 });
});
