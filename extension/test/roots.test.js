// Which shadow roots of a described document are closed and the page's own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { closedIn } from "../src/roots.js";

const root = (shadowRootType, backendNodeId, ...children) => ({ shadowRootType, backendNodeId, children });

test("closed roots are found at any depth; those of frames and of the browser's own controls are not", () => {
  const frame = { children: [{ shadowRoots: [root("closed", 1)] }] };
  const document = {
    children: [
      { shadowRoots: [root("open", 2, { shadowRoots: [root("closed", 3, { shadowRoots: [root("closed", 4)] })] })] },
      { shadowRoots: [root("user-agent", 5, { shadowRoots: [root("closed", 6)] })] },
      { contentDocument: frame, children: [{}] },
    ],
  };
  assert.deepEqual(closedIn(document).sort(), [3, 4]);
  assert.deepEqual(closedIn({}), []);
});
