// SPDX-License-Identifier: MIT
/** What is going on: loading, reading with bytes and rate, judging, or what went wrong and what to do now. */
import { announce, byteSize, el, logText } from "./dom.js";
import { handoverAfter } from "./handover.js";
import { TROUBLE } from "./messages.js";

const PATIENCE = 2; // seconds of reading after which the reader may want what is there

/** @param {{cancel: () => void, stop: () => void, retry: () => void}} page */
export function status(page) {
  const bar = el("progress.ff-status__bar", { max: 1, "aria-label": "progress" });
  const words = el("span.ff-status__words");
  const cancel = el("button.ff-button", { type: "button", onclick: page.cancel }, "Cancel");
  const stop = el("button.ff-button", { type: "button", hidden: true, onclick: page.stop }, "Judge what was read");
  const line = el("div.ff-status__line", { hidden: true }, words, bar, stop, cancel);
  const quiet = el("p.ff-quiet.ff-status__quiet");
  const alarm = el("div.ff-alarm", { role: "alert", hidden: true });
  const view = el("div.ff-status", {}, quiet, line, alarm);
  let started = 0;

  function show(text, share) {
    line.hidden = false;
    words.replaceChildren(...logText(text, 240));
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
  }
  return {
    view,
    /** @param {boolean} waiting whether a log waits for the engine */
    loading({ loaded, total }, waiting) {
      const share = total ? loaded / total : null;
      const text = `Loading the engine${total ? `, ${byteSize(loaded)} of ${byteSize(total)}` : ""}`;
      if (waiting) show(text, share);
      else quiet.textContent = `${text}…`;
    },
    starting(waiting) {
      if (waiting) show("Starting the engine", null);
      else quiet.textContent = "Starting the engine…";
    },
    ready({ entries }) {
      quiet.textContent = `Engine ready: ${entries} known failures. It works offline from here on.`;
    },
    begin() {
      started = performance.now();
      stop.hidden = true;
      alarm.hidden = true;
      quiet.textContent = "";
      announce("Looking for the first fault");
    },
    progress({ bytes, total, piece }, pieces) {
      const seconds = (performance.now() - started) / 1000;
      stop.hidden = seconds < PATIENCE || bytes >= total;
      const rate = seconds > 0.3 ? `, ${byteSize(bytes / seconds)}/s` : "";
      show(`Reading ${pieces[piece]?.name ?? "the log"}: ${byteSize(bytes)} of ${byteSize(total)}${rate}`, total ? bytes / total : null);
    },
    judging() {
      stop.hidden = true;
      show("Read. Finding the first fault", null);
    },
    idle() {
      line.hidden = true;
    },
    trouble(code, detail, where, names = []) {
      line.hidden = true;
      quiet.textContent = "";
      alarm.hidden = false;
      alarm.replaceChildren(
        el("p.ff-alarm__title", {}, TROUBLE[code] ?? "Something unexpected stopped the diagnosis."),
        el("p.ff-alarm__detail", {}, el("code", {}, ...logText([where, code, detail].filter(Boolean).join(" · "), 400))),
        handoverAfter("Your log is still here.", names),
        el("button.ff-button", { type: "button", onclick: page.retry }, "Retry"));
    },
  };
}
