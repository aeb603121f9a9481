// Tests: messages in parts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Joiner, needsParts, split } from "../src/parts.js";
import { LIMITS } from "../src/protocol.js";

const TEXTS = {
  ascii: "x".repeat(1000),
  "two bytes": "é".repeat(500),
  "three bytes": "漢字".repeat(300),
  "four bytes": "😀".repeat(300),
  mixed: "aé漢😀\\\"\n".repeat(200),
  short: "{}",
};

test("a text comes back whole, whatever its characters and the order of its parts", () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    for (const size of [7, 64, 10_000]) {
      const parts = split(text, 1, size);
      assert.ok(parts.every((part) => Buffer.byteLength(part.text) <= size && part.text.isWellFormed()), name);
      for (const order of [parts, [...parts].reverse()]) {
        const joiner = new Joiner();
        const whole = order.map((part) => joiner.push(part, 0)).filter((done) => done !== null);
        assert.deepEqual(whole, [text], `${name} in ${size}`);
        assert.equal(joiner.open, 0);
      }
    }
  }
});

test("a part escaped again stays within a frame", () => {
  const [part] = split("\\\"".repeat(LIMITS.partBytes), 1);
  assert.ok(Buffer.byteLength(JSON.stringify(part)) < LIMITS.frameBytes);
});

test("only what may not fit a frame is cut", () => {
  assert.equal(needsParts("x".repeat(10), 10), false);
  assert.equal(needsParts("x".repeat(11), 10), true);
  assert.equal(needsParts("é".repeat(5), 10), false);
  assert.equal(needsParts("é".repeat(6), 10), true);
});

const part = (more) => ({ t: "part", xfer: 1, i: 0, n: 2, bytes: 4, text: "ab", ...more });

test("a part that breaks a rule ends its transfer", () => {
  const cases = {
    "twice the same": [part(), part()],
    "another count": [part(), part({ i: 1, n: 3 })],
    "another size": [part(), part({ i: 1, bytes: 5 })],
    "out of range": [part({ i: 2 })],
    "negative": [part({ i: -1 })],
    "no text": [part({ text: 7 })],
    "too many bytes": [part(), part({ i: 1, text: "cde" })],
    "too few bytes": [part(), part({ i: 1, text: "c" })],
    "no parts": [part({ n: 0 })],
    "endless parts": [part({ n: 1e9, bytes: 2e9 })],
    "too large": [part({ bytes: LIMITS.partedBytes + 1 })],
    "no number": [part({ xfer: "1" })],
  };
  for (const [name, parts] of Object.entries(cases)) {
    const joiner = new Joiner();
    assert.throws(() => parts.forEach((each) => joiner.push(each, 0)), undefined, name);
    assert.equal(joiner.open, 0, name);
  }
});

test("two transfers at a time, each for a while", () => {
  const joiner = new Joiner();
  joiner.push(part(), 0);
  joiner.push(part({ xfer: 2 }), 1000);
  assert.throws(() => joiner.push(part({ xfer: 3 }), 1000), { code: "busy" });
  joiner.push(part({ xfer: 3 }), LIMITS.partedMs + 1);
  assert.equal(joiner.open, 2);
  assert.equal(joiner.push(part({ xfer: 3, i: 1, text: "cd" }), LIMITS.partedMs + 2), "abcd");
});
