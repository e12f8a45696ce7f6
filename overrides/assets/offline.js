// SPDX-License-Identifier: MIT
/**
 * Starts the offline copy (serviceworker.js) after the page has settled, so that the first visit costs nothing extra.
 * A page without a version (the development server) and a reader who has switched it off get none, and lose an old one.
 */
const SCOPE = new URL("../", import.meta.url);
const SWITCH = `${SCOPE.pathname}.offline`; // local to this site on a shared origin; "off" is all that is ever stored
const QUIET_MS = 1_000; // a log may be waiting for the engine
const LONGEST_MS = 30_000;
const version = document.querySelector('meta[name="site-version"]')?.content;

export const supported = "serviceWorker" in navigator && "caches" in window;

export function isOff() {
  try {
    return localStorage.getItem(SWITCH) === "off";
  } catch {
    return false; // storage is forbidden here, and so are service workers
  }
}

/** Whether something may be kept here: there is a copy of this site. */
export async function allowed() {
  return Boolean(supported && version && !isOff() && (await navigator.serviceWorker.getRegistration(SCOPE)));
}

export async function switchOff() {
  localStorage.setItem(SWITCH, "off");
  await forget();
}

export async function switchOn() {
  localStorage.removeItem(SWITCH);
  await register();
}

async function forget() {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  if (registration?.scope === SCOPE.href) await registration.unregister();
  for (const name of await caches.keys()) if (name.startsWith(`firstfault:${SCOPE.pathname}:`)) await caches.delete(name);
}

async function register() {
  await navigator.serviceWorker.register(new URL("sw.js", SCOPE), { updateViaCache: "none" });
  // The page that is open was loaded before its copy could see it.
  await ask("keep-page", { path: location.pathname.slice(SCOPE.pathname.length) });
}

/** Say something to the copy of this site; every answer goes to `hear`. */
export async function ask(type, more = {}, hear = () => {}) {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => hear(data);
  active.postMessage({ type, ...more }, [port2]);
}

/** Nothing here is in a hurry: an engine that starts has the processors and the network for itself. */
let starting = Promise.resolve();
addEventListener("firstfault-engine-starts", () => {
  starting = new Promise((resolve) => {
    addEventListener("firstfault-engine-ready", () => setTimeout(resolve, QUIET_MS), { once: true });
    setTimeout(resolve, LONGEST_MS);
  });
});

function whenSettled(act) {
  const idle = () => (window.requestIdleCallback ?? setTimeout)(() => starting.then(act), { timeout: 5000 });
  if (document.readyState === "complete") idle();
  else addEventListener("load", idle, { once: true });
}

if (supported) {
  if (!version || isOff()) forget().catch(() => {}); // no service worker is allowed here: then there is none to forget
  else {
    whenSettled(() => register().catch(() => {})); // a refusal (private window, no secure context) costs only the copy
    addEventListener("firstfault-engine-ready", () => whenSettled(() => ask("keep-engine")));
  }
}
const place = document.querySelector("#offline-control, #offline-kept");
if (place) import("./offlinecontrol.js").then(({ show }) => show(place));
