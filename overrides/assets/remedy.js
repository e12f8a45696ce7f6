// SPDX-License-Identifier: MIT
/** What to do: the fix in steps, the command that proves it, whether a restart helps, what to collect when unsure. */
import { copyButton, el, prose } from "./dom.js";

/** A command that copies in one click. It comes from an entry, never from the log. */
export function command(raw, { destructive = false, root = false } = {}) {
  const text = raw.trimEnd();
  const marks = [destructive && el("span.ff-mark.ff-mark--danger", {}, "destructive"), root && el("span.ff-mark", {}, "needs root")];
  const copy = copyButton("Copy", () => text, "Copy this command");
  return el("div.ff-command", {}, el("pre", { tabindex: "0" }, el("code", {}, text)), el("div.ff-command__side", {}, ...marks, copy));
}

export function fixSection(root, links) {
  const listed = root.remedy?.steps ?? root.fix?.map((step) => ({ do: step }));
  if (!listed?.length) return null;
  const steps = listed.map((step) =>
    el("li", {},
      el("p", {}, ...prose(typeof step === "string" ? step : step.do)),
      step.command ? command(step.command, step) : unusual(step),
      step.cost ? el("p.ff-cost", {}, el("b", {}, "Costs: "), ...prose(step.cost)) : null));
  return el("section.ff-part", { "aria-labelledby": "ff-fix" }, el("h3", { id: "ff-fix" }, "Fix it"), el("ol.ff-steps", {}, ...steps), links.base ? links.entry(root.entry, "Why these steps work") : null);
}

/** A step without a command can still be one to think about twice. */
function unusual({ destructive, root }) {
  if (!destructive && !root) return null;
  return el("p", {}, destructive && el("span.ff-mark.ff-mark--danger", {}, "destructive"), root && el("span.ff-mark", {}, "needs root"));
}

export function verifySection(verify) {
  if (!verify?.command && !verify?.expected) return null;
  return el("section.ff-part", { "aria-labelledby": "ff-verify" },
    el("h3", { id: "ff-verify" }, "Prove that it worked"),
    verify.command ? command(verify.command) : null,
    el("dl.ff-outcomes", {},
      verify.expected ? [el("dt", {}, "Fixed when"), el("dd", {}, ...prose(verify.expected))] : null,
      verify.otherwise ? [el("dt", {}, "If not"), el("dd", {}, ...prose(verify.otherwise))] : null));
}

const RESTART = { yes: "A restart helps", no: "A restart alone won't help", sometimes: "A restart may help", maybe: "A restart may help" };

export function restartNote(restart) {
  if (!restart?.helps) return null;
  const words = RESTART[restart.helps] ?? `Restart: ${restart.helps}`;
  return el("p.ff-restart", { "data-helps": restart.helps }, el("b", {}, words), ". ", restart.resume_from ? [el("span.ff-quiet", {}, "Resume from: "), ...prose(restart.resume_from)] : null);
}

/** The evidence that would decide, each with what it costs to get. */
export function collectSection(collect, heading, id = "ff-collect") {
  if (!collect?.length) return null;
  const items = collect.map((item) => {
    if (typeof item === "string") return el("li", {}, el("p", {}, item));
    const price = [item.rerun && "needs another run", item.root && "needs root", item.slows && "slows training"].filter(Boolean);
    return el("li", {},
      el("p", {}, ...prose(item.what), " ", ...(price.length ? price.map((word) => el("span.ff-mark", {}, word)) : [el("span.ff-mark.ff-mark--free", {}, "no re-run")])),
      item.command ? command(item.command) : null,
      item.separates ? el("p.ff-cost", {}, el("b", {}, "Tells apart: "), ...prose(item.separates)) : null);
  });
  return el("section.ff-part", { "aria-labelledby": id }, el("h3", { id }, heading), el("ul.ff-collect", {}, ...items));
}
