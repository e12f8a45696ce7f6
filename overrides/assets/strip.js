// SPDX-License-Identifier: MIT
/** The picture for a run of few ranks: one row each, a shape per event, the first fault flagged. Drawn as SVG nodes. */
import { el, svg } from "./dom.js";
import { after, isRoot, sentence } from "./marks.js";

const LEFT = 58;
const RIGHT = 8;
const FLAG = 34; // room for the flag's words
const NARROWEST = 240; // below it nothing can be told apart

/** More rows or marks than this are drawn by minimap.js. */
export const FEW_ROWS = 40;
export const FEW_MARKS = 500;

/**
 * @param {{marks: import("./marks.js").Mark[], ranks: number[], missing: number[], several: boolean}} model
 * @param {(index: number) => void} go
 */
export function strip(model, go) {
  const rows = rowsOf(model);
  const height = rows.length > 12 ? 16 : 24;
  const first = model.marks.findIndex(isRoot);
  const top = first < 0 ? 6 : FLAG;
  const bottom = top + rows.length * height;
  const drawing = svg("svg.ff-strip__svg", { role: "img", "aria-label": model.words });
  const view = el("div.ff-strip__view", {}, drawing);
  const ring = svg("circle.ff-strip__ring", { r: 10, visibility: "hidden" });
  let [positions, byTime, places, width, shown] = [[], false, [], 0, -1];

  /** Drawn as wide as it stands there, so that letters and marks keep their size on a phone. */
  function paint() {
    width = Math.max(NARROWEST, view.clientWidth || 640);
    drawing.setAttribute("viewBox", `0 0 ${width} ${bottom + 22}`);
    const low = Math.min(...positions);
    const span = Math.max(...positions) - low || 1;
    const x = (index) => LEFT + 14 + ((positions[index] - low) / span) * (width - LEFT - RIGHT - 28);
    places = model.marks.map((mark, index) => ({ x: x(index), y: top + (rows.findIndex((row) => row.rank === mark.rank) + 0.5) * height }));
    drawing.replaceChildren(...rows.flatMap((row, at) => rowLine(row, { y: top + at * height, height, right: width - RIGHT, banded: at % 2 === 0 })));
    if (first >= 0) drawing.append(...flag(places[first].x, bottom, width, model.marks[first]));
    model.marks.forEach((mark, index) => drawing.append(shape(mark, places[index], model.several, () => go(index))));
    drawing.append(ring, label(LEFT + 14, bottom, byTime ? after(0) : `line ${model.marks[0].line}`, "start"));
    drawing.append(label(width - RIGHT, bottom, byTime ? after(span) : `line ${model.marks.at(-1).line}`, "end"));
    show(shown);
  }
  function show(index) {
    shown = index;
    const place = places[index];
    if (!place) return;
    ring.setAttribute("cx", place.x);
    ring.setAttribute("cy", place.y);
    ring.setAttribute("visibility", "visible");
  }
  function draw(given, time) {
    [positions, byTime] = [given, time];
    paint();
  }
  new ResizeObserver(() => view.clientWidth && Math.max(NARROWEST, view.clientWidth) !== width && paint()).observe(view);
  return { view, draw, show };
}

const label = (x, bottom, words, anchor) => svg("text.ff-strip__label", { x, y: bottom + 16, "text-anchor": anchor }, words);

/** One row per rank; lines without a rank stand below. */
function rowsOf({ marks, ranks, missing }) {
  const spoke = new Set(marks.map(({ rank }) => rank));
  const rows = ranks.map((rank) => ({ rank, label: `rank ${rank}`, silent: missing.includes(rank) && !spoke.has(rank) }));
  if (spoke.has(null)) rows.push({ rank: null, label: "no rank", silent: false });
  return rows;
}

function rowLine(row, { y, height, right, banded }) {
  const middle = y + height / 2 + 4;
  const parts = [svg("text.ff-strip__label", { x: LEFT, y: middle, "text-anchor": "end" }, row.label)];
  if (banded) parts.unshift(svg("rect.ff-strip__band", { x: LEFT + 6, y, width: right - LEFT - 6, height }));
  if (row.silent) parts.push(svg("text.ff-strip__silent", { x: right - 4, y: middle, "text-anchor": "end" }, "silent: not one line in this log"));
  return parts;
}

function flag(x, bottom, width, mark) {
  const side = x > width * 0.6 ? "end" : x < width * 0.4 ? "start" : "middle";
  const words = `first fault · ${mark.rank === null ? "" : `rank ${mark.rank} · `}line ${mark.line}`;
  return [
    svg("line.ff-strip__fault", { x1: x, x2: x, y1: 22, y2: bottom }),
    svg("text.ff-strip__flag", { x: x + { end: 4, start: -4, middle: 0 }[side], y: 15, "text-anchor": side }, words),
  ];
}

function shape(mark, { x, y }, several, go) {
  const drawn = isRoot(mark) ? diamond(x, y, 8) : shapes[mark.kind.role]?.(x, y) ?? svg("circle", { cx: x, cy: y, r: 2.5 });
  const node = svg("g.ff-strip__event", { "data-role": mark.kind.role }, svg("title", {}, sentence(mark, several)), drawn);
  node.addEventListener("click", go);
  return node;
}

const diamond = (x, y, r) => svg("path", { d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z` });
const shapes = {
  either: (x, y) => diamond(x, y, 6),
  consequence: (x, y) => svg("circle", { cx: x, cy: y, r: 4.5 }),
  wrapper: (x, y) => svg("rect", { x: x - 4, y: y - 4, width: 8, height: 8 }),
  teardown: (x, y) => svg("path", { d: `M${x - 5} ${y - 4}L${x + 5} ${y - 4}L${x} ${y + 5}Z` }),
};
