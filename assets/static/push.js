// Adds this browser to the devices on which the member hears of bookings, see the card "Notifications" of the account.
"use strict";
(() => {
	const vapid = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
	const able = () => isSecureContext && "PushManager" in window && "Notification" in window && navigator.serviceWorker;

	async function show() {
		const card = document.querySelector("[data-push]");
		if (!card) return;
		const worker = able() && (await navigator.serviceWorker.getRegistration("/dashboard"));
		const mine = worker && (await worker.pushManager.getSubscription());
		const end = mine?.endpoint.slice(-16);
		const known = mine && [...card.querySelectorAll("[data-endpoint]")].find((x) => x.dataset.endpoint === end);
		for (const x of card.querySelectorAll("[data-here]")) x.hidden = x.dataset.endpoint !== end;
		card.querySelector("[data-unable]").hidden = !!able();
		card.querySelector("[data-blocked]").hidden = !able() || Notification.permission !== "denied";
		card.querySelector("[data-add]").hidden = !able() || !!known;
	}

	async function add(form) {
		const button = form.querySelector("button"), wrong = document.querySelector("[data-push] [data-wrong]");
		const label = button.textContent;
		wrong.hidden = true;
		button.disabled = true;
		button.textContent = button.dataset.turning;
		try {
			if ((await Notification.requestPermission()) !== "granted") return;
			const worker = await navigator.serviceWorker.ready;
			const key = await (await post("/dashboard/account/push/key", new URLSearchParams())).text();
			let mine = await worker.pushManager.getSubscription();
			if (mine && !same(mine.options.applicationServerKey, vapid(key))) {
				await mine.unsubscribe(); // of another business, or of a server that was made anew
				mine = null;
			}
			mine ||= await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapid(key) });
			const body = new URLSearchParams(new FormData(form));
			const { endpoint, keys } = mine.toJSON();
			body.set("endpoint", endpoint);
			body.set("p256dh", keys.p256dh);
			body.set("auth", keys.auth);
			const { url } = await post(form.action, body);
			delete form.dataset.typed; // it is saved
			location.assign(url);
		} catch {
			wrong.hidden = false;
		} finally {
			button.disabled = false;
			button.textContent = label;
			await show();
		}
	}

	async function post(url, body) {
		const answer = await fetch(url, { method: "POST", body, credentials: "same-origin" });
		if (!answer.ok) throw new Error(answer.status);
		return answer;
	}

	function same(a, b) {
		const x = new Uint8Array(a || []);
		return x.length === b.length && x.every((n, i) => n === b[i]);
	}

	document.addEventListener("submit", (e) => {
		if (!e.target.matches("[data-add]")) return;
		e.preventDefault();
		e.stopImmediatePropagation();
		add(e.target);
	}, true);
	document.addEventListener("shown", show);
	show();
})();
