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
  const fetched = await fetchEarly(files, folder, report);
  await fetched.verified;
  return fetched.files;
}

/**
 * The same, except that the WebAssembly may still be under way, so that the browser compiles what has arrived.
 * Nothing of a log may be read before `verified` is kept.
 * @returns {Promise<{files: Map<string, Response|Promise<WebAssembly.Module>>, verified: Promise<void>}>}
 */
export async function fetchEarly(files, folder, report) {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  let loaded = 0;
  let told = 0;
  const count = (bytes) => {
    loaded += bytes;
    if (performance.now() - told < PAUSE_MS && loaded < total) return;
    told = performance.now();
    report(loaded, total);
  };
  const fetched = await Promise.all(files.map((file) => fetchOne(file, new URL(file.name, folder).href, count)));
  const verified = Promise.all(fetched.map(([, , checked]) => checked)).then(() => {});
  verified.catch(() => {}); // whoever waits for it hears of it
  return { files: new Map(fetched), verified };
}

const PAUSE_MS = 50; // a message for each piece of the network would keep the page busier than the download

async function fetchOne(file, url, count) {
  const response = await reach(file, url);
  const copy = response.clone(); // the original stays a network response, so the browser may keep its compiled code
  const checked = check(file, copy, count);
  if (response.headers.get("content-type") === "application/wasm") {
    checked.catch(() => {});
    return [url, compiled(response), checked];
  }
  const bytes = await checked;
  return [url, url.endsWith(".wasm") ? compiled(asWasm(bytes)) : response, checked];
}

async function check(file, response, count) {
  const bytes = await read(response, file.size, count);
  if (bytes.byteLength !== file.size) throw trouble("altered", `${file.name}: ${bytes.byteLength} of ${file.size} bytes`);
  const subtle = globalThis.crypto?.subtle; // absent on plain http: there the request carried the hash itself
  if (subtle && hex(await subtle.digest("SHA-256", bytes)) !== file.sha256) throw trouble("altered", file.name);
  return bytes;
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

/** Compile what arrives while it arrives. */
function compiled(response) {
  const module = WebAssembly.compileStreaming(response);
  module.catch(() => {}); // told to whoever waits for it
  return module;
}

/** Some servers call WebAssembly by another type; the browser would refuse to stream it. */
const asWasm = (bytes) => new Response(bytes, { headers: { "content-type": "application/wasm" } });

const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

const base64 = (digest) => btoa(String.fromCharCode(...digest.match(/../g).map((pair) => parseInt(pair, 16))));

const trouble = (code, detail) => Object.assign(new Error(detail), { code });
