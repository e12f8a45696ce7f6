// SPDX-License-Identifier: MIT
/** What leaves when the reader copies: every masked value by kind, which kinds to show in this copy, and the text itself. */
import { el, logText, plural } from "./dom.js";

export const KINDS = {
  token: ["secret", "secrets"], key: ["line of a private key", "lines of private keys"], url: ["private address", "private addresses"],
  email: ["e-mail address", "e-mail addresses"], user: ["user name", "user names"], ip: ["IP address", "IP addresses"], host: ["host name", "host names"],
};
const NEVER = new Set(["token", "key", "url"]); // no copy shows these

/**
 * @param {{hidden: {kind: string, shown: string, value: string}[], already: boolean, markdown: string, view: (asInLog: boolean) => void}} page
 */
export function masks({ hidden, already, markdown, view }) {
  const showing = new Set(); // kinds that this copy shows
  const text = () => unmask(markdown, hidden.filter(({ kind }) => showing.has(kind)));
  const preview = el("pre", { tabindex: "0" });
  const paint = () => preview.replaceChildren(...logText(text(), 40000));
  const kinds = Object.keys(KINDS).filter((kind) => hidden.some((row) => row.kind === kind));
  const groups = kinds.map((kind) => group(kind, hidden.filter((row) => row.kind === kind), (on) => (on ? showing.add(kind) : showing.delete(kind), paint())));
  paint();
  const box = el("details.ff-preview.ff-masks", {}, el("summary", {}, summary(hidden, kinds, already)),
    hidden.length ? el("p.ff-masks__lead", {}, "Shown here as it would leave. The list stays on this screen. ", asInLog(view)) : null,
    ...groups, el("p.ff-masks__lead", {}, "This is what gets copied:"), preview);
  return { box, text };
}

function summary(hidden, kinds, already) {
  if (already) return "See what gets copied (masked already)";
  if (!hidden.length) return "See what gets copied (nothing in it had to be masked)";
  const counts = kinds.map((kind) => plural(new Set(hidden.filter((row) => row.kind === kind).map(({ shown }) => shown)).size, ...KINDS[kind]));
  return `See what gets copied (masked: ${counts.join(", ")})`;
}

/** A switch for the reader's own eyes. */
function asInLog(view) {
  const button = el("button.ff-copy", { type: "button", "aria-pressed": "false" }, "Show them as in my log");
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") === "false";
    button.setAttribute("aria-pressed", String(on));
    view(on);
  });
  return button;
}

function group(kind, rows, choose) {
  const names = new Map();
  for (const { shown, value } of rows) names.set(shown, [...(names.get(shown) ?? []), value]);
  const spans = [...names].map(([shown, values]) => el("li", {}, el("span.ff-mask", { "data-kind": kind }, shown), " ", ...values.flatMap((value, at) => [at ? " or " : "", el("code", {}, ...logText(value, 200))])));
  const box = el("input", { type: "checkbox", onchange: ({ target }) => choose(target.checked) });
  const choice = NEVER.has(kind) ? el("span.ff-quiet", {}, "in no copy") : el("label", {}, box, " show in this copy");
  return el("section.ff-masks__kind", {}, el("h4", {}, `${plural(names.size, ...KINDS[kind])} `, choice), el("ul", {}, ...spans));
}

function unmask(text, rows) {
  const values = new Map(rows.map(({ shown, value }) => [shown, value]).reverse()); // of several the first, which is the longest
  return values.size ? text.replace(/<[a-z]+-\d+>/g, (shown) => values.get(shown) ?? shown) : text;
}

/**
 * A function that hides in any line what the verdict hides.
 * @param {{shown: string, value: string}[]} hidden
 */
export function masker(hidden) {
  const names = new Map(hidden.filter(({ value }) => value.length > 2 && !value.includes("\n")).map(({ shown, value }) => [value, shown]));
  if (!names.size) return (text) => text;
  const longest = [...names.keys()].sort((a, b) => b.length - a.length).slice(0, 500);
  const finder = new RegExp(`(?<![A-Za-z0-9])(?:${longest.map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})(?![A-Za-z0-9])`, "g");
  return (text) => text.replace(finder, (value) => names.get(value));
}
