// SPDX-License-Identifier: MIT
/** Answers queries with the site's own search over a folder of its index: reads {folder, queries} on standard input. */
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { Index } from "../../overrides/assets/searchindex.js";
import { search } from "../../overrides/assets/searchrank.js";

let input = "";
for await (const chunk of process.stdin) input += chunk;
const { folder, queries, sizes } = JSON.parse(input);

const packed = new Map(); // what a server that compresses sends for a piece
async function load(name, seen) {
  const text = await readFile(`${folder}/${name}`, "utf8");
  if (sizes && !packed.has(name)) packed.set(name, gzipSync(text, { level: 6 }).length);
  seen?.add(name);
  return JSON.parse(text);
}

const warm = new Index((name) => load(name));
const answers = [];
for (const query of queries) {
  const seen = new Set();
  if (sizes) await search(query, new Index((name) => load(name, seen)));
  if (sizes) await search(query, warm);
  const started = performance.now();
  const hits = await search(query, warm);
  const ms = performance.now() - started;
  answers.push({ ids: hits.map(({ id }) => id), groups: hits.map(({ group }) => group), ms, bytes: [...seen].reduce((sum, name) => sum + packed.get(name), 0), pieces: seen.size });
}
process.stdout.write(JSON.stringify(answers));
