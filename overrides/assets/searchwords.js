// SPDX-License-Identifier: MIT
/**
 * What of a text tells it apart from others: its words in order, without what changes from run to run.
 *
 * `firstfault search` does the same in firstfault/searchwords.py: what changes here changes there, and
 * tests/searchbench/ compares the two on every query. So no expression uses `\w` or `\b`, which differ between the languages.
 */

/** A query is cut here: what follows no longer changes the answer. */
export const LONGEST = 20_000;

const PIECE =
  /\x1b\[[0-9;]{0,16}m|0[xX][0-9a-fA-F]{1,40}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{10,40}|(?<word>[A-Za-z_][A-Za-z0-9_]{0,80})|(?<number>[0-9]{1,5})(?![0-9A-Za-z_]|[.:][0-9A-Za-z])|[0-9][0-9A-Za-z_.:+]{0,80}/g;
const PATH = /[A-Za-z0-9_.+~@=/-]{1,400}/g;
const FILE = /\/[A-Za-z0-9_+-]{1,80}\.[A-Za-z]/;
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const STOP = new Set(
  ("the a an of in to at on is was are be been for and or by with from this that it its as not no line file py most recent call last " +
    "too you your we our i do does did has have had can will would if so than then but what which how why when where").split(" "));

/**
 * @typedef {{key: string, terms: string[], text: string}} Word `key` is what is compared, `terms` are all keys under
 *   which it is filed or looked up, `text` is as written
 * @param {string} text
 * @returns {Word[]} in order; a lone number counts together with the word before it (`Xid ...: 79`)
 */
export function words(text) {
  const found = [];
  let before = [];
  for (const { groups } of (text.includes("/") ? text.replace(PATH, withoutFolders) : text).matchAll(PIECE)) {
    if (groups.word) {
      const word = wordOf(groups.word);
      if (word) {
        before = [word.key, ...before.slice(0, 1)];
        found.push(word);
      }
    } else if (groups.number && before.length) {
      const number = groups.number.replace(/^0+/, "") || "0";
      const terms = before.map((earlier) => `#${number} ${earlier}`);
      found.push({ key: terms[0], terms, text: groups.number });
    }
  }
  return found;
}

/** Of a path the last name; `and/or` is no path. */
function withoutFolders(text) {
  const last = text.lastIndexOf("/");
  return last >= 0 && (text.indexOf("/") !== last || FILE.test(text)) ? text.slice(last + 1) : text;
}

function wordOf(text) {
  const lowered = text.toLowerCase().replace(/^_+|_+$/g, "");
  if (lowered.length < 2 || STOP.has(lowered)) return null;
  const numbered = /[0-9]$/.test(lowered);
  let key = stem(numbered ? lowered.replace(/[0-9]+/g, "").replace(/^_+|_+$/g, "") : lowered);
  if (key.length < 2) key = lowered;
  const parts = (text.match(PARTS) ?? []).map((part) => part.toLowerCase());
  const pieces = parts.length > 1 ? parts.filter((part) => part.length > 1 && !STOP.has(part) && !/^[0-9]/.test(part)).map(stem) : [];
  return { key, terms: [...new Set([key, ...(numbered ? [lowered] : []), ...pieces])], text };
}

/** A word without its commonest English endings, so that `hang` finds `hangs` and `killed` finds `kill`. */
export function stem(word) {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  if (/(?:sses|shes|ches|xes)$/.test(word)) word = word.slice(0, -2);
  else if (/s$/.test(word) && !/(?:ss|us|is)$/.test(word)) word = word.slice(0, -1);
  for (const ending of ["ing", "ed"]) {
    if (word.endsWith(ending) && word.length - ending.length >= 3) {
      word = word.slice(0, -ending.length);
      if (word.at(-1) === word.at(-2) && !"lsz".includes(word.at(-1))) word = word.slice(0, -1);
      break;
    }
  }
  return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
}

/** The comparable words of a text, in order. */
export const keys = (text) => words(text).map(({ key }) => key);
