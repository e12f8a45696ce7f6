// SPDX-License-Identifier: MIT
/**
 * The page's side of the worker: starts it under the page's policy, watches it, and replaces it when it is stuck.
 *
 * A worker that computes cannot be interrupted (shared memory needs headers that static hosts don't send), so cancel
 * means: end the worker and start a fresh one. The input stays on the page.
 */
import { CONTRACT } from "./messages.js";
import { allowed } from "./offline.js";
import { forgetMemory, keepMemory } from "./snapshot.js";

const RUNTIME = new URL("runtime/", import.meta.url);
const STALL_MS = 8_000; // no byte of the engine arrived
const START_MS = 60_000; // all bytes are there, Python starts; a refusal is told at once, this is only for a true hang
const RESTORE_MS = 15_000; // the same from a kept memory, which takes a moment or never ends
const SILENT_MS = 45_000; // no sign of life during a diagnosis
const QUIET_MS = 1_500; // nothing was asked for that long: time to prepare the next visit

export class Engine extends EventTarget {
  /** @type {"off"|"loading"|"ready"|"running"|"broken"} */
  state = "off";
  /** @type {{manifest: import("./messages.js").Manifest, folder: string}|null} what this engine was loaded from */
  published = null;
  #worker = null;
  #timer = 0;
  #run = 0;
  #waiting = null;
  #generation = 0;
  /** @type {"no"|"yes"|"used"} whether the memory of the engine is yet to be kept, or is what it started from */
  #keep = "no";
  #quiet = 0;

  /** Start loading, when the reader shows the intent to use it. Safe to call often. */
  async prepare() {
    if (this.state !== "off" && this.state !== "broken") return;
    this.state = "loading";
    const generation = ++this.#generation;
    this.#watch(STALL_MS, "stalled");
    this.#tell("loading", { loaded: 0, total: 0 });
    dispatchEvent(new Event("firstfault-engine-starts")); // offline.js lets it go first
    try {
      const manifest = await loadManifest();
      if (generation !== this.#generation) return;
      this.#spawn(manifest);
    } catch (error) {
      if (generation === this.#generation) this.#break("manifest", String(error.message ?? error));
    }
  }

  /**
   * @param {import("./messages.js").Piece[]} pieces
   * @returns {number} the run's id, which stands in every event about it
   */
  diagnose(pieces) {
    return this.#ask({ type: "diagnose", pieces });
  }

  /** The same for a comparison of two runs. */
  compare(good, bad) {
    return this.#ask({ type: "compare", good, bad });
  }

  /** The lines of a verdict that an entry could be made of. */
  candidates(json) {
    return this.#ask({ type: "candidates", json });
  }

  /** The draft of an entry for one line of the log. */
  draft(pieces, { file, line, rank }) {
    return this.#ask({ type: "draft", pieces, file, line, rank: rank ?? undefined });
  }

  /** What `firstfault check` says of a draft. */
  check(bundle, text) {
    return this.#ask({ type: "check", bundle, text });
  }

  /** Read no further, and judge what was read. */
  stop() {
    if (this.state === "running") this.#worker.postMessage({ type: "stop", run: this.#run });
  }

  #ask(request) {
    if (this.state === "running") this.#restart();
    const run = ++this.#run;
    this.#waiting = { ...request, run };
    if (this.state === "ready") this.#begin();
    else this.prepare();
    return run;
  }

  /** Give up the current run and have a fresh worker ready for the next one. */
  cancel() {
    this.#waiting = null;
    this.#run += 1; // what the old worker still says is of another run
    if (this.state === "running") this.#restart();
  }

  retry() {
    this.#end();
    this.state = "off";
    this.prepare();
  }

  #begin() {
    const request = this.#waiting;
    this.#waiting = null;
    clearTimeout(this.#quiet);
    this.state = "running";
    this.#watch(SILENT_MS, "stuck");
    this.#worker.postMessage(request);
  }

  #spawn(manifest) {
    const folder = new URL(manifest.folder, RUNTIME).href;
    this.published = { manifest, folder };
    const starter = new Blob([`import ${JSON.stringify(new URL("worker.js", folder).href)};`], { type: "text/javascript" });
    const address = URL.createObjectURL(starter);
    const worker = new Worker(address, { type: "module" });
    this.#worker = worker;
    worker.onmessage = ({ data }) => worker === this.#worker && this.#hear(data, address);
    worker.onmessageerror = () => this.#break("worker", "unreadable message");
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#break(this.state === "running" ? "python" : "worker", event.message ?? "");
    };
    worker.postMessage({ type: "boot", contract: CONTRACT, manifest, folder });
  }

  #hear(message, address) {
    switch (message.type) {
      case "loading":
        this.#watch(STALL_MS, "stalled");
        break;
      case "starting":
        this.#watch(this.#keep === "used" ? RESTORE_MS : START_MS, "slow");
        break;
      case "restoring":
        this.#keep = message.memory ? "used" : "no";
        this.#watch(message.memory ? RESTORE_MS : START_MS, "slow");
        return;
      case "ready":
        URL.revokeObjectURL(address);
        this.state = "ready";
        clearTimeout(this.#timer);
        this.#keep = message.kept ? "used" : "yes";
        dispatchEvent(new CustomEvent("firstfault-engine-ready", { detail: { kept: message.kept } })); // offline.js keeps a copy
        this.#afterwards();
        break;
      case "memory":
        keepMemory(this.published.folder, message).catch(() => {}); // no room: the next visit starts as this one did
        return;
      case "broken":
        this.#break(message.code, message.detail);
        return;
      default:
        if (message.run !== this.#run) return;
        if (["result", "compared", "candidates", "drafted", "checked", "failed"].includes(message.type)) this.#settled(message);
        else this.#watch(SILENT_MS, "stuck");
    }
    this.#tell(message.type, message);
    if (message.type === "ready" && this.#waiting) this.#begin();
  }

  #settled(message) {
    clearTimeout(this.#timer);
    this.state = "ready";
    if (message.type !== "failed") return this.#afterwards();
    this.#mistrust();
    this.#restart(); // its memory may be full, its state half done
  }

  /** When nothing was asked for a while, let the worker make the memory that the next visit starts from. */
  #afterwards() {
    clearTimeout(this.#quiet);
    if (this.#keep === "yes") this.#quiet = setTimeout(async () => {
      if (!(await allowed()) || this.state !== "ready") return;
      this.#keep = "no";
      this.#worker.postMessage({ type: "keep" });
    }, QUIET_MS);
  }

  /** The memory that a failing engine started from may be the reason: the next start is a plain one. */
  async #mistrust() {
    const used = this.#keep === "used";
    this.#keep = "no";
    if (used) await forgetMemory(this.published.folder).catch(() => {});
  }

  #restart() {
    this.#end();
    this.state = "off";
    this.prepare();
  }

  #end() {
    clearTimeout(this.#timer);
    clearTimeout(this.#quiet);
    this.#worker?.terminate();
    this.#worker = null;
    this.#generation += 1;
  }

  #break(code, detail) {
    const running = this.state === "running";
    const restored = this.#keep === "used";
    const forgotten = this.#mistrust();
    this.#end();
    if (restored && this.state === "loading") { // the reader need not know of it
      this.state = "off";
      forgotten.then(() => this.prepare());
      return;
    }
    if (running) {
      this.#tell("failed", { run: this.#run, code, detail, piece: "" });
      this.state = "off";
      this.prepare();
      return;
    }
    this.#waiting = null;
    this.state = "broken";
    this.#tell("broken", { code, detail });
  }

  #watch(milliseconds, code) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#break(code, `${milliseconds / 1000} s`), milliseconds);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

async function loadManifest() {
  const response = await fetch(new URL("manifest.json", RUNTIME), { cache: "no-cache" });
  if (!response.ok) throw new Error(`manifest.json: the server answered ${response.status}`);
  return response.json();
}
