// SPDX-License-Identifier: MIT
/**
 * Starts Python from the engine's files, or from the memory of an earlier start (snapshot.js).
 *
 * loadPyodide never settles when the WebAssembly cannot be compiled or given memory: it only warns, or loses a promise.
 * The warning and the lost promise are turned into a rejection here.
 */
const WASM = "pyodide.asm.wasm";
const LIBRARY = "stdlib.pack";
const ENGINE = "engine.pack";
const ENGINE_PATH = "/lib/firstfault.zip";

/** Pyodide's own scripts, asked for before anything needs them. @param {string} folder */
export function fetchScripts(folder) {
  const scripts = Promise.all(["pyodide.mjs", "pyodide.asm.mjs"].map((name) => import(new URL(name, folder).href)));
  scripts.catch(() => {}); // told to whoever waits for them
  return scripts;
}

/**
 * Does all that needs `fetch`, which the worker loses before a log comes, and gives the start itself, to be made now or later.
 * @param {{files: Map<string, Response|Promise<WebAssembly.Module>>, folder: string, lock: object, scripts: Promise<object[]>}} given
 * @param {{memory?: Uint8Array, keep?: boolean}} how `memory` to go on from; `keep` when the memory is to be kept
 * @returns {Promise<() => Promise<object>>} call it to have Python
 */
export async function prepared({ files, folder, lock, scripts }, { memory, keep } = {}) {
  const [{ loadPyodide }, { default: create }] = await scripts;
  const address = (name) => new URL(name, folder).href;
  const archive = await unpacked(files.get(address(ENGINE)));
  const library = await unpacked(files.get(address(LIBRARY)));
  let go;
  const gone = new Promise((resolve) => (go = resolve));
  const fetched = self.fetch;
  let python;
  await new Promise((settled) => {
    let asked = 0;
    self.fetch = async (url) => {
      asked += 1;
      if (asked === 2) settled(); // the WebAssembly and the library: Pyodide asks for nothing more
      return new Response(String(url) === address(LIBRARY) ? library : null);
    };
    python = loadPyodide({
      createPyodideModule: (settings) => gone.then(() => create(settings)),
      indexURL: folder,
      stdLibURL: address(LIBRARY),
      packageBaseUrl: folder,
      lockFileContents: lock, // no packages: nothing is ever installed here
      fsInit: async (FS) => FS.writeFile(ENGINE_PATH, archive),
      stdout: () => {}, // a log line must not reach the console
      stderr: () => {},
      _makeSnapshot: keep,
      _loadSnapshot: memory,
    });
    python.catch(settled);
  });
  self.fetch = fetched;
  return () => {
    go();
    return watched(python, files.get(address(WASM)), Boolean(memory));
  };
}

/** Python, or the reason why it does not come. */
async function watched(started, compiled, whole) {
  const undo = new AbortController();
  const { warn } = console;
  const { instantiateStreaming } = WebAssembly;
  try {
    const python = await new Promise((resolve, reject) => {
      let refused = false;
      console.warn = (...words) => {
        if (refused) reject(trouble("wasm", words.join(" ")));
        else if (String(words[0]).includes("wasm instantiation failed")) refused = true;
        else warn.apply(console, words);
      };
      self.addEventListener("unhandledrejection", ({ reason }) => reject(trouble(reason?.code ?? "wasm", String(reason?.message ?? reason))), { signal: undo.signal });
      // The module is compiled since its first byte arrived; Pyodide would begin when everything else is there.
      WebAssembly.instantiateStreaming = async (_, imports) => {
        const module = await compiled;
        const { exports } = await WebAssembly.instantiate(module, imports);
        return { module, instance: { exports: withoutLinking(exports, module) } };
      };
      started.then(resolve, reject);
    });
    if (!whole) python.pyimport("sys").path.insert(0, ENGINE_PATH);
    return python;
  } finally {
    undo.abort();
    console.warn = warn;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}

/**
 * Pyodide enters each of its eight thousand functions into two tables for libraries that may be loaded later, which takes
 * as long as starting Python from its memory. Here none ever is. It goes through the names three times: for the first
 * table, for its own use, and for the second table.
 */
function withoutLinking(exports, module) {
  const needed = ["main", "__main_argc_argv", ...WebAssembly.Module.imports(module).filter((one) => one.module.startsWith("GOT.")).map(({ name }) => name)];
  const few = needed.filter((name) => name in exports);
  let times = 0;
  return new Proxy({ ...exports }, { ownKeys: (all) => (++times === 2 ? Reflect.ownKeys(all) : few) });
}

/** An archive is packed as a whole, which the browser undoes in a moment; what is in it is not, which Python would undo slowly. */
async function unpacked(response) {
  const plain = new Response(response.clone().body.pipeThrough(new DecompressionStream("gzip")));
  return new Uint8Array(await plain.arrayBuffer());
}

export const trouble = (code, detail) => Object.assign(new Error(detail), { code });
