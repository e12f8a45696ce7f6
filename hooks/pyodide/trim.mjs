// SPDX-License-Identifier: MIT
// Starts the Pyodide that the site will serve and lets trim.py work on a folder: node trim.mjs PYODIDE JOB library|package
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => { // Node would print the line of code it happened in: a megabyte, in this file
  process.stderr.write(`${error.message ?? error}\n`, () => process.exit(1));
});
const [home, job, task] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const { loadPyodide } = await import(pathToFileURL(join(resolve(home), "pyodide.mjs")).href);
const sources = join(resolve(job), "sources.zip"); // the standard library as the browser is to have it, where the task is to pack that
const python = await loadPyodide({
  indexURL: resolve(home),
  env: { PYTHONNODEBUGRANGES: "1" }, // columns of expressions: a tenth of all bytecode, for carets that nobody sees
  ...(existsSync(sources) ? { stdLibURL: sources } : {}),
});
python.FS.mkdirTree("/job");
python.mountNodeFS("/job", resolve(job));
const space = python.toPy({ __name__: "trim" });
python.runPython(readFileSync(join(here, "trim.py"), "utf8"), { globals: space, filename: "trim.py" });
space.get(task)("/job");
