// SPDX-License-Identifier: MIT
/**
 * The answer as a whole: the verdict, the log beside it, and what ties the two together. Loaded when a reader shows the
 * intent to diagnose, not before.
 */
import { card } from "./card.js";
import { copyButton, el } from "./dom.js";
import { handover } from "./handover.js";
import { itemOf } from "./lines.js";
import { logView } from "./logview.js";
import { marksOf } from "./marks.js";
import { masker, masks } from "./masks.js";
import { listenForKeys, Tour } from "./tour.js";

/**
 * @typedef {{result: any, masked: any, markdown: string, hidden: any[]}} Answer   `result` as in the log, `masked` as it may leave
 * @param {Answer} answer
 * @param {{pieces: any[], partial?: any, base: URL|null, actions: (Node|null)[], again?: () => void, sections?: (Node|null)[]}} page
 */
export function verdict(answer, page) {
  const { result, masked, hidden } = answer;
  const tour = new Tour(marksOf(result), result.unexplained ?? []);
  const origin = pairs(masked, result);
  const hide = masker(hidden);
  let asInLog = false;
  const panel = masks({ hidden, already: result === masked, markdown: answer.markdown, view: (on) => ((asInLog = on), redraw()) });
  const log = logView({ result, pieces: page.pieces, tour, shown: (text) => (asInLog ? text : hide(text)), explain: (mark) => ways(mark) });
  const actions = [copyButton("Copy for an issue", panel.text, "Copy for an issue: Markdown with file and line, secrets masked"), ...page.actions];
  const head = el("div.ff-verdict__head", {}, handover(masked, page.partial, page.pieces));
  const left = el("div.ff-verdict__card");
  const whole = el("div.ff-verdict", {}, left, log.pane);

  function redraw() {
    const drawn = asInLog ? result : masked;
    const made = card(drawn, { ...page, actions, panel: panel.box, tour });
    listenForKeys(made, tour);
    left.replaceChildren(head, made);
    log.repaint();
  }
  function ways(mark) {
    const id = /^[a-z0-9-]+$/.test(mark.kind.entry ?? "") ? mark.kind.entry : null;
    const there = el("button.ff-copy", { type: "button", onclick: () => reveal(left, mark) }, "Where the verdict uses it");
    return [there, id && page.base ? el("a", { href: new URL(`${id}/`, page.base).href }, "What this line means") : null];
  }
  left.addEventListener("click", ({ target }) => {
    const item = itemOf(target.closest?.(".ff-jump"));
    if (!item) return;
    const known = origin.get(item) ?? item;
    tour.line(known.file ?? result.root?.evidence?.[0]?.file, known.line, "card");
  });
  listenForKeys(log.pane, tour);
  redraw();
  return whole;
}

/** Open and show the part of the card that speaks of an event. */
function reveal(area, { kind, line }) {
  const folds = [...area.querySelectorAll(`.ff-fold[data-entry="${CSS.escape(kind.entry ?? "")}"]`)];
  const found = kind.role === "root" ? area.querySelector(".ff-context") : folds.find((fold) => fold.dataset.role === kind.role) ?? folds[0] ?? area.querySelector(`[id^="ff-event-${line}-"]`);
  if (!found) return;
  for (let fold = found; fold; fold = fold.parentElement?.closest("details")) if (fold.tagName === "DETAILS") fold.open = true;
  found.scrollIntoView({ block: "center" });
  found.classList.remove("ff-flash");
  requestAnimationFrame(() => found.classList.add("ff-flash"));
}

/** For every object of the masked result its original: the masked file name is no name of a file. */
function pairs(masked, raw) {
  const found = new WeakMap();
  const walk = (left, right) => {
    if (typeof left !== "object" || !left || typeof right !== "object" || !right) return;
    found.set(left, right);
    for (const key of Object.keys(left)) if (key !== "marks") walk(left[key], right[key]);
  };
  walk(masked, raw);
  return found;
}
