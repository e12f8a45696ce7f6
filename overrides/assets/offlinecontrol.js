// SPDX-License-Identifier: MIT
/** What is kept of this site in this browser, with the switches; on the page about logs, and on the one that stands in offline. */
import { el } from "./dom.js";
import { ask, isOff, supported, switchOff, switchOn } from "./offline.js";

/** @param {HTMLElement} place */
export function show(place) {
  if (place.id === "offline-kept") return supported && !isOff() ? ask("status", {}, ({ pages }) => place.replaceChildren(keptPages(pages))) : null;
  if (!supported) return place.replaceChildren(el("p", {}, "This browser, or this address without https, keeps no offline copy."));
  return isOff() ? whenOff(place) : whenOn(place);
}

function whenOff(place) {
  const on = el("button.ff-button", { type: "button", onclick: () => switchOn().then(() => whenOn(place)) }, "Switch the offline copy on");
  place.replaceChildren(el("p", { role: "status" }, "The offline copy is off: nothing of this site is kept in this browser."), on);
}

function whenOn(place) {
  const words = el("p", { role: "status" }, "Looking at what is kept…");
  const all = el("button.ff-button", { type: "button", onclick: () => keepAll(words, all) }, "Keep every page and the engine");
  const off = el("button.ff-button", { type: "button", onclick: () => switchOff().then(() => whenOff(place)) }, "Switch it off and delete it");
  place.replaceChildren(words, el("p.ff-actions", {}, all, off));
  ask("status", {}, ({ version, pages, engine }) => {
    words.textContent = `Kept in this browser: ${pages.length} pages of version ${version}${engine ? " and the engine" : "; the engine is not, it is kept once it has run"}.`;
  });
}

function keepAll(words, button) {
  button.disabled = true;
  ask("keep-all", {}, ({ done, total, error }) => {
    button.disabled = !error && done < total;
    if (error) words.textContent = `Not everything could be kept (${error}). What is here stays; try again.`;
    else words.textContent = done < total ? `Keeping ${done} of ${total}…` : "Everything is kept: every page, the search and the engine. It works without a network.";
  });
}

function keptPages(pages) {
  return el("nav", { "aria-label": "Kept pages" }, el("p", {}, "Kept:"), el("ul", {}, ...pages.map((path) => el("li", {}, el("a", { href: `./${path}` }, path || "the first page")))));
}
