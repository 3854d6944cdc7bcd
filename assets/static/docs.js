// Tabs of languages, buttons that copy, and "/" for the search, in the documentation. Without this the samples stand
// one below the other.
"use strict";

const names = { sh: "curl", js: "JavaScript", go: "Go", python: "Python" };
const chosen = "daybook-docs-language";

// languageOf is the language of a sample, or "".
function languageOf(pre) {
	const code = pre?.matches?.("pre") ? pre.firstElementChild : null;
	return code?.className.replace("language-", "") ?? "";
}

function remember(language) {
	try { localStorage.setItem(chosen, language); } catch { /* it isn't remembered */ }
}

function remembered() {
	try { return localStorage.getItem(chosen); } catch { return null; }
}

// withCopy puts a button beside the samples of a box; it copies the one that is shown.
function withCopy(box) {
	const button = document.createElement("button");
	button.type = "button";
	button.className = "button copy";
	button.textContent = "Copy";
	button.addEventListener("click", async () => {
		try {
			await navigator.clipboard.writeText(box.querySelector("pre:not([hidden])").textContent.trimEnd());
			button.textContent = "Copied";
		} catch {
			button.textContent = "Select and copy it";
		}
		setTimeout(() => { button.textContent = "Copy"; }, 2000);
	});
	box.append(button);
}

// boxes are all boxes with tabs, which change together.
const boxes = [];

function show(language) {
	for (const box of boxes) {
		const has = box.samples.some((s) => languageOf(s) === language);
		if (!has) { continue; }
		for (const s of box.samples) { s.hidden = languageOf(s) !== language; }
		for (const tab of box.tabs) {
			const on = tab.dataset.language === language;
			tab.setAttribute("aria-selected", String(on));
			tab.tabIndex = on ? 0 : -1;
		}
	}
}

function withTabs(box, samples) {
	const list = document.createElement("div");
	list.className = "tabs";
	list.setAttribute("role", "tablist");
	list.setAttribute("aria-label", "Language");
	const tabs = samples.map((s, i) => {
		const tab = document.createElement("button");
		const number = boxes.length;
		tab.type = "button";
		tab.id = `tab-${number}-${i}`;
		tab.dataset.language = languageOf(s);
		tab.setAttribute("role", "tab");
		tab.textContent = names[languageOf(s)];
		s.id = `sample-${number}-${i}`;
		s.setAttribute("role", "tabpanel");
		s.setAttribute("aria-labelledby", tab.id);
		tab.setAttribute("aria-controls", s.id);
		tab.addEventListener("click", () => { show(tab.dataset.language); remember(tab.dataset.language); });
		return tab;
	});
	list.addEventListener("keydown", (e) => {
		const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
		const at = tabs.indexOf(document.activeElement);
		if (!by || at < 0) { return; }
		const next = tabs[(at + by + tabs.length) % tabs.length];
		next.click();
		next.focus();
	});
	list.append(...tabs);
	box.prepend(list);
	boxes.push({ samples, tabs });
}

for (const first of document.querySelectorAll("article pre")) {
	if (first.parentElement.matches(".sample")) { continue; }
	const samples = [first];
	const seen = new Set([languageOf(first)]);
	for (let next = first.nextElementSibling; names[languageOf(first)]; next = next.nextElementSibling) {
		const language = languageOf(next);
		if (!names[language] || seen.has(language)) { break; }
		seen.add(language);
		samples.push(next);
	}
	const box = document.createElement("div");
	box.className = "sample";
	first.before(box);
	box.append(...samples);
	if (samples.length > 1) { withTabs(box, samples); }
	withCopy(box);
}
show("sh");
if (remembered()) { show(remembered()); }

document.addEventListener("keydown", (e) => {
	if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, textarea, select")) { return; }
	e.preventDefault();
	document.querySelector(".top input").select();
});

// The menu begins where the page that is shown can be seen; on narrow screens it isn't a box of its own.
const menu = document.querySelector(".menu");
const here = menu.querySelector("[aria-current]");
if (here) { menu.scrollTop = here.offsetTop - menu.offsetTop - menu.clientHeight / 2; }
