// SPDX-License-Identifier: MIT
/**
 * Where the log pane gets its lines: slices of the file itself, found by an index of line starts; or, where the file is
 * not at hand (an archive, a shared verdict, a report), the lines that the verdict quotes.
 *
 * A log of hundreds of megabytes is never held: every 256th line start is remembered, and a slice is read when it is looked at.
 */
const EVERY = 256;
const CHUNK = 1 << 20;
const LONGEST_SLICE = 4 << 20; // a stretch with longer lines than this is cut, and says so
const MOST_UNPACKED = 512 << 20;
const FEED = 10;

/** Lines of a plain file. */
export class FileSource extends EventTarget {
  /** How many lines are known so far. */
  total = 0;
  complete = false;
  whole = true;
  #starts = [0];
  #blob;
  #waiting = [];

  /** @param {Blob} blob */
  constructor(blob) {
    super();
    this.#blob = blob;
    this.#index().catch(() => this.#finish()); // the file was moved or changed: what is known stays readable
  }

  /** Resolves once the index reaches a line, or the end. */
  reach(line) {
    if (this.complete || this.total >= line) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push([line, resolve]));
  }

  /**
   * @param {number} from first line, from 1
   * @param {number} to last line, included
   * @returns {Promise<{line: number, text: string}[]>}
   */
  async lines(from, to) {
    const block = Math.floor((from - 1) / EVERY);
    const start = this.#starts[block] ?? 0;
    const end = this.#starts[Math.floor((to - 1) / EVERY) + 1] ?? this.#blob.size;
    const bytes = await this.#blob.slice(start, Math.min(end, start + LONGEST_SLICE)).arrayBuffer();
    const texts = new TextDecoder().decode(bytes).split("\n");
    const rows = [];
    for (let line = from; line <= Math.min(to, this.total); line += 1) {
      rows.push({ line, text: texts[line - 1 - block * EVERY] ?? "… the lines here are too long to be shown" });
    }
    return rows;
  }

  async #index() {
    let line = 0;
    let last = FEED;
    for (let at = 0; at < this.#blob.size; at += CHUNK) {
      const bytes = new Uint8Array(await this.#blob.slice(at, at + CHUNK).arrayBuffer());
      for (let found = bytes.indexOf(FEED); found >= 0; found = bytes.indexOf(FEED, found + 1)) {
        line += 1;
        if (line % EVERY === 0) this.#starts.push(at + found + 1);
      }
      last = bytes.at(-1);
      this.#grow(line);
    }
    this.#grow(line + (last === FEED ? 0 : 1));
    this.#finish();
  }

  #grow(total) {
    this.total = total;
    this.#waiting = this.#waiting.filter(([line, resolve]) => total < line || resolve());
    this.dispatchEvent(new Event("grow"));
  }

  #finish() {
    this.complete = true;
    for (const [, resolve] of this.#waiting) resolve();
    this.#waiting = [];
    this.dispatchEvent(new Event("grow"));
  }
}

/** The lines that a verdict quotes, with gaps between them. */
export class QuotedSource extends EventTarget {
  complete = true;
  whole = false;
  #rows;

  /** @param {{line: number, text: string}[]} quoted */
  constructor(quoted) {
    super();
    const known = new Map(quoted.map(({ line, text }) => [line, text]));
    const numbers = [...known.keys()].sort((a, b) => a - b);
    this.#rows = numbers.flatMap((line, at) => {
      const skipped = line - (numbers[at - 1] ?? 0) - 1;
      return [...(skipped > 0 ? [{ line: null, text: `⋮ ${skipped.toLocaleString("en")} ${skipped === 1 ? "line" : "lines"} not quoted` }] : []), { line, text: known.get(line) }];
    });
    this.total = this.#rows.length;
  }

  reach() {
    return Promise.resolve();
  }

  /** Where a line stands among the rows. */
  rowOf(line) {
    const row = this.#rows.findIndex((each) => each.line !== null && each.line >= line);
    return (row < 0 ? this.#rows.length - 1 : row) + 1;
  }

  async lines(from, to) {
    return this.#rows.slice(from - 1, to);
  }
}

/**
 * A piece as something that can be sliced: plain text is as it is, gzip and UTF-16 are unpacked once.
 * @param {Blob} blob
 * @returns {Promise<Blob|null>} null for what only the engine opens
 */
export async function readable(blob) {
  const head = new Uint8Array(await blob.slice(0, 512).arrayBuffer());
  const is = (...bytes) => bytes.every((byte, at) => head[at] === byte);
  if (is(0x1f, 0x8b)) return unpacked(blob.stream().pipeThrough(new DecompressionStream("gzip")));
  if (is(0xff, 0xfe) || is(0xfe, 0xff)) return unpacked(blob.stream().pipeThrough(new TextDecoderStream(is(0xff, 0xfe) ? "utf-16le" : "utf-16be")).pipeThrough(new TextEncoderStream()));
  const packed = is(0x50, 0x4b) || is(0x42, 0x5a, 0x68) || is(0xfd, 0x37, 0x7a) || is(0x28, 0xb5, 0x2f, 0xfd) || is(0x80);
  return packed || String.fromCharCode(...head.slice(257, 262)) === "ustar" ? null : blob;
}

async function unpacked(stream) {
  const parts = [];
  const reader = stream.getReader();
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > MOST_UNPACKED) return null;
    parts.push(value);
  }
  const whole = new Blob(parts); // the browser keeps large ones on disk
  return String.fromCharCode(...new Uint8Array(await whole.slice(257, 262).arrayBuffer())) === "ustar" ? null : whole;
}

/**
 * Every line of a file that a result quotes.
 * @param {any} result
 * @param {string} file
 */
export function quoted(result, file) {
  const rows = [];
  const take = (item) => Number.isInteger(item?.line) && (item.file ?? file) === file && typeof item.text === "string" && rows.push({ line: item.line, text: item.text });
  const { root } = result;
  if (root?.evidence?.[0] && (root.evidence[0].file ?? file) === file) for (const row of root.context ?? []) take({ ...row, file });
  for (const event of result.events ?? []) take(event);
  for (const list of [result.consequences, result.alternatives, result.others, result.benign, result.recovered]) for (const row of list ?? []) (row.evidence ?? []).forEach(take);
  (result.unexplained ?? []).forEach(take);
  (root?.evidence ?? []).forEach(take); // last, since it is the whole line
  return rows;
}
