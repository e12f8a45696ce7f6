// SPDX-License-Identifier: MIT
/** Shows a verdict that came in a link or was kept: masked, without its log, its advice from this site's own entry. */
import { el } from "./dom.js";
import { LinkError, unpack } from "./share.js";
import { verdict } from "./verdict.js";

/** What an entry of this site says; the link says only which entry. */
const ADVICE = ["summary", "first_step", "root_cause", "verify", "restart", "not_proof"];

/**
 * @param {string} hash
 * @param {{base: URL, actions?: (Node|null)[], again: () => void, kept?: boolean}} page
 */
export async function sharedVerdict(hash, page) {
  try {
    return await shown(await unpack(hash), page);
  } catch (error) {
    return refusal(error instanceof LinkError ? error.message : "What it holds could not be shown. Ask for it again.");
  }
}

const refusal = (words) => el("article.ff-card", { "data-verdict": "nothing-read" }, el("header", {}, el("p.ff-card__eyebrow", {}, "Not opened"), el("h2", { id: "ff-verdict", tabindex: "-1" }, "This link holds no verdict"), el("p", {}, words)));

async function shown(result, page) {
  const changed = await advise(result, page.base);
  const note = el("div.ff-shared", { role: "note" }, el("p", {}, el("b", {}, page.kept ? "A verdict that you kept. " : "A shared verdict. "),
    page.kept ? "It lies in this browser only; its log was not kept. " : "It came with the link and was sent to no server. Whoever made the link chose its words: trust it as much as its sender. ",
    "Fix and commands are this site's own. ", changed));
  return el("div", {}, note, verdict({ result, masked: result, markdown: plain(result), hidden: [] }, { ...page, pieces: [], actions: page.actions ?? [] }));
}

async function advise(result, base) {
  const id = result.root?.entry;
  if (!id) return null;
  try {
    const answer = await fetch(new URL(`api/v1/entries/${id}.json`, base));
    if (!answer.ok) return "This site has no such entry any more; it may have been renamed.";
    const entry = await answer.json();
    for (const name of ADVICE) if (entry[name]) result.root[name] = entry[name];
    result.root.remedy = entry.fix;
    result.collect = entry.collect ?? [];
    if (entry.title && entry.title !== result.root.title) result.root.title = entry.title;
    return null;
  } catch {
    return "The entry could not be loaded just now; its page has the fix.";
  }
}

/** The short text for an issue, when the long one did not come along. */
function plain({ root, why, consequences, database }) {
  const decisive = root?.evidence?.[0];
  const place = decisive ? `${decisive.file ?? "log"}:${decisive.line}` : "";
  const fence = decisive?.text?.includes("```") ? "````" : "```";
  return [
    `### ${root?.title ?? root?.label ?? "No first fault"}`, decisive ? `${place}${Number.isInteger(root.rank) ? `, rank ${root.rank}` : ""}\n\n${fence}text\n${decisive.text}\n${fence}` : "",
    (why ?? []).map((sentence) => `- ${sentence}`).join("\n"), (consequences ?? []).map((row) => `- ${row.role}: ${row.title} (${row.count} times)`).join("\n"), `First Fault, database ${database.version ?? "?"}`,
  ].filter(Boolean).join("\n\n");
}
