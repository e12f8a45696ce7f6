// SPDX-License-Identifier: MIT
/**
 * Checklists that remember their ticks, in this browser only: one record per entry, written when the reader ticks and
 * removed when the last tick goes. A browser that refuses storage still ticks, it only forgets.
 */
import { el } from "./dom.js";

const key = (id) => `firstfault:ticks:${id}`;

/**
 * @param {string} id the entry
 * @param {NodeListOf<HTMLElement>} items each has its name in `data-tick`
 * @returns {{has(name: string): boolean, set(name: string, on: boolean): void}}
 */
export function ticks(id, items) {
  const kept = new Set(read(id));
  const boxes = new Map();
  const forget = el("button.pg-plain", { type: "button", onclick: () => boxes.forEach((_, name) => set(name, false)) }, "Forget the ticks");
  const note = el("p.pg-hint.pg-forget", {}, "Ticks are kept in this browser only. ", forget);

  function set(name, on) {
    on ? kept.add(name) : kept.delete(name);
    const box = boxes.get(name);
    if (box) box.checked = on;
    box?.closest("li").classList.toggle("pg-done", on);
    note.hidden = kept.size === 0;
    write(id, kept);
  }

  for (const item of items) {
    const name = item.dataset.tick;
    const words = item.querySelector(".pg-do").textContent.replace(/#$/, "").trim();
    const box = el("input.pg-tick", { type: "checkbox", "aria-label": `Done: ${words}`, onchange: () => set(name, box.checked) });
    box.checked = kept.has(name);
    item.classList.toggle("pg-done", box.checked);
    item.parentElement.classList.add("pg-ticked");
    item.prepend(box);
    boxes.set(name, box);
  }
  note.hidden = kept.size === 0;
  items[0]?.parentElement.before(note);
  return { has: (name) => kept.has(name), set };
}

function read(id) {
  try {
    const found = JSON.parse(localStorage.getItem(key(id)) ?? "[]");
    return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
  } catch {
    return []; // storage is off, or holds something that is not ours
  }
}

function write(id, kept) {
  try {
    if (kept.size) localStorage.setItem(key(id), JSON.stringify([...kept]));
    else localStorage.removeItem(key(id));
  } catch {
    // The tick stands until the page is left.
  }
}
