// SPDX-License-Identifier: MIT
// Diagnoses files with the engine exactly as the site publishes it, in Node: node tests/pyodide.mjs SITE/assets/runtime FILE...
// Prints one line of JSON per file, in the order given.
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, ...files] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(runtime, "manifest.json"), "utf8"));
const folder = resolve(runtime, manifest.folder);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({
  indexURL: folder,
  stdLibURL: join(folder, "stdlib.zip"),
  packageBaseUrl: folder,
  lockFileContents: manifest.lock,
  fsInit: async (FS) => FS.writeFile("/lib/firstfault.zip", readFileSync(join(folder, "engine.zip"))),
});
python.pyimport("sys").path.insert(0, "/lib/firstfault.zip");
const engine = python.pyimport("firstfault.browser");
engine.start();
for (const file of files) {
  engine.begin();
  engine.open(basename(file));
  engine.feed(new Uint8Array(readFileSync(file)));
  engine.close();
  console.log(engine.result());
  engine.masked(); // everything that the page asks for has to be in the trimmed library
}
