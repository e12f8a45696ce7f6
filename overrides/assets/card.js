// SPDX-License-Identifier: MIT
/** The result card: one design per verdict, in the order in which somebody with a dead run asks the questions. */
import { byteSize, el, logText, plural, prose, rankList, thousands } from "./dom.js";
import { contextBlock, evidenceLine, foldedGroup, jump, roleBadge } from "./lines.js";
import { minimap } from "./minimap.js";
import { ranksTable } from "./rankstable.js";
import { collectSection, fixSection, restartNote, verifySection } from "./remedy.js";

/**
 * @param {any} result what the engine answered
 * @param {{base: URL, tour: import("./tour.js").Tour, actions: (Node|null)[], panel: Node|null, again?: () => void, draft?: Node|null, sections?: (Node|null)[]}} page
 *   `actions` stand under the heading, `panel` says what leaves, `draft` is where an unrecognised failure becomes an entry, `sections` come before the foot
 */
export function card(result, page) {
  const links = { ...linksFrom(page.base, result), tour: page.tour, draft: page.draft };
  const verdict = result.stats.lines === 0 ? "nothing-read" : result.verdict;
  const body = (CARDS[verdict] ?? unknownVerdict)(result, links);
  return el("article.ff-card", { "data-verdict": verdict, "aria-labelledby": "ff-verdict" },
    heading(result, page, links), ...body.filter(Boolean), ...(page.sections ?? []), verdict === "unrecognised" ? null : page.draft, foot(result));
}

const CARDS = {
  diagnosed: (result, links) => [
    firstLine(result), why(result), fixSection(result.root, links), restartNote(result.root.restart), verifySection(result.root.verify),
    timeline(result, links), otherLines(result, links), alternatives(result, links),
    collectSection(result.collect, "If you are not convinced, collect this"), leftovers(result, links),
  ],
  "needs-evidence": (result, links) => [
    result.root ? firstLine(result, "The line that tells most", "tells most") : null, why(result), collectSection(result.collect, "Get this, it names the first fault"), suspects(result, links),
    timeline(result, links), otherLines(result, links, true), alternatives(result, links), leftovers(result, links),
  ],
  unrecognised: (result, links) => [
    result.root ? firstLine(result) : null, why(result), closest(result, links), links.draft ?? contribute(result, links),
    timeline(result, links), otherLines(result, links), collectSection(result.collect, "Worth collecting"), leftovers(result, links),
  ],
  "no-failure": (result, links) => [why(result), healthy(result), ranksTable(result) ? el("section.ff-part", {}, ranksTable(result)) : null, leftovers(result, links, true)].flat(),
  "nothing-read": () => [el("section.ff-part", {}, el("p", {}, "Give the text that the run printed: standard output and standard error of every rank, the scheduler's log, the kernel log. Text, gzip, bzip2, xz, zip and tar are read."))],
};

const unknownVerdict = (result) => [el("p", {}, `This page does not know the verdict “${result.verdict}”. Reload it: the site may have been updated.`)];

function heading(result, { again, actions: given, panel }, links) {
  const { eyebrow, title, summary } = headline(result);
  const actions = el("div.ff-actions", {}, given[0],
    result.root?.entry && links.base ? links.entry(result.root.entry, "Open the entry", "ff-button") : null, ...given.slice(1),
    again ? el("button.ff-button", { type: "button", onclick: again }, "Another log") : null);
  return el("header.ff-card__head", {},
    el("p.ff-card__eyebrow", {}, eyebrow), el("h2", { id: "ff-verdict", tabindex: "-1" }, ...title), summary ? el("p.ff-card__summary", {}, ...prose(summary)) : null,
    result.root?.first_step ? el("p.ff-card__summary", {}, el("b", {}, "Do first: "), ...prose(result.root.first_step)) : null,
    actions, panel);
}

function headline({ verdict, root, stats, consequences }) {
  if (stats.lines === 0) return { eyebrow: "Nothing to diagnose", title: ["There was no line of a log in it"], summary: null };
  if (verdict === "diagnosed") {
    return { eyebrow: "First fault found", title: [`${who(root)} failed first: `, root.title], summary: root.summary };
  }
  if (verdict === "needs-evidence") {
    const summary = "Every line that was recognised only reports a failure that happened elsewhere: on another rank, in another file, or before this log begins.";
    return { eyebrow: "More evidence needed", title: ["This log shows the aftermath, not the first fault"], summary: consequences?.length ? summary : null };
  }
  if (verdict === "unrecognised") {
    return { eyebrow: "Not in the encyclopedia yet", title: ["Something failed", root?.label ? ": " : "", ...logText(root?.label ?? "", 240)], summary: "No entry explains the decisive line. Below is what stands out, and how to add it." };
  }
  return { eyebrow: "No failure found", title: [`Nothing in ${plural(stats.lines, "line")} says that this run failed`], summary: null };
}

function who(root) {
  const rank = Number.isInteger(root.rank) ? `Rank ${root.rank}` : null;
  const host = root.host ? plainHost(root.host) : null;
  if (root.ranks?.length > 1) return `${root.ranks.length} ranks (${rankList(root.ranks)})`;
  if (rank && host) return `${rank} on ${host}`;
  return rank ?? (host ? `Host ${host}` : "This run");
}

const plainHost = (host) => logText(host, 80).map((part) => (typeof part === "string" ? part : part.textContent)).join("");

function firstLine({ root }, heading = "The line", mark = "first fault") {
  const decisive = root?.evidence?.[0];
  if (!decisive) return null;
  const facts = [
    ["Time", root.time], ["Local rank", root.local_rank],
    ["Repeated", root.count > 1 ? `${thousands(root.count)} times` : null], ["Explains", root.explains ? plural(root.explains, "other line") : null],
  ].filter((fact) => fact && fact[1] !== null && fact[1] !== undefined && fact[1] !== "");
  return el("section.ff-part", { "aria-labelledby": "ff-line" }, el("h3", { id: "ff-line" }, heading),
    contextBlock(decisive, root.context, mark),
    facts.length ? el("dl.ff-facts", {}, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, ...logText(String(value), 240))))) : null,
    root.observed ? el("p", {}, el("b", {}, "Compared across ranks: "), ...logText(String(root.observed), 600)) : null,
    root.root_cause ? el("p", {}, el("b", {}, "Root cause: "), ...prose(root.root_cause)) : null,
    root.not_proof?.length ? el("details.ff-fold", {}, el("summary", {}, el("span.ff-fold__title", {}, "What this match does not prove")), el("ul", {}, ...root.not_proof.map((point) => el("li", {}, ...prose(point))))) : null,
    ...(root.evidence.length > 1 ? [el("p.ff-quiet", {}, "Also speaks for it:"), ...root.evidence.slice(1, 6).map(evidenceLine)] : []));
}

const LAST_ERROR = /^Why not the last error \(line (\d+), (.*)\)\? (.*)$/s;

/** The first doubt of every reader, answered first; then the other reasons. */
function why({ verdict, why: sentences, counterfactual, root, events, stats }) {
  const last = (sentences ?? []).map((sentence) => LAST_ERROR.exec(sentence)).find(Boolean);
  const rest = [...(sentences ?? []).filter((sentence) => !LAST_ERROR.test(sentence)), counterfactual].filter(Boolean);
  if (!last && !rest.length) return null;
  const file = events?.findLast?.((event) => event.line === Number(last?.[1]))?.file ?? root?.evidence?.[0]?.file;
  const answer = last
    ? el("p.ff-why__last", {}, jump({ file, line: Number(last[1]) }, stats.files > 1 ? null : `Line ${last[1]}`), ", ", el("q", {}, ...logText(last[2], 200)), ": ", ...logText(last[3], 400))
    : root && verdict !== "needs-evidence" ? el("p.ff-why__last", {}, "Nothing that was recognised comes after it that would be worth blaming.") : null;
  return el("section.ff-part", { "aria-labelledby": "ff-why" }, el("h3", { id: "ff-why" }, answer ? "Why not the last line?" : "How this was judged"), answer,
    rest.length ? el("ul", {}, ...rest.map((sentence) => el("li", {}, ...logText(sentence, 600)))) : null,
    root?.entry ? el("p.ff-quiet", { id: "ff-measured" }, `This entry: ${measured(root.measured)}.`) : null);
}

/** The counts on the labelled logs, in the words of firstfault/phrases.py; never a share without its numbers. */
function measured(counts) {
  if (!counts?.given && !counts?.known) return "not measured yet: no labelled log has it";
  const named = counts.given ? `right in ${counts.right} of ${plural(counts.given, "labelled log")} that named it` : "named on no labelled log";
  return `${named}, ${counts.known ? `found in ${counts.found} of ${counts.known} whose first fault it is` : "the first fault of none"}`;
}

function timeline(result, { tour }) {
  if (!result.events?.length) return null;
  const rows = result.events.map((event) =>
    el("li", { id: eventId(event) }, el("span.ff-line__place", {}, jump(event)), roleBadge(isRoot(event, result) && result.verdict !== "needs-evidence" ? "root" : event.role === "root" ? "either" : event.role),
      el("span.ff-event__rank", {}, Number.isInteger(event.rank) ? `rank ${event.rank}` : ""), el("span.ff-event__title", {}, event.title ?? ""), el("code.ff-line__text", {}, ...logText(event.text, 400))));
  const left = tour.marks.length - rows.length;
  const list = el("details.ff-fold", { id: "ff-events" }, el("summary", {}, el("span.ff-fold__title", {}, `${left > 0 ? "The first" : "All"} ${plural(rows.length, "event")} in order`)), el("ol.ff-events", {}, ...rows),
    left > 0 ? el("p.ff-quiet", {}, `${plural(left, "more event")} stand in the picture; e steps through all of them.`) : null);
  return el("section.ff-part", { "aria-labelledby": "ff-order" }, el("h3", { id: "ff-order" }, "What happened, in order"), minimap(result, tour), ranksTable(result), list);
}

const isRoot = (event, { root }) => event.line === root?.evidence?.[0]?.line && (event.file ?? "") === (root.evidence[0].file ?? "");
const eventId = (event) => `ff-event-${event.line}-${String(event.entry ?? "x")}-${event.rank ?? "x"}`;

function otherLines({ consequences, root }, links, open = false) {
  if (!consequences?.length) return null;
  const folds = consequences.map((group) => foldedGroup(group, group.role ?? "consequence", links));
  if (open && folds.length) folds[0].open = true;
  const lead = root?.entry ? "They follow from it. Fixing them alone changes nothing." : "What was recognised, grouped.";
  return el("section.ff-part", { "aria-labelledby": "ff-others" }, el("h3", { id: "ff-others" }, "The other lines"), el("p.ff-quiet", {}, lead), ...folds);
}

function alternatives({ alternatives: list }, links) {
  if (!list?.length) return null;
  const side = (title, points) => (points?.length ? el("div", {}, el("h5", {}, title), el("ul", {}, ...points.map((point) => el("li", {}, ...logText(point, 400))))) : null);
  const items = list.map((item) => el("li", {}, el("p", {}, item.entry ? links.entry(item.entry, item.title ?? item.entry) : item.title), el("div.ff-forandagainst", {}, side("Speaks for it", item.for), side("Speaks against it", item.against)), ...(item.evidence ?? []).slice(0, 2).map(evidenceLine)));
  return el("section.ff-part", { "aria-labelledby": "ff-alternatives" }, el("h3", { id: "ff-alternatives" }, "What else it could be"), el("ul.ff-alternatives", {}, ...items));
}

/** What the seen lines are known to follow from. A list of entries, not a verdict. */
function suspects({ suspects: list }, links) {
  if (!list?.length) return null;
  return el("section.ff-part", { "aria-labelledby": "ff-suspects" }, el("h3", { id: "ff-suspects" }, "What such lines are known to hide"),
    el("ul", {}, ...list.map(({ entry, title }) => el("li", {}, links.entry(entry, title)))));
}

/** For an error that no entry knows: the nearest entries, and what keeps each from fitting. */
function closest({ closest: list }, links) {
  if (!list?.length) return null;
  return el("section.ff-part", { "aria-labelledby": "ff-closest" }, el("h3", { id: "ff-closest" }, "Closest entries, and why they do not fit"),
    el("ul", {}, ...list.map(({ entry, title, why: reason }) => el("li", {}, links.entry(entry, title), ": ", ...logText(reason, 400)))));
}

function contribute({ root, unexplained }, links) {
  const lines = root?.evidence?.length ? root.evidence : (unexplained ?? []).slice(0, 5);
  return el("section.ff-part", { "aria-labelledby": "ff-add" }, el("h3", { id: "ff-add" }, "Help the next person"),
    el("p", {}, "An entry is one YAML file: the line as the software prints it, what it means, the fix. In a terminal, ", el("code", {}, "firstfault search \"…\""), " looks for near wordings."),
    root?.evidence?.length ? null : el("div", {}, ...lines.map(evidenceLine)), links.page("entry-format/", "What an entry holds"));
}

function healthy({ stats, ranks }) {
  const seen = ranks?.seen?.length ? ` and ${plural(ranks.seen.length, "rank")} (${rankList(ranks.seen)})` : "";
  return el("section.ff-part", {}, el("p", {}, `Read: ${plural(stats.lines, "line")} in ${plural(stats.files, "file")}${seen}. That a log is quiet does not prove the run is well: a hang prints nothing, and a rank that was killed can't write its last line. If it did fail, add the logs of the other ranks, the launcher's output, and `, el("code", {}, "dmesg -T"), " of the host."));
}

/** What is left: second faults, faults that were overcome, harmless lines, lines that no entry explains. */
function leftovers(result, links, open = false) {
  const part = (id, title, lead, groups, role) => (groups?.length
    ? el("section.ff-part", { "aria-labelledby": id }, el("h3", { id }, title), el("p.ff-quiet", {}, lead), ...groups.map((group) => foldedGroup({ count: 1, ...group, ranks: group.ranks ?? (Number.isInteger(group.rank) ? [group.rank] : []) }, role, links)))
    : null);
  const unexplained = result.unexplained?.length && result.verdict !== "unrecognised"
    ? el("section.ff-part", { "aria-labelledby": "ff-unexplained" }, el("h3", { id: "ff-unexplained" }, "Not explained"), el("details.ff-fold", {}, el("summary", {}, el("span.ff-fold__title", {}, `${plural(result.unexplained.length, "line")} that look like trouble and that no entry explains`)), ...result.unexplained.map(evidenceLine)))
    : null;
  return [
    part("ff-second", "A second fault, independent of the first", "The first fault does not explain it.", result.others, "root"),
    part("ff-recovered", "Overcome on the way", "Progress followed, so these did not end the run.", result.recovered, "recovered"),
    part("ff-benign", open ? "Looks bad, is harmless" : "Harmless lines", "Ignore these.", result.benign, "benign"),
    unexplained,
  ];
}

function foot({ stats, database, notes, ranks, attempts }) {
  const missing = ranks?.missing?.length ? `No line from ${ranks.missing.length === 1 ? "rank" : "ranks"} ${rankList(ranks.missing)}${ranks.world_size ? ` of ${ranks.world_size}` : ""}.` : null;
  const repeated = attempts > 1 ? `The log holds ${attempts} attempts; the last one was judged.` : null;
  const said = [missing, repeated, ...(notes ?? [])].filter(Boolean);
  const numbers = `${plural(stats.files, "file")}, ${plural(stats.lines, "line")}, ${byteSize(stats.bytes)}, ${stats.seconds.toFixed(2)} s in your browser · database ${database.version}, ${plural(database.entries, "entry", "entries")}`;
  return el("footer.ff-card__foot", {}, said.length ? el("ul", {}, ...said.map((sentence) => el("li", {}, ...logText(sentence, 600)))) : null, el("p", {}, numbers));
}

/** Links inside the site. An id has only letters, digits and hyphens; anything else gets no link. */
function linksFrom(base, result) {
  const page = (path, words, className = "") => (base ? el("a", { href: new URL(path, base).href, class: className || null }, words) : el("span", {}, words));
  return {
    base,
    page,
    entry: (id, words, className) => (/^[a-z0-9-]+$/.test(id ?? "") ? page(result.root?.entry === id && /^[a-z0-9-]+\/$/.test(result.root.url ?? "") ? result.root.url : `${id}/`, words, className) : words),
  };
}
