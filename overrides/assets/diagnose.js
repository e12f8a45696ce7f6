// SPDX-License-Identifier: MIT
/**
 * Takes over `<section id="diagnose">`: the plain text box becomes the way from a log to its first fault.
 *
 * Nothing of a log is kept: not in the address, the title, storage or the console. What the reader gave stays in this
 * page's memory, so that a cancelled or broken run can be repeated.
 */
import { announce, copyButton, el, logText } from "./dom.js";
import { Engine } from "./engine.js";
import { entryAnswer } from "./entrybox.js";
import { history } from "./history.js";
import { intake } from "./intake.js";
import { samples } from "./samples.js";
import { status } from "./status.js";

const engine = new Engine(); // one for the whole visit: pages that are loaded in place share it
/** Everything that only a verdict needs; fetched beside the engine, so that nothing is fetched once a log was read. */
let parts = null;
const verdictParts = () => (parts ??= fetchParts().catch((error) => {
  parts = null; // the next intent tries again
  throw error;
}));
async function fetchParts() {
  const modules = await Promise.all([import("./verdict.js"), import("./share.js"), import("./shared.js"), import("./compare.js"), import("./draft.js"), styles("verdict.css"), styles("draft.css")]);
  return Object.assign({}, ...modules);
}
/** A style sheet of this script's own version; resolves when it applies. */
const styles = (name) => new Promise((resolve) => {
  const link = el("link", { rel: "stylesheet", href: new URL(name + new URL(import.meta.url).search, import.meta.url).href });
  link.onload = link.onerror = () => resolve({});
  document.head.append(link);
});
/** An address that carries a verdict, of whatever version; share.js reads it. */
const SHARED = /^#v\d{1,3}:/;
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
  reading = [];
  good = [];
  run = 0;
  how = "";

  constructor(section, signal) {
    this.entry = section.dataset.entry ?? "";
    this.base = new URL("../", import.meta.url);
    this.input = intake({
      initial: section.querySelector("textarea")?.value ?? "", compact: Boolean(this.entry), signal,
      intent: () => (engine.prepare(), verdictParts().catch(() => {})), submit: (pieces, how) => this.submit(pieces, how),
    });
    this.status = status({ cancel: () => this.cancel(), stop: () => engine.stop(), retry: () => this.retry() });
    this.kept = history((code) => (location.hash = code));
    this.answer = el("div.ff-result", { id: "ff-result" });
    this.listen(signal);
    section.dataset.mounted = "yes";
    section.replaceChildren(...this.furniture());
    window.addEventListener("hashchange", () => this.openLink(), { signal });
    this.openLink();
  }

  furniture() {
    const promise = el("p.ff-promise", { id: "ff-promise" }, "Your log stays in this browser: it is not uploaded and not stored. This page can't send it anywhere, its own policy forbids it.");
    const tryOut = this.entry ? null : samples((piece) => this.input.take([piece], "files"), (words) => this.status.trouble("missing", words, "samples"));
    const live = el("p.ff-hidden", { id: "ff-live", "aria-live": "polite" });
    return [this.input.form, promise, tryOut, this.kept.box, this.status.view, live, this.answer].filter(Boolean);
  }

  listen(signal) {
    const on = (kind, act) => engine.addEventListener(kind, ({ detail }) => act(detail), { signal });
    const mine = (act) => (detail) => detail.run === this.run && act(detail);
    on("loading", (detail) => this.status.loading(detail, this.waiting));
    on("starting", () => this.status.starting(this.waiting));
    on("ready", (detail) => this.status.ready(detail));
    on("broken", ({ code, detail }) => this.broken(code, detail));
    on("progress", mine((detail) => this.status.progress(detail, this.reading)));
    on("judging", mine(() => this.status.judging()));
    on("result", mine((detail) => this.show(detail)));
    on("compared", mine((detail) => this.showComparison(JSON.parse(detail.json))));
    on("failed", mine((detail) => this.failed(detail)));
  }

  submit(pieces, how) {
    this.pieces = this.reading = pieces;
    this.how = how;
    this.waiting = true;
    verdictParts().catch(() => {}); // show() says what went wrong
    this.leaveLink();
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
    this.status.trouble(code, detail, "", this.names());
  }

  failed({ code, detail, piece }) {
    this.waiting = false;
    this.status.trouble(code, detail, piece, this.names());
  }

  names() {
    return this.pieces.map(({ name }) => name);
  }

  async show({ run, json, masked, partial }) {
    const result = JSON.parse(json);
    const { result: shown, markdown, hidden } = JSON.parse(masked);
    const code = await verdictParts().catch((error) => error);
    if (run !== this.run) return;
    this.waiting = false;
    this.status.idle();
    this.extra = el("div");
    const answer = code instanceof Error ? this.asText(code, markdown) : this.drawn(() => code.verdict({ result, masked: shown, markdown, hidden }, {
      pieces: this.pieces, partial, base: this.base, again: () => this.again(), actions: this.actions(code, shown), sections: [this.extra],
      draft: result.stats.lines ? code.draftSection({ result, pieces: this.pieces, engine, entry: this.entry }) : null,
    }), markdown);
    this.present([this.entry ? entryAnswer(result, this.entry) : null, answer]);
  }

  /** What can be done with a verdict beside copying it. */
  actions({ pack, compareButton }, shown) {
    const link = copyButton("Copy link", async () => new URL(await pack(shown), this.base).href, "Copy link to this verdict: masked, without the log, nothing is uploaded");
    const title = shown.root?.title ?? shown.root?.label ?? shown.verdict;
    const keep = el("button.ff-button", { type: "button", onclick: async () => {
      const said = await pack(shown).then((packed) => this.kept.keep(title, packed)).then(() => "Kept", (error) => `Not kept: ${error.message}`);
      keep.textContent = said;
      announce(said === "Kept" ? "Kept in this browser, masked and without the log." : said);
    } }, "Keep in this browser");
    return [link, shown.verdict === "no-failure" ? null : compareButton((pieces) => this.compare(pieces)), keep];
  }

  compare(good) {
    this.good = good.map(({ name }) => name);
    this.reading = [...good, ...this.pieces];
    this.status.begin();
    this.run = engine.compare(good, this.pieces);
  }

  async showComparison(outcome) {
    const { comparison } = await verdictParts();
    this.status.idle();
    const section = comparison(outcome, this.good);
    this.extra.replaceChildren(section);
    section.scrollIntoView({ block: "nearest" });
    announce(outcome.masked.first ? `The first line that never appears in the good run is line ${outcome.masked.first.line}.` : "Every line of this run has its like in the good one.");
  }

  present(nodes) {
    this.answer.replaceChildren(...nodes.filter(Boolean));
    const heading = this.answer.querySelector("#ff-verdict");
    announce(`Done. ${heading.textContent}`);
    this.answer.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    if (this.how !== "text-pasted") heading.focus({ preventScroll: true }); // who pasted may go on typing
  }

  /** The verdict; should it not come out, the report as text: a verdict that exists is never withheld. */
  drawn(draw, markdown) {
    try {
      return draw();
    } catch (error) {
      return this.asText(error, markdown);
    }
  }

  asText(error, markdown) {
    this.status.trouble("drawing", String(error.message ?? error), "", this.names());
    return el("article.ff-card", {}, el("header", {}, el("h2", { id: "ff-verdict", tabindex: "-1" }, "The verdict as text")), el("pre", {}, ...logText(markdown, 40000)));
  }

  /** A verdict that came with the address. It stays there, so that a reload shows it again. */
  async openLink() {
    const { hash } = location;
    if (!SHARED.test(hash)) return;
    const page = { base: this.base, again: () => this.again() };
    const shown = await verdictParts().then(({ sharedVerdict }) => sharedVerdict(hash, page), notLoaded);
    if (location.hash !== hash) return; // another link was opened meanwhile, or a log was given
    this.how = "link";
    this.present([shown]);
  }

  /** The address speaks of another verdict now. */
  leaveLink() {
    if (SHARED.test(location.hash)) window.history.replaceState(window.history.state, "", location.pathname + location.search);
  }

  again() {
    this.pieces = [];
    this.leaveLink();
    this.answer.replaceChildren();
    this.input.clear();
    this.input.focus();
  }
}

const notLoaded = (error) => el("article.ff-card", { "data-verdict": "nothing-read" }, el("header", {}, el("p.ff-card__eyebrow", {}, "Not opened"),
  el("h2", { id: "ff-verdict", tabindex: "-1" }, "A part of this page did not load"), el("p", {}, "The link may be well: reload the page to see its verdict. (", ...logText(String(error.message ?? error), 240), ")")));

// Material can replace the page in place ("instant" navigation); it announces each page here.
if (window.document$) window.document$.subscribe(mount);
else mount();
