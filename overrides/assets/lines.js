// SPDX-License-Identifier: MIT
/** Log lines on the page: evidence with its place, context around the decisive line, groups of lines that fold. */
import { copyButton, el, logText, plural, prose, rankList, thousands } from "./dom.js";

export const ROLES = {
  root: { word: "first fault", mark: "◆" },
  either: { word: "root or consequence", mark: "◇" },
  consequence: { word: "consequence", mark: "●" },
  wrapper: { word: "wrapper", mark: "▢" },
  teardown: { word: "teardown", mark: "▾" },
  advice: { word: "advice", mark: "i" },
  benign: { word: "harmless", mark: "✓" },
  recovered: { word: "recovered", mark: "↺" },
  clue: { word: "clue", mark: "?" },
  silent: { word: "silent", mark: "∅" },
};

/** A role as a coloured mark and its word: colour is never the only sign. */
export function roleBadge(role) {
  const { word, mark } = ROLES[role] ?? ROLES.clue;
  return el("span.ff-role", { "data-role": role }, el("span.ff-role__mark", { "aria-hidden": "true" }, mark), word);
}

const items = new WeakMap();

/** A place that leads into the log beside the verdict. */
export function jump(item, words) {
  const button = el("button.ff-jump", { type: "button" }, ...logText(words ?? place(item.file, item.line), 120));
  items.set(button, item);
  return button;
}

/** What a place stands for; undefined for anything else. */
export const itemOf = (node) => (node ? items.get(node) : undefined);

export const place = (file, line) => (file ? `${file}:${line}` : `line ${line}`);

/** One line with its place, the form in which it is quoted. */
export function evidenceLine(item) {
  return el("div.ff-line", {}, el("span.ff-line__place", {}, jump(item)), el("code.ff-line__text", {}, ...logText(item.text)));
}

/**
 * One line with its neighbours, as in the log.
 * @param {{file: string, line: number, text: string}} decisive
 * @param {{line: number, text: string}[]|null} around
 * @param {string} what the marked line is, for those who do not see the mark
 */
export function contextBlock(decisive, around, what) {
  const rows = around?.some(({ line }) => line === decisive.line) ? around : [decisive];
  const list = el("ol.ff-log", { "aria-label": `lines around line ${decisive.line}`, tabindex: "0" });
  for (const row of rows) {
    const isIt = row.line === decisive.line;
    const number = el("span.ff-log__number", {}, ...(isIt ? [el("span.ff-log__flag", { "aria-hidden": "true" }, "▶"), el("span.ff-hidden", {}, `${what}, line `)] : []), String(row.line));
    list.append(el(isIt ? "li.ff-log__row.ff-log__row--fault" : "li.ff-log__row", {}, number, el("code", {}, ...logText(isIt ? decisive.text : row.text))));
  }
  const caption = el("span.ff-log__file", {}, jump(decisive));
  const copy = copyButton("Copy line", () => `${place(decisive.file, decisive.line)}  ${decisive.text}`, "Copy line, with its file and number, as it is shown here");
  return el("figure.ff-context", {}, el("figcaption", {}, caption, copy), list);
}

/**
 * Many lines of one entry as one row that unfolds.
 * @param {{entry: string, title: string, count: number, ranks?: number[], hosts?: string[], evidence?: object[], why?: string}} group
 */
export function foldedGroup(group, role, links) {
  const where = [
    group.count > 1 ? `×${thousands(group.count)}` : null,
    group.ranks?.length ? `${group.ranks.length === 1 ? "rank" : "ranks"} ${rankList(group.ranks)}` : null,
    group.hosts?.length ? (group.hosts.length > 2 ? plural(group.hosts.length, "host") : group.hosts.join(", ")) : null,
  ].filter(Boolean);
  const summary = el("summary", {}, roleBadge(role), el("span.ff-fold__title", {}, group.title), el("span.ff-fold__where", {}, ...logText(where.join(" · "))));
  const shown = group.evidence ?? [];
  const more = group.count > shown.length && shown.length ? el("p.ff-fold__more", {}, `${plural(group.count - shown.length, "more line")} like ${shown.length === 1 ? "this" : "these"}.`) : null;
  const explain = group.entry ? el("p", {}, links.entry(group.entry, "What this line means"), ...(group.why ? [": ", ...prose(group.why)] : [])) : null;
  return el("details.ff-fold", { "data-entry": group.entry, "data-role": role }, summary, differs(group), ...shown.map(evidenceLine), more, explain);
}

/** Same message, many lines: from when to when, and in which fields they differ. */
function differs({ count, from, until, differs: fields }) {
  if (!(count > 1)) return null;
  const span = Number.isFinite(from) && until > from ? `${clock(from)}–${clock(until)}` : null;
  const moving = (fields ?? []).map(({ field, values, count: kinds }) => [field.replaceAll("_", " "), ` (${values.slice(0, 3).join(", ")}${kinds > 3 ? `, … ${thousands(kinds)} values` : ""})`]);
  if (!span && !moving.length) return null;
  const parts = moving.flatMap(([field, values], at) => [at ? ", " : "", el("b", {}, field), ...logText(values, 200)]);
  return el("p.ff-fold__differs", {}, span, span && parts.length ? " · " : "", parts.length ? ["same message, differs in ", ...parts] : null);
}

const two = (number) => String(Math.floor(number)).padStart(2, "0");
const clock = (seconds) => `${two((seconds % 86400) / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
