// The dashboard without reloads: a link or a form exchanges the main part of the page for that of the answer. Every
// page works without this file.
(() => {
	"use strict";
	const $ = (s, in_ = document) => in_.querySelector(s);
	const $$ = (s, in_ = document) => [...in_.querySelectorAll(s)];
	const main = () => $("#main");
	let going = null;

	const ours = (url) => url.origin === location.origin && /^\/(dashboard|login|logout|setup|invite)(\/|$)/.test(url.pathname);

	// A form that was typed into and not sent yet is not left without asking.
	const unsaved = (sent) => $$("form[data-typed]").some((f) => f !== sent);
	const leaves = (sent) => !unsaved(sent) || confirm("What you changed here is not saved yet. Leave without saving?");
	addEventListener("beforeunload", (e) => { if (unsaved(null)) e.preventDefault(); });

	// lost says, beside what was pressed, that no answer came, and offers to try again.
	function lost(by, again) {
		found();
		const box = document.createElement("div"), text = document.createElement("p"), button = document.createElement("button");
		box.className = "lost";
		box.setAttribute("role", "alert");
		text.textContent = "No answer from the server. Nothing that you typed is lost: check your connection and try again.";
		button.type = "button";
		button.className = "button";
		button.textContent = "Try again";
		button.onclick = () => { found(); again(); };
		box.append(text, button);
		document.body.append(box);
		const at = by?.isConnected ? by.getBoundingClientRect() : new DOMRect(16, innerHeight - 140, 0, 0);
		const fixed = !by || by.closest(".side, .form-end"), { width, height } = box.getBoundingClientRect();
		box.classList.toggle("lost-fixed", !!fixed);
		const above = at.bottom + height + 16 > innerHeight && at.top > height + 16;
		box.style.left = Math.max(16, Math.min(at.left, innerWidth - width - 16)) + (fixed ? 0 : scrollX) + "px";
		box.style.top = (above ? at.top - height - 8 : at.bottom + 8) + (fixed ? 0 : scrollY) + "px";
	}
	function found() { $$(".lost").forEach((x) => x.remove()); }

	// go asks for a page and shows it; how: push, replace or keep (the address and the scroll stay); by is what was pressed.
	async function go(url, init, how, by) {
		found();
		going?.abort();
		const mine = going = new AbortController();
		document.documentElement.setAttribute("aria-busy", "true");
		let answer, text;
		try {
			answer = await fetch(url, { ...init, headers: { Accept: "text/html" }, signal: mine.signal, credentials: "same-origin" });
			if (!(answer.headers.get("Content-Type") || "").startsWith("text/html")) return location.assign(url);
			text = await answer.text();
		} catch (e) {
			if (e.name === "AbortError") return;
			return lost(by, () => go(url, init, how, by));
		} finally {
			if (going === mine) document.documentElement.removeAttribute("aria-busy");
		}
		const to = new URL(answer.url);
		if (!ours(to)) return location.assign(to);
		show(text, to, how);
		at = location.href;
	}
	let at = location.href;

	function show(text, url, how) {
		const next = new DOMParser().parseFromString(text, "text/html");
		const same = url.pathname === location.pathname;
		const sheets = (d) => $$("link[rel=stylesheet]", d).map((l) => l.getAttribute("href")).join();
		if (!$("#main", next) || sheets(next) !== sheets(document) || next.documentElement.dataset.theme !== document.documentElement.dataset.theme) {
			// Other colours or a newer release: the whole document. A refused form has no address to ask for again.
			if (how !== "answer") return location.assign(url);
		}
		url.searchParams.delete("said");
		if (how === "push" && url.href !== location.href) history.pushState(null, "", url);
		else if (how !== "answer") history.replaceState(null, "", url);
		document.title = next.title;
		const scroll = scrollY;
		document.body.className = next.body.className;
		document.body.replaceChildren(...next.body.childNodes);
		begin();
		const target = url.hash && document.getElementById(url.hash.slice(1));
		const focus = $("[data-focus]") || $("[autofocus]");
		if (target) target.scrollIntoView();
		else if (!same || how === "answer" && focus) scrollTo(0, 0);
		else scrollTo(0, scroll);
		(focus || $("h1") || main()).focus({ preventScroll: true });
		say(($("[data-said]") || $("h1") || {}).textContent || "");
	}

	function say(text) {
		const live = $("[data-announce]");
		if (live) live.textContent = text.trim();
	}

	document.addEventListener("click", (e) => {
		const copy = e.target.closest("[data-copy]");
		if (copy) return void copyText(copy);
		const add = e.target.closest("[data-hours-add]");
		const changes = e.target.closest("[data-hours-drop], [data-remove]");
		if (changes) keep(changes.closest("form"));
		if (add) return addHours(add.closest("[data-hours]"));
		const drop = e.target.closest("[data-hours-drop]");
		if (drop) return dropHours(drop.closest(".hours-span"));
		const clone = e.target.closest("[data-clone]");
		if (clone) return cloneRow(clone);
		const remove = e.target.closest("[data-remove]");
		if (remove) {
			const row = remove.closest("[data-row]");
			if ($$("[data-row]", row.parentNode).length > 1) row.remove();
			else $$("input, textarea", row).forEach((i) => { i.value = ""; i.checked = false; });
			return;
		}
		const a = e.target.closest("a[href]");
		if (!a || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey || a.target || a.hasAttribute("download")) return;
		const url = new URL(a.href);
		if (!ours(url) || url.pathname === location.pathname && url.search === location.search && url.hash) return;
		e.preventDefault();
		if (leaves()) go(url, {}, "push", a);
	});

	document.addEventListener("submit", (e) => {
		const form = e.target, by = e.submitter;
		if (e.defaultPrevented || form.target || form.dataset.plain !== undefined) return;
		const url = new URL(by?.getAttribute("formaction") || form.getAttribute("action") || location.href, location.href);
		if (!ours(url)) return;
		e.preventDefault();
		if (!leaves(form)) return;
		const typed = new FormData(form, by), data = form.enctype === "multipart/form-data" ? typed : new URLSearchParams(typed);
		if (form.method === "get") {
			for (const [k, v] of [...data]) if (v === "") data.delete(k);
			url.search = data;
			return go(url, {}, "push", by || form);
		}
		post(url, data, by, form);
	});

	let posting = false;
	async function post(url, data, by, form) {
		if (posting) return;
		posting = true;
		found();
		by?.setAttribute("aria-disabled", "true");
		try {
			const answer = await fetch(url, { method: "POST", body: data, headers: { Accept: "text/html" }, credentials: "same-origin" });
			const text = await answer.text();
			const to = new URL(answer.url);
			if (!ours(to) || !(answer.headers.get("Content-Type") || "").startsWith("text/html")) {
				delete form.dataset.typed;
				return location.assign(to);
			}
			const typed = form.hasAttribute("data-typed"), action = form.getAttribute("action");
			delete form.dataset.typed;
			show(text, to, answer.redirected ? "push" : "answer");
			if (typed && answer.status >= 400) $$("#main form").filter((f) => f.getAttribute("action") === action).forEach(keep);
			at = location.href;
		} catch {
			by?.removeAttribute("aria-disabled");
			lost(by || form, () => post(url, data, by, form));
		} finally {
			posting = false;
		}
	}

	addEventListener("popstate", () => {
		if (leaves()) return go(location.href, {}, "keep");
		history.pushState(null, "", at);
	});

	// keep marks a form as typed into. Searches, and forms that are sent as they change, have nothing to save.
	function keep(form) {
		if (form?.method === "post" && form.closest("#main")) form.dataset.typed = "";
	}

	async function copyText(button) {
		const text = button.dataset.copy;
		try {
			await navigator.clipboard.writeText(text);
		} catch {
			const area = document.createElement("textarea");
			area.value = text;
			document.body.append(area);
			area.select();
			document.execCommand("copy");
			area.remove();
		}
		const label = $("span", button) || button, was = label.textContent;
		label.textContent = "Copied";
		say("Copied");
		setTimeout(() => { label.textContent = was; }, 1600);
	}

	// Hours: spans can be added to a day and removed.
	function addHours(day) {
		const spans = $$(".hours-span", day), last = spans.at(-1);
		if (!$("input", last).value) return $("input", last).focus();
		const next = last.cloneNode(true);
		$$("input", next).forEach((i) => {
			i.value = "";
			i.setAttribute("aria-label", i.getAttribute("aria-label").replace(/\d+$/, spans.length + 1));
		});
		last.after(next);
		$("input", next).focus();
	}
	function dropHours(span) {
		if ($$(".hours-span", span.parentNode).length > 1) return span.remove();
		$$("input", span).forEach((i) => { i.value = ""; });
	}
	function cloneRow(button) {
		const list = document.getElementById(button.dataset.clone), rows = $$("[data-row]", list), next = rows.at(-1).cloneNode(true);
		const n = 1 + Math.max(...rows.map((r) => +($("[name]", r).name.match(/\d+/) || [0])[0]));
		next.hidden = false;
		$$("input, textarea, select", next).forEach((i) => {
			if (i.type === "checkbox") i.checked = false;
			else if (i.tagName === "SELECT") i.selectedIndex = 0;
			else i.value = "";
		});
		$$("[id],[for],[name],[aria-describedby]", next).forEach((x) => {
			for (const a of ["id", "for", "name"]) if (x.hasAttribute(a)) x.setAttribute(a, x.getAttribute(a).replace(/\d+/, n));
		});
		list.append(next);
		$("input", next)?.focus();
	}

	// The name of a thing suggests its address until somebody writes their own.
	const letters = { ä: "ae", ö: "oe", ü: "ue", ß: "ss", æ: "ae", œ: "oe", ø: "o", å: "a", ł: "l", đ: "d" };
	const slug = (s) => s.normalize("NFC").toLowerCase().replace(/[äöüßæœøåłđ]/g, (c) => letters[c]).normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40).replace(/-+$/, "");
	document.addEventListener("input", (e) => {
		keep(e.target.form);
		const hook = e.target.dataset.hook;
		if (hook === "slug-from") {
			const to = $('[data-hook=slug]');
			if (to && !to.dataset.own) to.value = slug(e.target.value);
		}
		if (hook === "slug") e.target.dataset.own = "1";
		if (e.target.closest("form[data-search]")) later(e.target.closest("form"));
		if (e.target.closest("form[data-preview]")) preview(e.target.closest("form"));
	});
	document.addEventListener("change", (e) => {
		const form = e.target.closest("form[data-search]");
		if (form) later(form, 0);
		e.target.closest("form[data-auto]")?.requestSubmit();
	});
	let waiting;
	function later(form, wait = 300) {
		clearTimeout(waiting);
		waiting = setTimeout(async () => {
			const url = new URL(form.action, location.href), data = new URLSearchParams(new FormData(form));
			for (const [k, v] of [...data]) if (v === "") data.delete(k);
			url.search = data;
			let answer, text;
			try {
				answer = await fetch(url, { headers: { Accept: "text/html" }, credentials: "same-origin" });
				text = await answer.text();
			} catch {
				return lost(form, () => later(form, 0));
			}
			found();
			if (!answer.ok || answer.redirected) return location.assign(url);
			const next = new DOMParser().parseFromString(text, "text/html"), part = $("[data-results]", next), here = $("[data-results]");
			if (!part || !here) return;
			here.replaceWith(part);
			history.replaceState(null, "", url);
			say(part.dataset.results || "");
		}, wait);
	}
	function preview(form) {
		const color = form.elements.color?.value;
		if (/^#[0-9a-f]{6}$/i.test(color || "")) {
			const [r, g, b] = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)), text = r * .299 + g * .587 + b * .114 > 150 ? "#111" : "#fff";
			$$("[data-preview-brand]").forEach((x) => { x.style.background = x.style.borderColor = color; x.style.color = text; });
		}
		$$("[data-preview-name]").forEach((x) => { x.textContent = form.elements.description?.value || ""; });
		$$("[data-preview-logo]").forEach((x) => { const v = form.elements.logoUrl?.value || ""; x.hidden = !/^https:\/\//.test(v); if (!x.hidden && x.src !== v) x.src = v; });
	}

	// Live pages ask for themselves again when something happened, and change where they differ.
	let stream, pressed = false;
	addEventListener("pointerdown", () => { pressed = true; }, true);
	for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(() => { pressed = false; }, 250), true);
	async function refresh() {
		if (document.hidden || posting || !main()?.hasAttribute("data-live")) return;
		const focused = document.activeElement;
		if (focused && focused.closest("#main form") && /^(INPUT|TEXTAREA|SELECT)$/.test(focused.tagName) || $("#main details[open]")) return;
		let text;
		const url = location.href;
		try {
			const answer = await fetch(url, { headers: { Accept: "text/html" }, credentials: "same-origin" });
			if (!answer.ok || answer.redirected) return;
			text = await answer.text();
		} catch { return; }
		if (pressed) return void setTimeout(refresh, 400); // nothing moves away from under a click
		const next = new DOMParser().parseFromString(text, "text/html"), there = $("#main", next), here = main();
		if (url !== location.href || !there || there.innerHTML === here.innerHTML) return;
		const before = new Set($$("[data-booking]").map((x) => x.dataset.booking));
		const at = focused && focused.matches("#main a[href]") ? focused.getAttribute("href") : "";
		here.innerHTML = there.innerHTML;
		begin();
		if (at) $$("#main a[href]").find((a) => a.getAttribute("href") === at)?.focus({ preventScroll: true });
		const fresh = $$("[data-booking]").filter((x) => !before.has(x.dataset.booking));
		fresh.forEach((x) => x.classList.add("fresh"));
		if (fresh.length) say(fresh.length === 1 ? "A new booking" : fresh.length + " new bookings");
	}
	function listen() {
		const wanted = !document.hidden && main()?.hasAttribute("data-live") && window.EventSource;
		if (!wanted) { stream?.close(); stream = null; return; }
		if (stream && stream.readyState !== 2) return;
		stream = new EventSource("/dashboard/live");
		stream.addEventListener("change", refresh);
	}
	document.addEventListener("visibilitychange", () => { listen(); if (!document.hidden) refresh(); });

	document.addEventListener("keydown", (e) => {
		if (e.key === "Escape") found();
		if (e.key === "Escape") $$("details.menu[open]").forEach((d) => { d.open = false; $("summary", d).focus(); });
		if (e.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && $("input[type=search]")) { e.preventDefault(); $("input[type=search]").focus(); }
	});
	document.addEventListener("click", (e) => $$("details.menu[open]").forEach((d) => { if (!d.contains(e.target)) d.open = false; }));

	// edges marks on which sides a strip of tabs goes on.
	function edges(strip) {
		strip.toggleAttribute("data-more-left", strip.scrollLeft > 1);
		strip.toggleAttribute("data-more-right", strip.scrollLeft + strip.clientWidth < strip.scrollWidth - 1);
	}
	addEventListener("resize", () => $$(".tabs").forEach(edges));
	function begin() {
		$$("[data-hours-add], [data-hours-drop], [data-clone], [data-remove]").forEach((x) => { x.hidden = false; });
		$$("[data-nojs]").forEach((x) => { x.hidden = true; });
		const zone = $("[data-hook=zone]");
		if (zone && !zone.dataset.asked && zone.form?.dataset.kept === undefined && !$(".notice-bad")) {
			zone.dataset.asked = "1";
			zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || zone.value;
		}
		const s = $("[data-hook=slug]");
		if (s && s.value) s.dataset.own = "1";
		$$(".tabs, .segments").forEach((strip) => {
			const here = $("[aria-current]", strip);
			if (here) strip.scrollLeft += here.getBoundingClientRect().left - strip.getBoundingClientRect().left - (strip.clientWidth - here.offsetWidth) / 2;
			edges(strip);
			strip.addEventListener("scroll", () => edges(strip), { passive: true });
		});
		const said = new URL(location.href);
		if (said.searchParams.has("said")) { said.searchParams.delete("said"); history.replaceState(null, "", said); }
		listen();
	}
	begin();
})();
