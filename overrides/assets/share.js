// SPDX-License-Identifier: MIT
/**
 * A verdict as a link: masked, cut, packed into the fragment, which no browser sends to a server.
 *
 * `#v1:` names the form and the packing (JSON, deflate, base64url); another version is another word before the colon.
 */
import { form, MEASURES } from "./sharedform.js";

const PREFIX = "#v1:";
const LONGEST_LINK = 16_000; // characters; chats and mail programs cut longer ones
const LONGEST_READ = 64_000;
const LARGEST = 1_000_000; // bytes after unpacking: more is no verdict of ours

/** The link could not be read; the message says why, for people. */
export class LinkError extends Error {}

/**
 * @param {any} masked a result as it may leave
 * @returns {Promise<string>} the fragment, with its #
 */
export async function pack(masked) {
  for (const measure of MEASURES) {
    const cut = form(measure)(masked);
    const bytes = new Uint8Array(await new Response(new Blob([JSON.stringify(lean(cut))]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
    const code = base64url(bytes);
    if (code.length + PREFIX.length <= LONGEST_LINK) return PREFIX + code;
  }
  throw new LinkError("This verdict does not fit into a link. Copy it as text instead.");
}

/**
 * @param {string} hash
 * @returns {Promise<any>} a result that holds only what the form names
 */
export async function unpack(hash) {
  if (!hash.startsWith(PREFIX)) throw new LinkError("This link was made by another version of the site, whose form this one does not know.");
  if (hash.length > LONGEST_READ) throw new LinkError("This link is longer than any that this site makes. It was not opened.");
  const bytes = fromBase64url(hash.slice(PREFIX.length));
  const text = await inflated(bytes);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged();
  }
  const result = form(MEASURES[0])(value);
  if (!result || value.verdict !== result.verdict || !Number.isFinite(value.stats?.lines) || (result.verdict === "diagnosed" && !result.root)) throw damaged();
  const { stats, database } = result;
  for (const name of ["files", "lines", "bytes", "seconds"]) stats[name] ??= 0;
  database.entries ??= 0;
  return { ...result, collect: [], ranks: result.ranks ?? {}, attempts: result.attempts ?? 1 };
}

const damaged = () => new LinkError("This link is damaged: a part is missing or was changed on the way. Ask for it again.");

/** Without what is empty: a third of the text. */
function lean(value) {
  if (Array.isArray(value)) return value.map(lean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null && !(Array.isArray(item) && !item.length)).map(([name, item]) => [name, lean(item)]));
}

async function inflated(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let size = 0; ; ) {
    let step;
    try {
      step = await reader.read();
    } catch {
      throw damaged();
    }
    if (step.done) return new Blob(parts).text();
    size += step.value.byteLength;
    if (size > LARGEST) {
      reader.cancel().catch(() => {});
      throw new LinkError("This link unpacks to far more than a verdict. It was not opened.");
    }
    parts.push(step.value);
  }
}

function base64url(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text) {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw damaged();
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw damaged();
  }
}
