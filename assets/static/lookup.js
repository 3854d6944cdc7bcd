// Finds the customer of a new booking while somebody types their name, e-mail address or phone number: a combobox with
// the list of those found below the field. Choosing one fills the fields and shows what is known of them, or opens the
// form with them where the field stands before it.
(() => {
	"use strict";
	const $ = (s, in_ = document) => in_.querySelector(s);
	const $$ = (s, in_ = document) => [...in_.querySelectorAll(s)];
	const fields = "input[data-hook=who]";
	const place = () => $("dialog.drawer [data-who]") || $("[data-who]");
	const pause = 150; // ms after the last key, before it is asked for
	let list, field = null, at = -1, timer, asking = null;

	function begin() {
		close();
		list?.remove();
		if (!place()) return;
		list = document.createElement("div");
		list.id = "who-list";
		list.className = "who-list";
		list.hidden = true;
		list.setAttribute("role", "listbox");
		list.setAttribute("aria-label", place().dataset.label);
		for (const x of $$(fields)) {
			const set = { role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": list.id };
			for (const name in set) x.setAttribute(name, set[name]);
		}
		place().append(list);
	}

	function say(text) {
		const live = $("dialog[open] [data-announce]") || $("[data-announce]");
		if (live) live.textContent = text;
	}

	// close takes the list away, and what is still asked for with it.
	function close() {
		clearTimeout(timer);
		asking?.abort();
		asking = null;
		at = -1;
		if (!field) return;
		field.setAttribute("aria-expanded", "false");
		field.removeAttribute("aria-activedescendant");
		field = null;
		if (list) list.hidden = true;
	}

	const options = () => list && !list.hidden ? $$("[role=option]", list) : [];

	// ask finds who is meant by what stands in the field. The answer to what stood there before is never shown.
	async function ask(x) {
		const text = x.value.trim();
		asking?.abort();
		const mine = asking = new AbortController();
		const part = await fetched(place().dataset.people + "?" + new URLSearchParams({ q: text }), mine);
		if (!part || asking !== mine || document.activeElement !== x || x.value.trim() !== text) return;
		show(x, $("ul", part));
	}

	// fetched is what an address answers, or null.
	async function fetched(url, control) {
		try {
			const how = { headers: { Accept: "text/html" }, credentials: "same-origin", signal: control.signal };
			const answer = await fetch(url, how);
			if (!answer.ok || answer.redirected) return null;
			return new DOMParser().parseFromString(await answer.text(), "text/html");
		} catch {
			return null; // without a network or an answer somebody types on
		}
	}

	function show(x, found) {
		if (!found) return close();
		field = x;
		at = -1;
		x.removeAttribute("aria-activedescendant");
		const any = +found.dataset.count > 0;
		list.replaceChildren(...found.children);
		x.closest(".f").append(list);
		list.hidden = !any;
		x.setAttribute("aria-expanded", any);
		say(found.dataset.found);
	}

	function mark(to) {
		const all = options();
		at = (to + all.length) % all.length;
		all.forEach((o, i) => o.setAttribute("aria-selected", i === at));
		field.setAttribute("aria-activedescendant", all[at].id);
		all[at].scrollIntoView({ block: "nearest" });
	}

	async function choose(o) {
		const form = field.form, box = $("[data-person-place]", place());
		if (!box) { // the form of a new booking is opened with them
			form.elements.contact.value = o.dataset.id;
			for (const name of ["name", "find"]) form.elements[name].value = "";
			close();
			return form.requestSubmit();
		}
		for (const name of ["name", "email", "phone"]) form.elements[name].value = o.dataset[name];
		form.dataset.typed = "";
		say(o.dataset.chosen);
		close();
		const mine = asking = new AbortController();
		const asked = { contact: o.dataset.id, type: form.elements.type.value };
		const part = await fetched(place().dataset.person + "?" + new URLSearchParams(asked), mine);
		const card = part && $("[data-person-card]", part);
		if (card && asking === mine && box.isConnected && same(form, card)) box.replaceChildren(card);
	}

	// same reports whether the form still has the person of a card.
	function same(form, card) {
		const email = form.elements.email.value.trim();
		return email || card.dataset.email ? email.toLowerCase() === card.dataset.email.toLowerCase() :
			form.elements.phone.value.trim() === card.dataset.phone;
	}

	document.addEventListener("input", (e) => {
		const x = e.target.closest?.(fields);
		if (!x || !place()) return;
		const card = $("[data-person-card]", place());
		if (card && !same(x.form, card)) card.remove(); // it is somebody else
		clearTimeout(timer);
		if (x.value.trim().length < 2) return close();
		timer = setTimeout(() => ask(x), pause);
	});
	document.addEventListener("keydown", (e) => {
		const all = options(), x = e.target;
		if (e.key === "ArrowDown" && !all.length && x.matches?.(fields) && place()) {
			if (x.value.trim().length >= 2) ask(x);
			return;
		}
		if (!all.length || x !== field || e.isComposing) return;
		if (e.key === "ArrowDown") mark(at + 1);
		else if (e.key === "ArrowUp") mark(at < 0 ? -1 : at - 1);
		else if (e.key === "Escape") close();
		else if (e.key === "Enter" && at >= 0) choose(all[at]);
		else return;
		e.preventDefault();
		e.stopPropagation();
	}, true);
	// The focus stays in the field while an option is pressed.
	document.addEventListener("mousedown", (e) => {
		if (e.target.closest?.("#who-list")) e.preventDefault();
	});
	document.addEventListener("click", (e) => {
		const o = e.target.closest?.("#who-list [role=option]");
		if (o && field) choose(o);
	});
	document.addEventListener("focusout", (e) => {
		if (e.target.matches?.(fields)) close();
	});
	document.addEventListener("shown", begin);
	begin();
})();
