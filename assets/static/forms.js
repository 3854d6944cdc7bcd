// Forms: the parts of a long one are tabs, fields that don't apply are put away, hours are copied and divided
// by breaks, and beside a form stands the page that it makes. Without this file all fields are there.
(() => {
	"use strict";
	const $ = (s, in_ = document) => in_.querySelector(s);
	const $$ = (s, in_ = document) => [...in_.querySelectorAll(s)];

	// Only a question with several answers to choose from has choices.
	function choices(row) {
		$$("[data-choices]", row).forEach((x) => { x.hidden = $("[data-question-type]", row).value !== "choice"; });
	}

	// typed tells dash.js that a form was changed by a button.
	const typed = (x) => x.dispatchEvent(new Event("input", { bubbles: true }));

	// Hours: spans can be added to a day and removed. A break at noon divides the one span of a day around it.
	const times = (span) => $$("input", span);
	function addHours(day) {
		const spans = $$(".hours-span", day), last = spans.at(-1);
		const [from, to] = times(last);
		if (!from.value) return from.focus();
		const next = last.cloneNode(true), [start, end] = times(next);
		for (const i of [start, end]) {
			i.value = "";
			i.setAttribute("aria-label", i.getAttribute("aria-label").replace(/\d+$/, spans.length + 1));
		}
		const until = to.value === "00:00" ? "24:00" : to.value;
		if (spans.length === 1 && from.value < "12:00" && until > "13:00") {
			end.value = to.value;
			to.value = "12:00";
			start.value = "13:00";
		}
		last.after(next);
		typed(start);
		start.focus();
	}
	function dropHours(span) {
		const day = span.parentNode;
		typed(times(span)[0]);
		if ($$(".hours-span", day).length > 1) {
			span.remove();
			return times(day)[0].focus();
		}
		times(span).forEach((i) => { i.value = ""; });
	}

	// copyHours gives the spans of a day to those that are ticked in its menu, and opens them.
	function copyHours(button) {
		const from = button.closest("[data-hours]"), menu = button.closest("details");
		const spans = $$(".hours-span", from);
		for (const { value } of $$("input:checked", menu)) {
			const to = $(`[data-hours="${value}"]`, from.parentNode);
			const words = (text) => text.replace(from.getAttribute("aria-label"), to.getAttribute("aria-label"));
			$(".hours-spans", to).replaceChildren(...spans.map((x) => {
				const span = x.cloneNode(true);
				times(span).forEach((i, n) => {
					i.name = value + (n ? ".to" : ".from");
					i.value = times(x)[n].value;
				});
				$$("[aria-label]", span).forEach((l) => l.setAttribute("aria-label", words(l.getAttribute("aria-label"))));
				return span;
			}));
			$("[role=switch]", to).checked = true;
			typed($("input", to));
		}
		menu.open = false;
		$("summary", menu).focus();
	}

	// The preview is the answer to the form as it is typed. The frame that shows it is exchanged, so that the button Back
	// doesn't step through what was typed, and what is wrong leaves the last page standing.
	let asking, waiting;
	async function preview(search, hash) {
		const frame = $("[data-preview]"), form = $("#editor");
		if (!frame || !form) return;
		clearTimeout(waiting);
		asking?.abort();
		const mine = asking = new AbortController();
		const theme = document.documentElement.dataset.theme;
		const shown = search ?? frame.dataset.shown ?? (theme ? "?theme=" + theme : "");
		let html, wrong;
		try {
			const answer = await fetch(frame.dataset.preview + shown,
				{ method: "POST", body: new URLSearchParams(new FormData(form)), signal: mine.signal });
			wrong = !answer.ok;
			html = await answer.text();
		} catch {
			return; // another one is on its way, or there is no network: the next change asks again
		}
		$("[data-preview-wrong]").hidden = !wrong;
		if (wrong || !frame.isConnected) return;
		seen(new DOMParser().parseFromString(html, "text/html"));
		const next = frame.cloneNode();
		next.dataset.shown = shown;
		next.srcdoc = html;
		next.classList.add("preview-next");
		next.onload = () => {
			const page = next.contentDocument, at = frame.contentWindow?.scrollY || 0;
			page.addEventListener("click", (e) => inPreview(e, next));
			const target = hash && page.getElementById(hash.slice(1));
			if (target) target.scrollIntoView();
			else next.contentWindow.scrollTo(0, at);
			frame.remove();
			next.classList.remove("preview-next");
		};
		frame.after(next);
	}
	// Picking a day or a time in the preview shows that, of what is typed; other links lead nowhere.
	function inPreview(e, frame) {
		const a = e.target.closest("a[href]");
		if (!a) return;
		e.preventDefault();
		const url = new URL(a.getAttribute("href"), location.origin);
		if (url.search && url.search !== frame.dataset.shown) preview(url.search, url.hash);
	}
	for (const type of ["input", "change"]) {
		document.addEventListener(type, (e) => {
			if (!e.target.closest("#editor")) return;
			clearTimeout(waiting);
			waiting = setTimeout(preview, 350);
		});
	}

	// The notes say what own texts come to, as the server counts it, beside each while it is typed.
	let noting, counting;
	async function notes() {
		const by = $("[data-notes]"), form = $("#editor");
		counting?.abort();
		const mine = counting = new AbortController();
		let answer, html;
		try {
			answer = await fetch(by.dataset.notes, { method: "POST", body: new URLSearchParams(new FormData(form)), signal: mine.signal });
			html = await answer.text();
		} catch {
			return; // as above
		}
		if (!answer.ok) return;
		for (const next of $$("[data-note]", new DOMParser().parseFromString(html, "text/html"))) {
			const now = document.getElementById(next.id);
			if (!now || now.innerHTML === next.innerHTML) continue;
			const wrong = !!$(".wrong", next), field = now.parentNode;
			$$(":scope > .wrong", field).forEach((x) => x.remove()); // that of a form that was refused
			field.classList.toggle("f-wrong", wrong);
			$("textarea", field).ariaInvalid = wrong || null;
			[...next.children].forEach((x, i) => {
				if (now.children[i].innerHTML !== x.innerHTML) now.children[i].replaceChildren(...x.childNodes);
			});
		}
	}
	document.addEventListener("input", (e) => {
		if (!e.target.name?.startsWith("textWords[")) return;
		clearTimeout(noting);
		noting = setTimeout(notes, 350);
	});

	// seen puts into the card of a service what the page of the preview says of it.
	function seen(page) {
		const words = (x) => x?.textContent.replace(/[ \t\n]+/g, " ").trim();
		const length = words($("[data-fact=length]", page)), cost = $("[data-seen=cost]");
		if (!cost || !length) return;
		$("[data-seen=title]").textContent = words($("h1", page));
		for (const x of $$("[data-seen=length], [data-seen=durationMinutes]")) x.textContent = length;
		cost.textContent = words($("[data-fact=price]", page)) || cost.dataset.free;
	}

	// The picture that was chosen is shown before it is sent. One that is too large isn't sent at all.
	function chosen(input) {
		const file = input.files[0], wrong = document.getElementById(input.id + "-error"), img = $(".seen-photo img");
		const large = file && file.size > input.dataset.most;
		wrong.hidden = !large;
		$("span", wrong).textContent = large ? input.dataset.large : "";
		input.toggleAttribute("aria-invalid", !!large);
		if (large) input.value = "";
		if (!file || large) return;
		const gone = $("[name='picture.remove']");
		if (gone) gone.checked = false;
		const reader = new FileReader();
		reader.onload = () => {
			img.removeAttribute("srcset");
			img.src = reader.result;
			img.hidden = false;
		};
		reader.readAsDataURL(file);
	}

	// tickAll ticks all of a list, or none where all are ticked.
	function tickAll(list) {
		const all = $$("input[type=checkbox]", list), on = all.some((x) => !x.checked);
		all.forEach((x) => { x.checked = on; });
		typed(all[0]);
	}

	// Tabs: the parts of a form, of which one is shown. At first none is, but the one with a mistake, or that the address
	// names.
	const tabs = () => $$("[data-tabs] [role=tab]");
	const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
	function openTab(tab) {
		tabs().forEach((t, i) => {
			t.setAttribute("aria-selected", t === tab);
			t.tabIndex = t === tab || !tab && i === 0 ? 0 : -1;
			panelOf(t).hidden = t !== tab;
		});
	}
	// reveal opens the tab that has x.
	function reveal(x) {
		const panel = x?.closest("[data-panel]");
		if (!panel || !$("[data-tabs]")) return;
		openTab(document.getElementById(panel.dataset.panel));
		const folded = x.closest("details:not([open])");
		if (folded) folded.open = true;
	}
	const named = (hash) => document.getElementById(decodeURIComponent(hash.slice(1)));
	function tabbed() {
		const all = $("[data-tabs]");
		if (!all) return;
		if (!$("[role=tablist]", all).hidden) return; // another page slid over this one, or away
		$("[role=tablist]", all).hidden = false;
		for (const panel of $$("[data-panel]", all)) {
			panel.setAttribute("role", "tabpanel");
			panel.setAttribute("aria-labelledby", panel.dataset.panel);
			$("details", panel).open = true;
			$("summary", panel).hidden = true;
		}
		openTab(null);
		const wrong = $("#editor .f-wrong"), at = wrong && $("[aria-invalid], [tabindex]", wrong);
		reveal(wrong || named(location.hash));
		at?.focus();
	}
	function nextTab(e) {
		const all = tabs(), at = all.indexOf(e.target);
		const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[e.key];
		if (at < 0 || to === undefined) return;
		e.preventDefault();
		const tab = all.at(to % all.length);
		openTab(tab);
		tab.focus();
	}
	document.addEventListener("keydown", nextTab);
	addEventListener("hashchange", () => reveal(named(location.hash)));

	document.addEventListener("change", (e) => {
		if (e.target.matches("[data-question-type]")) choices(e.target.closest("[data-row]"));
		if (e.target.matches("[data-picture]")) chosen(e.target);
	});
	document.addEventListener("click", (e) => {
		const on = (selector) => e.target.closest(selector);
		if (on("[data-tabs] [role=tab]")) openTab(on("[role=tab]"));
		if (on("a[href^='#']")) reveal(named(on("a").hash));
		if (on("[data-hours-add]")) addHours(on("[data-hours]"));
		if (on("[data-hours-drop]")) dropHours(on(".hours-span"));
		if (on("[data-all]")) tickAll(on("fieldset"));
		if (on("[data-hours-copy]")) copyHours(on("[data-hours-copy]"));
		if (e.target.closest("[data-clone], [data-remove]")) $$(".question").forEach(choices);
	});
	function begin() {
		$$("[data-hours-add], [data-hours-drop], [data-hours-copy], [data-all]").forEach((x) => { x.hidden = false; });
		$$(".question").forEach(choices);
		tabbed();
		preview();
	}
	document.addEventListener("shown", begin);
	begin();
})();
