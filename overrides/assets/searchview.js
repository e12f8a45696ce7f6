// SPDX-License-Identifier: MIT
/** What the search box shows: answers in labelled groups, and the way to a diagnosis of the same text. */
import { el, logText, plural } from "./dom.js";

const GROUPS = { exact: "Exact signature", similar: "Similar signatures", prose: "In the words of the page" };
const KINDS = { wrapper: "hides the cause", benign: "harmless" };

/**
 * @param {{hits: import("./searchrank.js").Hit[], text: string, long: boolean, base: string, diagnose: () => void}} answer
 * @returns {Node[]}
 */
export function answers({ hits, text, long, base, diagnose }) {
  const groups = [...new Set(hits.map(({ group }) => group))].map((group) => section(GROUPS[group], hits.filter((hit) => hit.group === group).map((hit) => item(hit, base))));
  const offer = section(long ? "Several lines" : hits.length ? "Not among them?" : "No entry has these words", [hand(text, long, base, diagnose)]);
  return long ? [offer, ...groups] : [...groups, offer];
}

/** What a screen reader hears, and what stands above the answers. */
export function summary(hits) {
  if (!hits.length) return "No entry found";
  const exact = hits.filter(({ group }) => group === "exact").length;
  return `${plural(hits.length, "entry", "entries")}${exact ? `, ${exact} with exactly these words` : ""}`;
}

function section(title, items) {
  return el("section.ff-found__group", {}, el("h2.ff-found__label", {}, title), el("ol.md-search-result__list", { role: "list" }, ...items));
}

function item({ id, title, kind, signature, words, group }, base) {
  const why = group === "prose" && words.length ? el("p.ff-found__why", {}, "shares: ", ...logText(words.join(", "), 120)) : null;
  return el("li.md-search-result__item", {},
    el("a.md-search-result__link", { href: `${base}${id}/` },
      el("article.md-search-result__article.md-typeset", {},
        el("div.md-search-result__icon.md-icon", { "aria-hidden": "true" }),
        el("h1", { role: "presentation" }, title, KINDS[kind] ? el("span.ff-found__kind", {}, KINDS[kind]) : null),
        el("code.ff-found__line", {}, ...logText(signature, 220)), why)));
}

function hand(text, long, base, diagnose) {
  const words = long ? "Diagnose this text" : "Diagnose this text, or draft an entry from it";
  return el("li.md-search-result__item", {},
    el("a.md-search-result__link.ff-found__hand", { href: `${base}#paste`, onclick: diagnose },
      el("article.md-search-result__article.md-typeset", {},
        el("h1", { role: "presentation" }, words),
        el("p.ff-found__why", {}, long ? `${text.split("\n").length.toLocaleString("en")} lines go to the first page, in this browser only: ` : "It goes to the first page, in this browser only: ",
          el("code", {}, ...logText(text.trim().split("\n")[0].slice(0, 90), 90))))));
}
