// SPDX-License-Identifier: MIT
/** A second log beside the first: what the good run never said, and what only the good run says. */
import { el, logText, plural } from "./dom.js";
import { contextBlock, evidenceLine } from "./lines.js";

/**
 * @param {{raw: any, masked: any}} outcome as the worker gives it
 * @param {string[]} names of the good run's files
 */
export function comparison({ masked: said }, names) {
  const against = el("p.ff-quiet", {}, "Against ", el("code", {}, ...logText(names.slice(0, 3).join(", "), 160)), `${names.length > 3 ? ", …" : ""}: ${plural(said.good.lines, "line")} of ${plural(said.good.kinds, "kind")}. Numbers, times and paths do not count, only words.`);
  const first = said.first
    ? [el("p", {}, el("b", {}, "The first line that never appears in the good run:")), contextBlock(said.first, null, "first new line")]
    : [el("p", {}, el("b", {}, "Every line of this run has its like in the good one."), " Look at what is missing, or compare with another run.")];
  const error = said.first_error && said.first_error.line !== said.first?.line ? [el("p", {}, el("b", {}, "The first of them that is an error:")), evidenceLine(said.first_error)] : [];
  return el("section.ff-part", { "aria-labelledby": "ff-compared" }, el("h3", { id: "ff-compared" }, "Compared with a good run"), against, ...first, ...error,
    fold(`${plural(said.new_kinds, "kind")} of lines are new here`, said.new.slice(1), said.new_kinds - 1),
    fold(`${plural(said.missing_kinds, "kind")} of lines stand only in the good run`, said.missing, said.missing_kinds, true),
    said.notes.length ? el("ul.ff-quiet", {}, ...said.notes.map((note) => el("li", {}, ...logText(note, 300)))) : null);
}

function fold(title, rows, count, elsewhere = false) {
  if (!rows.length) return null;
  const shown = elsewhere ? rows.map((row) => el("div.ff-line", {}, el("span.ff-line__place", {}, ...logText(`${row.file}:${row.line}`, 120)), el("code.ff-line__text", {}, ...logText(row.text)))) : rows.map(evidenceLine);
  return el("details.ff-fold", {}, el("summary", {}, el("span.ff-fold__title", {}, title)), ...shown, count > rows.length ? el("p.ff-quiet", {}, `${plural(count - rows.length, "more kind")}.`) : null);
}

/** Asks for the good run's files. @param {(pieces: {name: string, blob: File}[]) => void} take */
export function compareButton(take) {
  const picker = el("input.ff-hidden", { type: "file", multiple: true, tabindex: "-1", "aria-hidden": "true", onchange: ({ target }) => {
    const pieces = [...target.files].map((file) => ({ name: file.webkitRelativePath || file.name, blob: file }));
    target.value = "";
    if (pieces.length) take(pieces);
  } });
  return el("span", {}, el("button.ff-button", { type: "button", onclick: () => picker.click() }, "Compare with a good run…"), picker);
}
