// SPDX-License-Identifier: MIT
/** Every event of a verdict as a mark: where it stands in the log, when, on which rank, and of which kind it is. */

/**
 * @typedef {{rank: number|null, order: number, time: number|null, kind: {entry: string|null, title: string, role: string},
 *            file: string, line: number, count: number}} Mark
 */

/**
 * @param {any} result
 * @returns {Mark[]} in the order of the log
 */
export function marksOf(result) {
  const marks = allMarks(result);
  if (result.verdict !== "needs-evidence") return marks;
  return marks.map((mark) => (isRoot(mark) ? { ...mark, kind: { ...mark.kind, role: "either" } } : mark)); // the first fault is not in this log
}

function allMarks({ map, events }) {
  if (!map) return (events ?? []).map((event, order) => ({ ...event, order, time: Number.isFinite(event.time) ? event.time : null, kind: event }));
  return map.marks.map((text) => {
    const [rank, order, time, kind, line, file, count] = text.split(" ");
    return {
      rank: rank === "-" ? null : Number(rank), order: Number(order), time: time === "-" ? null : Number(time),
      kind: map.kinds[kind], line: Number(line), file: map.files[file], count: Number(count),
    };
  });
}

/** The first fault's mark. */
export const isRoot = (mark) => mark.kind.role === "root";

/**
 * A time for each mark, in seconds after the first; a line without one takes that of the line before it.
 * Null when too few lines carry a time, or all the same.
 * @param {Mark[]} marks
 */
export function clocks(marks) {
  const stated = marks.map(({ time }) => time).filter((time) => time !== null);
  if (stated.length < marks.length * 0.6) return null;
  const zero = stated.reduce((least, time) => Math.min(least, time), Infinity);
  if (stated.every((time) => time === zero)) return null;
  let last = zero;
  return marks.map(({ time }) => (last = time ?? last) - zero);
}

/** `+10 min 3 s` after the first event. */
export function after(time) {
  if (time < 60) return `+${time < 10 ? time.toFixed(1) : Math.round(time)} s`;
  const minutes = Math.floor(time / 60);
  return minutes < 120 ? `+${minutes} min ${Math.round(time % 60)} s` : `+${(time / 3600).toFixed(1)} h`;
}

/** All ranks that spoke or are missing, in order. */
export function ranksOf(result, marks) {
  const all = new Set([...(result.ranks?.seen ?? []), ...(result.ranks?.missing ?? [])]);
  for (const { rank } of marks) if (rank !== null) all.add(rank);
  return [...all].filter(Number.isInteger).sort((a, b) => a - b);
}

/** What stands at a mark, in one sentence. */
export function sentence(mark, several) {
  const where = [several ? mark.file : null, `line ${mark.line}`, mark.rank === null ? null : `rank ${mark.rank}`].filter(Boolean).join(", ");
  return `${where}: ${mark.kind.title}${mark.count > 1 ? `, ${mark.count} times` : ""}`;
}
