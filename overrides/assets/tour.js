// SPDX-License-Identifier: MIT
/**
 * The one place that knows which event the reader looks at: the picture, the log and the verdict follow it.
 *
 * `e` and `E` step through the events, `u` and `U` through the lines that nothing explains.
 */
import { isRoot } from "./marks.js";

export class Tour extends EventTarget {
  /** @param {import("./marks.js").Mark[]} marks @param {{file: string, line: number}[]} unexplained */
  constructor(marks, unexplained) {
    super();
    this.marks = marks;
    this.unexplained = unexplained;
    this.at = -1;
    this.first = marks.findIndex(isRoot);
    this.unclear = -1;
  }

  /** Look at an event. */
  go(index, from = "") {
    if (!this.marks[index]) return;
    this.at = index;
    this.#tell({ mark: this.marks[index], index, from });
  }

  step(by, from = "") {
    if (!this.marks.length) return;
    const start = this.at < 0 ? (by > 0 ? -1 : this.marks.length) : this.at;
    this.go(Math.min(this.marks.length - 1, Math.max(0, start + by)), from);
  }

  /** The nearest event of the next rank that has one. */
  stepRank(by, ranks, from = "") {
    const here = this.marks[this.at] ?? this.marks[this.first] ?? this.marks[0];
    if (!here) return;
    for (let row = ranks.indexOf(here.rank) + by; row >= 0 && row < ranks.length; row += by) {
      const others = this.marks.map((mark, index) => [Math.abs(mark.order - here.order), index]).filter(([, index]) => this.marks[index].rank === ranks[row]);
      if (others.length) return this.go(others.sort((a, b) => a[0] - b[0])[0][1], from);
    }
  }

  toFirst(from = "") {
    this.go(Math.max(0, this.first), from);
  }

  stepUnexplained(by) {
    const count = this.unexplained.length;
    if (!count) return;
    this.unclear = this.unclear < 0 ? (by > 0 ? 0 : count - 1) : (this.unclear + by + count) % count;
    this.#tell({ line: this.unexplained[this.unclear], unexplained: this.unclear, from: "" });
  }

  /** Look at any line of the log, where an event stands too if one does. */
  line(file, line, from = "") {
    const index = this.marks.findIndex((mark) => mark.line === line && mark.file === file);
    if (index >= 0) this.go(index, from);
    else this.#tell({ line: { file, line }, from });
  }

  #tell(detail) {
    this.dispatchEvent(new CustomEvent("go", { detail }));
  }
}

/** Single keys, only while the focus is inside `area`, never in a field. */
export function listenForKeys(area, tour) {
  const keys = { e: () => tour.step(1), E: () => tour.step(-1), u: () => tour.stepUnexplained(1), U: () => tour.stepUnexplained(-1) };
  area.addEventListener("keydown", (event) => {
    const field = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
    if (field || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
}
