// SPDX-License-Identifier: MIT
/** Words that somebody may have meant: begun words, and words with one or two typing errors. The same as firstfault/searchtypos.py. */
import { stem } from "./searchwords.js";

const MOST = 4;

/**
 * @param {string} typed
 * @param {string[]} known sorted
 * @returns {[string, number][]} terms of known words near a typed one, nearest first, with how sure that is
 */
export function corrections(typed, known) {
  if (typed.length < 2 || typed.length > 24) return [];
  const allowed = typed.length < 4 ? 0 : typed.length < 8 ? 1 : 2;
  const near = [];
  for (const word of known) {
    if (word.startsWith(typed)) {
      near.push([0.5 + (word.length - typed.length) / 100, word]);
    } else if (Math.abs(word.length - typed.length) <= allowed) {
      const errors = distance(typed, word, allowed);
      if (errors <= allowed) near.push([errors + (word[0] === typed[0] ? 0 : 0.5), word]); // the first letter is seldom wrong
    }
  }
  const found = new Map();
  for (const [far, word] of near.sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1))) {
    const term = stem(word);
    if (!found.has(term)) found.set(term, Math.round((0.95 - 0.15 * far) * 1e4) / 1e4);
  }
  return [...found].slice(0, MOST);
}

/** How many letters are missing, added, wrong or swapped with the next; `most + 1` when more than `most`. */
export function distance(one, other, most) {
  let before = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const older = before;
    before = row;
    row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j += 1) {
      let cost = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) cost = Math.min(cost, older[j - 2] + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
  }
  return Math.min(row.at(-1), most + 1);
}
