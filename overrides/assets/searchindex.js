// SPDX-License-Identifier: MIT
/**
 * The index in pieces: a piece is fetched when a query asks for a word or an entry in it, once per visit.
 *
 * hooks/searchfiles.py cuts them, firstfault/searchformat.py says what is in them.
 */
const WEIGHTS = [1.0, 0.9, 0.9, 0.6, 0.3];
const FORMAT = 1;

export class Index {
  /** @param {(name: string) => Promise<any>} fetchPiece gives the parsed file of that name */
  constructor(fetchPiece) {
    this.pieces = new Map();
    this.get = (name) => {
      if (!this.pieces.has(name)) {
        const coming = fetchPiece(name).catch((error) => {
          this.pieces.delete(name); // the next query tries again
          throw error;
        });
        this.pieces.set(name, coming);
      }
      return this.pieces.get(name);
    };
  }

  /** What is known before any word: how many entries, and where pieces begin. */
  async head() {
    const head = await this.get("index.json");
    if (head.format !== FORMAT) throw new Error(`search index of format ${head.format}, this page reads ${FORMAT}`);
    return head;
  }

  /** The filed data of terms: a map of those that any entry holds. */
  async terms(wanted) {
    const { cuts } = await this.head();
    const found = new Map();
    await Promise.all(wanted.map(async (term) => {
      const piece = await this.get(`terms-${pieceOf(term, cuts)}.json`);
      if (Object.hasOwn(piece, term)) found.set(term, piece[term]);
    }));
    return found;
  }

  /** The words that the correction of typing errors knows. */
  async words() {
    return (await this.get("words.json")).split(" ");
  }

  async card(number) {
    const { step } = await this.head();
    const [id, title, kind, signature, texts, templates, weights] = (await this.get(`cards-${Math.floor(number / step)}.json`))[number % step];
    return { id, title, kind, signature, texts, templates, weights };
  }
}

/** The number of the piece that would hold a term: pieces begin with the terms in `cuts`. */
function pieceOf(term, cuts) {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle] <= term) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}

/** How much a word says that `count` of all entries hold. */
export const rarity = (count, entries) => Math.log(1 + entries / count);

/** The entries of a term with the weight of the best place where it stands. */
export function places([, ...lists]) {
  const found = new Map();
  lists.forEach((differences, place) => {
    let number = 0;
    for (const difference of differences) found.set((number += difference), WEIGHTS[place]);
  });
  return found;
}
