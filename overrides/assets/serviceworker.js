// SPDX-License-Identifier: MIT
/**
 * The offline copy of this site. The build writes it to `sw.js` with its version and the hashes of its files
 * (hooks/offline.py), so a new deployment is a new worker with a new, empty copy.
 *
 * Pages and lists come from the network whenever there is one: nothing is stale after a deployment. The copy answers
 * when the network does not. What goes into it is of this one version: files by their hash, pages by the version that
 * stands in them. The engine is copied only after a reader has used it.
 */
/** @type {{version: string, assets: string, engine: string, shell: Record<string, string>, files: Record<string, string>, runtime: Record<string, string>}} */
const BUILD = "@BUILD@";

const SCOPE = new URL("./", self.location.href);
const FAMILY = `firstfault:${SCOPE.pathname}:`; // other sites of the same origin have copies of their own
const COPY = `${FAMILY}pages:${BUILD.version}`;
const ENGINE = `${FAMILY}engine:${BUILD.engine}`;
const RUNTIME = `assets/runtime/${BUILD.engine}/`;
const MANIFEST = "assets/runtime/manifest.json";
const HASH = "x-firstfault-sha256";
const MOST_PAGES = 150; // visited pages; who asks for all of them gets all

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== SCOPE.origin || !url.pathname.startsWith(SCOPE.pathname) || request.headers.has("range")) return;
  const path = url.pathname.slice(SCOPE.pathname.length);
  if (request.mode === "navigate") event.respondWith(page(path, request.url, event));
  else if (path.startsWith(RUNTIME)) event.respondWith(ofEngine(path, request, event));
  else if (path === MANIFEST) event.respondWith(manifest(request, event));
  else if (ownFile(path, url.search)) event.respondWith(ownFirst(path, url.search, request, event));
  else event.respondWith(networkFirst(path, request));
});

self.addEventListener("message", (event) => {
  const answer = TASKS[event.data?.type];
  const say = (said) => event.ports[0]?.postMessage(said);
  if (answer) event.waitUntil(answer(event.data, say).catch((error) => say({ error: String(error.message ?? error) })));
});

const TASKS = {
  "keep-page": ({ path }) => keepPage(path),
  "keep-engine": () => keepEngine(),
  "keep-all": (_, say) => keepAll(say),
  status: async (_, say) => say(await status()),
};

/** Every file of the shell, each checked against its hash: a deployment under way makes the install fail, not the copy wrong. */
async function install() {
  const copy = await caches.open(COPY);
  await each(Object.entries(BUILD.shell), ([address, hash]) => fetchInto(copy, address, hash));
  await carryOver();
}

/** What the reader had kept of the last version is kept of this one too; a page that is gone is gone. */
async function carryOver() {
  const older = (await caches.keys()).filter((name) => name.startsWith(FAMILY) && name !== COPY && name !== ENGINE);
  for (const name of older.filter((name) => name.startsWith(`${FAMILY}pages:`))) {
    const kept = (await (await caches.open(name)).keys()).map(({ url }) => pathOf(url)).filter(isPage);
    await each(kept, (path) => keepPage(path).catch(() => {}));
  }
  const engines = older.filter((name) => name.startsWith(`${FAMILY}engine:`));
  if (engines.length) await keepEngine(engines).catch(() => {}); // it is fetched again when it is used
}

async function forgetOthers() {
  for (const name of await caches.keys()) {
    if (name.startsWith(FAMILY) && name !== COPY && name !== ENGINE) await caches.delete(name);
  }
}

/** A page: fresh from the network, always revalidated; without a network the copy, or a page that says so. */
async function page(path, address, event) {
  let response;
  try {
    response = await fetch(address, { cache: "no-cache", redirect: "manual" });
  } catch {
    const copy = await caches.open(COPY);
    const kept = await copy.match(address, { ignoreSearch: true });
    if (kept) return kept;
    const folder = new URL(`${path}/`, SCOPE).href; // a server would lead on to it
    return Response.redirect((await copy.match(folder)) ? folder : new URL("offline.html", SCOPE).href, 302);
  }
  if (response.ok && isPage(path)) event.waitUntil(store(path, response.clone()));
  return response;
}

/** A file whose address holds this version: the copy, and if it lost it the network, checked. */
async function ownFirst(path, search, request, event) {
  const copy = await caches.open(COPY);
  const kept = await copy.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  const hash = BUILD.shell[path + search];
  if (response.ok && hash) event.waitUntil(putIfRight(copy, path + search, response.clone(), hash));
  return response;
}

/** Everything else. What is known by its hash is kept when it passes by. */
async function networkFirst(path, request) {
  const copy = await caches.open(COPY);
  try {
    const response = await fetch(request);
    const hash = BUILD.files[path] ?? BUILD.shell[path];
    if (response.ok && hash) await putIfRight(copy, path, response.clone(), hash);
    return response;
  } catch (error) {
    const kept = await copy.match(new URL(path, SCOPE).href, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

async function ofEngine(path, request, event) {
  const kept = await (await caches.open(ENGINE)).match(new URL(path, SCOPE).href);
  if (kept) return kept;
  const response = await fetch(request);
  const hash = BUILD.runtime[path.slice(RUNTIME.length)];
  if (response.ok && hash) event.waitUntil(keepPart(path, response.clone(), hash));
  return response;
}

async function keepPart(path, response, hash) {
  await putIfRight(await caches.open(ENGINE), path, response, hash);
}

/** The engine's manifest is the switch between versions: only the one of this version is kept, beside its files. */
async function manifest(request, event) {
  try {
    const response = await fetch(request, { cache: "no-cache" });
    if (response.ok) event.waitUntil(keepManifest(response.clone()));
    return response;
  } catch (error) {
    const kept = await (await caches.open(ENGINE)).match(new URL(MANIFEST, SCOPE).href);
    if (kept) return kept;
    throw error;
  }
}

async function keepManifest(response) {
  const text = await response.text();
  if (JSON.parse(text).build !== BUILD.engine) return;
  await (await caches.open(ENGINE)).put(new URL(MANIFEST, SCOPE).href, new Response(text, { headers: { "content-type": "application/json" } }));
}

/** Copy the engine: what an older copy has with the same hash is taken from there, most of it never changes. */
async function keepEngine(older = []) {
  const engine = await caches.open(ENGINE);
  const known = await byHash(older);
  await each(Object.entries(BUILD.runtime), async ([name, hash]) => {
    const address = new URL(RUNTIME + name, SCOPE).href;
    if (await engine.match(address)) return;
    if (known.has(hash)) await engine.put(address, known.get(hash));
    else await fetchInto(engine, RUNTIME + name, hash, "force-cache"); // the page has just loaded it: the browser still has it
  });
  const response = await fetch(new URL(MANIFEST, SCOPE), { cache: "no-cache" });
  if (response.ok) await keepManifest(response);
}

async function byHash(names) {
  const found = new Map();
  for (const name of names) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      if (response.headers.has(HASH)) found.set(response.headers.get(HASH), response);
    }
  }
  return found;
}

async function keepPage(path) {
  if (!isPage(path)) return;
  const response = await fetch(new URL(path, SCOPE), { cache: "no-cache" });
  if (response.ok) await store(path, response);
}

/** Put a page into the copy if this version is written in it. */
async function store(path, response, most = MOST_PAGES) {
  const text = await response.text();
  if (!text.includes(`<meta name="site-version" content="${BUILD.version}">`)) return false;
  const copy = await caches.open(COPY);
  await copy.put(new URL(path, SCOPE).href, new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } }));
  const visited = (await copy.keys()).filter(({ url }) => isPage(pathOf(url)) && !(pathOf(url) in BUILD.shell));
  if (visited.length > most && !(await copy.match(ALL))) await copy.delete(visited[0]);
  return true;
}

const ALL = new URL("offline-pages.json", SCOPE).href; // in the copy: the reader asked for every page

async function keepAll(say) {
  const copy = await caches.open(COPY);
  const { pages, files } = await (await fetch(ALL, { cache: "no-cache" })).json();
  await copy.put(ALL, new Response(JSON.stringify({ pages })));
  let done = 0;
  const total = pages.length + files.length + 1;
  const tell = () => say({ done: ++done, total });
  await each(files, (path) => fetchInto(copy, path, BUILD.files[path]).then(tell));
  await each(pages, (path) => keepPage(path).then(tell));
  await keepEngine();
  tell();
}

async function status() {
  const copy = await (await caches.open(COPY)).keys();
  const engine = await (await caches.open(ENGINE)).keys();
  const pages = copy.map(({ url }) => pathOf(url)).filter(isPage);
  return { version: BUILD.version, pages, engine: engine.some(({ url }) => pathOf(url) === MANIFEST) };
}

async function fetchInto(cache, path, hash, mode = "no-cache") {
  const response = await fetch(new URL(path, SCOPE), { cache: mode });
  if (!response.ok || !(await putIfRight(cache, path, response, hash))) throw new Error(`${path} is not of version ${BUILD.version}`);
}

async function putIfRight(cache, path, response, hash) {
  const bytes = await response.arrayBuffer();
  if ((await sha256(bytes)) !== hash) return false;
  const headers = { "content-type": response.headers.get("content-type") ?? "application/octet-stream", [HASH]: hash };
  await cache.put(new URL(path, SCOPE).href, new Response(bytes, { headers }));
  return true;
}

async function sha256(bytes) {
  return Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Do it for each, a few at a time. */
async function each(items, act) {
  const rest = [...items];
  await Promise.all(Array.from({ length: 6 }, async () => {
    while (rest.length) await act(rest.shift());
  }));
}

const pathOf = (address) => new URL(address).pathname.slice(SCOPE.pathname.length);
const isPage = (path) => path === "" || path.endsWith("/");
const ownFile = (path, search) => `${path}${search}` in BUILD.shell && (search === `?v=${BUILD.assets}` || /\.[0-9a-f]{8}\.min\.(js|css)$/.test(path));
