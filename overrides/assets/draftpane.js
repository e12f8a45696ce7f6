// SPDX-License-Identifier: MIT
/** The draft: its YAML to write on, what is wrong with it, what was hidden in it, and the ways in which it leaves. */
import { checker } from "./draftcheck.js";
import { announce, copyButton, el, logText, MASKED, plural } from "./dom.js";
import { KINDS } from "./masks.js";
import { newFile } from "./reports.js";
import { blanks, selectLine, yamlArea } from "./yamlarea.js";

/**
 * @param {Element} place
 * @param {import("./engine.js").Engine} engine
 * @param {{id: string, family: string, file: string, yaml: string}} made what firstfault.draft gives
 */
export function draftPane(place, engine, made) {
  const area = yamlArea(made.yaml, "YAML of the entry");
  const name = el("code", {}, made.file);
  const state = el("p.ff-draft__state", { role: "status" }, "Loading the checks…");
  const problems = el("ol.ff-draft__problems");
  const next = el("button.ff-button", { type: "button", onclick: () => blanks(area).next() });
  const leaving = ways(area, made);
  const ask = checker(engine, {
    checking: () => (state.textContent = "Checking…"),
    checked: (found) => show(found),
    failed: (words) => state.replaceChildren("The checks could not run here (", ...logText(words, 200), "). In a checkout: ", el("code", {}, "firstfault check FILE")),
  });

  function show(found) {
    const count = found.problems.length;
    name.textContent = found.file;
    state.textContent = count ? `${plural(count, "problem")}, as firstfault check tells them:` : "No problem: firstfault check accepts it.";
    state.dataset.tone = count ? "" : "good";
    problems.replaceChildren(...found.problems.map((problem) => el("li", {}, el("button.ff-problem", { type: "button", onclick: () => selectLine(area, problem.line) },
      el("span.ff-problem__place", {}, `line ${problem.line}`), problem.field ? el("b", {}, problem.field) : null, " ", ...logText(`${problem.what}: ${problem.why}; ${problem.todo}`, 500)))));
    leaving.update(found);
    if (!count) announce("The draft has no problem.");
  }
  function changed(now = false) {
    const left = blanks(area).count();
    next.textContent = left ? `Next blank (${left} left)` : "No blank left";
    next.disabled = !left;
    ask(area.value, now);
  }
  area.addEventListener("input", () => changed());
  place.replaceChildren(el("div.ff-draft__pane", {},
    el("h4", {}, "Draft: ", name),
    el("p.ff-quiet", { id: "ff-draft-help" }, "Fill what is '' and correct what was guessed. Ctrl+Enter goes to the next blank; Tab indents, and after Escape it leaves the box."),
    area, el("div.ff-intake__bar", {}, next), state, problems, leaving.box));
  area.setAttribute("aria-describedby", "ff-draft-help");
  changed(true);
  blanks(area).next();
  place.scrollIntoView({ block: "nearest" });
}

/** What leaves, and how: the hidden values first, then copy, download, and the code host's page. */
function ways(area, made) {
  const preview = el("div.ff-draft__leaves");
  const link = el("a.ff-button", { target: "_blank", rel: "noopener noreferrer" }, "Open the new-file page");
  const download = el("button.ff-button", { type: "button", onclick: () => save(area.value, `${link.dataset.id}.yaml`) }, "Download");
  const copy = copyButton("Copy the YAML", () => area.value, "Copy the YAML of the entry");
  copy.className = "ff-button";
  const box = el("div", {}, el("h4", {}, "Before it leaves"), preview,
    el("div.ff-intake__bar", {}, copy, download, link),
    el("p.ff-quiet", {}, "The page of the code host opens with the file's name only; paste the YAML there and propose it. No text of your log is in any address."));
  function update(found) {
    link.dataset.id = /^[a-z0-9-]+$/.test(found.id) ? found.id : made.id;
    link.href = newFile(/^[a-z0-9-]+$/.test(found.family) ? found.family : made.family, link.dataset.id);
    preview.replaceChildren(...hiddenWords(found, area.value));
  }
  update({ ...made, hidden: made.hidden, private: [] });
  return { box, update };
}

function hiddenWords({ hidden, private: suspicious }, text) {
  const counts = hidden.map(({ kind, values }) => plural(values, ...KINDS[kind]));
  const lines = text.split("\n").filter((line) => MASKED.test(line)).slice(0, 30);
  return [
    el("p", {}, counts.length ? `Hidden in it: ${counts.join(", ")}. Read the sample once more: only you know what else is private.` : "Nothing in it had to be hidden. Read the sample once more: only you know what else is private."),
    lines.length ? el("pre.ff-draft__hidden", { tabindex: "0", "aria-label": "Lines in which something was hidden" }, ...lines.flatMap((line) => [...marked(line.trim()), "\n"])) : null,
    suspicious.length ? el("p.ff-draft__warning", {}, `Still looks private: ${suspicious.slice(0, 8).map(({ line, kind }) => `${KINDS[kind][0]} in line ${line}`).join(", ")}.`) : null,
  ].filter(Boolean);
}

/** A line with what was hidden marked. */
const marked = (line) => logText(line, 300).map((part) => (part instanceof Element && part.dataset.kind ? el("mark", {}, part.textContent) : part));

function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
