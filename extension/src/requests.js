// What a page asked of the network: each request from its start over its redirects to its end. Pure but for what is under way.
import { clip } from "./protocol.js";

const HEADERS = 40;
const HEADER_CHARS = 256;
/** Their values stay in the browser. */
const SECRET = /^(proxy-)?authorization$|cookie|token|secret|api-?key|session|csrf|xsrf|password|credential/i;

/** By CDP event: the wire's facts, or null for what is no request. */
export const REQUESTS = {
  requestWillBeSent({ type, request, frameId, redirectResponse, timestamp }) {
    // Content written into the page itself: nothing was asked.
    if (/^data:/i.test(request.url)) return null;
    const asked = { method: request.method, url: clip(request.url), at: ms(timestamp), headers: heads(request.headers) };
    if (redirectResponse) return { what: "redirect", status: redirectResponse.status, ...asked };
    const sent = request.hasPostData === true || request.postData !== undefined;
    return { what: "start", kind: type ?? "Other", frameId, ...asked, ...(sent && { sent }) };
  },

  responseReceived({ response, timestamp }) {
    const { status, mimeType, headers, fromDiskCache, fromServiceWorker, fromPrefetchCache } = response;
    const from = (fromServiceWorker && "service worker") || (fromDiskCache && "cache") || (fromPrefetchCache && "prefetch");
    return { what: "head", status, mime: clip(mimeType, 100), at: ms(timestamp), headers: heads(headers), ...(from && { from }) };
  },

  requestServedFromCache: () => ({ what: "cached" }),

  loadingFinished: ({ encodedDataLength, timestamp }) => ({ what: "done", bytes: Math.max(encodedDataLength, 0), at: ms(timestamp) }),

  loadingFailed({ errorText, canceled, blockedReason, corsErrorStatus, timestamp }) {
    const why = blockedReason ?? corsErrorStatus?.corsError;
    return { what: "failed", error: clip(errorText, 200), canceled: canceled === true, at: ms(timestamp), ...(why && { why: clip(why, 100) }) };
  },

  webSocketCreated: ({ url }) => ({ what: "start", kind: "WebSocket", method: "GET", url: clip(url), headers: [] }),

  webSocketHandshakeResponseReceived: ({ response, timestamp }) =>
    ({ what: "head", status: response.status, mime: "", at: ms(timestamp), headers: heads(response.headers) }),

  webSocketFrameError: ({ errorMessage, timestamp }) => ({ what: "failed", error: clip(errorMessage, 200), canceled: false, at: ms(timestamp) }),

  webSocketClosed: ({ timestamp }) => ({ what: "done", bytes: 0, at: ms(timestamp) }),
};

const ms = (seconds) => (seconds === undefined ? undefined : Math.round(seconds * 1000));

/** Name and value, the values of secret ones left out. */
function heads(headers = {}) {
  const list = Object.entries(headers).slice(0, HEADERS);
  return list.map(([name, value]) => [clip(name, 100), SECRET.test(name) ? "[redacted]" : clip(value, HEADER_CHARS)]);
}
