// SPDX-License-Identifier: MIT
/** On an entry's page: is *this* entry what the log shows? */
import { el, plural, rankList, thousands } from "./dom.js";

/**
 * @param {any} result
 * @param {string} id the entry whose page this is
 */
export function entryAnswer(result, id) {
  const { tone, title, words } = answer(result, id);
  return el("div.ff-answer", { "data-tone": tone, role: "note" }, el("p.ff-answer__title", {}, title), el("p", {}, words));
}

function answer(result, id) {
  const { root } = result;
  const group = result.consequences?.find(({ entry }) => entry === id);
  if (root?.entry === id) return { tone: "yes", title: "Yes: this is what broke your run", words: "The first fault in your log is this entry." };
  if (group?.role === "wrapper") return { tone: "partly", title: "It is there, but it only wraps the failure", words: `${lines(group)}, reporting ${cause(root)}.` };
  if (group) return { tone: "partly", title: "It is there, as a consequence", words: `${lines(group)}, following from ${cause(root)}.` };
  if (result.alternatives?.some(({ entry }) => entry === id)) return { tone: "partly", title: "Possibly", words: `It is one of the competing explanations; ${cause(root)} is the likelier one.` };
  if (result.others?.some(({ entry }) => entry === id)) return { tone: "partly", title: "Yes, but it did not end the run first", words: `It is a second fault beside ${cause(root)}.` };
  if (result.recovered?.some(({ entry }) => entry === id)) return { tone: "no", title: "It happened, and was overcome", words: "The run made progress afterwards, so it is not what ended it." };
  if (result.benign?.some(({ entry }) => entry === id)) return { tone: "no", title: "It is there, and harmless here", words: "These lines did not end the run." };
  return { tone: "no", title: "No: this entry's lines are not in your log", words: root?.entry ? `The first fault is ${cause(root)}.` : `${plural(result.stats.lines, "line")} were read.` };
}

const cause = (root) => (root?.title ? `“${root.title}”` : "a fault that this log doesn't show");
const lines = ({ count, ranks }) => `Seen ${count === 1 ? "once" : `${thousands(count)} times`}${ranks?.length ? ` on ${ranks.length === 1 ? "rank" : "ranks"} ${rankList(ranks)}` : ""}`;
