// Tabs of languages, buttons that copy, "/" for the search and suggestions below it, in the documentation. Without this the samples stand
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

// What is typed into the search is suggested below it; Enter without a choice searches, as without this.
const field = document.querySelector(".top input");
const list = document.createElement("ul");
let picked = -1;
let asked = 0;
list.id = "suggested";
list.hidden = true;
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", "Suggestions");
for (const [name, value] of Object.entries({ role: "combobox", "aria-controls": list.id, "aria-expanded": "false", "aria-autocomplete": "list" })) {
	field.setAttribute(name, value);
}
field.form.append(list);

function open(is) {
	list.hidden = !is || list.children.length === 0;
	field.setAttribute("aria-expanded", String(!list.hidden));
	pick(-1);
}

function pick(at) {
	picked = at;
	[...list.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === at)));
	if (at < 0) { field.removeAttribute("aria-activedescendant"); } else { field.setAttribute("aria-activedescendant", list.children[at].id); }
}

function suggestion(hit, i) {
	const option = document.createElement("li");
	const heading = document.createElement("b");
	const page = document.createElement("small");
	option.id = `suggested-${i}`;
	option.setAttribute("role", "option");
	option.dataset.address = hit.address;
	heading.textContent = hit.heading;
	page.textContent = hit.page === hit.heading ? "" : hit.page;
	option.append(heading, page);
	return option;
}

async function suggest() {
	const words = field.value.trim();
	const mine = ++asked;
	await new Promise((done) => { setTimeout(done, 120); });
	if (mine !== asked) { return; }
	try {
		const hits = words ? await (await fetch(`/api/docs/search.json?q=${encodeURIComponent(words)}`)).json() : [];
		if (mine !== asked) { return; }
		list.replaceChildren(...hits.map(suggestion));
		open(document.activeElement === field);
	} catch { /* Enter searches all the same */ }
}

field.addEventListener("input", suggest);
field.addEventListener("blur", () => { open(false); });
field.addEventListener("keydown", (e) => {
	const n = list.children.length;
	const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
	if (by && n) {
		e.preventDefault();
		if (list.hidden) { open(true); }
		pick(picked < 0 ? (by > 0 ? 0 : n - 1) : (picked + by + n) % n);
	} else if (e.key === "Escape" && !list.hidden) {
		e.preventDefault();
		open(false);
	}
});
field.form.addEventListener("submit", (e) => {
	if (picked < 0) { return; }
	e.preventDefault();
	location.href = list.children[picked].dataset.address;
});
// The field keeps the focus while an option is pressed.
list.addEventListener("mousedown", (e) => { e.preventDefault(); });
list.addEventListener("click", (e) => {
	const option = e.target.closest("[role=option]");
	if (option) { location.href = option.dataset.address; }
});

// The menu begins where the page that is shown can be seen; on narrow screens it isn't a box of its own.
const menu = document.querySelector(".menu");
const here = menu.querySelector("[aria-current]");
if (here) { menu.scrollTop = here.offsetTop - menu.offsetTop - menu.clientHeight / 2; }
