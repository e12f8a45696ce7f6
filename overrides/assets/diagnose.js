// SPDX-License-Identifier: MIT
/**
 * Takes over `<section id="diagnose">`: the plain text box becomes the way from a log to its first fault.
 *
 * Nothing of a log is kept: not in the address, the title, storage or the console. What the reader gave stays in this
 * page's memory, so that a cancelled or broken run can be repeated.
 */
import { card } from "./card.js";
import { announce, el, logText } from "./dom.js";
import { Engine } from "./engine.js";
import { entryAnswer } from "./entrybox.js";
import { intake } from "./intake.js";
import { samples } from "./samples.js";
import { status } from "./status.js";

const engine = new Engine(); // one for the whole visit: pages that are loaded in place share it
let leave = null;

function mount() {
  leave?.abort();
  const section = document.getElementById("diagnose");
  if (!section || section.dataset.mounted) return;
  leave = new AbortController();
  new Desk(section, leave.signal);
}

class Desk {
  pieces = [];
  run = 0;
  how = "";

  constructor(section, signal) {
    this.entry = section.dataset.entry ?? "";
    this.base = new URL("../", import.meta.url);
    this.input = intake({
      initial: section.querySelector("textarea")?.value ?? "", compact: Boolean(this.entry), signal,
      intent: () => engine.prepare(), submit: (pieces, how) => this.submit(pieces, how),
    });
    this.status = status({ cancel: () => this.cancel(), retry: () => this.retry() });
    this.answer = el("div.ff-result", { id: "ff-result" });
    this.listen(signal);
    section.dataset.mounted = "yes";
    section.replaceChildren(...this.furniture());
  }

  furniture() {
    const promise = el("p.ff-promise", { id: "ff-promise" }, "Your log stays in this browser: it is not uploaded and not stored. This page can't send it anywhere, its own policy forbids it.");
    const tryOut = this.entry ? null : samples((piece) => this.input.take([piece], "files"), (words) => this.status.trouble("missing", words, "samples"));
    const live = el("p.ff-hidden", { id: "ff-live", "aria-live": "polite" });
    return [this.input.form, promise, tryOut, this.status.view, live, this.answer].filter(Boolean);
  }

  listen(signal) {
    const on = (kind, act) => engine.addEventListener(kind, ({ detail }) => act(detail), { signal });
    const mine = (act) => (detail) => detail.run === this.run && act(detail);
    on("loading", (detail) => this.status.loading(detail, this.waiting));
    on("starting", () => this.status.starting(this.waiting));
    on("ready", (detail) => this.status.ready(detail));
    on("broken", ({ code, detail }) => this.broken(code, detail));
    on("progress", mine((detail) => this.status.progress(detail, this.pieces)));
    on("judging", mine(() => this.status.judging()));
    on("result", mine((detail) => this.show(JSON.parse(detail.json), JSON.parse(detail.masked).markdown)));
    on("failed", mine((detail) => this.failed(detail)));
  }

  submit(pieces, how) {
    this.pieces = pieces;
    this.how = how;
    this.waiting = true;
    this.answer.replaceChildren();
    this.status.begin();
    this.run = engine.diagnose(pieces);
  }

  cancel() {
    this.waiting = false;
    this.run = 0;
    engine.cancel();
    this.status.idle();
    announce("Cancelled. Your log is still here.");
    this.input.focus();
  }

  retry() {
    engine.retry();
    if (this.pieces.length) this.submit(this.pieces, this.how);
    else this.status.begin();
  }

  broken(code, detail) {
    this.waiting = false;
    this.status.trouble(code, detail, "");
  }

  failed({ code, detail, piece }) {
    this.waiting = false;
    this.status.trouble(code, detail, piece);
  }

  show(result, markdown) {
    this.waiting = false;
    this.status.idle();
    const answer = this.drawn(result, markdown);
    this.answer.replaceChildren(...[this.entry ? entryAnswer(result, this.entry) : null, answer].filter(Boolean));
    const heading = this.answer.querySelector("#ff-verdict");
    announce(`Done. ${heading.textContent}`);
    this.answer.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    if (this.how !== "text-pasted") heading.focus({ preventScroll: true }); // who pasted may go on typing
  }

  /** The card; should it not come out, the report as text: a verdict that exists is never withheld. */
  drawn(result, markdown) {
    try {
      return card(result, { markdown, base: this.base, again: () => this.again() });
    } catch (error) {
      this.status.trouble("drawing", String(error.message ?? error), "");
      return el("article.ff-card", {}, el("header", {}, el("h2", { id: "ff-verdict", tabindex: "-1" }, "The verdict as text")), el("pre", {}, ...logText(markdown, 40000)));
    }
  }

  again() {
    this.pieces = [];
    this.answer.replaceChildren();
    this.input.clear();
    this.input.focus();
  }
}

// Material can replace the page in place ("instant" navigation); it announces each page here.
if (window.document$) window.document$.subscribe(mount);
else mount();
