// Forms: the list of a long one's sections follows, fields that don't apply are put away, hours are copied and divided
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

	// spy marks in the list of sections the one that is read.
	let spying;
	function spy() {
		spying?.disconnect();
		const links = new Map($$(".editor-nav a").map((a) => [a.hash.slice(1), a]));
		if (!links.size) return;
		spying = new IntersectionObserver((seen) => {
			for (const { isIntersecting, target } of seen) {
				if (!isIntersecting) continue;
				for (const a of links.values()) a.removeAttribute("aria-current");
				links.get(target.id).setAttribute("aria-current", "true");
			}
		}, { rootMargin: "-15% 0px -80% 0px" });
		for (const id of links.keys()) spying.observe(document.getElementById(id));
	}

	document.addEventListener("change", (e) => {
		if (e.target.matches("[data-question-type]")) choices(e.target.closest("[data-row]"));
	});
	document.addEventListener("click", (e) => {
		const on = (selector) => e.target.closest(selector);
		if (on("[data-hours-add]")) addHours(on("[data-hours]"));
		if (on("[data-hours-drop]")) dropHours(on(".hours-span"));
		if (on("[data-hours-copy]")) copyHours(on("[data-hours-copy]"));
		if (e.target.closest("[data-clone], [data-remove]")) $$(".question").forEach(choices);
	});
	function begin() {
		$$("[data-hours-add], [data-hours-drop], [data-hours-copy]").forEach((x) => { x.hidden = false; });
		$$(".question").forEach(choices);
		spy();
		preview();
	}
	document.addEventListener("shown", begin);
	begin();
})();
