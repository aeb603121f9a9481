// Takes the official schema of each revision out of the conformance runner, which carries them as object literals.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";

const [runner, folder] = process.argv.slice(2);
// In the order of the runner's file. The digest is of the schema's JSON without white space.
const REVISIONS = [
  ["2025-11-25", "b32ce75512806aae3db206eff3b9851a9f17033793b21da14c2a7e8b154443be"],
  ["2026-07-28", "b759f2b40b2798616862d86b067428bf699bcb7fbd6494904a4c977e99f0e09e"],
];
const HEAD = "{$schema:`https://json-schema.org/draft/2020-12/schema`,$defs:";

/** The object literal that starts at `start`: the first cut at a closing brace that parses. */
function literal(source, start) {
  for (let end = source.indexOf("type:`object`}}}", start); end > 0; end = source.indexOf("}", end + 1)) {
    try {
      return runInNewContext(`(${source.slice(start, end + 1)})`);
    } catch {
      // Not its end yet.
    }
  }
  throw new Error("the runner's schema has no end");
}

const source = readFileSync(runner, "utf8");
mkdirSync(folder, { recursive: true });
let start = -1;
for (const [revision, digest] of REVISIONS) {
  start = source.indexOf(HEAD, start + 1);
  if (start < 0) throw new Error(`the runner carries no schema of ${revision}`);
  const text = JSON.stringify(literal(source, start));
  const found = createHash("sha256").update(text).digest("hex");
  if (found !== digest) throw new Error(`the schema of ${revision} is not the one reviewed: ${found}`);
  writeFileSync(join(folder, `${revision}.json`), text);
}
