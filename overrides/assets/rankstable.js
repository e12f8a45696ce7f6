// SPDX-License-Identifier: MIT
/** The ranks as a table: how far each came, what it said first, what it is in this verdict, and who is silent. */
import { el, logText, plural, thousands } from "./dom.js";
import { jump, roleBadge } from "./lines.js";

const SHOWN = 24; // rows until the reader asks for all
const WEIGHT = { root: 0, silent: 1, recovered: 3, quiet: 4 };
const COLUMNS = [
  ["Rank", (row) => row.rank ?? Infinity], ["Role", (row) => WEIGHT[row.role] ?? 2], ["Last step", (row) => row.last_step ?? -1], ["First error", (row) => row.fault?.time ?? Infinity],
  ["Host", (row) => row.host ?? ""], ["File", (row) => row.files[0] ?? ""],
];

/** @param {any} result */
export function ranksTable({ ranks_table: rows, stats }) {
  if (!rows || rows.length < 2) return null;
  const furthest = Math.max(...rows.map((row) => row.last_step ?? -1));
  const columns = COLUMNS.filter(([name]) => (name !== "Host" || rows.some((row) => row.host)) && (name !== "Last step" || furthest >= 0) && (name !== "File" || stats.files > 1));
  const body = el("tbody");
  const more = el("button.ff-copy", { type: "button" }, `Show all ${plural(rows.length, "row")}`);
  let [sorted, limit, order] = [telling(rows), SHOWN, null];
  const draw = () => {
    body.replaceChildren(...sorted.slice(0, limit).map((row) => line(row, columns, furthest)));
    more.hidden = rows.length <= limit;
  };
  more.addEventListener("click", () => ((limit = Infinity), draw()));
  const heads = columns.map(([name, key]) => {
    const head = el("th", { scope: "col", "aria-sort": "none" });
    head.append(el("button", { type: "button", onclick: () => {
      const down = order === name && head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      order = name;
      sorted = [...rows].sort((a, b) => (down ? -1 : 1) * compare(key(a), key(b)));
      draw();
    } }, name));
    return head;
  });
  draw();
  const silent = rows.filter((row) => row.role === "silent").length;
  const told = [plural(rows.filter((row) => row.rank !== null).length, "rank"), silent ? `${silent} silent` : null, furthest >= 0 && behind(rows, furthest) ? `${behind(rows, furthest)} behind step ${furthest}` : null].filter(Boolean);
  const table = el("div.ff-ranks__scroll", { tabindex: "0", role: "group", "aria-label": "Ranks" }, el("table.ff-ranks", {}, el("thead", {}, el("tr", {}, ...heads)), body));
  return el("details.ff-fold.ff-ranks__fold", { open: stats.files > 1 }, el("summary", {}, el("span.ff-fold__title", {}, "Rank by rank"), el("span.ff-fold__where", {}, told.join(" · "))), table, more);
}

const behind = (rows, furthest) => rows.filter((row) => row.last_step !== null && row.last_step < furthest).length;
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** The first rows are those that tell something: the first fault, the silent, those that fell behind. */
function telling(rows) {
  if (rows.length <= SHOWN) return rows;
  return [...rows].sort((a, b) => (WEIGHT[a.role] ?? 2) - (WEIGHT[b.role] ?? 2) || compare(a.last_step ?? Infinity, b.last_step ?? Infinity) || compare(a.rank ?? Infinity, b.rank ?? Infinity));
}

function line(row, columns, furthest) {
  const cells = {
    Rank: () => el("th", { scope: "row" }, row.rank === null ? "–" : String(row.rank)),
    Role: () => el("td", {}, row.role === "quiet" ? el("span.ff-quiet", {}, "no error") : roleBadge(row.role)),
    "Last step": () => el("td.ff-ranks__number", { "data-behind": row.last_step !== null && row.last_step < furthest }, row.last_step === null ? "" : thousands(row.last_step)),
    "First error": () => el("td.ff-ranks__error", {}, row.fault ? [jump(row.fault, `line ${row.fault.line}`), " ", el("span", {}, ...logText(row.fault.title, 90))] : ""),
    Host: () => el("td.ff-ranks__host", {}, ...logText(row.host ?? "", 80)),
    File: () => el("td.ff-ranks__file", {}, ...logText(row.files.join(", "), 160)),
  };
  return el("tr", { "data-role": row.role }, ...columns.map(([name]) => cells[name]()));
}
