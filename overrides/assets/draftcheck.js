// SPDX-License-Identifier: MIT
/**
 * Checks a draft while it is written, by the code of `firstfault check`.
 *
 * The checks are an archive of their own beside the engine, fetched when the first draft is opened: from its fixed address,
 * with nothing of a log in the request. One check runs at a time; of what was typed meanwhile only the last is checked.
 */
import { fetchVerified } from "./corefiles.js";
import { answerOf } from "./draft.js";

const PAUSE_MS = 300;
const MOST_FAILURES = 2; // each one starts the engine anew

/** @type {Promise<Blob>|null} */
let bundle = null;

function checks(engine) {
  bundle ??= load(engine).catch((error) => {
    bundle = null; // the next change tries again
    throw error;
  });
  return bundle;
}

async function load(engine) {
  const { manifest, folder } = engine.published;
  const listed = manifest.later.find(({ name }) => name === "check.zip");
  const files = await fetchVerified([listed], folder, () => {});
  return files.get(new URL(listed.name, folder).href).blob();
}

/**
 * @param {import("./engine.js").Engine} engine
 * @param {{checking: () => void, checked: (found: any) => void, failed: (words: string) => void}} page
 * @returns {(text: string, now?: boolean) => void} to be called with every change
 */
export function checker(engine, page) {
  let timer = 0;
  let busy = false;
  let next = null;
  let failures = 0;
  async function run() {
    if (busy || next === null || failures >= MOST_FAILURES) return;
    const text = next;
    next = null;
    busy = true;
    page.checking();
    try {
      const archive = await checks(engine);
      const found = await answerOf(engine, () => engine.check(archive, text));
      failures = 0;
      if (next === null) page.checked(found);
    } catch (error) {
      failures += 1;
      page.failed(String(error.detail ?? error.message ?? error));
    }
    busy = false;
    run();
  }
  return (text, now = false) => {
    next = text;
    clearTimeout(timer);
    timer = setTimeout(run, now ? 0 : PAUSE_MS);
  };
}
