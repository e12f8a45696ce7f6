// SPDX-License-Identifier: MIT
/** The entry as a runbook to paste into a ticket: as Markdown or as plain text, with the reader's own ticks in it. */
import { copyButton, el } from "./dom.js";

const TASK = /^- \[ \] \{([a-z]+-\d+)\} /gm;

/**
 * @param {HTMLElement} bar the buttons go below it
 * @param {{has(name: string): boolean}} remembered
 */
export function runbook(bar, remembered) {
  const source = document.getElementById("runbook");
  if (!source) return;
  const markdown = () => {
    const steps = source.content.textContent.replace(TASK, (_, name) => `- [${remembered.has(name) ? "x" : " "}] `);
    return `${steps.trimEnd()}\n\n${location.href.replace(/[?#].*/, "")}\n`;
  };
  bar.after(el("div.pg-jumps.pg-copies", {},
    el("span", {}, "This page as a runbook:"),
    copyButton("Copy as Markdown", markdown, "Copy as Markdown: the runbook with your ticks"),
    copyButton("Copy as text", () => plain(markdown()), "Copy as text: the runbook with your ticks"),
  ));
}

/** Markdown without its marks; commands are indented. @param {string} text */
export function plain(text) {
  let fenced = false;
  const lines = [];
  for (const line of text.split("\n")) {
    if (/^\s*(`{3,}|~{3,})/.test(line)) fenced = !fenced;
    else if (fenced) lines.push(`    ${line}`);
    else lines.push(line.replace(/^#+ (.*)/, (_, title) => title.toUpperCase()).replace(/\[([^\]]+)\]\(([^)]*)\)/g, "$1").replace(/\*\*|`/g, ""));
  }
  return lines.join("\n").replace(/\n{3,}/g, "\n\n");
}
