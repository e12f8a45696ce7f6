// SPDX-License-Identifier: MIT
/** Ranks against time, for any number of ranks: the picture, its axis, its keys, its legend and its words. */
import { canvas } from "./canvas.js";
import { el, plural, rankList, thousands } from "./dom.js";
import { ROLES } from "./lines.js";
import { clocks, isRoot, ranksOf, sentence } from "./marks.js";
import { FEW_MARKS, FEW_ROWS, strip } from "./strip.js";

/**
 * @param {any} result
 * @param {import("./tour.js").Tour} tour
 */
export function minimap(result, tour) {
  const marks = tour.marks;
  if (marks.length < 2) return null;
  const ranks = ranksOf(result, marks);
  const model = { marks, ranks, missing: result.ranks?.missing ?? [], several: result.stats.files > 1, words: describe(result, marks, ranks) };
  const picture = (ranks.length <= FEW_ROWS && marks.length <= FEW_MARKS ? strip : canvas)(model, (index) => tour.go(index, "map"));
  const times = clocks(marks);
  const order = marks.map((_, index) => index);
  const draw = (byTime) => picture.draw(byTime ? times : order, byTime);
  const byTime = Boolean(times) && model.several; // several files follow one another in reading, not in time
  picture.view.append(keys(model, tour));
  tour.addEventListener("go", ({ detail }) => detail.mark && picture.show(detail.index));
  const figure = el("figure.ff-strip", {}, el("figcaption", {}, times ? "Ranks against" : "Ranks against log order", times ? toggle(draw, byTime) : null,
    el("span.ff-strip__hint", {}, "Click an event, or use the arrow keys, to see its line.")), picture.view, legend(marks));
  draw(byTime);
  return figure;
}

function toggle(draw, byTime) {
  const choose = (value, label, checked) => {
    const input = el("input", { type: "radio", name: "ff-axis", value, checked });
    input.addEventListener("change", () => draw(value === "time"));
    return el("label", {}, input, label);
  };
  return el("span.ff-strip__axis", { role: "radiogroup", "aria-label": "Order events by" }, choose("order", "log order", !byTime), choose("time", "time", byTime));
}

/** The keyboard's way through the picture: one element that says where it is. */
function keys({ ranks, several }, tour) {
  const option = el("div", { id: "ff-mark", role: "option", "aria-selected": "true" }, "No event chosen");
  const list = el("div.ff-strip__keys", { role: "listbox", tabindex: "0", "aria-label": "Events by rank: left and right for the next event, up and down for the next rank", "aria-activedescendant": "ff-mark" }, option);
  tour.addEventListener("go", ({ detail }) => detail.mark && (option.textContent = sentence(detail.mark, several)));
  const moves = {
    ArrowRight: () => tour.step(1, "map"), ArrowLeft: () => tour.step(-1, "map"), ArrowDown: () => tour.stepRank(1, ranks, "map"), ArrowUp: () => tour.stepRank(-1, ranks, "map"),
    Home: () => tour.toFirst("map"), End: () => tour.go(tour.marks.length - 1, "map"),
  };
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  });
  return list;
}

function legend(marks) {
  const counts = new Map();
  for (const { kind } of marks) counts.set(kind.role, (counts.get(kind.role) ?? 0) + 1);
  const known = [...counts].filter(([role]) => ROLES[role]);
  return el("p.ff-strip__legend", {}, ...known.map(([role, count]) => el("span.ff-role", { "data-role": role }, el("span.ff-role__mark", { "aria-hidden": "true" }, ROLES[role].mark), `${ROLES[role].word}${count > 1 ? ` ×${thousands(count)}` : ""}`)));
}

function describe(result, marks, ranks) {
  const first = marks.find(isRoot);
  const where = first ? ` The first fault is ${first.rank === null ? "" : `on rank ${first.rank}, `}line ${first.line}.` : "";
  const missing = result.ranks?.missing ?? [];
  const silent = missing.length ? ` ${missing.length === 1 ? "Rank" : "Ranks"} ${rankList(missing)} ${missing.length === 1 ? "is" : "are"} silent.` : "";
  return `${plural(marks.length, "recognised event")} on ${plural(ranks.length, "rank")}, from left to right.${where}${silent} The same events stand as a list below.`;
}
