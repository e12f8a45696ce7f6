// SPDX-License-Identifier: MIT
/**
 * The log beside the verdict: all its lines, of which only those in view are nodes.
 *
 * A line that the verdict speaks of carries the mark of its role; choosing it says what it is and leads to the sentence
 * that uses it.
 */
import { announce, el, logText, plural, thousands } from "./dom.js";
import { roleBadge, ROLES } from "./lines.js";
import { FileSource, quoted, QuotedSource, readable } from "./logsource.js";

const ROW = 20; // px; verdict.css has the same
const TALLEST = 8_000_000; // px; browsers cut taller elements off
const SPARE = 8; // rows kept above and below the view
const WIDEST = 2000; // characters

/**
 * @param {{result: any, pieces: import("./messages.js").Piece[], tour: import("./tour.js").Tour, shown: (text: string) => string, explain: (mark: any) => (Node|null)[]}} page
 *   `shown` masks a line; `explain` gives links for a mark
 */
export function logView({ result, pieces, tour, shown, explain }) {
  const names = filesOf(result, pieces);
  const sources = new Map();
  const space = el("div.ff-logview__space");
  const layer = el("div.ff-logview__rows");
  const scroll = el("div.ff-logview__scroll", { tabindex: "0", role: "group", "aria-label": "The log. e and E go to the next and the previous event." }, space);
  const about = el("div.ff-logview__about", {}, el("p.ff-quiet", {}, "Choose a marked line, or press e, to see what it is."));
  const note = el("span.ff-quiet");
  const choose = el("select.ff-logview__file", { "aria-label": "File" }, ...names.map((name, at) => el("option", { value: at }, ...logText(shown(name), 200).map((part) => part.textContent ?? part))));
  const heading = names.length > 1 ? choose : el("span.ff-logview__name", {}, ...logText(shown(names[0] ?? "log"), 160));
  const pane = el("aside.ff-logview", { "aria-label": "The log" }, el("div.ff-logview__bar", {}, heading, note, ...buttons(tour)), scroll, about);
  space.append(layer);
  let file = "";
  let source = null;
  let top = 0; // the row at the upper edge, as a fraction
  let expected = 0;
  let chosen = -1;
  let drawing = 0;
  let roles = new Map();

  choose.addEventListener("change", () => open(names[choose.value]).then(() => move(0)));
  scroll.addEventListener("scroll", () => {
    if (Math.abs(scroll.scrollTop - expected) > 1) top = fromPixels(scroll.scrollTop);
    paint();
  }, { passive: true });
  scroll.addEventListener("wheel", (event) => {
    if (scale() === 1 || event.ctrlKey) return;
    event.preventDefault(); // a pixel stands for many rows: move by rows instead
    move(top + event.deltaY / ROW);
  });
  layer.addEventListener("click", ({ target }) => {
    const row = target.closest("[data-line]");
    if (row && !String(getSelection())) tour.line(file, Number(row.dataset.line), "log");
  });
  tour.addEventListener("go", ({ detail }) => show(detail));
  new ResizeObserver(() => paint()).observe(scroll);

  const rowsInView = () => Math.max(1, scroll.clientHeight / ROW);
  const height = () => Math.min(TALLEST, Math.max(1, source.total) * ROW);
  const last = () => Math.max(0, source.total - rowsInView());
  const scale = () => (source && source.total * ROW > TALLEST ? (height() - scroll.clientHeight) / last() / ROW : 1);
  const fromPixels = (pixels) => pixels / ROW / scale();

  async function open(name) {
    if (name === file && source) return;
    file = name;
    choose.value = String(names.indexOf(name));
    if (!sources.has(name)) sources.set(name, await sourceOf(name));
    source = sources.get(name);
    roles = rolesOf(name);
    pane.toggleAttribute("data-quoted", !source.whole);
    top = 0;
    chosen = -1;
    layer.replaceChildren();
    grow();
  }

  async function sourceOf(name) {
    const piece = pieces.find((each) => each.name === name);
    const blob = piece ? await readable(piece.blob).catch(() => null) : null;
    const made = blob ? new FileSource(blob) : new QuotedSource(quoted(result, name));
    let pending = 0;
    made.addEventListener("grow", () => made === source && (pending ||= requestAnimationFrame(() => ((pending = 0), grow()))));
    return made;
  }

  function rolesOf(name) {
    const found = new Map();
    for (const mark of tour.marks) if (mark.file === name && (!found.has(mark.line) || mark.kind.role === "root")) found.set(mark.line, mark.kind.role);
    for (const each of tour.unexplained) if ((each.file ?? name) === name && !found.has(each.line)) found.set(each.line, "unexplained");
    return found;
  }

  function grow() {
    fit();
    note.textContent = source.whole ? `${plural(source.total, "line")}${source.complete ? "" : " so far…"}` : "only the lines that the verdict quotes";
    paint();
  }

  /** The scroll bar's range; a place beyond it cannot be scrolled to. */
  const fit = () => (space.style.height = `${height()}px`);

  function look(line) {
    fit();
    move((source.whole ? line : source.rowOf(line)) - 1 - rowsInView() / 3);
  }

  function move(row) {
    top = Math.max(0, Math.min(last(), row));
    scroll.scrollTop = top * ROW * scale();
    expected = scroll.scrollTop;
    paint();
  }

  async function paint() {
    if (!source) return;
    const mine = ++drawing;
    const from = Math.max(1, Math.floor(top) + 1 - SPARE);
    const to = Math.min(source.total, Math.ceil(top + rowsInView()) + SPARE);
    const rows = to < from ? [] : await source.lines(from, to);
    if (mine !== drawing) return;
    layer.style.transform = `translateY(${scroll.scrollTop + (from - 1 - top) * ROW}px)`;
    layer.replaceChildren(...rows.map(row));
  }

  function row({ line, text }) {
    if (line === null) return el("div.ff-logview__row.ff-logview__row--gap", {}, text);
    const role = roles.get(line);
    const mark = role ? el("span.ff-role", { "data-role": role, title: (ROLES[role] ?? UNCLEAR).word }, (ROLES[role] ?? UNCLEAR).mark) : null;
    return el("div.ff-logview__row", { "data-line": line, "data-role": role ?? null, "data-chosen": line === chosen },
      el("span.ff-logview__number", {}, String(line)), el("span.ff-logview__mark", {}, mark), el("code", {}, ...logText(shown(plain(text)), WIDEST)));
  }

  async function show({ mark, line, index, unexplained, from }) {
    const place = mark ?? line;
    await open(names.includes(place.file) ? place.file : names[0]);
    await source.reach(place.line);
    chosen = place.line;
    if (from !== "log") look(place.line);
    else paint();
    about.replaceChildren(...explained(place, mark, unexplained));
    announce(`Line ${place.line}: ${mark ? `${(ROLES[mark.kind.role] ?? ROLES.clue).word}, ${mark.kind.title}` : "no entry explains it"}`);
    if (index !== undefined) pane.dispatchEvent(new CustomEvent("event", { detail: index }));
    if (from === "card") pane.scrollIntoView({ block: "nearest" });
  }

  function explained(place, mark, unexplained) {
    const where = el("span.ff-quiet", {}, [`line ${place.line}`, Number.isInteger(mark?.rank) ? `rank ${mark.rank}` : null, mark?.count > 1 ? `×${thousands(mark.count)}` : null].filter(Boolean).join(" · "));
    if (!mark) return [el("p", {}, where, " ", unexplained === undefined ? "The verdict does not speak of this line." : `No entry explains this line (${unexplained + 1} of ${tour.unexplained.length}).`)];
    return [el("p", {}, where, " ", roleBadge(mark.kind.role), " ", el("b", {}, ...logText(mark.kind.title, 200))), el("p.ff-logview__ways", {}, ...explain(mark))];
  }

  if (names.length) {
    const start = tour.marks[tour.first] ?? result.root?.evidence?.[0] ?? { file: names[0], line: 1 };
    open(names.includes(start.file) ? start.file : names[0]).then(() => source.reach(start.line)).then(() => {
      chosen = tour.first >= 0 ? start.line : -1;
      look(start.line);
    });
  }
  return { pane, repaint: () => paint() };
}

const UNCLEAR = { word: "no entry explains it", mark: "?" };
const CODES = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;
const plain = (text) => text.slice(0, WIDEST * 4).replace(CODES, "").replace(/\r+$/, "").replaceAll("\r", "␍");

/** Names of the files, those with a first fault first. */
function filesOf(result, pieces) {
  const named = [...(result.map?.files ?? []), ...(result.ranks_table ?? []).flatMap((row) => row.files), ...(result.events ?? []).map((event) => event.file)];
  const packed = named.length ? pieces.filter(({ name }) => named.includes(name) || !named.some((each) => each.startsWith(name))) : pieces;
  return [...new Set([result.root?.evidence?.[0]?.file, ...named, ...packed.map(({ name }) => name)])].filter((name) => typeof name === "string");
}

/** Steps through the events and the unexplained lines; the keys do the same. */
function buttons(tour) {
  const step = (label, hint, act) => el("button.ff-copy", { type: "button", "aria-label": hint, title: hint, onclick: act }, label);
  const count = el("span.ff-logview__count", {}, plural(tour.marks.length, "event"));
  tour.addEventListener("go", ({ detail }) => detail.mark && (count.textContent = `event ${thousands(detail.index + 1)} of ${thousands(tour.marks.length)}`));
  const events = tour.marks.length ? [el("span.ff-logview__steps", {}, step("‹", "Previous event (E)", () => tour.step(-1)), count, step("›", "Next event (e)", () => tour.step(1)))] : [];
  const first = tour.first >= 0 ? [step("First fault", "Go to the first fault", () => tour.toFirst())] : [];
  const unclear = tour.unexplained.length
    ? [el("span.ff-logview__steps", {}, step("‹", "Previous unexplained line (U)", () => tour.stepUnexplained(-1)), `${tour.unexplained.length} unexplained`, step("›", "Next unexplained line (u)", () => tour.stepUnexplained(1)))]
    : [];
  return [...first, ...events, ...unclear];
}
