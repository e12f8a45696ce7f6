// SPDX-License-Identifier: MIT
/**
 * The worker: starts Python once, takes away the network, then reads logs in chunks and answers with JSON.
 *
 * The page starts it from a blob: URL that only imports this file, so that it inherits the page's policy: a worker
 * that is loaded by URL obeys only the headers of its own response, and a static host sends none.
 */
import { CONTRACT } from "./messages.js";
import { fetchEarly } from "./corefiles.js";
import { removeNetwork } from "./lockdown.js";
import { forgetMemory, keptMemory, sealed } from "./snapshot.js";
import { fetchScripts, prepared, trouble } from "./start.js";

const CHUNK = 2 * 1024 * 1024; // large enough that crossing into Python costs nothing, small enough to show progress

/** @type {any} the Python module firstfault.browser */
let engine = null;
/** The run that the reader wants judged as far as it was read. */
let stopped = 0;
/** Whether the checks of drafts were unpacked. */
let checks = false;

/** A start that was made ready while there was a network, for the memory that is kept. */
let startAgain = null;

const post = (message) => self.postMessage(message);

self.onmessage = async ({ data }) => {
  if (data.type === "boot") await boot(data);
  else if (data.type === "keep") await keep();
  else if (data.type === "diagnose") await diagnose(data);
  else if (data.type === "compare") await compare(data);
  else if (data.type === "candidates") await answer(data, "candidates", () => engine.candidates(data.json));
  else if (data.type === "draft") await draft(data);
  else if (data.type === "check") await answer(data, "checked", () => check(data));
  else if (data.type === "stop") stopped = data.run;
};

/** @param {import("./messages.js").Boot} message */
async function boot({ contract, manifest, folder }) {
  try {
    if (contract !== CONTRACT || manifest.contract !== CONTRACT) throw trouble("contract", `${contract}/${CONTRACT}`);
    if (typeof WebAssembly !== "object") throw trouble("nowasm", "");
    const memory = keptMemory(folder).catch(() => forgetMemory(folder)).catch(() => {}); // a broken one is as good as none
    const scripts = fetchScripts(folder);
    const { files, verified } = await fetchEarly(manifest.files, folder, (loaded, total) => post({ type: "loading", loaded, total }));
    verified.then(() => post({ type: "starting" }), () => {});
    const given = { files, folder, lock: manifest.lock, scripts };
    const facts = await start(given, await memory).catch((error) => verified.then(() => { throw error; })); // a wrong file explains it better
    await verified;
    if (!facts.kept) startAgain = await prepared(given, { keep: true });
    removeNetwork(self);
    post({ type: "ready", ...facts });
  } catch (error) {
    post({ type: "broken", code: codeOf(error), detail: lastLine(error) });
  }
}

/** Start from the memory that was kept; should that fail, it is forgotten, and the start is a plain one. */
async function start(given, memory) {
  const from = async (how) => {
    const begin = await prepared(given, how);
    engine = (await begin()).pyimport("firstfault.browser");
    return JSON.parse(engine.start());
  };
  if (memory) {
    post({ type: "restoring", memory: true });
    try {
      return { ...(await from({ memory })), kept: true };
    } catch {
      await forgetMemory(given.folder);
      post({ type: "restoring", memory: false });
    }
  }
  return { ...(await from({})), kept: false };
}

/** Start a second Python, which no log has been near, and give its memory, from which the next visit can start. */
async function keep() {
  const again = startAgain;
  startAgain = null;
  if (!again) return;
  try {
    const python = await again();
    const face = python.pyimport("firstfault.browser");
    face.warm();
    face.destroy(); // what JavaScript holds cannot be kept
    post({ type: "memory", ...(await sealed(python.makeMemorySnapshot())) });
  } catch {
    // the next visit starts as this one did
  }
}

/** @param {import("./messages.js").Diagnose} message */
async function diagnose({ run, pieces }) {
  const at = { piece: "", bytes: 0, total: sizeOf(pieces) };
  let partial = null;
  try {
    engine.begin();
    try {
      await read(run, pieces, at, 0);
    } catch (error) {
      const code = troubleOf(error);
      if (code !== "unreadable" && code !== "stopped") throw error;
      partial = { ...at, code, detail: lastLine(error) };
      engine.close(); // what came before is judged
    }
    post({ type: "judging", run });
    post({ type: "result", run, json: engine.result(), masked: engine.masked(), partial });
  } catch (error) {
    post({ type: "failed", run, code: troubleOf(error), detail: lastLine(error), piece: at.piece });
  }
}

/** @param {import("./messages.js").Compare} message */
async function compare({ run, good, bad }) {
  const at = { piece: "", bytes: 0, total: sizeOf(good) + sizeOf(bad) };
  try {
    engine.begin_comparison("good");
    await read(run, good, at, 0);
    engine.begin_comparison("bad");
    await read(run, bad, at, good.length);
    post({ type: "compared", run, json: engine.comparison() });
  } catch (error) {
    post({ type: "failed", run, code: troubleOf(error), detail: lastLine(error), piece: at.piece });
  }
}

/** @param {import("./messages.js").Draft} message */
async function draft({ run, pieces, file, line, rank }) {
  const at = { piece: "", bytes: 0, total: sizeOf(pieces) };
  await answer({ run }, "drafted", async () => {
    engine.begin_excerpt(file, line);
    await read(run, pieces, at, 0, () => engine.has_excerpt());
    return engine.drafted(rank);
  });
}

/** @param {import("./messages.js").Check} message */
async function check({ bundle, text }) {
  if (!checks) engine.add_checks(new Uint8Array(await bundle.arrayBuffer()));
  checks = true;
  return engine.check(text);
}

/** Run one request that answers with JSON. */
async function answer({ run }, type, work) {
  try {
    post({ type, run, json: await work() });
  } catch (error) {
    post({ type: "failed", run, code: troubleOf(error), detail: lastLine(error), piece: "" });
  }
}

const sizeOf = (pieces) => pieces.reduce((sum, piece) => sum + piece.blob.size, 0);

/** Feed the pieces to the engine, until it has enough; `at` says how far it came, also after an error. */
async function read(run, pieces, at, offset, enough = () => false) {
  for (const [index, piece] of pieces.entries()) {
    at.piece = piece.name;
    engine.open(piece.name, piece.blob.size);
    for await (const chunk of chunks(piece.blob)) {
      if (stopped === run) throw trouble("stopped", "");
      engine.feed(chunk);
      at.bytes += chunk.byteLength;
      post({ type: "progress", run, piece: offset + index, bytes: at.bytes, total: at.total });
      if (enough()) break;
    }
    engine.close();
    if (enough()) return;
  }
}

/** A Python error arrives as a whole traceback; its last line says what happened. */
const lastLine = (error) => String(error.message ?? error).trimEnd().split("\n").at(-1);

/** The key of TROUBLE that an error of ours carries; an exception of the browser has a number there. */
const codeOf = (error, otherwise = "python") => (typeof error.code === "string" ? error.code : otherwise);

function troubleOf(error) {
  if (codeOf(error, "")) return codeOf(error);
  if (error.name === "NotReadableError" || error.name === "NotFoundError") return "unreadable";
  return /MemoryError|RangeError|out of memory/i.test(`${error.name} ${error.message}`) ? "memory" : "python";
}

/** The blob in pieces of about CHUNK bytes. A stream's own pieces are small, so they are gathered. */
async function* chunks(blob) {
  const reader = blob.stream().getReader(); // not `for await`: Safari cannot iterate streams yet
  let gathered = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (value) {
      gathered.push(value);
      size += value.byteLength;
    }
    if (size && (done || size >= CHUNK)) {
      yield joined(gathered, size);
      gathered = [];
      size = 0;
    }
    if (done) return;
  }
}

function joined(parts, size) {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
