// SPDX-License-Identifier: MIT
/**
 * Takes away every way out of the worker before a log byte arrives.
 *
 * The page's policy already refuses other origins; this is the second lock, and it also closes the own origin, where
 * a log line could ride in a query. Storage goes too: a log is never kept.
 */
const WAYS_OUT = [
  "fetch", "fetchLater", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource",
  "importScripts", "Worker", "SharedWorker", "BroadcastChannel", "RTCPeerConnection",
  "caches", "indexedDB", "cookieStore",
];

/** @param {object} scope the worker's global object */
export function removeNetwork(scope) {
  for (const name of WAYS_OUT) {
    for (let owner = scope; owner; owner = Object.getPrototypeOf(owner)) delete owner[name];
    Object.defineProperty(scope, name, { value: undefined, writable: false, configurable: false });
  }
}
