// SPDX-License-Identifier: MIT
/**
 * "No entry for your failure?": the lines that may name it, to click; the chosen one becomes a draft of an entry.
 *
 * Under a verdict that did name an entry the same is folded away, beside the forms for a wrong or a missed verdict.
 */
import { draftPane } from "./draftpane.js";
import { el, logText } from "./dom.js";
import { reports } from "./reports.js";

/**
 * @param {{result: any, pieces: import("./messages.js").Piece[], engine: import("./engine.js").Engine, entry?: string}} page
 *   `entry` is the page's own, where the diagnosis stands on one
 */
export function draftSection(page) {
  const open = page.result.verdict === "unrecognised";
  const body = el("div.ff-draft__body");
  const begin = once(() => choose(body, page));
  const report = reports(page.result, page.entry);
  if (open) {
    begin();
    return el("section.ff-part.ff-draft", { "aria-labelledby": "ff-add" }, el("h3", { id: "ff-add" }, "No entry for your failure?"),
      el("p", {}, "Choose the line that names it. It becomes a draft of an entry, checked here while you write; nothing leaves this browser until you copy or download it."), body, report);
  }
  return el("details.ff-fold.ff-draft", { ontoggle: ({ target }) => target.open && begin() },
    el("summary", {}, el("span.ff-fold__title", {}, "Is this verdict wrong, or did it miss something?")), report,
    el("p", {}, "If a line of this log deserves an entry of its own, choose it:"), body);
}

const once = (work) => {
  let done = false;
  return () => done || ((done = true), work());
};

/** Ask the engine for the candidates, and show them. */
function choose(body, { result, pieces, engine }) {
  const said = el("p.ff-quiet", { role: "status" }, "Looking for lines that an entry could be made of…");
  body.replaceChildren(said);
  answerOf(engine, () => engine.candidates(JSON.stringify(result))).then((found) => {
    if (!found.length) {
      said.textContent = "No line of this log stands out that an entry could be made of. Give the logs of the other ranks and the launcher's output, too.";
      return;
    }
    const place = el("div");
    const list = el("ul.ff-candidates", {}, ...found.map((candidate) => el("li", {}, option(candidate, () => make(place, engine, pieces, candidate, list)))));
    body.replaceChildren(list, place);
  }, ({ detail }) => (said.textContent = `The lines could not be listed (${detail}).`));
}

function option({ file, line, rank, text, why }, act) {
  const where = [file ? `${file}:${line}` : `line ${line}`, Number.isInteger(rank) ? `rank ${rank}` : null].filter(Boolean).join(", ");
  return el("button.ff-candidate", { type: "button", "aria-pressed": "false", onclick: act },
    el("code.ff-candidate__text", {}, ...logText(text, 300)), el("span.ff-candidate__why", {}, ...logText(`${where}: ${why}`, 240)));
}

/** Turn the chosen line into a draft. */
function make(place, engine, pieces, candidate, list) {
  const buttons = [...list.querySelectorAll("button")];
  buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === document.activeElement)));
  place.replaceChildren(el("p.ff-quiet", { role: "status" }, "Taking the lines around it from your log…"));
  answerOf(engine, () => engine.draft(pieces, candidate)).then((made) => {
    if (made.refused) place.replaceChildren(el("p.ff-alarm", { role: "alert" }, ...logText(made.refused, 400)));
    else draftPane(place, engine, made);
  }, ({ detail }) => place.replaceChildren(el("p.ff-alarm", { role: "alert" }, `The draft could not be made (${detail}).`)));
}

/**
 * One request to the engine as a promise of its JSON. The promise of a request that another one replaced stays open.
 * @param {import("./engine.js").Engine} engine
 * @param {() => number} ask gives the run's id
 */
export function answerOf(engine, ask) {
  return new Promise((resolve, reject) => {
    const watch = new AbortController();
    let run = 0;
    for (const kind of ["candidates", "drafted", "checked", "failed", "broken"]) {
      engine.addEventListener(kind, ({ detail }) => {
        if (kind !== "broken" && detail.run !== run) return;
        watch.abort();
        if (kind === "failed" || kind === "broken") reject(detail);
        else resolve(JSON.parse(detail.json));
      }, { signal: watch.signal });
    }
    run = ask();
  });
}
