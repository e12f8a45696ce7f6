// SPDX-License-Identifier: MIT
/**
 * Filters of the table of all entries. What is chosen stands in the fragment (`#run=hang&layer=kernel&q=nccl`), which no
 * server sees, so a filtered table can be linked and the back button works.
 *
 * A row that is laid out costs more than a row that is judged, so beyond the first few hundred the rest waits for a click.
 *
 * Within a facet values are alternatives, between facets all must hold; each count says how many rows that choice gives.
 */
import { el, thousands } from "./dom.js";

const AT_ONCE = 400;
const form = document.querySelector(".pg-filters");
const rows = [...document.querySelectorAll(".pg-all tbody tr")].map((row) => ({
  row, hidden: false, codes: new Set(row.dataset.k.split(" ").map(Number)), words: row.cells[0].textContent.toLowerCase(),
}));
const boxes = [...form.querySelectorAll("input[type=checkbox]")].map((box) => ({ box, facet: box.name, code: Number(box.dataset.n), count: box.parentElement.querySelector("b"), said: "" }));
const facets = [...new Set(boxes.map(({ facet }) => facet))];
const output = form.querySelector("output");
const none = document.querySelector(".pg-none");
const more = el("button.pg-button", { type: "button", hidden: true, onclick: () => filter(Infinity) });
none.before(more);

/** Show what the form says. @param {number} limit rows to lay out */
function filter(limit = AT_ONCE) {
  const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = facets.map((facet) => boxes.filter((one) => one.facet === facet && one.box.checked).map(({ code }) => code)).filter((codes) => codes.length);
  const named = facets.filter((facet) => boxes.some((one) => one.facet === facet && one.box.checked));
  const counts = new Map();
  let shown = 0;
  for (const one of rows) {
    const said = words.every((word) => one.words.includes(word));
    const failing = said ? chosen.flatMap((codes, place) => (codes.some((code) => one.codes.has(code)) ? [] : [named[place]])) : null;
    const visible = failing?.length === 0;
    // A row that one facet alone keeps out counts for the other values of that facet.
    if (failing && failing.length < 2) for (const code of one.codes) count(counts, code, failing[0]);
    shown += visible;
    const laid = visible && shown <= limit;
    if (one.hidden === laid) one.row.hidden = one.hidden = !laid;
  }
  for (const one of boxes) label(one, counts);
  output.textContent = shown === rows.length ? `All ${thousands(shown)} entries` : `${thousands(shown)} of ${thousands(rows.length)} entries`;
  none.hidden = shown > 0;
  more.hidden = shown <= limit;
  more.textContent = `Show ${thousands(shown - limit)} more`;
  form.classList.toggle("pg-narrowed", words.length + chosen.length > 0);
  for (const menu of form.querySelectorAll(".pg-menu")) menu.dataset.chosen = form.querySelectorAll(`[name="${menu.dataset.facet}"]:checked`).length || "";
}

const facetOf = new Map(boxes.map(({ code, facet }) => [code, facet]));

function count(counts, code, only) {
  if (only === undefined || facetOf.get(code) === only) counts.set(code, (counts.get(code) ?? 0) + 1);
}

function label(one, counts) {
  const said = String(counts.get(one.code) ?? 0);
  if (said === one.said) return;
  one.count.textContent = one.said = said;
  one.box.parentElement.classList.toggle("pg-zero", said === "0");
}

/** Put the form into the address. */
function write() {
  const parts = facets.flatMap((facet) => {
    const values = boxes.filter((one) => one.facet === facet && one.box.checked).map(({ box }) => encodeURIComponent(box.value));
    return values.length ? [`${facet}=${values.join(",")}`] : [];
  });
  const words = form.elements.q.value.trim();
  if (words) parts.push(`q=${encodeURIComponent(words)}`);
  history.replaceState(history.state, "", parts.length ? `#${parts.join("&")}` : location.pathname + location.search);
}

/** Put the address into the form. */
function read() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  form.elements.q.value = wanted.get("q") ?? "";
  for (const { box, facet } of boxes) box.checked = (wanted.get(facet) ?? "").split(",").includes(box.value);
  filter();
}

function changed() {
  filter();
  write();
}

function closeMenus(except) {
  for (const menu of form.querySelectorAll(".pg-menu[open]")) if (menu !== except) menu.open = false;
}

form.addEventListener("input", changed);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(changed));
none.querySelector("a").addEventListener("click", (event) => {
  event.preventDefault();
  form.reset();
});
form.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest(".pg-menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
document.addEventListener("click", (event) => closeMenus(event.target.closest?.(".pg-menu")));
addEventListener("hashchange", read);
form.hidden = false;
read();
