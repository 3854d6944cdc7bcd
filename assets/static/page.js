/* The booking page, smoother. Every link and form works without this file; here a
   picked day, month or time is fetched from the link's own address, and the part of
   the page marked data-view is exchanged for the answer's.
   data-swap="id"  on a link: exchange, then move the focus to that id
   data-replace    on a link: do not add a step to the history
   data-take       on a link: chooses a service, or gives it up
   data-focus      has the focus when a new page opens, such as a list of errors */
(() => {
	"use strict";
	const doc = document, root = doc.documentElement, V = 1;
	const $ = (selector, from = doc) => from.querySelector(selector);
	const calm = matchMedia("(prefers-reduced-motion: reduce)");
	const off = (link) => link.getAttribute("aria-disabled") === "true";
	const framed = parent !== window;
	if (framed && !root.dataset.embed) root.dataset.embed = "inline";

	/* Exchanging the view */
	let underWay;
	async function go(url, { focus, history: how, quiet, by } = {}) {
		found();
		underWay?.abort();
		const mine = (underWay = new AbortController());
		const view = $("[data-view]");
		if (!quiet) view.setAttribute("aria-busy", "true");
		let next, title, address;
		try {
			const response = await fetch(url, { signal: mine.signal, headers: { Accept: "text/html" } });
			const page = new DOMParser().parseFromString(await response.text(), "text/html");
			next = $("[data-view]", page);
			title = page.title;
			address = response.redirected ? response.url : url;
			if (!next) throw 0;
		} catch {
			if (mine !== underWay || quiet) return;
			view.removeAttribute("aria-busy");
			if (by && !(await reached())) lost(by);
			else location.href = url;
			return;
		}
		if (mine !== underWay) return;
		doc.title = title;
		view.replaceWith(next);
		if (how) history[how + "State"](null, "", address);
		enhance();
		land(focus);
	}

	// Whether the server answers at all, asked with a small file.
	const reached = () => fetch($("link[rel=icon]").href, { method: "HEAD", cache: "no-store" })
		.then(() => true, () => false);
	// Says beside what was pressed that no answer came. Nothing else changes, so nothing typed is lost.
	function lost(by) {
		found();
		const box = doc.createElement("p"), at = by.getBoundingClientRect();
		box.className = "lost";
		box.setAttribute("role", "alert");
		box.textContent = $("[data-live]").dataset.lost;
		doc.body.append(box);
		const { width, height } = box.getBoundingClientRect();
		const above = at.bottom + height + 16 > innerHeight && at.top > height + 16;
		box.style.left = Math.max(16, Math.min(at.left, innerWidth - width - 16)) + scrollX + "px";
		box.style.top = (above ? at.top - height - 8 : at.bottom + 8) + scrollY + "px";
	}
	const found = () => doc.querySelectorAll(".lost").forEach((box) => box.remove());

	// Where an id leads: for services that a search hides, to the first heading it shows, else to the search itself.
	function place(id) {
		const at = doc.getElementById(id), visible = (x) => x.checkVisibility();
		return !at || visible(at) ? at : [...doc.querySelectorAll("[data-category] h2")].find(visible) || $("#seek") || at;
	}
	// Moves the focus to where the visitor's next step is, and shows the whole of it.
	function land(id) {
		const target = id && place(id);
		if (target) {
			target.focus({ preventScroll: true });
			const behavior = calm.matches ? "auto" : "smooth";
			(target.closest("[data-scroll]") || target).scrollIntoView({ block: "nearest", behavior });
		}
		if (!target || !/^H\d$/.test(target.tagName)) {
			const near = $(".month-near[data-say]");
			say((near?.checkVisibility() ? near : $("[data-view]")).dataset.say);
		}
	}

	function say(words) {
		const live = $("[data-live]");
		live.textContent = "";
		if (words) setTimeout(() => (live.textContent = words), 60);
	}

	doc.addEventListener("click", (e) => {
		const link = e.target.closest("a");
		if (!link || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
		if (off(link)) return e.preventDefault();
		if (link.dataset.swap && link.href) {
			e.preventDefault();
			if (link.hasAttribute("data-take")) return void take(link);
			const history = link.hasAttribute("data-replace") ? "replace" : "push";
			go(link.href, { by: link, focus: link.dataset.swap, history });
		} else if (link.hash && link.getAttribute("href")[0] === "#") {
			const field = place(link.hash.slice(1));
			if (field) e.preventDefault(), field.focus();
		}
	});
	// Services are chosen one after the other: each link leads on from what its page has, so those pressed while an answer
	// is awaited are followed in the next page.
	const waiting = new Set();
	let taking;
	async function take(link) {
		if (taking) return taking !== link && waiting.add(link.id);
		taking = link;
		const url = new URL(link.href), words = $("#seek")?.value.trim(); // which may have been changed since
		if (words) url.searchParams.set("q", words);
		else if (words === "") url.searchParams.delete("q");
		await go(url.href, { by: link, focus: link.dataset.swap, history: "replace" });
		taking = null;
		if (link.isConnected) return waiting.clear(); // no answer came
		const [id] = waiting, next = doc.getElementById(id);
		waiting.delete(id);
		if (next) take(next);
	}
	let shown = location.href.split("#")[0];
	addEventListener("popstate", () => {
		if (location.href.split("#")[0] !== shown) go(location.href, { focus: "times-title" });
	});

	/* The month by arrow keys: one day is in the tab order, the others are reached from it */
	// Wide screens show the month, narrow ones a fortnight: both are in the page.
	const seen = (x) => x?.offsetParent;
	const days = () => [...doc.querySelectorAll("[data-grid] [data-day]")].filter(seen);
	function rove(day, focus) {
		for (const d of days()) d.tabIndex = d === day ? 0 : -1;
		if (focus) day.focus();
	}
	const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
	doc.addEventListener("keydown", (e) => {
		const day = e.target.closest?.("[data-day]");
		if (!day || e.metaKey || e.ctrlKey || e.altKey) return;
		const all = days(), at = all.indexOf(day), row = [...day.closest("tr").querySelectorAll("[data-day]")];
		let to;
		if (e.key in steps) {
			to = at + steps[e.key];
			if (!all[to]) turn(to < 0 ? "prev" : "next", to < 0 ? to : to - all.length);
		} else if (e.key === "Home") to = all.indexOf(row[0]);
		else if (e.key === "End") to = all.indexOf(row.at(-1));
		else if (e.key === "PageUp") turn("prev", at, true);
		else if (e.key === "PageDown") turn("next", at, true);
		else if ((e.key === " " || e.key === "Enter") && off(day)) to = at;
		else if (e.key === " ") day.click();
		else return;
		e.preventDefault();
		if (all[to]) rove(all[to], true);
	});
	// Turns the page of the calendar and lands on the day counted from its start or end.
	async function turn(id, index, same) {
		const link = ({ prev: ["prev", "earlier"], next: ["next", "later"] })[id].map((x) => doc.getElementById(x)).find(seen);
		if (!link?.href) return;
		await go(link.href, { history: "push" });
		const all = days();
		const day = same ? all[Math.min(index, all.length - 1)] : all.at(index);
		if (day) rove(day, true);
	}

	/* Time zones: the browser's own, until the visitor chooses another */
	function detect() {
		const view = $("[data-view=event]"), form = $("[data-zone-form]");
		if (!view || view.dataset.timeZone || !form) return;
		const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
		if (!zone || zone === $("#zone").placeholder) return;
		const url = new URL(location.href);
		url.searchParams.set("timeZone", zone);
		go(url.href, { history: "replace", quiet: true });
	}

	const plain = (s) => s.normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/[_/]/g, " ").toLowerCase();
	let zones;
	function zoneSearch() {
		const box = $("[data-zone]"), input = $("#zone"), list = $("#zone-list"), none = $("[data-zone-none]");
		if (!box) return;
		input.removeAttribute("list");
		const combobox = {
			role: "combobox", "aria-autocomplete": "list", "aria-controls": "zone-list", "aria-expanded": "false",
		};
		for (const [name, value] of Object.entries(combobox))
			input.setAttribute(name, value);
		let at = -1;
		const mark = (n) => {
			const all = list.children;
			all[at]?.setAttribute("aria-selected", "false");
			at = all.length ? (n + all.length) % all.length : -1;
			if (at < 0) return input.removeAttribute("aria-activedescendant");
			all[at].setAttribute("aria-selected", "true");
			all[at].scrollIntoView({ block: "nearest" });
			input.setAttribute("aria-activedescendant", all[at].id);
		};
		const fill = () => {
			zones ||= [...doc.querySelectorAll("#zones option")].map((o) => [o.value, plain(o.value)]);
			const words = plain(input.value).split(/\s+/).filter(Boolean), now = new Date();
			const hour12 = $("#clock-12").hasAttribute("aria-current");
			const found = zones.filter(([, text]) => words.every((w) => text.includes(w))).slice(0, words.length ? 30 : 500);
			list.replaceChildren(...found.map(([name], i) => {
				const item = doc.createElement("li"), time = doc.createElement("small");
				item.id = "zone-" + i;
				item.setAttribute("role", "option");
				item.dataset.value = name;
				item.setAttribute("aria-selected", "false");
				const city = name.split("/");
				item.append([city.pop(), ...city.reverse()].join(", ").replace(/_/g, " "));
				try {
					const hour = hour12 ? "numeric" : "2-digit";
					time.textContent = now.toLocaleTimeString(root.lang, { timeZone: name, hour, minute: "2-digit", hour12 });
				} catch {}
				item.append(" ", time);
				return item;
			}));
			list.hidden = !found.length;
			none.hidden = !!found.length;
			input.setAttribute("aria-expanded", String(!!found.length));
			at = -1;
			if (words.length && found.length) mark(0);
			else input.removeAttribute("aria-activedescendant");
		};
		const choose = (item) => {
			input.value = item.dataset.value;
			input.form.requestSubmit();
		};
		box.addEventListener("toggle", () => {
			if (!box.open) return;
			fill();
			input.focus();
		});
		box.addEventListener("keydown", (e) => {
			if (e.key !== "Escape" || !box.open) return;
			e.preventDefault();
			box.open = false;
			$("summary", box).focus();
		});
		input.addEventListener("input", fill);
		input.addEventListener("keydown", (e) => {
			if (e.key === "ArrowDown") mark(at + 1);
			else if (e.key === "ArrowUp") mark(at - 1);
			else if (e.key === "Enter" && at >= 0) choose(list.children[at]);
			else return;
			e.preventDefault();
		});
		list.addEventListener("pointerdown", (e) => e.preventDefault());
		list.addEventListener("click", (e) => {
			const item = e.target.closest("li");
			if (item) choose(item);
		});
	}
	doc.addEventListener("pointerdown", (e) => {
		const box = $("[data-zone][open]");
		if (box && !box.contains(e.target)) box.open = false;
	});

	/* Finding services by their words: all of them are in the page, those that don't match are hidden */
	const fold = (s) => s.toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, "").replace(/ß/g, "ss");
	function seek(text) {
		const words = fold(text).split(/\s+/).filter(Boolean);
		let found = 0;
		for (const part of doc.querySelectorAll("[data-category]")) {
			let some = 0;
			for (const item of part.querySelectorAll("[data-event]")) {
				const all = fold(item.textContent + " " + (item.dataset.event || ""));
				item.hidden = !words.every((w) => all.includes(w));
				if (!item.hidden) some++;
			}
			part.hidden = !some;
			found += some;
			const jump = $(`[data-jump="${part.getAttribute("aria-labelledby")}"]`);
			if (jump) jump.parentNode.hidden = !some;
		}
		$("[data-none]").hidden = found > 0;
		const count = $("[data-found]"), { one, many } = count.dataset;
		count.textContent = words.length ? (found === 1 ? one : many.replace("99", found)) : "";
		const url = new URL(location.href);
		if (words.length) url.searchParams.set("q", text.trim());
		else url.searchParams.delete("q");
		history.replaceState(null, "", url);
	}
	doc.addEventListener("input", (e) => {
		if (e.target.id === "seek") seek(e.target.value);
	});
	doc.addEventListener("click", (e) => {
		if (!e.target.closest("[data-clear]")) return;
		e.preventDefault();
		$("#seek").value = "";
		seek("");
		$("#seek").focus();
	});

	/* Forms */
	doc.addEventListener("submit", (e) => {
		const form = e.target, button = e.submitter;
		if (form.hasAttribute("data-seek")) {
			e.preventDefault();
			return seek(form.elements.q.value);
		}
		if (form.hasAttribute("data-zone-form")) {
			e.preventDefault();
			const url = new URL(form.action);
			url.search = new URLSearchParams(new FormData(form));
			return void go(url.href, { by: $("#zone-summary"), focus: "zone-summary", history: "replace" });
		}
		if (form.hasAttribute("data-choice")) {
			e.preventDefault();
			return void choose(form, "times-title");
		}
		if (!form.hasAttribute("data-once") || form.dataset.there) return;
		e.preventDefault();
		if (form.dataset.sent) return;
		form.dataset.sent = "1";
		button?.setAttribute("aria-disabled", "true");
		send(form, button);
	});
	// Each choice has other times, so they are shown at once. What is not chosen stays out of the address.
	function choose(form, focus) {
		const url = new URL(form.action);
		for (const [name, value] of new FormData(form)) if (value) url.searchParams.append(name, value);
		go(url.href, { by: form, focus, history: "replace" });
	}
	// Holds the time once something was typed, and lets go of it when another one is to be picked: see DetailsPage.Holds.
	let held = "", holding;
	async function keep(form, how) {
		const body = new URLSearchParams(new FormData(form));
		body.set("keep", how);
		body.set("hold", held);
		if (how === "0") return held && navigator.sendBeacon(form.action, body);
		try {
			const response = await fetch(form.action, { method: "POST", body });
			held = response.ok ? await response.text() : "";
			form.elements.hold.value = held;
		} catch {}
	}
	doc.addEventListener("input", (e) => {
		const form = e.target.form;
		if (!form?.hasAttribute("data-holds") || form.dataset.held || !form.elements.start?.value) return;
		form.dataset.held = "1";
		held ||= form.elements.hold.value;
		holding = keep(form, "1");
	});
	doc.addEventListener("click", (e) => {
		const form = e.target.closest("a.back") && $("[data-holds]");
		if (form) keep(form, "0"), (held = "");
	}, true);
	doc.addEventListener("change", (e) => {
		const form = e.target.closest("[data-choice]");
		if (form) choose(form, e.target.id);
	});
	// The browser would show its own page in place of the form where there is no network, so that is looked at first.
	async function send(form, button) {
		found();
		const [there] = await Promise.all([reached(), holding, form.dataset.challenge && !button?.formNoValidate && prove(form)]);
		if (there) {
			form.dataset.there = "1";
			return form.requestSubmit(button);
		}
		ready(form);
		lost(button || form);
	}
	function ready(form) {
		delete form.dataset.sent;
		delete form.dataset.there;
		form.querySelectorAll("[type=submit]").forEach((b) => b.removeAttribute("aria-disabled"));
	}
	// Works for its booking where the owner has asked for that: see DetailsPage.Challenge.
	async function prove(form) {
		const { key, proof } = form.elements, text = new TextEncoder();
		for (let n = 0; ; n++) {
			const sum = await crypto.subtle.digest("SHA-256", text.encode(key.value + ":" + n));
			if (Math.clz32(new DataView(sum).getUint32(0)) < +form.dataset.challenge) continue;
			proof.value = n;
			return;
		}
	}
	addEventListener("pageshow", () => {
		const form = $("[data-sent]");
		if (form) ready(form);
	});

	// Times of a place stay on its clock: says so where the visitor's shows another time.
	function differ() {
		const note = $("[data-zone-shop]");
		if (note) note.hidden = -new Date().getTimezoneOffset() === +note.dataset.zoneShop;
	}

	function enhance() {
		shown = location.href.split("#")[0];
		const grids = doc.querySelectorAll("[data-grid]");
		for (const grid of grids) grid.setAttribute("role", "grid");
		const all = days();
		if (all.length) {
			rove(all.find((d) => d.hasAttribute("aria-current")) || all.find((d) => !off(d)) || all[0]);
		}
		zoneSearch();
		$("[data-again]:not([data-sent])")?.requestSubmit();
		doc.querySelectorAll("[data-choice] button").forEach((b) => (b.hidden = true));
		differ();
		names();
		measure();
	}

	// What the keyboard comes to in a strip that scrolls sideways is shown whole: browsers leave it cut.
	doc.addEventListener("focusin", ({ target }) => {
		if (target.matches("[data-strip] :focus-visible")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
	});

	/* Photos: over the page in place of a page of their own. The arrow keys turn them, Escape leads out */
	let photo = 0;
	const photos = () => [...doc.querySelectorAll("[data-photo]")];
	function look(n) {
		const all = photos(), img = $("[data-photos] img"), of = all[(photo = (n + all.length) % all.length)];
		img.removeAttribute("src"); // else the one before stays while this one comes
		img.src = of.href;
		img.alt = $("[data-photo-said]").textContent = $("img", of).alt;
	}
	doc.addEventListener("click", (e) => {
		const link = e.target.closest("[data-photo]"), box = $("[data-photos]");
		if (!box) return;
		if (link && !(e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey)) {
			e.preventDefault();
			look(photos().indexOf(link));
			box.showModal();
		} else if (e.target.closest("[data-photo-by]")) look(photo + +e.target.closest("[data-photo-by]").dataset.photoBy);
		else if (e.target.closest("[data-photo-close]") || e.target === box) box.close();
	});
	doc.addEventListener("keydown", (e) => {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
		if (by && $("[data-photos][open]")) look(photo + by);
		const link = e.key === "Enter" && $("[data-photos]") && e.target.closest("[data-photo]");
		if (link && !(e.metaKey || e.ctrlKey || e.shiftKey || e.altKey)) {
			e.preventDefault(); // the rest of the key press would close what it opens
			link.click();
		}
	});

	/* Several dates: what those that are ticked cost together */
	doc.addEventListener("change", (e) => {
		const box = $("[data-sum]"), ticks = [...doc.querySelectorAll("[name=on][data-price]")];
		if (!box || !ticks.includes(e.target)) return;
		const { sum: currency, digits, site, all, parts } = box.dataset;
		const format = new Intl.NumberFormat(root.lang, { style: "currency", currency, currencyDisplay: "narrowSymbol",
			minimumFractionDigits: +digits, trailingZeroDisplay: "stripIfInteger" });
		const money = (n) => format.format(n / 10 ** digits);
		let price = 0, now = 0;
		ticks.filter((x) => x.checked).forEach(({ dataset: x }, i) => {
			price += +x.price;
			now += +(i ? x.later : x.first);
		});
		$("strong", box).textContent = money(price);
		$(".visit-parts", box).textContent = (now ? (now < price ? parts : all) : site)
			.replace("{now}", money(now)).replace("{rest}", money(price - now));
	});

	/* Of several dates: the button says how many it cancels */
	function names() {
		const to = $("[data-submit]:checked");
		if (to) $("[type=submit]", to.form).textContent = to.dataset.submit;
	}
	doc.addEventListener("change", names);

	/* Inside another site: tell it our height and what happens, once it has said hello */
	let host, size;
	const tell = (type, more, to = host) => to && parent.postMessage({ daybook: V, type, ...more }, to);
	function measure() {
		if (!framed) return;
		const height = Math.ceil($("[data-page]").getBoundingClientRect().height);
		if (host && height !== size) tell("resize", { height: (size = height) });
	}
	if (framed) {
		addEventListener("message", ({ data, source, origin }) => {
			if (source !== parent || data?.daybook !== V || data.type !== "hello" || host) return;
			host = origin === "null" ? "*" : origin;
			if (root.dataset.embed === "inline") root.dataset.fits = "";
			measure();
			const booked = $("[data-booked]")?.dataset;
			if (!booked) return;
			const { bookingId, visitId, bookingStart: start, bookingStatus: status } = booked;
			tell("booked", { bookingId, visitId, start, status });
		});
		new ResizeObserver(measure).observe($("[data-page]"));
		// Sent even before the site has said hello: a close that is lost would leave the popup open.
		const close = () => tell("close", {}, host || "*");
		addEventListener("keydown", (e) => {
			if (e.key === "Escape" && !e.defaultPrevented) close();
		});
		doc.addEventListener("click", (e) => e.target.closest("[data-close]") && close());
		const button = $("[data-close]");
		if (button) button.hidden = false;
		tell("ready", { missing: !!$("[data-view=message]") }, "*");
	}
	doc.addEventListener("click", (e) => {
		const button = e.target.closest("[data-copy]");
		if (!button) return;
		const field = doc.getElementById(button.dataset.copy);
		const done = () => say((button.textContent = button.dataset.copied));
		field.select();
		if (doc.execCommand("copy")) done();
		else navigator.clipboard?.writeText(field.value).then(done, () => {});
	});

	// A reload of the confirmation is no second booking.
	if ($("[data-booked]")) {
		const url = new URL(location.href);
		url.searchParams.delete("new");
		history.replaceState(null, "", url);
	}

	for (const button of doc.querySelectorAll("[data-copy]")) button.hidden = false;
	enhance();
	detect();
	$("[data-focus]")?.focus();
})();
