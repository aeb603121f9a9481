// Which document each frame of a tab holds, by the browser process's word: frames, loaders, origins, agent worlds. Pure.
import { clip, LIMITS, WORLD } from "./protocol.js";

export class Docs {
  #frames = new Map();
  /** Session → frame → world. A process that a frame has left may speak of it after the one it went to. */
  #worlds = new Map();
  #main = null;
  /** Counts the documents that came. */
  clock = 0;

  constructor(tabId) {
    this.tabId = tabId;
  }

  frame(frameId) {
    return this.#frames.get(frameId ?? this.#main) ?? null;
  }

  get mainFrameId() {
    return this.#main;
  }

  /** The wire's `doc` of a frame, the main one unless told. */
  doc(frameId) {
    const frame = this.frame(frameId);
    if (!frame) return null;
    const { loaderId, origin, url, unreachable } = frame;
    return { tabId: this.tabId, frameId: frame.frameId, loaderId, origin, url, unreachable };
  }

  /** Where the agent lives in a frame: `{session, uniqueId, contextId}`. None while another document is on its way in. */
  world(frameId) {
    const frame = this.frame(frameId);
    return frame && !frame.leaving ? (this.#worlds.get(frame.session)?.get(frame.frameId) ?? null) : null;
  }

  get worlds() {
    return [...this.#worlds.values()].flatMap((ofSession) => [...ofSession.values()]);
  }

  /** Every frame, the main one first, parents before children. */
  list() {
    const byParent = groupByParent(this.#frames.values());
    const out = [];
    const visit = (frame) => {
      const { frameId, parentId, loaderId, origin, url, session } = frame;
      if (frame.session === null) return;
      out.push({ frameId, ...(parentId && { parentId }), loaderId, origin, url, ...(session && { session }) });
      for (const child of byParent.get(frameId) ?? []) visit(child);
    };
    const main = this.frame();
    if (main) visit(main);
    return out;
  }

  /** Frames on their way to another process, and those that hold no document yet. */
  get moving() {
    return [...this.#frames.values()].some(({ session }) => session === null);
  }

  get empty() {
    return [...this.#frames.values()].some(({ loaderId }) => loaderId === "");
  }

  /** Takes the answer of `Page.getFrameTree` of one session, asked at `clock`: what came since is newer. */
  seed(session, tree, clock = this.clock) {
    const known = this.#frames.get(tree.frame.id);
    // A frame that moves between processes is told by both sides: what one says is not older than the other's words.
    if (known?.session === session && known.since > clock) return;
    this.#upsert(session, tree.frame);
    for (const child of tree.childFrames ?? []) this.seed(session, child, clock);
  }

  /** A child session has ended; frames that have moved elsewhere stay. */
  drop(session) {
    for (const frame of [...this.#frames.values()]) if (frame.session === session) this.#frames.delete(frame.frameId);
    this.#worlds.delete(session);
  }

  clear() {
    this.#frames.clear();
    this.#worlds.clear();
    this.#main = null;
  }

  /** Takes one event. A change of document is returned as `{doc, main, sameDocument}`. */
  apply(session, method, params) {
    switch (method) {
      case "Page.frameNavigated":
        return this.#navigated(session, params);
      case "Page.navigatedWithinDocument":
        return this.#moved(params);
      case "Page.frameAttached":
        this.#attached(session, params);
        return null;
      case "Page.frameDetached":
        this.#detached(session, params);
        return null;
      case "Runtime.executionContextCreated":
        this.#worldCreated(session, params.context);
        return null;
      case "Runtime.executionContextDestroyed":
        this.#worldGone(session, params.executionContextUniqueId);
        return null;
      case "Runtime.executionContextsCleared":
        this.#leaving(session);
        return null;
      default:
        return null;
    }
  }

  #navigated(session, { frame, type }) {
    const restored = type === "BackForwardCacheRestore";
    for (const child of [...this.#frames.values()]) {
      if (child.parentId !== frame.id) continue;
      // The worlds of a restored document's frames have been told before the document itself.
      if (restored) this.#frames.delete(child.frameId);
      else this.#remove(child.frameId);
    }
    this.#upsert(session, frame);
    this.#frames.get(frame.id).since = this.clock += 1;
    return { doc: this.doc(frame.id), main: frame.id === this.#main, sameDocument: false };
  }

  #upsert(session, frame) {
    const before = this.#frames.get(frame.id);
    const unreachable = Boolean(frame.unreachableUrl);
    const parentId = frame.parentId ?? before?.parentId;
    if (session === "" && !frame.parentId) this.#main = frame.id;
    this.#frames.set(frame.id, {
      frameId: frame.id,
      parentId,
      loaderId: frame.loaderId,
      // The browser writes an opaque origin in several ways.
      origin: /^[a-z][a-z0-9+.-]*:\/\/./.test(frame.securityOrigin ?? "") ? frame.securityOrigin : "null",
      url: clip(unreachable ? frame.unreachableUrl : `${frame.url}${frame.urlFragment ?? ""}`, LIMITS.urlChars),
      unreachable,
      session,
    });
  }

  #moved({ frameId, url }) {
    const frame = this.#frames.get(frameId);
    if (!frame || frame.url === url) return null;
    frame.url = clip(url, LIMITS.urlChars);
    return { doc: this.doc(frameId), main: frameId === this.#main, sameDocument: true };
  }

  #attached(session, { frameId, parentFrameId }) {
    if (this.#frames.has(frameId)) return;
    this.#frames.set(frameId, {
      frameId, parentId: parentFrameId, loaderId: "", origin: "null", url: "", unreachable: false, session,
    });
  }

  #detached(session, { frameId, reason }) {
    const frame = this.#frames.get(frameId);
    if (!frame || frame.session !== session) return;
    // A swapped frame comes back under another session; its place in the tree is known only here.
    if (reason === "swap") frame.session = null;
    else this.#remove(frameId);
  }

  #remove(frameId) {
    this.#frames.delete(frameId);
    for (const worlds of this.#worlds.values()) worlds.delete(frameId);
    for (const child of [...this.#frames.values()]) if (child.parentId === frameId) this.#remove(child.frameId);
  }

  #worldCreated(session, context) {
    const frameId = context.auxData?.frameId;
    if (context.name !== WORLD || !frameId) return;
    if (!this.#worlds.has(session)) this.#worlds.set(session, new Map());
    this.#worlds.get(session).set(frameId, { session, uniqueId: context.uniqueId, contextId: context.id });
  }

  #worldGone(session, uniqueId) {
    const worlds = this.#worlds.get(session) ?? new Map();
    for (const [frameId, world] of worlds) if (world.uniqueId === uniqueId) worlds.delete(frameId);
  }

  /** A document goes; what comes next may tell its worlds before its name. */
  #leaving(session) {
    this.#worlds.delete(session);
    for (const frame of this.#frames.values()) if (frame.session === session) frame.leaving = true;
  }
}

function groupByParent(frames) {
  const out = new Map();
  for (const frame of frames) out.set(frame.parentId, [...(out.get(frame.parentId) ?? []), frame]);
  return out;
}
