// SPDX-License-Identifier: MIT
/**
 * Ways to the code host. Their addresses carry ids and file names only: no text of a log ever stands in an address that
 * reaches a server, however useful that would be.
 */
import { el } from "./dom.js";

const ID = /^[a-z0-9-]{1,64}$/;

const source = () => document.querySelector("[data-source]")?.href.replace(/\/$/, "") ?? "";

/** The page on which a file of this name is written. */
export function newFile(family, id) {
  return `${source()}/new/main/entries/${family}?${new URLSearchParams({ filename: `${id}.yaml` })}`;
}

/** A form with its fields filled, as far as they are ids. */
function form(template, fields) {
  const known = Object.entries(fields).filter(([, value]) => ID.test(value ?? ""));
  return `${source()}/issues/new?${new URLSearchParams([["template", `${template}.yml`], ...known])}`;
}

/** Links to the forms that fit a verdict. */
export function reports({ verdict, root, database }, entry) {
  const ids = { entry: root?.entry ?? entry ?? "", verdict, database: database?.version };
  const link = (words, template) => el("a", { href: form(template, ids), target: "_blank", rel: "noopener noreferrer" }, words);
  const wrong = verdict === "diagnosed" || verdict === "no-failure" || entry;
  const links = [
    wrong ? link("Report a wrong verdict", "wrong-diagnosis") : null,
    verdict === "diagnosed" ? null : link("Report a missed failure", "missed-diagnosis"),
    verdict === "unrecognised" ? link("Ask for an entry", "new-failure") : null,
  ].filter(Boolean);
  return el("p.ff-quiet.ff-reports", {}, ...links.flatMap((node, index) => (index ? [" · ", node] : [node])), " (a form of the code host; its address holds ids only)");
}
