// The dashboard's service worker. It keeps assets, whose names have the hash of their content, and one page without
// anything private for when there is no network. No other page and no answer of the server is ever kept.
//
// The dashboard's own script, which imports this one, sets kept: the version of the release, the assets of the page for
// no network, its address, and the icon of notifications.
"use strict";
const mine = "daybook-", here = mine + kept.version;
const hashed = /^\/assets\/[^/]+\.[0-9a-f]{12}\.\w+$/;
const dashboard = /^\/dashboard(\/|$)/;

addEventListener("install", (e) => e.waitUntil((async () => {
	const cache = await caches.open(here);
	await cache.addAll([...kept.assets, kept.offline]);
	await skipWaiting();
})()));

addEventListener("activate", (e) => e.waitUntil((async () => {
	for (const name of await caches.keys()) {
		if (name.startsWith(mine) && name !== here) await caches.delete(name);
	}
	await clients.claim();
})()));

addEventListener("fetch", (e) => {
	const { request } = e, url = new URL(request.url);
	if (request.method !== "GET" || url.origin !== location.origin) return;
	if (hashed.test(url.pathname)) e.respondWith(asset(request));
	else if (request.mode === "navigate" && dashboard.test(url.pathname)) e.respondWith(page(request));
});

// A message of the server's is what to show; nothing of it is kept.
addEventListener("push", (e) => {
	const { title, body, url, tag, lang } = e.data.json();
	e.waitUntil(registration.showNotification(title, {
		body, tag, lang, renotify: true, data: { url }, icon: kept.icon, badge: kept.icon,
	}));
});

addEventListener("notificationclick", (e) => {
	e.notification.close();
	e.waitUntil((async () => {
		const to = new URL(e.notification.data.url, location.origin);
		if (to.origin !== location.origin || !dashboard.test(to.pathname)) return;
		for (const tab of await clients.matchAll({ type: "window" })) {
			if (!dashboard.test(new URL(tab.url).pathname)) continue;
			await tab.focus();
			await tab.navigate(to.href);
			return;
		}
		await clients.openWindow(to.href);
	})());
});

// asset asks the server once. What it doesn't call unchangeable belongs to another release, and is not kept.
async function asset(request) {
	const cache = await caches.open(here), known = await cache.match(request);
	if (known) return known;
	const answer = await fetch(request);
	if (answer.ok && /immutable/.test(answer.headers.get("Cache-Control") || "")) {
		await cache.put(request, answer.clone()).catch(() => {}); // no room: it is asked for again
	}
	return answer;
}

async function page(request) {
	try {
		return await fetch(request);
	} catch (e) {
		const cache = await caches.open(here), offline = await cache.match(kept.offline);
		if (!offline) throw e;
		return offline;
	}
}
