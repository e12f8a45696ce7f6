// SPDX-License-Identifier: MIT
/** Verdicts that the reader chose to keep: masked, in this browser's storage only, nothing unless asked. */
import { announce, el, logText } from "./dom.js";

const KEY = "firstfault.kept.v1";
const MOST = 20;

/** @returns {{title: string, at: number, code: string}[]} */
function load() {
  try {
    const rows = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(rows) ? rows.filter((row) => typeof row?.code === "string" && typeof row.title === "string" && Number.isFinite(row.at)).slice(0, MOST) : [];
  } catch {
    return []; // storage may be switched off
  }
}

function store(rows) {
  if (rows.length) localStorage.setItem(KEY, JSON.stringify(rows.slice(0, MOST)));
  else localStorage.removeItem(KEY);
}

/**
 * The list, hidden while there is nothing in it.
 * @param {(code: string) => void} open
 */
export function history(open) {
  const list = el("ul.ff-kept__list");
  const box = el("details.ff-fold.ff-kept", { hidden: true }, el("summary", {}, el("span.ff-fold__title", {}, "Verdicts that you kept"), el("span.ff-fold__where", {}, "in this browser only")),
    list, el("button.ff-copy", { type: "button", onclick: () => forget(() => false, "All kept verdicts are forgotten.") }, "Forget all"));
  function draw() {
    const rows = load();
    box.hidden = !rows.length;
    list.replaceChildren(...rows.map((row) => el("li", {},
      el("button.ff-jump", { type: "button", onclick: () => open(row.code) }, ...logText(row.title, 160)), " ", el("time.ff-quiet", { datetime: new Date(row.at).toISOString() }, new Date(row.at).toLocaleString()), " ",
      el("button.ff-copy", { type: "button", onclick: () => forget((other) => other.at !== row.at, "Forgotten.") }, "Forget"))));
  }
  function forget(stays, words) {
    store(load().filter(stays));
    announce(words);
    draw();
  }
  draw();
  return {
    box,
    /** @param {string} title @param {string} code as a link carries it */
    keep(title, code) {
      store([{ title: title.slice(0, 200), at: Date.now(), code }, ...load().filter((row) => row.code !== code)]);
      draw();
    },
  };
}
