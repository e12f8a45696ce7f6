// SPDX-License-Identifier: MIT
/**
 * A text box that is pleasant for YAML: Enter keeps the indentation, Tab indents, a quote inside quotes is doubled, blanks
 * are found by key. Everything goes through the browser's own editing, so that undo works.
 */
import { el } from "./dom.js";

const BLANK = /^(?!\s*#).*?: ('')[ \t]*$/gm;

/** @returns {HTMLTextAreaElement} */
export function yamlArea(text, label) {
  const area = el("textarea.ff-yaml", { rows: Math.min(text.split("\n").length + 1, 32), spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": label });
  area.value = text;
  let leave = false;
  area.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (event.key === "Escape") leave = true;
    else if (event.key === "Tab" && plain && !leave) indent(area, event.shiftKey, event);
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) act(event, () => blanks(area).next());
    else if (event.key === "Enter" && plain && !event.shiftKey) act(event, () => insert(area, `\n${indentationAfter(area)}`));
    else if (event.key === "'" && plain && insideQuotes(area)) act(event, () => insert(area, "''"));
    if (event.key !== "Escape" && event.key !== "Shift") leave = false;
  });
  area.addEventListener("blur", () => (leave = false));
  return area;
}

/** The values that are still to be filled. */
export function blanks(area) {
  const places = () => [...area.value.matchAll(BLANK)].map((found) => found.index + found[0].lastIndexOf("''") + 1);
  return {
    count: () => places().length,
    next() {
      const all = places();
      if (all.length) select(area, all.find((at) => at > area.selectionEnd) ?? all[0]);
    },
  };
}

export function selectLine(area, number) {
  const lines = area.value.split("\n");
  const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const text = lines[number - 1] ?? "";
  select(area, text.endsWith("''") ? start + text.length - 1 : start, text.endsWith("''") ? undefined : start + text.length);
}

function select(area, start, end = start) {
  area.focus();
  area.setSelectionRange(start, end);
  const line = area.value.slice(0, start).split("\n").length - 1;
  const height = parseFloat(getComputedStyle(area).lineHeight) || 16;
  area.scrollTop = Math.max(0, line * height - area.clientHeight / 3);
  area.scrollLeft = 0;
}

function act(event, work) {
  event.preventDefault();
  work();
}

/** Insert in place of the selection. The command is old, and the only one that keeps undo. */
function insert(area, text) {
  area.focus();
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

const lineBefore = (area) => area.value.slice(area.value.lastIndexOf("\n", area.selectionStart - 1) + 1, area.selectionStart);

/** As deep as this line, and deeper after a field that opens something. */
function indentationAfter(area) {
  const line = lineBefore(area);
  const [, margin, item] = /^( *)((?:- +)*)/.exec(line);
  return margin + " ".repeat(item.length) + (/:(?: [|>][-+0-9]*)?$/.test(line.trimEnd()) ? "  " : "");
}

/** Whether the caret stands in a value that is written in single quotes to the line's end. */
function insideQuotes(area) {
  const end = area.value.indexOf("\n", area.selectionEnd);
  const after = area.value.slice(area.selectionEnd, end < 0 ? undefined : end);
  return /(?:: |- )'[^]*$/.test(lineBefore(area)) && /'\s*$/.test(after);
}

function indent(area, back, event) {
  const from = area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
  const lines = area.value.slice(from, area.selectionEnd).split("\n");
  if (!back && lines.length === 1) {
    act(event, () => insert(area, "  "));
    return;
  }
  const changed = lines.map((line) => (back ? line.replace(/^ {1,2}/, "") : line && `  ${line}`)).join("\n");
  act(event, () => {
    area.setSelectionRange(from, from + lines.join("\n").length);
    insert(area, changed);
    area.setSelectionRange(lines.length === 1 ? from + changed.length : from, from + changed.length);
  });
}
