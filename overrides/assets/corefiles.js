// SPDX-License-Identifier: MIT
/**
 * Fetches the engine's files, counts their bytes and compares each with the hash that the site published.
 *
 * A page behind a captive portal or a rewriting proxy gets HTML with status 200; run as WebAssembly it would hang
 * without a word. Here every wrong file has a name and a reason.
 */

/**
 * @param {import("./messages.js").CoreFile[]} files
 * @param {string} folder absolute URL
 * @param {(loaded: number, total: number) => void} report
 * @returns {Promise<Map<string, Response>>} by absolute URL, each body complete and verified
 */
export async function fetchVerified(files, folder, report) {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  let loaded = 0;
  const count = (bytes) => report((loaded += bytes), total);
  const fetched = await Promise.all(files.map((file) => fetchOne(file, new URL(file.name, folder).href, count)));
  return new Map(fetched);
}

async function fetchOne(file, url, count) {
  const response = await reach(file, url);
  const copy = response.clone(); // the original stays a network response, so the browser may keep its compiled code
  const bytes = await read(copy, file.size, count);
  if (bytes.byteLength !== file.size) throw trouble("altered", `${file.name}: ${bytes.byteLength} of ${file.size} bytes`);
  const subtle = globalThis.crypto?.subtle; // absent on plain http: there the request carried the hash itself
  if (subtle && hex(await subtle.digest("SHA-256", bytes)) !== file.sha256) throw trouble("altered", file.name);
  return [url, response.headers.get("content-type") === "application/wasm" || !url.endsWith(".wasm") ? response : asWasm(bytes)];
}

async function reach(file, url) {
  const options = { credentials: "same-origin" };
  if (!globalThis.crypto?.subtle) options.integrity = `sha256-${base64(file.sha256)}`;
  let response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    throw trouble("missing", `${file.name}: ${error.message}`);
  }
  if (!response.ok) throw trouble("missing", `${file.name}: the server answered ${response.status}`);
  return response;
}

async function read(response, expected, count) {
  const whole = new Uint8Array(expected);
  const reader = response.body.getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return whole.subarray(0, at);
    if (at + value.byteLength > expected) throw trouble("altered", `${response.url.split("/").pop()}: longer than published`);
    whole.set(value, at);
    at += value.byteLength;
    count(value.byteLength);
  }
}

/** Some servers call WebAssembly by another type; the browser would refuse to stream it. */
const asWasm = (bytes) => new Response(bytes, { headers: { "content-type": "application/wasm" } });

const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

const base64 = (digest) => btoa(String.fromCharCode(...digest.match(/../g).map((pair) => parseInt(pair, 16))));

const trouble = (code, detail) => Object.assign(new Error(detail), { code });
