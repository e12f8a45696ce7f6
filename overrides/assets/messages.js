// SPDX-License-Identifier: MIT
/**
 * The contract between the page and the worker: every message that crosses, and nothing else does.
 *
 * Results cross as JSON text, exactly as `firstfault diagnose --format json` prints it. A run carries an id, so that
 * the answer of a run that was cancelled or replaced is dropped and never shown for another log.
 *
 * @typedef {{name: string, size: number, sha256: string}} CoreFile   one file of the engine, relative to `folder`
 * @typedef {{contract: number, build: string, folder: string, files: CoreFile[], later: CoreFile[], lock: object}} Manifest   assets/runtime/manifest.json; `later` are fetched on request
 * @typedef {{name: string, blob: Blob}} Piece   one log as the reader gave it; `blob` is read in chunks, never whole
 *
 * Page to worker:
 * @typedef {{type: "boot", contract: number, manifest: Manifest, folder: string}} Boot   `folder` is absolute
 * @typedef {{type: "keep"}} Keep   make the memory for the next start; answered with Memory, or not at all
 * @typedef {{type: "diagnose", run: number, pieces: Piece[]}} Diagnose
 * @typedef {{type: "stop", run: number}} Stop   read no further, judge what was read
 * @typedef {{type: "compare", run: number, good: Piece[], bad: Piece[]}} Compare
 * @typedef {{type: "candidates", run: number, json: string}} Candidates   `json` is the result whose lines are asked for
 * @typedef {{type: "draft", run: number, pieces: Piece[], file: string, line: number, rank: number|null}} Draft   an entry for that line of the log
 * @typedef {{type: "check", run: number, bundle: Blob, text: string}} Check   `bundle` is check.zip, unpacked once; `text` the YAML of a draft
 *
 * Worker to page:
 * @typedef {{type: "loading", loaded: number, total: number}} Loading   bytes of the engine
 * @typedef {{type: "starting"}} Starting   all files are there and verified; Python starts
 * @typedef {{type: "restoring", memory: boolean}} Restoring   Python starts from a kept memory; or after all it does not
 * @typedef {{type: "ready", entries: number, version: string, kept: boolean}} Ready   `kept`: it started from the memory of an earlier start
 * @typedef {{type: "memory", data: Blob, sha256: string}} Memory   of a started engine that has seen no log (snapshot.js)
 * @typedef {{type: "broken", code: string, detail: string}} Broken   the engine cannot start; `code` is a key of TROUBLE
 * @typedef {{type: "progress", run: number, piece: number, bytes: number, total: number}} Progress
 * @typedef {{type: "judging", run: number}} Judging   everything is read; the verdict is being made
 * @typedef {{type: "result", run: number, json: string, masked: string, partial: Partial|null}} Result   `masked` is JSON: `result` and
 *   `markdown` as they may leave the machine, `hidden` with what was masked, which may not
 * @typedef {{piece: string, bytes: number, total: number, code: string, detail: string}} Partial   how far it read, and why not to the end
 * @typedef {{type: "compared", run: number, json: string}} Compared   `raw` and `masked`, each as `firstfault compare --format json`
 * @typedef {{type: "candidates"|"drafted"|"checked", run: number, json: string}} Answer   what firstfault.browser gives, see there
 * @typedef {{type: "failed", run: number, code: string, detail: string, piece: string}} Failed
 */

/** Changes when a message changes. A page and a worker that disagree come from two versions of the site. */
export const CONTRACT = 4;

/** What to say for each way in which the engine can fail; `detail` (a file, an exception) is shown beside it. */
export const TROUBLE = {
  manifest: "The list of the engine's files could not be loaded.",
  worker: "The browser did not start the background worker. It may be too old for module workers, or something blocks the script.",
  missing: "A file of the engine could not be loaded.",
  altered: "A file of the engine is not what this site published. A proxy, a sign-in page or an extension may have changed it, or the site was updated a moment ago.",
  stalled: "The download of the engine stopped: no byte arrived for a while.",
  nowasm: "This browser does not run WebAssembly here (a lockdown mode or a policy can switch it off).",
  wasm: "The browser refused to start the engine's WebAssembly, perhaps for lack of memory.",
  slow: "The engine was loaded but did not start in time.",
  python: "The engine stopped with an error of its own.",
  contract: "This page and its engine come from two versions of the site. Reload the page.",
  drawing: "The verdict is there, but this page could not draw it. Below is its text.",
  unreadable: "The browser could not read the file. It may have been moved or changed since you chose it.",
  memory: "The browser ran out of memory for this log.",
  stopped: "You stopped the reading.",
  stuck: "The engine gave no sign of life for too long and was stopped.",
};
