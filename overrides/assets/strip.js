// SPDX-License-Identifier: MIT
/** The strip: one row per rank, log order or time from left to right, the first fault flagged. Drawn as SVG nodes. */
import { el, rankList, svg } from "./dom.js";
import { ROLES } from "./lines.js";

const WIDTH = 960;
const LEFT = 78;
const RIGHT = 20;
const TOP = 34;
const MAX_ROWS = 32; // more ranks than this share rows

/**
 * @param {any} result a diagnosis
 * @param {(event: any) => void} jump called with the event that was chosen
 */
export function strip(result, jump) {
  const events = result.events.filter((event) => ROLES[event.role]);
  if (events.length < 2) return null;
  const times = clocks(events);
  const view = el("div.ff-strip__view");
  const draw = (byTime) => view.replaceChildren(picture(result, events, byTime ? times : events.map((_, index) => index), byTime, jump));
  draw(false);
  return el("figure.ff-strip", {}, el("figcaption", {}, times ? "Ranks against" : "Ranks against log order", times ? toggle(draw) : null), view, legend(events));
}

/**
 * A time for each event, in seconds after the first; a line without one takes that of the line before it.
 * Null when too few lines carry a time, or all the same.
 */
function clocks(events) {
  const known = events.map(({ time }) => seconds(time));
  const stated = known.filter((time) => time !== null);
  if (stated.length < events.length * 0.6) return null;
  const zero = Math.min(...stated);
  if (Math.max(...stated) === zero) return null;
  let last = zero;
  return known.map((time) => (last = time ?? last) - zero);
}

function seconds(time) {
  if (typeof time === "number") return time;
  const parsed = time ? Date.parse(time.replace(" ", "T").replace(",", ".")) : NaN;
  return Number.isNaN(parsed) ? null : parsed / 1000;
}

function toggle(draw) {
  const choose = (value, label, checked) => {
    const input = el("input", { type: "radio", name: "ff-axis", value, checked });
    input.addEventListener("change", () => draw(value === "time"));
    return el("label", {}, input, label);
  };
  return el("span.ff-strip__axis", { role: "radiogroup", "aria-label": "Order events by" }, choose("order", "log order", true), choose("time", "time", false));
}

function picture(result, events, positions, byTime, jump) {
  const rows = rowsOf(result, events);
  const height = rows.length > 12 ? 16 : 24;
  const bottom = TOP + rows.length * height;
  const low = Math.min(...positions);
  const span = Math.max(...positions) - low || 1;
  const x = (index) => LEFT + 14 + ((positions[index] - low) / span) * (WIDTH - LEFT - RIGHT - 28);
  const first = events.findIndex((event) => isFirst(event, result));
  const drawing = svg("svg.ff-strip__svg", { viewBox: `0 0 ${WIDTH} ${bottom + 22}`, role: "img", "aria-label": describe(result, events, rows) });
  rows.forEach((row, at) => drawing.append(...rowLine(row, TOP + at * height, height, at)));
  if (first >= 0) drawing.append(...flag(x(first), bottom, events[first], rows.find((row) => row.holds(events[first]))));
  events.forEach((event, index) => {
    const at = rows.findIndex((row) => row.holds(event));
    drawing.append(mark(event, x(index), TOP + (at + 0.5) * height, index === first, () => jump(event)));
  });
  drawing.append(svg("text.ff-strip__label", { x: LEFT + 14, y: bottom + 16 }, byTime ? after(Math.min(...positions)) : `line ${events[0].line}`));
  drawing.append(svg("text.ff-strip__label", { x: WIDTH - RIGHT, y: bottom + 16, "text-anchor": "end" }, byTime ? after(Math.max(...positions)) : `line ${events.at(-1).line}`));
  return drawing;
}

/** `+10 min 3 s` after the first event. */
function after(time) {
  if (time < 60) return `+${time < 10 ? time.toFixed(1) : Math.round(time)} s`;
  const minutes = Math.floor(time / 60);
  return minutes < 120 ? `+${minutes} min ${Math.round(time % 60)} s` : `+${(time / 3600).toFixed(1)} h`;
}

function isFirst(event, result) {
  const decisive = result.root?.evidence?.[0];
  return Boolean(decisive) && event.line === decisive.line && (event.file ?? "") === (decisive.file ?? event.file ?? "");
}

/** One row per rank that spoke or is missing, bundled when there are many; lines without a rank stand below. */
function rowsOf(result, events) {
  const missing = result.ranks?.missing ?? [];
  const ranks = [...new Set([...(result.ranks?.seen ?? []), ...missing, ...events.map((event) => event.rank)])].filter((rank) => Number.isInteger(rank)).sort((a, b) => a - b);
  const size = Math.ceil(ranks.length / MAX_ROWS) || 1;
  const rows = [];
  for (let at = 0; at < ranks.length; at += size) {
    const members = ranks.slice(at, at + size);
    const silent = members.every((rank) => missing.includes(rank) && !events.some((event) => event.rank === rank));
    rows.push({ label: size === 1 ? `rank ${members[0]}` : rankList(members), silent, holds: (event) => members.includes(event.rank) });
  }
  if (events.some((event) => !Number.isInteger(event.rank))) rows.push({ label: "no rank", silent: false, holds: (event) => !Number.isInteger(event.rank) });
  return rows;
}

function rowLine(row, y, height, at) {
  const parts = [svg("text.ff-strip__label", { x: LEFT, y: y + height / 2 + 4, "text-anchor": "end" }, row.label)];
  if (at % 2 === 0) parts.unshift(svg("rect.ff-strip__band", { x: LEFT + 6, y, width: WIDTH - LEFT - RIGHT, height }));
  if (row.silent) parts.push(svg("text.ff-strip__silent", { x: WIDTH - RIGHT, y: y + height / 2 + 4, "text-anchor": "end" }, "silent: not one line in this log"));
  return parts;
}

function flag(x, bottom, event, row) {
  const side = x > WIDTH * 0.6 ? "end" : "start";
  const words = `first fault · ${row?.label === "no rank" ? "" : `rank ${event.rank} · `}line ${event.line}`;
  return [
    svg("line.ff-strip__fault", { x1: x, x2: x, y1: 22, y2: bottom }),
    svg("text.ff-strip__flag", { x: side === "end" ? x + 4 : x - 4, y: 15, "text-anchor": side }, words),
  ];
}

function mark(event, x, y, first, jump) {
  const shape = first ? diamond(x, y, 8) : shapes[event.role]?.(x, y) ?? svg("circle", { cx: x, cy: y, r: 2.5 });
  const node = svg("g.ff-strip__event", { "data-role": first ? "root" : event.role }, svg("title", {}, `line ${event.line}: ${event.title}`), shape);
  node.addEventListener("click", jump);
  return node;
}

const diamond = (x, y, r) => svg("path", { d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z` });
const shapes = {
  root: (x, y) => diamond(x, y, 6),
  either: (x, y) => diamond(x, y, 5),
  consequence: (x, y) => svg("circle", { cx: x, cy: y, r: 4.5 }),
  wrapper: (x, y) => svg("rect", { x: x - 4, y: y - 4, width: 8, height: 8 }),
  teardown: (x, y) => svg("path", { d: `M${x - 5} ${y - 4}L${x + 5} ${y - 4}L${x} ${y + 5}Z` }),
};

function legend(events) {
  const roles = [...new Set(events.map((event) => event.role))];
  return el("p.ff-strip__legend", {}, ...roles.map((role) => el("span.ff-role", { "data-role": role }, el("span.ff-role__mark", { "aria-hidden": "true" }, ROLES[role].mark), ROLES[role].word)));
}

function describe(result, events, rows) {
  const first = events.find((event) => isFirst(event, result));
  const where = first ? ` The first fault is ${Number.isInteger(first.rank) ? `on rank ${first.rank}, ` : ""}line ${first.line}.` : "";
  return `${events.length} recognised events on ${rows.length} rows of ranks, in the order of the log.${where} The same events stand as a list below.`;
}
