// SPDX-License-Identifier: MIT
/** The verdict in a file of its own (`firstfault diagnose --html`): the same page, with what the terminal put in, and no request. */
import { el } from "./dom.js";
import { verdict } from "./verdict.js";

const { result, markdown, site } = JSON.parse(document.getElementById("ff-data").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const scheme = () => (document.body.dataset.mdColorScheme = dark.matches ? "slate" : "default");
dark.addEventListener("change", scheme);
scheme();
const live = el("p.ff-hidden", { id: "ff-live", "aria-live": "polite" });
const shown = verdict({ result, masked: result, markdown, hidden: [] }, { pieces: [], base: site ? new URL(site) : null, actions: [] });
document.getElementById("ff-result").replaceChildren(live, shown);
