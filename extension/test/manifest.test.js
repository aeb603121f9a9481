// What the extension may do at all.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";

const read = (path) => readFile(new URL(`../${path}`, import.meta.url), "utf8");
const manifest = JSON.parse(await read("manifest.json"));

test("the extension may do what it needs and nothing else", () => {
  assert.deepEqual(manifest.permissions, ["debugger", "nativeMessaging", "tabs", "tabGroups", "storage", "alarms"]);
  assert.equal(manifest.content_security_policy.extension_pages, "script-src 'self'; object-src 'none'");
  for (const absent of ["host_permissions", "optional_permissions", "content_scripts", "externally_connectable", "web_accessible_resources", "update_url"]) {
    assert.equal(manifest[absent], undefined, absent);
  }
});

test("its id follows from its public key", async () => {
  const digest = createHash("sha256").update(Buffer.from(manifest.key, "base64")).digest("hex").slice(0, 32);
  const id = [...digest].map((digit) => "abcdefghijklmnop"[parseInt(digit, 16)]).join("");
  assert.equal((await read("ID")).trim(), id);
});

test("nobody outside is listened to, and no code is made from text", async () => {
  const files = ["sw.js", "ui/popup.js", ...(await readdir(new URL("../src", import.meta.url))).map((name) => `src/${name}`)];
  for (const file of files) {
    const text = await read(file);
    for (const word of ["onMessageExternal", "onConnectExternal", "innerHTML", "eval(", "new Function", "fetch(", "XMLHttpRequest", "new WebSocket"]) {
      assert.ok(!text.includes(word), `${file}: ${word}`);
    }
  }
});
