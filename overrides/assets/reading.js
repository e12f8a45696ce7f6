// SPDX-License-Identifier: MIT
/**
 * What a script adds to an entry's page. The page is whole without it: every list is a list, every picture is there.
 */
import { branches } from "./branches.js";
import { runbook } from "./runbook.js";
import { ticks } from "./ticks.js";
import { walk } from "./walk.js";

/** A link to a row inside a closed fold opens the fold. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target?.closest("details:not([open])");
  if (!fold) return;
  fold.open = true;
  target.scrollIntoView();
}

function mount() {
  const jumps = document.querySelector(".pg-jumps");
  if (!jumps || jumps.dataset.mounted) return;
  jumps.dataset.mounted = "yes";
  const id = document.getElementById("diagnose")?.dataset.entry ?? "";
  const remembered = ticks(id, document.querySelectorAll("[data-tick]"));
  branches(document.querySelector(".pg-checks"), remembered);
  document.querySelectorAll(".pg-walk").forEach(walk);
  runbook(jumps, remembered);
  openTarget();
}

addEventListener("hashchange", openTarget);
if (window.document$) window.document$.subscribe(mount);
else mount();
