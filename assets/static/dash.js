// The dashboard without reloads: a link or a form exchanges the main part of the page for that of the answer. Every
// page works without this file.
(() => {
	"use strict";
	const $ = (s, in_ = document) => in_.querySelector(s);
	const $$ = (s, in_ = document) => [...in_.querySelectorAll(s)];
	const main = () => $("#main");
	const text = (name) => document.body.dataset["text" + name]; // in the language of the page
	let going = null;

	const paths = /^\/(dashboard|login|logout|setup|invite)(\/|$)/;
	const ours = (url) => url.origin === location.origin && paths.test(url.pathname);

	// A form that was typed into and not sent yet is not left without asking.
	const unsaved = (sent) => $$("form[data-typed]").some((f) => f !== sent);
	const leaves = (sent) => !unsaved(sent) || confirm(text("Unsaved"));
	addEventListener("beforeunload", (e) => { if (unsaved(null)) e.preventDefault(); });

	// lost says, beside what was pressed, that no answer came, and offers to try again.
	function lost(by, again) {
		found();
		const box = document.createElement("div"), says = document.createElement("p");
		const button = document.createElement("button");
		box.className = "lost";
		box.setAttribute("role", "alert");
		says.textContent = text("Lost");
		button.type = "button";
		button.className = "button";
		button.textContent = text("Again");
		button.onclick = () => { found(); again(); };
		box.append(says, button);
		(by?.closest("dialog") || document.body).append(box);
		const at = by?.isConnected ? by.getBoundingClientRect() : new DOMRect(16, innerHeight - 140, 0, 0);
		const fixed = !by || by.closest(".side, .form-end, dialog"), { width, height } = box.getBoundingClientRect();
		box.classList.toggle("lost-fixed", !!fixed);
		const above = at.bottom + height + 16 > innerHeight && at.top > height + 16;
		box.style.left = Math.max(16, Math.min(at.left, innerWidth - width - 16)) + (fixed ? 0 : scrollX) + "px";
		box.style.top = (above ? at.top - height - 8 : at.bottom + 8) + (fixed ? 0 : scrollY) + "px";
	}
	function found() { $$(".lost").forEach((x) => x.remove()); }

	// The bar that says that this device has no network.
	const network = () => { const bar = $("[data-offline]"); if (bar) bar.hidden = navigator.onLine; };
	for (const change of ["online", "offline"]) addEventListener(change, network);

	// Where there is no worker, or none is allowed, all works but the page for no network.
	navigator.serviceWorker?.register("/dashboard/worker.js", { scope: "/dashboard" }).catch(() => {});

	// load asks for a page and gives the answer, its address, and the document when it is one. When no answer comes it
	// gives null and says so beside by, with a button that does again. What nobody waits for has no again: it fails in
	// silence.
	async function load(url, { by, again, ...init }) {
		if (again) found();
		const heard = changes;
		try {
			const answer = await fetch(url, { headers: { Accept: "text/html" }, credentials: "same-origin", ...init });
			const html = (answer.headers.get("Content-Type") || "").startsWith("text/html");
			const page = html ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
			return { answer, page, heard, url: new URL(answer.url) };
		} catch (e) {
			if (again && e.name !== "AbortError") lost(by, again);
			return null;
		}
	}

	// go shows another page; how: push, replace or keep (the address and the scroll stay); by is what was pressed.
	async function go(url, how, by) {
		going?.abort();
		const mine = going = new AbortController();
		document.documentElement.setAttribute("aria-busy", "true");
		const got = await load(url, { signal: mine.signal, by, again: () => go(url, how, by) });
		if (going === mine) document.documentElement.removeAttribute("aria-busy");
		if (!got) return;
		if (!got.page) return location.assign(url);
		if (!ours(got.url)) return location.assign(got.url);
		show(got, got.url, how, by);
	}
	let at = location.href, answered = false; // answered: the page is a form's answer, which its address doesn't have

	function show({ page: next, heard }, url, how, by) {
		if (isOver(url) && (drawer() || by && !isOver(location))) return slide(next, how, by);
		if (drawer() && $("#main form[data-typed]")) return beside(next);
		if (drawer() && how === "push") how = "replace"; // it has an entry of its own in the history
		answered = how === "answer";
		const same = url.pathname === location.pathname;
		const sheets = (d) => $$("link[rel=stylesheet]", d).map((l) => l.getAttribute("href")).join();
		const theme = (d) => d.documentElement.dataset.theme + d.documentElement.lang;
		if (!$("#main", next) || sheets(next) !== sheets(document) || theme(next) !== theme(document)) {
			// Other colours, another language or a newer release: the whole document. A refused form has no address to
			// ask for again.
			if (how !== "answer") return location.assign(url);
		}
		for (const name of ["said", "booked"]) url.searchParams.delete(name);
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
		if (focus && !target) focus.scrollIntoView({ block: "nearest" }); // it may lie below a phone's screen
		say(($("[data-said]") || $("h1") || {}).textContent || "");
		shown();
		at = location.href;
		newest = heard;
		if (heard !== changes) refresh();
	}

	// A new booking slides over the page that it is made from, which stays as it is: where it was scrolled to, what is open
	// in it. Closing it, or going back, shows that page again, and so does booking. The address stays that page's.
	const drawer = () => $("dialog.drawer");
	const isOver = (url) => url.pathname === document.body.dataset.over;
	let opener = null;
	function slide(next, how, by) {
		const old = drawer(), d = old || document.createElement("dialog");
		const live = $("[data-announce]", next);
		d.replaceChildren(...$("#main", next).childNodes, live);
		apart(d);
		d.setAttribute("aria-label", $("h1", d).textContent);
		if (!old) {
			const menu = by?.closest("details.menu");
			if (menu) menu.open = false;
			opener = menu ? $("summary", menu) : by;
			d.className = "drawer";
			d.addEventListener("cancel", (e) => { e.preventDefault(); history.back(); });
			d.addEventListener("close", () => { if (d.isConnected) d.showModal(); }); // not by Escape alone, see cancel
			let pressed = false;
			d.addEventListener("pointerdown", (e) => { pressed = e.target === d && outside(d, e); });
			d.addEventListener("click", (e) => { if (pressed && e.target === d && outside(d, e)) history.back(); });
			document.body.append(d);
			history.pushState({ drawer: true }, "", location.href);
			d.showModal();
		}
		begin();
		const focus = $("[data-focus]", d) || $("[autofocus]", d);
		if (how !== "answer" || focus) d.scrollTop = 0;
		(focus || $("h1", d)).focus({ preventScroll: true });
		if (focus) focus.scrollIntoView({ block: "nearest" });
		say($("h1", d).textContent);
		shown();
	}
	// apart gives what slides over the page ids of its own.
	function apart(d) {
		const names = ["id", "for", "list", "aria-labelledby", "aria-describedby", "aria-controls"];
		for (const name of names) {
			for (const x of $$(`[${name}]`, d)) x.setAttribute(name, x.getAttribute(name).replace(/[^ ]+/g, "over-$&"));
		}
		for (const x of $$("a[href^='#']", d)) x.setAttribute("href", x.getAttribute("href").replace("#", "#over-"));
	}
	// beside says what was done on the page below, which keeps what was typed into it.
	function beside(next) {
		const done = $(".said", next);
		drawer().remove();
		$(".said", main())?.remove();
		if (done) main().prepend(done);
		shown();
		say(done?.textContent || "");
	}
	const outside = (d, { clientX: x, clientY: y }) => {
		const box = d.getBoundingClientRect();
		return x < box.left || x > box.right || y < box.top || y > box.bottom;
	};
	// gone takes the entry out of the history that is of what slid over the page; what is shown next takes the page's own.
	let left = null;
	const gone = () => new Promise((done) => {
		left = () => { left = null; done(); };
		history.back();
	});
	// Going back leaves the page below: its entry in the history is the one that is gone to.
	function slideBack() {
		const d = drawer();
		if ($("form[data-typed]", d) && !confirm(text("Unsaved"))) return history.pushState({ drawer: true }, "", location.href);
		going?.abort();
		d.remove();
		shown();
		if (opener?.isConnected) opener.focus({ preventScroll: true });
	}

	function say(text) {
		const live = $("dialog[open] [data-announce]") || $("[data-announce]");
		if (live) live.textContent = text.trim();
	}

	// on calls, for every selector of the table that the target of an event is or is within, its handler with what fits.
	function on(type, table) {
		const handlers = Object.entries(table);
		document.addEventListener(type, (e) => {
			for (const [selector, handle] of handlers) {
				const x = e.target.closest(selector);
				if (x) handle(x, e);
			}
		});
	}

	on("click", {
		"[data-copy]": copyText,
		"[data-print]": () => print(),
		"dialog [data-slide-back]": (_, e) => { e.preventDefault(); history.back(); },
		"[data-clone]": cloneRow,
		"[data-remove]": (x) => { keep(x.form); removeRow(x.closest("[data-row]")); },
		"a[href]": follow,
		"body": (_, e) => $$("details.menu[open]").forEach((d) => { if (!d.contains(e.target)) d.open = false; }),
	});
	on("submit", { "form": send });
	on("input", {
		"input, select, textarea": (x) => keep(x.form),
		"[data-hook=slug-from]": (x) => {
			const to = $("[data-hook=slug]");
			if (to && !to.dataset.own) to.value = slug(x.value);
		},
		"[data-hook=slug]": (x) => { x.dataset.own = "1"; },
		"form[data-search]": (form) => later(form),
	});
	on("change", {
		"form[data-search]": (form) => later(form, 0),
		"form[data-auto]": (form) => form.requestSubmit(),
		"[data-sends]": (x) => x.files.length && x.form.requestSubmit($("button:not([type=button])", x.form)),
		"[data-choose]": requote,
	});

	// requote has the form say what takes the choices as they are now, where the page, the focus and what is typed
	// meanwhile stay. Of several at once the answer to the last counts.
	let quoting = null;
	async function requote(choices, { target }) {
		const form = choices.closest("form"), button = $("button", choices), action = form.getAttribute("action");
		const at = () => drawer() || document.scrollingElement;
		quoting?.abort();
		const mine = quoting = new AbortController(), sent = new FormData(form, button);
		const body = new URLSearchParams(sent), again = () => requote(choices, { target });
		const got = await load(new URL(form.action), { method: "POST", body, signal: mine.signal, by: target, again });
		if (quoting !== mine) return;
		quoting = null;
		if (!got || !form.isConnected || !got.page || !ours(got.url)) return;
		const since = $$("input, textarea", form).filter((x) => !x.closest("[data-choose]") && x.value !== sent.get(x.name));
		const focused = form.contains(document.activeElement) ? document.activeElement : target, scroll = at().scrollTop;
		delete form.dataset.typed;
		show(got, got.url, "answer", target);
		const next = $$("form").find((f) => f.getAttribute("action") === action);
		if (!next) return;
		for (const x of since) {
			const there = $$("input:not([type=hidden]), textarea", next).find((y) => y.name === x.name && y.type === x.type);
			if (there && x.type !== "checkbox" && x.type !== "radio") there.value = x.value;
		}
		keep(next);
		$$("input, select, textarea, button", next).find((y) => y.name === focused.name && y.type === focused.type &&
			(!/checkbox|radio|submit/.test(y.type) || y.value === focused.value))?.focus({ preventScroll: true });
		at().scrollTop = scroll;
	}

	function follow(a, e) {
		if (e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
		if (a.target || a.hasAttribute("download")) return;
		const here = a.closest("dialog"), part = a.getAttribute("href");
		if (here && part.startsWith("#")) {
			e.preventDefault();
			return $(part, here)?.focus();
		}
		const url = new URL(a.href);
		if (!ours(url) || url.pathname === location.pathname && url.search === location.search && url.hash) return;
		e.preventDefault();
		if (isOver(url) && !isOver(location)) {
			if (!url.searchParams.has("back")) url.searchParams.set("back", location.pathname + location.search);
			return go(url, "push", a);
		}
		if (leaves()) go(url, "push", a);
	}

	// filled is the address that a form of method get leads to, without its empty fields.
	function filled(url, data) {
		for (const [k, v] of [...data]) if (v === "") data.delete(k);
		url.search = data;
		return url;
	}

	function send(form, e) {
		const by = e.submitter;
		if (e.defaultPrevented || form.target || by?.formTarget || form.dataset.plain !== undefined) return;
		const url = new URL(by?.getAttribute("formaction") || form.getAttribute("action") || location.href, location.href);
		if (!ours(url)) return;
		e.preventDefault();
		if (!form.closest("dialog") && !leaves(form)) return;
		const typed = new FormData(form, by);
		const data = form.enctype === "multipart/form-data" ? typed : new URLSearchParams(typed);
		if (form.method === "get") go(filled(url, data), "push", by || form);
		else post(url, data, by, form);
	}

	let posting = false;
	async function post(url, body, by, form) {
		if (posting || quoting) return;
		posting = true;
		const over = form.closest("dialog");
		by?.setAttribute("aria-disabled", "true");
		const got = await load(url, { method: "POST", body, by: by || form, again: () => post(url, body, by, form) });
		posting = false;
		if (!got) return void by?.removeAttribute("aria-disabled");
		if (over && !over.isConnected && !got.answer.redirected) return; // it was closed meanwhile
		if (over?.isConnected && !isOver(got.url)) await gone();
		const typed = form.hasAttribute("data-typed"), action = form.getAttribute("action");
		delete form.dataset.typed;
		if (!got.page || !ours(got.url)) return location.assign(got.url);
		show(got, got.url, got.answer.redirected ? "push" : "answer", by);
		if (!typed || got.answer.status < 400) return;
		$$("#main form, .drawer form").filter((f) => f.getAttribute("action") === action).forEach(keep);
	}

	addEventListener("popstate", () => {
		if (left) return left();
		if (drawer()) return slideBack();
		const page = (url) => new URL(url).href.split("#")[0];
		if (page(at) === page(location.href)) return void (at = location.href); // to another part of this page
		if (leaves()) return go(location.href, "keep");
		history.pushState(null, "", at);
	});

	// keep marks a form as typed into. Searches, and forms that are sent as they change, have nothing to save.
	function keep(form) {
		if (form?.method === "post" && !$("[data-sends]", form) && form.closest("#main, .drawer")) form.dataset.typed = "";
	}

	async function copyText(button) {
		const copied = button.dataset.copy;
		try {
			await navigator.clipboard.writeText(copied);
		} catch {
			const area = document.createElement("textarea");
			area.value = copied;
			document.body.append(area);
			area.select();
			document.execCommand("copy");
			area.remove();
		}
		const label = $("span", button) || button, was = label.textContent;
		label.textContent = text("Copied");
		say(text("Copied"));
		setTimeout(() => { label.textContent = was; }, 1600);
	}

	function removeRow(row) {
		if ($$("[data-row]", row.parentNode).length > 1) return row.remove();
		$$("input, textarea", row).forEach((i) => { i.value = ""; i.checked = false; });
	}
	function cloneRow(button) {
		const list = document.getElementById(button.dataset.clone), rows = $$("[data-row]", list);
		const next = rows.at(-1).cloneNode(true);
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
	const slug = (s) => s.normalize("NFC").toLowerCase().replace(/[äöüßæœøåłđ]/g, (c) => letters[c])
		.normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
		.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40).replace(/-+$/, "");
	let waiting;
	function later(form, wait = 300) {
		clearTimeout(waiting);
		waiting = setTimeout(async () => {
			const url = filled(new URL(form.action, location.href), new URLSearchParams(new FormData(form)));
			const got = await load(url, { by: form, again: () => later(form, 0) });
			if (!got) return;
			if (!got.answer.ok || got.answer.redirected || !got.page) return location.assign(url);
			const part = $("[data-results]", got.page), here = $("[data-results]");
			if (!part || !here) return;
			here.replaceWith(part);
			const told = $$("[data-filtered]", got.page); // how many filters are set, and the way back to none
			$$("[data-filtered]").forEach((x, i) => told[i] && x.replaceWith(told[i]));
			history.replaceState(null, "", url);
			say(part.dataset.results || "");
		}, wait);
	}
	// Live pages ask for themselves again when something happened, and change where they differ.
	// heard is how many changes there were when the page that is shown, newest, or one on its way was asked for.
	let stream, changes = 0, newest = 0, pressed = false, release;
	addEventListener("pointerdown", () => { clearTimeout(release); pressed = true; }, true);
	for (const end of ["pointerup", "pointercancel"]) {
		addEventListener(end, () => { release = setTimeout(() => { pressed = false; }, 250); }, true);
	}
	const types = (x) => /^(INPUT|TEXTAREA|SELECT)$/.test(x.tagName);
	// folded is by what something that folds is found again in a newer page.
	const folded = (x) => x.className + (x.closest("[data-booking]")?.dataset.booking || "");
	const folds = "[data-fold], [data-booking] details";
	// known is by what a link, a button or what unfolds is found again in a newer page; "" is nothing else.
	const known = (x) => {
		if (x.matches("summary")) return folded(x.parentNode);
		if (x.matches("a[href]")) return x.getAttribute("href");
		if (!x.matches("button") || !x.form) return "";
		return [x.form.getAttribute("action"), new URLSearchParams(new FormData(x.form)), x.name, x.value].join();
	};
	async function refresh() {
		if (document.hidden || posting || !main()?.hasAttribute("data-live")) return;
		const parts = $$("[data-part]"); // of a page that is refreshed in parts, each on its own
		const stays = () => answered && !parts.length; // what a form was answered with is in no part of the calendar
		if (stays()) return;
		const held = (x) => {
			const focused = document.activeElement;
			return focused && x.contains(focused) && types(focused) && focused.closest("form") ||
				$(`details[open]:not(${folds}), form[data-typed]`, x);
		};
		if (!parts.length && held(main())) return;
		const url = location.href, got = await load(url, {});
		if (!got?.page || !got.answer.ok || got.answer.redirected || got.heard < newest) return;
		// Nothing moves away from under a click, or while something is dragged.
		if (pressed || $("html.dragging")) return void setTimeout(refresh, 400);
		// What was typed, sent or answered while the page was on its way stays, too.
		if (posting || stays() || !parts.length && held(main())) return;
		const there = $("#main", got.page), here = main();
		if (url !== location.href || !there || there.innerHTML === here.innerHTML) return;
		const pairs = parts.length ? parts.filter((x) => x.isConnected && !held(x))
			.map((x) => [x, $(`[data-part="${x.dataset.part}"]`, there)]) : [[here, there]];
		newest = got.heard;
		const before = new Set($$("[data-booking]").map((x) => x.dataset.booking));
		const focused = document.activeElement, at = focused?.closest("#main") ? known(focused) : "";
		for (const [old, fresh] of pairs) {
			if (!fresh || fresh.innerHTML === old.innerHTML) continue;
			const open = $$(folds, old).filter((x) => x.open).map(folded), left = $(".faces ul", old)?.scrollLeft;
			old.innerHTML = fresh.innerHTML;
			$$(folds, old).forEach((x) => { x.open = open.includes(folded(x)); });
			if (left) $(".faces ul", old)?.scrollTo(left, 0);
		}
		begin();
		shown();
		if (at && !focused.isConnected) {
			$$("#main a[href], #main button, #main summary").find((x) => known(x) === at)?.focus({ preventScroll: true });
		}
		const fresh = $$("[data-booking]").filter((x) => !before.has(x.dataset.booking));
		fresh.forEach((x) => x.classList.add("fresh"));
		if (fresh.length) say(text("New").replace("#", fresh.length));
	}
	setInterval(() => { if ($("[data-soon]")) refresh(); }, 2000); // what is under way and commits nothing
	setInterval(() => { if ($("[data-clock]")) refresh(); }, 60000); // what is over and who is next
	// On paper nothing is folded.
	addEventListener("beforeprint", () => $$("[data-fold]:not([open])").forEach((x) => { x.open = true; x.dataset.shut = ""; }));
	addEventListener("afterprint", () => $$("[data-shut]").forEach((x) => { x.open = false; delete x.dataset.shut; }));
	function listen() {
		const wanted = !document.hidden && main()?.hasAttribute("data-live") && window.EventSource;
		if (!wanted) { stream?.close(); stream = null; return; }
		if (stream && stream.readyState !== 2) return;
		stream = new EventSource("/dashboard/live?seen=" + main().dataset.seen);
		stream.addEventListener("change", () => { changes++; refresh(); });
	}
	document.addEventListener("visibilitychange", () => { listen(); if (!document.hidden) refresh(); });

	document.addEventListener("keydown", (e) => {
		if (e.key === "Escape") found();
		if (e.key === "Escape") $$("details.menu[open]").forEach((d) => { d.open = false; $("summary", d).focus(); });
		if ($("dialog[open]")) return;
		const plain = !e.ctrlKey && !e.metaKey && !e.altKey && !types(e.target) && !e.target.isContentEditable;
		const make = $("a[data-new]");
		if (e.key === "n" && plain && make && !e.repeat && !$("details.menu[open]")) {
			e.preventDefault();
			make.click();
		}
		const search = $("input[type=search]");
		if (e.key === "/" && !types(e.target) && search) {
			e.preventDefault();
			search.focus();
		}
	});

	// The seconds that are left to undo something. What comes after them the page hears of by itself.
	const leftSince = new WeakMap();
	setInterval(() => $$("[data-left]").forEach((x) => {
		if (!leftSince.has(x)) leftSince.set(x, performance.now());
		x.textContent = Math.max(0, Math.ceil(x.dataset.left - (performance.now() - leftSince.get(x)) / 1000));
	}), 500);

	// edges marks on which sides a strip of tabs goes on.
	function edges(strip) {
		strip.toggleAttribute("data-more-left", strip.scrollLeft > 1);
		strip.toggleAttribute("data-more-right", strip.scrollLeft + strip.clientWidth < strip.scrollWidth - 1);
	}
	addEventListener("resize", () => $$(".tabs, .faces ul").forEach(edges));
	function begin() {
		$$("noscript").forEach((x) => x.remove()); // in a page that was fetched their content is live
		$$("[data-clone], [data-remove]").forEach((x) => { x.hidden = false; });
		$$("[data-nojs]").forEach((x) => { x.hidden = true; });
		$$("[data-print]").forEach((x) => { x.hidden = false; });
		$$(".toast-day:not([data-timed])").forEach((x) => {
			x.dataset.timed = "";
			setTimeout(() => { if (!x.matches(":hover, :focus-within")) x.remove(); }, 20000); // the row offers it, too
		});
		const zone = $("[data-hook=zone]");
		if (zone && !zone.dataset.asked && zone.form?.dataset.kept === undefined && !$(".notice-bad")) {
			zone.dataset.asked = "1";
			zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || zone.value;
		}
		const s = $("[data-hook=slug]");
		if (s && s.value) s.dataset.own = "1";
		$$(".tabs, .segments, .faces ul").forEach((strip) => {
			const here = $("[aria-current]", strip);
			const left = (x) => x.getBoundingClientRect().left;
			if (here && !strip.scrollLeft) strip.scrollLeft += left(here) - left(strip) - (strip.clientWidth - here.offsetWidth) / 2;
			edges(strip);
			strip.addEventListener("scroll", () => edges(strip), { passive: true });
		});
		for (const x of $$(".tiles :checked")) {
			const tile = x.closest(".tile"), box = tile.parentElement; // the one that is chosen is in sight at first
			if (box.dataset.shown) continue;
			box.dataset.shown = "1";
			box.scrollTop = Math.max(0, tile.offsetTop - box.offsetTop - (box.clientHeight - tile.offsetHeight) / 2);
		}
		const said = new URL(location.href);
		if (said.searchParams.has("said")) { said.searchParams.delete("said"); history.replaceState(null, "", said); }
		network();
		listen();
		// A page may name a script of its own, which is loaded once and hears of each page that is shown.
		for (const x of $$("[data-script]")) {
			if ($(`script[src="${x.dataset.script}"]`)) continue;
			const script = document.createElement("script");
			script.src = x.dataset.script;
			document.head.append(script);
		}
	}
	const shown = () => document.dispatchEvent(new Event("shown"));
	begin();
})();
