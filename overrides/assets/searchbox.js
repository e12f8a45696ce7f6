// SPDX-License-Identifier: MIT
/**
 * The search box: keys, address and the hand-over of a text. The ranking and its index are fetched when somebody goes to it.
 *
 * What is searched for reaches no server: it stands in the address behind `#q=`, which browsers keep to themselves. A link
 * with `?q=` is understood, too, and at once turned into that.
 */
const HELD = "firstfault:paste"; // a text on its way to the first page; taken out there before anything else happens
const LONG = 300; // characters; more than that, or several lines, is a log rather than a line
const LONGEST_ADDRESS = 300;
const PAUSE = 70; // milliseconds without a key before a query

const box = document.getElementById("ff-search");
const toggle = document.getElementById("__search");
if (box && toggle) start();
else receive();

function start() {
  const input = box.querySelector("input");
  const view = { list: box.querySelector(".ff-found"), told: box.querySelector("[role=status]") };
  const idle = view.told.textContent;
  const base = new URL(box.dataset.base, location.href).href;
  const state = { pasted: "", run: 0, timer: 0, before: location.hash.startsWith("#q=") ? "" : location.hash, engine: null };

  const text = () => state.pasted || input.value;
  const links = () => [...view.list.querySelectorAll("a")];
  const open = (on) => toggle.checked !== on && toggle.click(); // a click, so that the theme hears of it
  const close = () => (open(false), input.blur());
  const engine = () => (state.engine ??= load(box.dataset.index).catch((error) => {
    state.engine = null; // the next query tries again
    throw error;
  }));

  async function ask() {
    const run = (state.run += 1);
    const wanted = text();
    if (!wanted.trim()) {
      view.list.replaceChildren();
      view.told.textContent = idle;
      return;
    }
    try {
      const { search, index, answers, summary } = await engine();
      const hits = await search(wanted, index);
      if (run !== state.run) return;
      const long = wanted.length > LONG || wanted.trim().includes("\n");
      view.told.textContent = summary(hits);
      view.list.replaceChildren(...answers({ hits, text: wanted, long, base, diagnose: (event) => hand(event, wanted) }));
    } catch {
      if (run === state.run) view.told.textContent = "The search could not be loaded. Look at the connection, then type again.";
    }
  }

  function soon() {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => (ask(), remember()), PAUSE);
  }

  /** The query into the address, if it is a line; and out of it. */
  function remember() {
    const wanted = toggle.checked && !state.pasted ? input.value.trim().slice(0, LONGEST_ADDRESS) : "";
    const hash = wanted ? `#q=${encodeURIComponent(wanted.toWellFormed?.() ?? wanted.replace(/[\ud800-\udfff]/g, ""))}` : state.before;
    if (hash !== location.hash) history.replaceState(history.state, "", `${location.pathname}${location.search}${hash}`);
  }

  function hand(event, wanted) {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    input.value = "";
    state.pasted = "";
    close();
    if (document.getElementById("ff-text") && new URL(base).pathname === location.pathname) return deliver(wanted);
    try {
      sessionStorage.setItem(HELD, wanted);
    } catch { /* storage is full or forbidden: the first page opens with an empty box */ }
    location.href = `${base}#paste`;
  }

  input.addEventListener("focus", () => (open(true), engine().catch(() => {})));
  input.addEventListener("input", () => ((state.pasted = ""), soon()));
  input.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (pasted.length <= LONG && !pasted.trim().includes("\n")) return; // the browser does it
    event.preventDefault(); // a box of one line would lose the lines, and a page of them makes it slow
    input.value = pasted.trim().split("\n").at(-1).slice(0, LONG);
    state.pasted = pasted;
    soon();
  });
  box.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  box.querySelector("form").addEventListener("reset", () => ((state.pasted = ""), setTimeout(() => (input.focus(), soon()))));
  toggle.addEventListener("change", () => (toggle.checked ? input.focus() : (input.blur(), remember())));
  view.list.addEventListener("click", ({ target }) => target.closest("a") && open(false));
  box.addEventListener("keydown", (event) => keys(event, { input, links, close }));
  window.addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || !["/", "s", "f"].includes(event.key) || typing(event.target)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });

  const asked = new URLSearchParams(location.search).get("q") ?? (location.hash.startsWith("#q=") ? decode(location.hash.slice(3)) : "");
  if (asked) {
    input.value = asked.slice(0, 20_000);
    const rest = new URLSearchParams(location.search);
    rest.delete("q");
    history.replaceState(history.state, "", `${location.pathname}${rest.size ? `?${rest}` : ""}${location.hash}`);
    input.focus();
    soon();
  }
  window.addEventListener("hashchange", () => {
    if (!location.hash.startsWith("#q=")) return;
    input.value = decode(location.hash.slice(3));
    input.focus();
    soon();
  });
  receive();
}

/** The theme's habits: Enter opens the best answer, arrows walk, Esc and Tab close, any other key goes on typing. */
function keys(event, { input, links, close }) {
  const here = document.activeElement;
  if (event.key === "Enter" && here === input) {
    event.preventDefault();
    links()[0]?.click();
  } else if (event.key === "Escape" || event.key === "Tab") {
    close();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const stops = [input, ...links()];
    stops[(Math.max(0, stops.indexOf(here)) + stops.length + (event.key === "ArrowUp" ? -1 : 1)) % stops.length].focus();
  } else if (event.key.length === 1 && here !== input && !event.ctrlKey && !event.metaKey) {
    input.focus();
  }
}

const typing = (target) => target instanceof Element && Boolean(target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]"));

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function load(address) {
  const folder = new URL(address, location.href);
  const [{ search }, { Index }, { answers, summary }] = await Promise.all([import("./searchrank.js"), import("./searchindex.js"), import("./searchview.js")]);
  const index = new Index(async (name) => {
    const response = await fetch(new URL(name, folder));
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return response.json();
  });
  await index.head();
  return { search, index, answers, summary };
}

/** On the first page: take a text that another page handed over, once. */
function receive() {
  if (location.hash !== "#paste") return;
  let text = "";
  try {
    text = sessionStorage.getItem(HELD) ?? "";
    sessionStorage.removeItem(HELD);
  } catch { /* no storage, no text */ }
  history.replaceState(history.state, "", location.pathname + location.search);
  if (text) deliver(text);
}

/** Into the box that the diagnosis reads, as if it had been pasted there; the box may still be under way. */
function deliver(text, tries = 100) {
  const target = document.querySelector("textarea.ff-intake__text");
  if (!target) return tries ? setTimeout(() => deliver(text, tries - 1), 50) : undefined;
  target.value = text;
  target.focus();
  target.form.requestSubmit();
  target.scrollIntoView({ block: "nearest" });
}
