// SPDX-License-Identifier: MIT
/**
 * Entries by the words of an error: a whole pasted line, a part of it, a traceback, or a few words with typing errors.
 *
 * The same as firstfault/search.py, which says why; tests/searchbench/ holds the two together. What differs: a word or a
 * card may first have to be fetched.
 */
import { places, rarity } from "./searchindex.js";
import { holds, shared, whole } from "./searchmatch.js";
import { corrections } from "./searchtypos.js";
import { LONGEST, keys, stem, words } from "./searchwords.js";

const MOST_LINES = 12, LONGEST_LINE = 1_000, MOST_TERMS = 40, CANDIDATES = 24; // what a query may cost, however long it is
const FEW_WORDS = 8;
const NAMED = 10_000;
const LOUDEST = /(?:Error|Exception|Exit|Interrupt|Xid \([^)]{0,40}\))(?::|$)/;
const LOUD = /[Ee]rror|ERROR|WARN|[Ff]ail|FAIL|[Ff]atal|FATAL|[Kk]ill|[Tt]imeout|timed out|[Cc]annot|[Uu]nable|denied|refused|mismatch|not found|signal|exitcode/;
const FRAME = /^ *File "|^ +[a-z_]/;

/**
 * @typedef {{id: string, title: string, kind: string, signature: string, score: number, group: "exact"|"similar"|"prose", words: string[]}} Hit
 * @param {string} text
 * @param {import("./searchindex.js").Index} index
 * @returns {Promise<Hit[]>} best first
 */
export async function search(text, index, most = 8) {
  const query = queryOf(text);
  const { entries } = await index.head();
  const { wanted, filed } = await wantedOf(query, index);
  const rarityOf = (term) => (filed.has(term) ? rarity(filed.get(term)[0], entries) : 0);
  const { scores, found } = chosen(query, wanted, filed, rarityOf);
  const best = [...scores.keys()].sort((a, b) => scores.get(b) - scores.get(a) || a - b).slice(0, CANDIDATES);
  const cards = await Promise.all(best.map((number) => index.card(number)));
  const bench = new Comparison(query, wanted, rarityOf, entries);
  const hits = cards.map((card, at) => bench.judged(card, scores.get(best[at]), found.get(best[at])));
  return hits.filter(({ group }) => group).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, most);
}

/** A text somebody looks for, cut to what counts. */
function queryOf(text) {
  const lines = text.slice(0, LONGEST).split("\n").map((line) => line.replace(/[ \t\r\f\v]+/g, " ").trim().slice(0, LONGEST_LINE)).filter(Boolean);
  const ranked = lines.map((line, number) => ({ line, number, loud: loudness(line) }))
    .sort((a, b) => b.loud - a.loud || b.number - a.number).slice(0, MOST_LINES).map(({ line }) => line);
  const found = ranked.flatMap(words);
  const short = lines.length === 1 && found.length <= FEW_WORDS;
  const kept = new Map();
  for (const word of found) if (kept.size < MOST_TERMS && !kept.has(word.key)) kept.set(word.key, word);
  return {
    lines: ranked.map((line) => line.toLowerCase()), keys: ranked.map(keys), short, words: kept, pairs: short ? pairs(found) : new Map(),
    name: lines.length === 1 ? "=" + slug(lines[0]) : "",
  };
}

function slug(line) {
  const text = line.toLowerCase().replace(/\/+$/, "");
  return text.slice(text.lastIndexOf("/") + 1).replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 80);
}

/** Neighbouring words written as one (`exit code` is `exitcode` elsewhere), with a number behind them, too. */
function pairs(found) {
  const made = new Map();
  const plain = ({ text }) => /^[A-Za-z]+$/.test(text);
  const both = (at) => stem((found[at].text + found[at + 1].text).toLowerCase());
  for (let at = 0; at + 1 < found.length; at += 1) {
    if (plain(found[at]) && plain(found[at + 1])) made.set(both(at), `${found[at].text} ${found[at + 1].text}`);
  }
  for (let at = 0; at + 2 < found.length; at += 1) {
    const number = found[at + 2];
    if (number.key.startsWith("#")) made.set(`${number.key.split(" ")[0]} ${both(at)}`, `${found[at].text} ${found[at + 1].text} ${number.text}`);
  }
  return made;
}

/** How much a line looks like the one that says what went wrong. */
function loudness(line) {
  if (FRAME.test(line)) return 0;
  return LOUDEST.test(line) ? 2 : LOUD.test(line) ? 1 : 0;
}

/** For each word of the query the terms that stand for it, with how sure that is; and what is filed under them. */
async function wantedOf(query, index) {
  const looked = ({ terms }) => (query.short ? terms : terms.slice(0, 2));
  const asked = [...query.words.values()].flatMap((word) => [word.key, ...looked(word)]);
  const filed = await index.terms([...new Set([...asked, ...query.pairs.keys(), ...(query.name ? [query.name] : [])])]);
  const wanted = new Map();
  for (const [key, word] of query.words) {
    const part = filed.has(key) ? 0.3 : 0.7;
    wanted.set(key, looked(word).filter((term) => filed.has(term)).map((term) => [term, term === key ? 1 : part]));
  }
  const unknown = query.short ? [...wanted].filter(([key, terms]) => !terms.length && !key.startsWith("#")).map(([key]) => key) : [];
  if (unknown.length) {
    const known = await index.words();
    const near = unknown.map((key) => [key, corrections(query.words.get(key).text.toLowerCase(), known)]);
    for (const [term, data] of await index.terms([...new Set(near.flatMap(([, terms]) => terms.map(([term]) => term)))])) filed.set(term, data);
    for (const [key, terms] of near) wanted.set(key, terms.filter(([term]) => filed.has(term)));
  }
  for (const term of query.pairs.keys()) if (filed.has(term) && !wanted.has(term)) wanted.set(term, [[term, 1]]);
  return { wanted, filed };
}

/** Entries with the weight of the words they share with the query, and these words. */
function chosen(query, wanted, filed, rarityOf) {
  const scores = new Map();
  const found = new Map();
  const words = (number) => found.get(number) ?? found.set(number, new Map()).get(number);
  for (const [key, terms] of wanted) {
    const best = new Map();
    for (const [term, sure] of terms) {
      for (const [number, weight] of places(filed.get(term))) best.set(number, Math.max(best.get(number) ?? 0, weight * sure * rarityOf(term)));
    }
    for (const [number, value] of best) {
      scores.set(number, (scores.get(number) ?? 0) + value);
      words(number).set(key, value);
    }
  }
  for (const number of query.name && filed.has(query.name) ? places(filed.get(query.name)).keys() : []) {
    scores.set(number, (scores.get(number) ?? 0) + NAMED);
    words(number);
  }
  return { scores, found };
}

/** A query laid beside the texts of entries. */
class Comparison {
  constructor(query, wanted, rarityOf, entries) {
    this.query = query;
    const unknown = 0.6 * Math.log(1 + entries);
    this.said = new Map([...wanted].map(([key, terms]) => [key, terms.length ? Math.max(...terms.map(([term, sure]) => rarityOf(term) * sure)) : unknown]));
    this.full = [...this.said.values()].reduce((sum, value) => sum + value, 0) || 1;
    const meant = new Map(); // a mistyped word is compared as the word that was meant
    for (const [key, terms] of wanted) if (terms.length && !rarityOf(key)) meant.set(key, terms[0][0]);
    const real = (key) => meant.get(key) ?? key;
    this.weights = new Map([...wanted.keys()].map((key) => [real(key), rarityOf(real(key))]));
    this.weigh = (key) => this.weights.get(key) ?? 0;
    this.lines = query.lines.map((line, at) => {
      const order = query.keys[at].map(real);
      return { line, order, own: whole(order, this.weigh) };
    });
  }

  judged(card, score, found) {
    const { value, exact, close } = this.laidBeside(card);
    const named = score >= NAMED;
    const share = [...found.keys()].reduce((sum, key) => sum + this.said.get(key), 0) / this.full;
    const group = exact || named ? "exact" : close >= 0.5 && value > 4 ? "similar" : share >= 0.3 || value > 5 ? "prose" : "";
    const total = value + (this.query.short ? 0.4 + 0.6 * share : 0.15) * score;
    const told = [...found].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 6);
    return {
      id: card.id, title: card.title, kind: card.kind, signature: card.signature, score: Math.round(total * 1000) / 1000, group,
      words: told.map(([key]) => this.query.words.get(key)?.text ?? this.query.pairs.get(key)),
    };
  }

  laidBeside(card) {
    let best = 0, close = 0, exact = false;
    const named = this.query.short ? [card.title.toLowerCase(), card.id.replaceAll("-", " ")] : [];
    [...card.texts, ...named].forEach((text, number) => {
      const full = card.weights[number];
      if (!full) return;
      const sort = number < card.templates ? 1 : number < card.texts.length ? 0.9 : 0.6;
      const runs = text.split("\t");
      const order = keys(runs.join(" "));
      for (const line of this.lines) {
        const { value, fits, much } = this.compared(line, runs, order, full);
        if (value * sort > best) [best, close] = [value * sort, much];
        exact ||= fits;
      }
    });
    return { value: best, exact, close };
  }

  compared({ line, order: lineKeys, own }, runs, order, full) {
    if (holds(line, runs)) return { value: full + 0.6 * own + 3, fits: full > 6, much: 1 };
    const both = completed(lineKeys, order);
    const halves = both === lineKeys ? [] : [both[0], both.at(-1)].filter((key) => !lineKeys.includes(key));
    const value = shared(both, order, (key) => (halves.includes(key) ? full / order.length : this.weigh(key)));
    if (!value) return { value: 0, fits: false, much: 0 };
    const much = Math.min(Math.max(value / full, own ? value / own : 0), 1);
    const part = line.length >= 12 && runs.join(" ").includes(line);
    return { value: value * (0.4 + 0.6 * much) + (part ? 3 : 0), fits: part, much };
  }
}

/** The words of a line whose first and last may be halves of words of the text. */
function completed(line, order) {
  if (!line.length || (order.includes(line[0]) && order.includes(line.at(-1)))) return line;
  const first = order.find((key) => line[0].length > 2 && key.endsWith(line[0])) ?? line[0];
  const last = order.find((key) => line.at(-1).length > 2 && key.startsWith(line.at(-1))) ?? line.at(-1);
  return line.length === 1 ? [last] : [first, ...line.slice(1, -1), last];
}
