// SPDX-License-Identifier: MIT
/** How a log comes in: paste, drop anywhere, choose files, paste a file, or one of the sample logs. */
import { byteSize, el, logText, plural } from "./dom.js";

const LARGE_PASTE = 300_000; // characters; a text box with more than this makes the page slow, so it becomes a file
const MOST_FILES = 500;
const TYPES = ".log,.txt,.out,.err,.json,.jsonl,.gz,.zip,.tar,.tgz,.bz2,.xz,text/*";

/**
 * @param {{initial: string, compact: boolean, signal: AbortSignal,
 *          intent: () => void, submit: (pieces: import("./messages.js").Piece[], how: string) => void}} page
 */
export function intake(page) {
  const box = el("textarea.ff-intake__text", {
    id: "ff-text", rows: page.compact ? 4 : 9, spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-describedby": "ff-promise",
    placeholder: "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 336.00 MiB…\n[rank0]:[E ProcessGroupNCCL.cpp:563] [Rank 0] Watchdog caught collective operation timeout…",
  });
  box.value = page.initial;
  const picker = el("input.ff-hidden", { type: "file", multiple: true, accept: TYPES, id: "ff-files", tabindex: "-1", "aria-hidden": "true" });
  const chosen = el("p.ff-intake__chosen", { hidden: true });
  const go = el("button.ff-button.ff-button--primary", { type: "submit" }, "Find the first fault");
  const choose = el("button.ff-button", { type: "button", onclick: () => picker.click() }, "Choose files…");
  const form = el("form.ff-intake", { novalidate: true },
    el("label.ff-intake__label", { for: "ff-text" }, page.compact ? "Paste your log: is this what broke your run?" : "Paste the log of the failed run"), box, chosen,
    el("div.ff-intake__bar", {}, go, choose, picker, el("span.ff-quiet", {}, "or drop files anywhere on this page, compressed ones too")));
  const view = { form, clear, focus: () => box.focus(), busy: (on) => (go.disabled = on) };

  let held = [];
  function take(pieces, how) {
    if (!pieces.length) return;
    held = how === "text" ? [] : pieces;
    chosen.hidden = !held.length;
    chosen.replaceChildren(...(held.length ? describe(held) : []));
    if (how !== "text" && how !== "paste") box.value = "";
    page.submit(pieces, how);
  }
  function clear() {
    box.value = "";
    held = [];
    picker.value = "";
    chosen.hidden = true;
  }
  const submitText = (how) => (box.value.trim() ? take([textPiece(box.value)], how) : held.length ? page.submit(held, how) : box.focus());

  form.addEventListener("submit", (event) => (event.preventDefault(), submitText("text")));
  box.addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && (event.preventDefault(), submitText("text")));
  box.addEventListener("input", () => (chosen.hidden = true, held = []));
  picker.addEventListener("change", () => take([...picker.files].map(filePiece), "files"));
  listenForIntent(page);
  listenForPaste(box, page.signal, take, submitText);
  listenForDrop(page, take);
  return Object.assign(view, { take });
}

const textPiece = (text, name = "pasted.log") => ({ name, blob: new Blob([text], { type: "text/plain" }) });
const filePiece = (file) => ({ name: file.ffPath || file.webkitRelativePath || file.name, blob: file });

function describe(pieces) {
  const size = pieces.reduce((sum, { blob }) => sum + blob.size, 0);
  const names = pieces.slice(0, 3).map(({ name }) => name).join(", ");
  return [el("b", {}, `${plural(pieces.length, "file")}, ${byteSize(size)}: `), ...logText(names, 200), pieces.length > 3 ? ", …" : ""];
}

/**
 * The engine takes a second to start: whoever comes near the form, takes up a shortcut or touches a sample log is about
 * to need it. Who only reads a verdict, one from a link say, is not.
 */
function listenForIntent({ intent, signal }) {
  const near = ({ target }) => target instanceof Element && target.closest("#diagnose") && !target.closest("#ff-result");
  document.addEventListener("focusin", (event) => near(event) && intent(), { signal });
  const first = new AbortController(); // of these the first counts: a pointer that wanders must not start a broken engine again and again
  signal.addEventListener("abort", () => first.abort());
  const on = (kind, means) => document.addEventListener(kind, (event) => means(event) && (first.abort(), intent()), { signal: first.signal, passive: true });
  on("pointerover", near);
  on("pointerdown", near);
  on("keydown", ({ ctrlKey, metaKey }) => ctrlKey || metaKey); // the paste comes a moment later
}

function listenForPaste(box, signal, take, submitText) {
  document.addEventListener("paste", (event) => {
    const target = event.target;
    const here = target === box;
    if (!here && target instanceof Element && target.closest("input, textarea, [contenteditable]")) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (files.length && !text) {
      event.preventDefault();
      take(files.map(filePiece), "files");
    } else if (text.length > LARGE_PASTE) {
      event.preventDefault();
      take([textPiece(text)], "files");
    } else if (text.trim()) {
      if (!here) {
        event.preventDefault();
        box.value = text;
      }
      setTimeout(() => submitText("text-pasted")); // after the browser has put it into the box
    }
  }, { signal });
}

function listenForDrop({ intent, signal }, take) {
  const veil = el("div.ff-veil", { hidden: true, "aria-hidden": "true" }, el("p", {}, "Drop the logs to find the first fault"));
  document.body.append(veil);
  signal.addEventListener("abort", () => veil.remove());
  const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  let depth = 0;
  const show = (on) => {
    if (!on) depth = 0;
    veil.hidden = !on;
  };
  const on = (kind, act) => window.addEventListener(kind, (event) => carriesFiles(event) && act(event), { signal });
  on("dragenter", () => ((depth += 1), intent(), show(true)));
  on("dragover", (event) => event.preventDefault());
  on("dragleave", () => (depth -= 1) <= 0 && show(false));
  on("drop", async (event) => {
    event.preventDefault();
    show(false);
    take((await droppedFiles(event.dataTransfer)).map(filePiece), "files");
  });
}

/** The files of a drop; folders are opened. Entries must be taken before the first await: the list empties then. */
async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files];
  const files = [];
  for (const entry of entries) await open(entry, files);
  return files.sort((a, b) => (a.ffPath < b.ffPath ? -1 : 1));
}

async function open(entry, files) {
  if (files.length >= MOST_FILES) return;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    file.ffPath = entry.fullPath.replace(/^\//, "");
    files.push(file);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)); // at most 100 at a time
    if (!batch.length) return;
    for (const inner of batch) await open(inner, files);
  }
}
