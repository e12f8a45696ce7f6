// SPDX-License-Identifier: MIT
/**
 * The form of a shared verdict: which fields a link may hold, of which type and how long. It is used both ways: to cut a
 * verdict for a link, and to read one that a stranger made. What is not named here does not exist.
 *
 * No advice and no command is in it: a link could put words into this site's mouth. They come from the site's own entry.
 */
import { ROLES } from "./lines.js";

const text = (most) => (value) => (typeof value === "string" ? value.slice(0, most) : null);
const number = (value) => (Number.isFinite(value) && Math.abs(value) < 1e15 ? value : null);
const id = (value) => (typeof value === "string" && /^[a-z0-9-]{1,80}$/.test(value) ? value : null);
const role = (value) => (Object.hasOwn(ROLES, value) || value === "quiet" ? value : "clue");
const list = (item, most) => (value) => (Array.isArray(value) ? value.slice(0, most).map(item).filter((each) => each !== null) : []);
const object = (fields) => (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(Object.hasOwn(value, name) ? value[name] : undefined)]));
};

/** The same, where a value that lacks one of these says nothing. */
const whole = (read, ...needed) => (value) => {
  const found = read(value);
  return found && needed.every((name) => found[name] !== null) ? found : null;
};

const ranks = list(number, 4096);
const line = whole(object({ file: text(200), line: number, text: text(600), rank: number }), "line", "text");
const differing = whole(object({ field: text(40), values: list(text(80), 4), count: number }), "field");
const row = (lines) => object({ entry: id, title: text(200), role, count: number, rank: number, ranks, hosts: list(text(80), 8), evidence: list(line, lines), from: number, until: number, differs: list(differing, 6) });
const MARK = /^(?:-|\d{1,7}) \d{1,12} (?:-|\d{1,12}(?:\.\d{1,3})?) \d{1,4} \d{1,9} \d{1,4} \d{1,9}$/;

const kind = whole(object({ entry: id, title: text(200), role }), "title");
const NAMELESS = { entry: null, title: "", role: "clue" }; // marks count the kinds: none may be dropped

function map(marks) {
  const read = object({ kinds: list((value) => kind(value) ?? NAMELESS, 400), files: list(text(200), 600), marks: list((value) => (MARK.test(value) ? value : null), marks), left_out: number });
  return (value) => {
    const found = read(value) ?? { kinds: [], files: [], marks: [] };
    const [kinds, files] = [found.kinds.length, found.files.length];
    found.marks = found.marks.filter((mark) => Number(mark.split(" ")[3]) < kinds && Number(mark.split(" ")[5]) < files);
    return found;
  };
}

/**
 * How much of a verdict is kept: the most that fits into a link is taken.
 * @typedef {{events: number, marks: number, rows: number, lines: number}} Measure
 */
export const MEASURES = [
  { events: 120, marks: 2500, rows: 1100, lines: 3 },
  { events: 60, marks: 600, rows: 128, lines: 2 },
  { events: 20, marks: 150, rows: 32, lines: 1 },
  { events: 5, marks: 40, rows: 8, lines: 1 },
];

/** @param {Measure} measure */
export function form({ events, marks, rows, lines }) {
  const rest = row(lines);
  return object({
    verdict: (value) => (["diagnosed", "needs-evidence", "unrecognised", "no-failure"].includes(value) ? value : "unrecognised"),
    root: object({
      entry: id, title: text(200), label: text(240), family: id, layer: id, rank: number, local_rank: number, host: text(80), time: text(40), evidence: list(line, lines),
      context: list(whole(object({ line: number, text: text(400) }), "line", "text"), 7), explains: number, count: number, ranks, observed: text(600),
    }),
    consequences: list(rest, 30), alternatives: list(object({ entry: id, title: text(200), for: list(text(200), 6), against: list(text(200), 6), evidence: list(line, 1) }), 4),
    others: list(rest, 8), recovered: list(rest, 12), benign: list(rest, 20), suspects: list(object({ entry: id, title: text(200) }), 12),
    events: list(whole(object({ line: number, file: text(200), rank: number, host: text(80), time: number, role, entry: id, title: text(200), text: text(200), count: number }), "line", "text"), events),
    ranks: object({ seen: ranks, world_size: number, missing: ranks }),
    ranks_table: list(object({ rank: number, host: text(80), files: list(text(200), 2), last_step: number, fault: whole(object({ file: text(200), line: number, entry: id, title: text(120), time: number }), "line", "title"), role, events: number }), rows),
    map: map(marks), attempts: number, why: list(text(600), 8), counterfactual: text(400), unexplained: list(line, 10), notes: list(text(300), 5),
    stats: (value) => object({ files: number, lines: number, bytes: number, seconds: number })(value ?? {}), database: (value) => object({ entries: number, version: text(40) })(value ?? {}),
  });
}
