// SPDX-License-Identifier: MIT
// Starts the Pyodide that the site will serve and lets trim.py work on a folder: node trim.mjs PYODIDE JOB library|package
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [home, job, task] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const { loadPyodide } = await import(pathToFileURL(join(resolve(home), "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: resolve(home) });
python.FS.mkdirTree("/job");
python.mountNodeFS("/job", resolve(job));
const space = python.toPy({ __name__: "trim" });
python.runPython(readFileSync(join(here, "trim.py"), "utf8"), { globals: space, filename: "trim.py" });
space.get(task)("/job");
