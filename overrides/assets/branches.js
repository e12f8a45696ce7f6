// SPDX-License-Identifier: MIT
/**
 * Checks that branch: each check gets its two outcomes as buttons. A positive keeps the way to the fix, a negative folds
 * the fix away and shows where else to look. The path stands in the fragment (`#confirm:1y2n`), so that a colleague who
 * gets the address sees how far one got; it holds numbers of checks, nothing of a log.
 */
import { announce, el } from "./dom.js";

const PATH = /^#confirm:((?:\d+[yn])+)$/;
/** Sections that are about this failure being the one. */
const ABOUT_THIS = ["fix", "verify", "restart", "code", "stacks", "with-and-without"];

/**
 * @param {HTMLElement|null} list the checks
 * @param {{set(name: string, on: boolean): void}} remembered
 */
export function branches(list, remembered) {
  if (!list) return;
  const checks = [...list.children].map((item, place) => check(item, place + 1, choose));
  const note = el("div.pg-note", { hidden: true, role: "status" });
  const folds = ABOUT_THIS.map((id) => document.getElementById(id)).filter(Boolean).map(foldable);
  list.after(note);

  function choose(one, outcome) {
    one.show(one.outcome === outcome ? "" : outcome);
    if (one.outcome) remembered.set(one.name, true);
    const path = checks.map(({ number, outcome: found }) => (found ? `${number}${found}` : "")).join("");
    history.replaceState(history.state, "", path ? `#confirm:${path}` : "#confirm");
    settle();
  }

  function settle() {
    const no = checks.filter(({ outcome }) => outcome === "n");
    const yes = checks.filter(({ outcome }) => outcome === "y");
    for (const fold of folds) fold.close(no.length > 0);
    note.hidden = !no.length && !yes.length;
    note.dataset.tone = no.length ? "no" : "yes";
    note.replaceChildren(...words(no, yes, checks.length));
    if (!note.hidden) announce(note.textContent);
  }

  function words(no, yes, all) {
    const again = el("button.pg-plain", { type: "button", onclick: () => { checks.forEach((one) => one.show("")); history.replaceState(history.state, "", "#confirm"); settle(); } }, "Start again");
    if (!no.length) return [`${yes.length} of ${all} ${all === 1 ? "check" : "checks"} positive.`, el("a", { href: "#fix" }, "Go to the fix"), again];
    const which = no.map(({ number }) => number).join(", ");
    const open = el("button.pg-plain", { type: "button", onclick: () => folds.forEach((fold) => fold.close(false)) }, "Show it anyway");
    const beside = document.getElementById("related") ? el("a", { href: "#related" }, "See its neighbours") : "";
    return [`${no.length === 1 ? "Check" : "Checks"} ${which} negative: it is probably not this, so its fix is folded away.`, beside, open, again];
  }

  const found = PATH.exec(location.hash)?.[1].match(/\d+[yn]/g) ?? [];
  for (const step of found) checks[parseInt(step, 10) - 1]?.show(step.at(-1));
  if (found.length) {
    settle();
    list.scrollIntoView({ block: "start" });
  }
}

function check(item, number, choose) {
  const negative = item.querySelector(".pg-no");
  const positive = item.querySelector(".pg-yes");
  const buttons = [["y", "It is this"], ["n", "It is not"]].map(([outcome, label]) => el("button.pg-button", { type: "button", "aria-pressed": "false", onclick: () => choose(one, outcome) }, label));
  const one = {
    number, name: item.dataset.tick, outcome: "",
    show(outcome) {
      one.outcome = outcome;
      buttons.forEach((button, place) => button.setAttribute("aria-pressed", String("yn"[place] === outcome)));
      positive.hidden = outcome === "n" && Boolean(negative);
      if (negative) negative.hidden = outcome === "y";
    },
  };
  item.append(el("div.pg-outcomes", { role: "group", "aria-label": `Outcome of check ${number}` }, buttons));
  return one;
}

/** A section, from its heading to the next, that can be folded to its heading. */
function foldable(heading) {
  const parts = [];
  for (let node = heading.nextElementSibling; node && node.tagName !== "H2"; node = node.nextElementSibling) parts.push(node);
  const note = el("p.pg-away", { hidden: true }, "Folded: a check above says that it is not this.");
  heading.after(note);
  return {
    close(away) {
      note.hidden = !away;
      for (const part of parts) part.hidden = away;
    },
  };
}
