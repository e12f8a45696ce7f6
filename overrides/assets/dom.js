// SPDX-License-Identifier: MIT
/**
 * Builds the page out of nodes, never out of markup, and shows text from a log without letting it act.
 *
 * A log line is a stranger's text: it can hold tags, and characters that reorder or hide what stands beside them.
 * Everything reaches the page as text nodes; characters that would not be seen are written out.
 */

/**
 * @param {string} tag  `tag.class.class`
 * @param {Record<string, any>} [attributes] `on…` are listeners, true sets an empty attribute, null and false are left out
 * @param {...(Node|string|null|undefined|false|(Node|string)[])} children strings become text
 */
export function el(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  return fill(document.createElement(name), classes, attributes, children);
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  return fill(document.createElementNS(SVG, name), classes, attributes, children);
}

function fill(node, classes, attributes, children) {
  if (classes.length) node.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// Controls, bidi marks, zero width, tags, separators, soft hyphen, Hangul fillers, private use, lone surrogates, and
// more than three combining marks on one letter.
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffc\u{e0000}-\u{e0fff}]|[\ud800-\udfff]|(?<=\p{M}{3})\p{M}+/gu;

/** What masking puts in the place of a value, its kind as a group. */
export const MASKED = /<(token|key|url|email|user|ip|host)-\d{1,6}>/;
const SPECIAL = new RegExp(`${MASKED.source}|${UNSEEN.source}`, "gu");

/**
 * Text from a log as nodes: what could not be seen is shown as `‹U+202E›`, what was masked stands out.
 * @param {string} text
 * @param {number} [limit] characters after which the rest is counted, not shown
 * @returns {(Node|string)[]}
 */
export function logText(text, limit = 2000) {
  const shown = text.length > limit ? text.slice(0, limit) : text;
  const nodes = [];
  let at = 0;
  for (const match of shown.matchAll(SPECIAL)) {
    if (match.index > at) nodes.push(shown.slice(at, match.index));
    nodes.push(match[1] ? el("span.ff-mask", { "data-kind": match[1], title: "masked" }, match[0]) : el("span.ff-escape", { title: "a character that would not be seen" }, escapeOf(match[0])));
    at = match.index + match[0].length;
  }
  nodes.push(shown.slice(at));
  if (text.length > limit) nodes.push(el("span.ff-escape", {}, `… ${thousands(text.length - limit)} more characters`));
  return nodes;
}

function escapeOf(found) {
  const points = [...found];
  if (points.length > 1) return `‹${points.length} combining marks›`;
  return `‹U+${found.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}›`;
}

const STRESSED = /(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])/;

/**
 * A sentence of an entry as nodes. Entries are written in a little Markdown: code and stress are shown, of links only the words.
 * @param {string} text
 */
export function prose(text) {
  const words = text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/\*\*([^*]+)\*\*/g, "$1");
  return words.split(/`([^`]+)`/).flatMap((part, index) => (index % 2 ? el("code", {}, part) : part.split(STRESSED).map((piece, at) => (at % 2 ? el("em", {}, piece) : piece))));
}

/** A button that copies `text()`, awaited, and says so; without clipboard permission it shows the text, selected, instead. */
export function copyButton(label, text, describe) {
  const button = el("button.ff-copy", { type: "button", "aria-label": describe ?? null }, label);
  button.addEventListener("click", async () => {
    let words = "";
    try {
      words = await text();
      await navigator.clipboard.writeText(words);
      flash(button, "Copied");
    } catch (error) {
      if (words) showForCopying(button, words);
      else flash(button, error.message);
    }
  });
  return button;
}

function flash(button, word) {
  const before = button.textContent;
  if (before === word) return;
  button.textContent = word;
  announce(word);
  setTimeout(() => (button.textContent = before), 1600);
}

function showForCopying(button, text) {
  if (button.nextElementSibling?.matches(".ff-selectable")) return;
  const box = el("textarea.ff-selectable", { readonly: true, rows: 6, "aria-label": "The browser refused the clipboard: copy from here" });
  box.value = text;
  button.after(box);
  box.select();
}

/** Say something to a screen reader, through the one live region of the page. */
export function announce(words) {
  const region = document.getElementById("ff-live");
  if (region) region.textContent = words;
}

/** `1,234`: what toLocaleString gives, without the tables of languages that its first use loads. */
export const thousands = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

export const plural = (count, one, many = `${one}s`) => `${thousands(count)} ${count === 1 ? one : many}`;

/** `0-3, 5, 7-9` for a list of ranks. */
export function rankList(ranks) {
  const sorted = [...new Set(ranks)].sort((a, b) => a - b);
  const runs = [];
  for (const rank of sorted) {
    const last = runs.at(-1);
    if (last && rank === last[1] + 1) last[1] = rank;
    else runs.push([rank, rank]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`)).join(", ");
}

export function byteSize(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const unit = bytes < 1e6 ? "kB" : bytes < 1e9 ? "MB" : "GB";
  const size = bytes / { kB: 1e3, MB: 1e6, GB: 1e9 }[unit];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
