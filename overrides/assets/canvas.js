// SPDX-License-Identifier: MIT
/** The picture for many ranks: each rank a line of a canvas, so that a thousand cost as many nodes as one. */
import { el } from "./dom.js";
import { after, isRoot } from "./marks.js";

const LEFT = 66;
const RIGHT = 14;
const TOP = 22;
const BOTTOM = 20;
const TALLEST = 380; // what a screen shows at once
const COLOURS = { root: "--ff-root", consequence: "--ff-consequence", wrapper: "--ff-wrapper", teardown: "--ff-consequence", benign: "--ff-benign", recovered: "--ff-benign" };
const LAST = ["benign", "recovered", "clue", "wrapper", "teardown", "consequence", "root"]; // drawn in this order: what matters lies on top

/**
 * @param {{marks: import("./marks.js").Mark[], ranks: number[], missing: number[], words: string}} model
 * @param {(index: number) => void} go
 */
export function canvas(model, go) {
  const surface = el("canvas.ff-map__canvas", { role: "img", "aria-label": model.words });
  const tip = el("p.ff-map__tip", { "aria-hidden": "true" });
  const view = el("div.ff-strip__view", {}, surface, tip);
  const rowOf = new Map(model.ranks.map((rank, row) => [rank, row]));
  const loose = model.marks.some(({ rank }) => rank === null);
  const rows = model.ranks.length + (loose ? Math.ceil(model.ranks.length / 40) : 0);
  const height = Math.min(TALLEST, rows * 7);
  const silent = model.missing.filter((rank) => !model.marks.some((mark) => mark.rank === rank)).map((rank) => rowOf.get(rank));
  let [positions, byTime, current, width] = [[], false, -1, 0];

  const y = (mark) => TOP + (((mark.rank === null ? rows - 0.5 : rowOf.get(mark.rank) + 0.5)) / rows) * height;
  const x = (index) => LEFT + 6 + (positions[index] / (positions.span || 1)) * (width - LEFT - RIGHT - 12);
  const colour = (name) => getComputedStyle(surface).getPropertyValue(name).trim() || "#888";

  function paint() {
    width = view.clientWidth || 640;
    const scale = Math.min(devicePixelRatio || 1, 3);
    surface.width = Math.round(width * scale);
    surface.height = Math.round((TOP + height + BOTTOM) * scale);
    surface.style.height = `${TOP + height + BOTTOM}px`;
    const pen = surface.getContext("2d");
    pen.scale(scale, scale);
    pen.font = `11px ${getComputedStyle(surface).fontFamily}`;
    frame(pen);
    events(pen);
    flag(pen);
  }

  function frame(pen) {
    pen.fillStyle = colour("--ff-soft");
    pen.fillRect(LEFT, TOP, width - LEFT - RIGHT, height);
    pen.fillStyle = colour("--ff-line");
    for (const row of silent) pen.fillRect(LEFT, TOP + (row / rows) * height, width - LEFT - RIGHT, Math.max(1, height / rows));
    pen.fillStyle = colour("--ff-quiet");
    pen.textAlign = "right";
    for (const row of ticks(model.ranks.length)) pen.fillText(`rank ${model.ranks[row]}`, LEFT - 6, TOP + ((row + 0.5) / rows) * height + 4);
    pen.textAlign = "left";
    pen.fillText(byTime ? after(0) : `line ${model.marks[0].line}`, LEFT, TOP + height + 15);
    pen.textAlign = "right";
    pen.fillText(byTime ? after(positions.span) : `line ${model.marks.at(-1).line}`, width - RIGHT, TOP + height + 15);
  }

  function events(pen) {
    const tall = Math.max(1.5, (height / rows) * 0.8);
    for (const role of LAST) {
      pen.fillStyle = colour(COLOURS[role] ?? "--ff-other");
      model.marks.forEach((mark, index) => mark.kind.role === role && pen.fillRect(x(index) - 1.5, y(mark) - tall / 2, 3, tall));
    }
    if (current < 0) return;
    pen.strokeStyle = colour("--md-default-fg-color");
    pen.lineWidth = 2;
    pen.strokeRect(x(current) - 7, y(model.marks[current]) - 7, 14, 14);
  }

  function flag(pen) {
    const first = model.marks.findIndex(isRoot);
    if (first < 0) return;
    const [at, row] = [x(first), y(model.marks[first])];
    pen.strokeStyle = pen.fillStyle = colour("--ff-root");
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(at, TOP - 6);
    pen.lineTo(at, TOP + height);
    pen.stroke();
    pen.setLineDash([]);
    pen.beginPath();
    for (const [dx, dy] of [[0, -7], [7, 0], [0, 7], [-7, 0]]) pen.lineTo(at + dx, row + dy);
    pen.fill();
    pen.font = `700 12px ${getComputedStyle(surface).fontFamily}`;
    pen.textAlign = at > width * 0.6 ? "right" : "left";
    const { rank, line } = model.marks[first];
    pen.fillText(`first fault · ${rank === null ? "" : `rank ${rank} · `}line ${line}`, at, TOP - 9);
  }

  function nearest(event) {
    const box = surface.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let best = [400, -1];
    model.marks.forEach((mark, index) => {
      const distance = (x(index) - px) ** 2 + (y(mark) - py) ** 2;
      if (distance < best[0]) best = [distance, index];
    });
    return best[1];
  }

  surface.addEventListener("click", (event) => go(nearest(event)));
  surface.addEventListener("pointermove", (event) => {
    const mark = model.marks[nearest(event)];
    tip.textContent = mark ? `${mark.rank === null ? "no rank" : `rank ${mark.rank}`} · line ${mark.line} · ${mark.kind.title}` : "";
  });
  new ResizeObserver(() => view.clientWidth !== width && paint()).observe(view);
  new MutationObserver((_, scheme) => (view.isConnected ? paint() : scheme.disconnect())).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
  return {
    view,
    draw(values, time) {
      const low = values.reduce((a, b) => Math.min(a, b), Infinity);
      positions = values.map((value) => value - low);
      positions.span = positions.reduce((a, b) => Math.max(a, b), 0);
      byTime = time;
      paint();
    },
    show(index) {
      current = index;
      paint();
    },
  };
}

/** Rows that get a label: the first, the last, and round ones between. */
function ticks(count) {
  const step = [4, 8, 16, 32, 64, 128, 256, 512, 1024].find((size) => count / size <= 9) ?? 2048;
  const found = Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
  return found.filter((row) => row < count - step / 2).concat(count - 1);
}
