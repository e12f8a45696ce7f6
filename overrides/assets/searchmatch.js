// SPDX-License-Identifier: MIT
/** How well a pasted line fits a text that software prints. The same as firstfault/searchmatch.py, which says more. */

/** How much more a word counts that directly follows the one before it in both texts. */
const NEIGHBOUR = 0.35;

/** Whether the literal runs stand in the line, in their order. */
export function holds(line, runs) {
  let at = 0;
  for (const run of runs) {
    at = line.indexOf(run, at);
    if (at < 0) return false;
    at += run.length;
  }
  return true;
}

/**
 * The weight of the words that both have in the same order, runs of neighbours counting more.
 * @param {string[]} line
 * @param {string[]} text
 * @param {(key: string) => number} weigh
 */
export function shared(line, text, weigh) {
  const weights = text.map(weigh);
  const best = new Float64Array(text.length + 1);
  const ending = new Float64Array(text.length + 1); // the best that ends with a match of this word of the text and of the line's last word
  for (const key of line) {
    let corner = 0;
    let cornerEnding = 0;
    for (let j = 1; j <= text.length; j += 1) {
      const above = best[j];
      const aboveEnding = ending[j];
      ending[j] = 0;
      if (key === text[j - 1]) {
        const weight = weights[j - 1];
        ending[j] = weight + Math.max(corner, cornerEnding ? cornerEnding + NEIGHBOUR * weight : 0);
      }
      best[j] = Math.max(above, best[j - 1], ending[j]);
      corner = above;
      cornerEnding = aboveEnding;
    }
  }
  return best[text.length];
}

/** What `shared` gives at most: the text compared with itself. */
export function whole(text, weigh) {
  const weights = text.map(weigh);
  const sum = (list) => list.reduce((total, weight) => total + weight, 0);
  return sum(weights) + NEIGHBOUR * sum(weights.slice(1));
}
