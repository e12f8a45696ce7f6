// SPDX-License-Identifier: MIT
/**
 * The decision as a walk: one question at a time with its answers as buttons, down to an action. It is made from the
 * nested list that stands there without a script, so the two can't say different things.
 */
import { announce, el } from "./dom.js";

/** @param {HTMLDetailsElement} fold */
export function walk(fold) {
  const list = fold.querySelector(".pg-question");
  const stage = el("div.pg-question", {});
  const asList = el("button.pg-plain", { type: "button", onclick: () => { stage.replaceWith(list); asList.remove(); } }, "Show all answers as a list");

  /** @param {Element} place holds a question, or an action. @param {string[]} taken answers so far. @param {Element[]} way places so far */
  function show(place, taken, way) {
    const ask = place.querySelector(":scope > .pg-ask");
    const back = way.length ? el("button.pg-plain", { type: "button", onclick: () => show(way.at(-1), taken.slice(0, -1), way.slice(0, -1)) }, "Back") : "";
    const trail = taken.length ? el("p.pg-taken", {}, `${taken.join(" › ")}  `, back) : "";
    stage.replaceChildren(...[trail, ask ? question(place, ask, taken, way) : action(place)].flat().filter(Boolean));
    if (!taken.length) return;
    announce(ask ? ask.textContent : place.textContent);
    stage.querySelector(".pg-button, .pg-action")?.focus();
  }

  function question(place, ask, taken, way) {
    const answers = [...place.querySelectorAll(":scope > .pg-answers > li")].map((item) => {
      const label = item.querySelector(":scope > b").textContent;
      return el("button.pg-button", { type: "button", onclick: () => show(item.querySelector(":scope > .pg-then"), [...taken, label], [...way, place]) }, label);
    });
    return [el("p.pg-ask", {}, ask.textContent), el("div.pg-outcomes", { role: "group", "aria-label": ask.textContent }, answers)];
  }

  const action = (place) => el("p.pg-action", { tabindex: "-1" }, [...place.childNodes].map((node) => node.cloneNode(true)));

  fold.querySelector("summary").textContent = "Answer step by step";
  fold.open = true;
  list.replaceWith(stage);
  stage.after(asList);
  show(list, [], []);
}
