// SPDX-License-Identifier: MIT
/** Sample logs to try with one click; the build publishes them with their list. */
import { el } from "./dom.js";

const FOLDER = new URL("samples/", import.meta.url);

/**
 * @param {(piece: import("./messages.js").Piece) => void} use
 * @param {(error: string) => void} fail
 */
export function samples(use, fail) {
  const list = el("ul.ff-samples__list");
  const box = el("div.ff-samples", { hidden: true }, el("p.ff-samples__lead", { id: "ff-samples" }, "No log at hand? Try one:"), list);
  list.setAttribute("aria-labelledby", "ff-samples");
  fill(list, use, fail).then((any) => (box.hidden = !any)).catch(() => {}); // without samples the page is still whole
  return box;
}

async function fill(list, use, fail) {
  const response = await fetch(new URL("index.json", FOLDER));
  if (!response.ok) return false;
  for (const { file, title, hint } of await response.json()) {
    const button = el("button.ff-sample", { type: "button" }, el("span.ff-sample__title", {}, title), el("span.ff-sample__hint", {}, hint));
    button.addEventListener("click", async () => {
      try {
        const log = await fetch(new URL(file, FOLDER));
        if (!log.ok) throw new Error(`the server answered ${log.status}`);
        use({ name: file, blob: await log.blob() });
      } catch (error) {
        fail(`The sample ${file} could not be loaded: ${error.message}`);
      }
    });
    list.append(el("li", {}, button));
  }
  return list.children.length > 0;
}
