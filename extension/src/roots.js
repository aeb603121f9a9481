// Nodes handed to the page agent by the debugger: closed shadow roots, hidden from every script of a page, and named ones.
import { LIMITS } from "./protocol.js";

/** Every closed shadow root of one document as `{objectId}`s of the agent's world, held in `group` until `forget`. `send`
 * goes to that world's session. */
export async function closedRoots(world, send, group) {
  const asked = { expression: "document", uniqueContextId: world.uniqueId, objectGroup: group };
  const { result } = await send("Runtime.evaluate", asked);
  const { node } = await send("DOM.describeNode", { objectId: result.objectId, depth: -1, pierce: true });
  return Promise.all(closedIn(node).slice(0, LIMITS.closedRoots).map((id) => named(world, send, id, group)));
}

/** A node that the browser names by its own number, as `{objectId}` of the agent's world. */
export async function named(world, send, backendNodeId, group) {
  const params = { backendNodeId, executionContextId: world.contextId, objectGroup: group };
  const { object } = await send("DOM.resolveNode", params);
  return { objectId: object.objectId };
}

export function forget(send, group) {
  send("Runtime.releaseObjectGroup", { objectGroup: group }).catch(() => {});
}

/** Frames are documents of their own and what the browser draws inside of its controls is not the page's. */
export function closedIn(document) {
  const found = [];
  const waiting = [document];
  while (waiting.length > 0) {
    const { children = [], shadowRoots = [] } = waiting.pop();
    const own = shadowRoots.filter(({ shadowRootType }) => shadowRootType !== "user-agent");
    found.push(...own.filter(({ shadowRootType }) => shadowRootType === "closed").map(({ backendNodeId }) => backendNodeId));
    waiting.push(...children, ...own);
  }
  return found;
}
