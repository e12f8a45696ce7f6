// SPDX-License-Identifier: MIT
/** When the browser is the wrong place: how far it read, and the command that goes on in a terminal, names filled in. */
import { byteSize, copyButton, el, logText } from "./dom.js";
import { TROUBLE } from "./messages.js";

/**
 * @param {any} result may hold `refused`, inputs that the engine does not open in a browser
 * @param {import("./messages.js").Partial|null|undefined} partial
 * @param {{name: string}[]} pieces what the reader gave
 */
export function handover(result, partial, pieces) {
  const refused = result?.refused ?? [];
  if (!partial && !refused.length) return null;
  const read = partial ? el("p", {}, `Read: ${byteSize(partial.bytes)} of ${byteSize(partial.total)}, up to a place in `, el("code", {}, ...logText(partial.piece, 160)), ". ", TROUBLE[partial.code] ?? "", " The verdict below is of this part only.") : null;
  const list = refused.length ? el("ul", {}, ...refused.slice(0, 20).map(({ name, why }) => el("li", {}, el("code", {}, ...logText(name, 160)), ": ", ...logText(why, 300)))) : null;
  return box(partial ? "A part was read" : "Not everything could be read here", [read, list], pieces.map(({ name }) => name));
}

/** The same when there is no verdict at all. */
export function handoverAfter(trouble, names) {
  return box("Go on in a terminal", [el("p", {}, trouble)], names);
}

function box(title, words, names) {
  const text = terminalCommand(names);
  return el("section.ff-handover", { "aria-label": title }, el("p.ff-handover__title", {}, title), ...words,
    el("p", {}, "The same engine in a terminal has no such limit, and writes this page into one file:"),
    el("div.ff-command", {}, el("pre", { tabindex: "0" }, el("code", {}, ...logText(text, 4000))), el("div.ff-command__side", {}, copyButton("Copy", () => text, "Copy this command"))));
}

const MOST_NAMES = 12;

/** The command with the names that were dropped; folders stand for many files. */
function terminalCommand(names) {
  const given = names.length > MOST_NAMES ? [...new Set(names.map((name) => (name.includes("/") ? `${name.split("/")[0]}/` : name)))] : names;
  const quoted = given.filter((name) => name && name !== "pasted.log").slice(0, MOST_NAMES).map(shellQuoted);
  return `pipx run firstfault diagnose ${quoted.join(" ") || "train.log"} --html report.html`;
}

/** A file name as one word of a POSIX shell, whatever it holds. */
export function shellQuoted(name) {
  const safe = name.startsWith("-") ? `./${name}` : name;
  if (/^[\w@%+=:,./-]+$/.test(safe)) return safe;
  if (/[\u0000-\u001f\u007f]/.test(safe)) return `$'${safe.replace(/[\\']/g, "\\$&").replace(/[\u0000-\u001f\u007f]/g, (found) => `\\x${found.charCodeAt(0).toString(16).padStart(2, "0")}`)}'`;
  return `'${safe.replaceAll("'", `'\\''`)}'`;
}
