// Long forms: the list of their sections follows, and fields that don't apply are put away. Without this file all
// fields are there.
(() => {
	"use strict";
	const $ = (s, in_ = document) => in_.querySelector(s);
	const $$ = (s, in_ = document) => [...in_.querySelectorAll(s)];

	// Only a question with several answers to choose from has choices.
	function choices(row) {
		$$("[data-choices]", row).forEach((x) => { x.hidden = $("[data-question-type]", row).value !== "choice"; });
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
		if (e.target.closest("[data-clone], [data-remove]")) $$(".question").forEach(choices);
	});
	function begin() {
		$$(".question").forEach(choices);
		spy();
	}
	document.addEventListener("shown", begin);
	begin();
})();
