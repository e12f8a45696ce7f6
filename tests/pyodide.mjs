// SPDX-License-Identifier: MIT
// Diagnoses files with the engine exactly as the site publishes it, in Node: node tests/pyodide.mjs SITE/assets/runtime FILE...
// Prints one line of JSON per file, in the order given.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [runtime, ...files] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(runtime, "manifest.json"), "utf8"));
const folder = resolve(runtime, manifest.folder);
const unpacked = (name) => gunzipSync(readFileSync(join(folder, name)));
const place = mkdtempSync(join(tmpdir(), "firstfault-"));
const library = join(place, "stdlib.zip");
writeFileSync(library, unpacked("stdlib.pack"));
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({
  indexURL: folder,
  stdLibURL: library,
  packageBaseUrl: folder,
  lockFileContents: manifest.lock,
  fsInit: async (FS) => FS.writeFile("/lib/firstfault.zip", unpacked("engine.pack")),
});
rmSync(place, { recursive: true });
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
