// SPDX-License-Identifier: MIT
/**
 * The memory of a started engine, kept in this browser, so that the next start begins where the last one was ready.
 *
 * It is made of a second Python that no log has been near (worker.js), lies beside the offline copy of the same build,
 * and goes when that goes. What is not exactly what was kept, or was made by another browser, is not used.
 */
const PAGE = 4096; // the memory is mostly zeros: only pages that hold anything are kept
const NAME = "memory.snapshot";

/** @returns {Promise<Uint8Array|null>} null where none was kept; what cannot be used is an error */
export async function keptMemory(folder) {
  const response = await caches.match(new URL(NAME, folder).href, { cacheName: copyOf(folder) });
  if (!response) return null;
  if (response.headers.get("x-firstfault-browser") !== navigator.userAgent) throw new Error(`${NAME} is of another browser`);
  const data = await response.arrayBuffer();
  if (response.headers.get("x-firstfault-sha256") !== (await hash(data))) throw new Error(`${NAME} is damaged`);
  return spread(data);
}

/**
 * What is to be kept, as the page keeps it; by then the worker can keep nothing.
 * @param {Uint8Array} memory as Pyodide gives it
 * @returns {Promise<{data: Blob, sha256: string}>}
 */
export async function sealed(memory) {
  const data = gathered(memory);
  return { data: new Blob([data]), sha256: await hash(data) };
}

export async function keepMemory(folder, { data, sha256 }) {
  const headers = { "content-type": "application/octet-stream", "x-firstfault-browser": navigator.userAgent, "x-firstfault-sha256": sha256 };
  const copy = await caches.open(copyOf(folder));
  await copy.put(new URL(NAME, folder).href, new Response(data, { headers }));
}

export async function forgetMemory(folder) {
  if (await caches.has(copyOf(folder))) await (await caches.open(copyOf(folder))).delete(new URL(NAME, folder).href);
}

/** Name of the offline copy's own cache of this build (serviceworker.js), which is deleted with the build. */
function copyOf(folder) {
  const build = folder.split("/").at(-2);
  return `firstfault:${new URL("../../../", folder).pathname}:engine:${build}`;
}

/** Length, number of pages, their places, then their bytes. */
function gathered(memory) {
  const words = new Uint32Array(memory.buffer, memory.byteOffset, memory.byteLength >> 2);
  const places = [];
  for (let at = 0; at < words.length; at += PAGE >> 2) if (words.subarray(at, at + (PAGE >> 2)).some(Boolean)) places.push(at << 2);
  const head = new Uint32Array([memory.byteLength, places.length, ...places]);
  const data = new Uint8Array(head.byteLength + places.length * PAGE);
  data.set(new Uint8Array(head.buffer));
  places.forEach((place, index) => data.set(memory.subarray(place, place + PAGE), head.byteLength + index * PAGE));
  return data;
}

function spread(data) {
  const [length, count] = new Uint32Array(data, 0, 2);
  const places = new Uint32Array(data, 8, count);
  const memory = new Uint8Array(length);
  places.forEach((place, index) => {
    const start = 8 + count * 4 + index * PAGE;
    memory.set(new Uint8Array(data, start, Math.min(PAGE, length - place)), place);
  });
  return memory;
}

async function hash(data) {
  return Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", data)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
