// SPDX-License-Identifier: MIT
/**
 * The page's side of the worker: starts it under the page's policy, watches it, and replaces it when it is stuck.
 *
 * A worker that computes cannot be interrupted (shared memory needs headers that static hosts don't send), so cancel
 * means: end the worker and start a fresh one. The input stays on the page.
 */
import { CONTRACT } from "./messages.js";

const RUNTIME = new URL("runtime/", import.meta.url);
const STALL_MS = 8_000; // no byte of the engine arrived
const START_MS = 60_000; // all bytes are there, Python starts; a refusal is told at once, this is only for a true hang
const SILENT_MS = 45_000; // no sign of life during a diagnosis

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

  /** Start loading, when the reader shows the intent to use it. Safe to call often. */
  async prepare() {
    if (this.state !== "off" && this.state !== "broken") return;
    this.state = "loading";
    const generation = ++this.#generation;
    this.#watch(STALL_MS, "stalled");
    this.#tell("loading", { loaded: 0, total: 0 });
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
        this.#watch(START_MS, "slow");
        break;
      case "ready":
        URL.revokeObjectURL(address);
        this.state = "ready";
        clearTimeout(this.#timer);
        dispatchEvent(new Event("firstfault-engine-ready")); // offline.js keeps a copy
        break;
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
    if (message.type === "failed") this.#restart(); // its memory may be full, its state half done
  }

  #restart() {
    this.#end();
    this.state = "off";
    this.prepare();
  }

  #end() {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#generation += 1;
  }

  #break(code, detail) {
    const running = this.state === "running";
    this.#end();
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
