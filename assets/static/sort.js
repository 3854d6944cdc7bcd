// The order of a list: what has a handle is dragged by it, with a mouse or a finger, or moved by the arrow keys on it.
// Each move is saved at once. Without this file there are buttons up and down.
(() => {
	"use strict";
	const $$ = (s, in_ = document) => [...in_.querySelectorAll(s)];
	const itemOf = (handle) => handle.closest("[data-item]");
	const items = (item) => [...item.parentNode.children].filter((x) => x.dataset.item);

	// move puts an item in another place, and tells by how many places it went.
	function move(item, to) {
		const all = items(item), from = all.indexOf(item), other = all[to];
		if (!other || to === from) return 0;
		if (to > from) other.after(item);
		else other.before(item);
		return to - from;
	}

	function say(text) {
		const live = document.querySelector("[data-announce]");
		if (live) live.textContent = text;
	}

	// moved saves where an item is now. One that can't be saved goes back to where it was.
	let queue = Promise.resolve();
	function moved(handle, by) {
		const item = itemOf(handle);
		handle.focus();
		if (!by) return;
		say(handle.dataset.moved.replace("#", items(item).indexOf(item) + 1));
		queue = queue.then(async () => {
			const body = new URLSearchParams({ by });
			const answer = await fetch(item.dataset.item, { method: "POST", body, keepalive: true }).catch(() => null);
			if (answer?.ok && new URL(answer.url).pathname === location.pathname) return;
			move(item, items(item).indexOf(item) - by);
			lost(item.closest("[data-sort]"));
		});
	}
	function lost(list) {
		if (!list) return;
		$$(".notice", list).forEach((x) => x.remove());
		const box = document.createElement("p");
		box.className = "notice notice-bad";
		box.setAttribute("role", "alert");
		box.textContent = list.dataset.lost;
		list.prepend(box);
	}

	document.addEventListener("keydown", (e) => {
		const handle = e.target.closest("[data-handle]");
		const by = { ArrowUp: -1, ArrowDown: 1 }[e.key];
		if (!handle || !by) return;
		e.preventDefault();
		const item = itemOf(handle);
		moved(handle, move(item, items(item).indexOf(item) + by));
	});

	// A drag shifts what it passes; only where it ends is anything moved.
	let drag = null;
	document.addEventListener("pointerdown", (e) => {
		const handle = e.target.closest("[data-handle]");
		if (!handle || e.button || drag) return;
		e.preventDefault();
		const item = itemOf(handle), all = items(item), spans = all.map((x) => {
			const r = x.getBoundingClientRect();
			return { middle: scrollY + r.top + r.height / 2, height: r.height };
		});
		const from = all.indexOf(item);
		drag = { id: e.pointerId, handle, item, all, spans, from, to: from, start: e.clientY + scrollY, y: e.clientY };
		handle.setPointerCapture(e.pointerId);
		document.documentElement.classList.add("dragging");
		item.classList.add("sorting");
		requestAnimationFrame(along);
	});
	function follow() {
		const { all, spans, from, item, start, y } = drag, by = y + scrollY - start;
		const at = spans[from].middle + by;
		drag.to = from;
		spans.forEach(({ middle }, i) => {
			if (i < from && at < middle) drag.to = Math.min(drag.to, i);
			if (i > from && at > middle) drag.to = i;
		});
		all.forEach((x, i) => {
			const up = i > from && i <= drag.to, down = i < from && i >= drag.to;
			x.style.translate = up ? `0 -${spans[from].height}px` : down ? `0 ${spans[from].height}px` : "";
		});
		item.style.translate = `0 ${by}px`;
	}
	// along scrolls a long list at the edges of the window.
	function along() {
		if (!drag) return;
		const edge = 90, by = drag.y < edge ? -10 : drag.y > innerHeight - edge ? 10 : 0;
		if (by && drag.far) {
			scrollBy(0, by);
			follow();
		}
		requestAnimationFrame(along);
	}
	document.addEventListener("pointermove", (e) => {
		if (drag?.id !== e.pointerId) return;
		drag.far ||= Math.abs(e.clientY - drag.y) > 4;
		drag.y = e.clientY;
		if (drag.far) follow();
	});
	function end(dropped) {
		if (!drag) return;
		const { handle, item, all, to } = drag;
		drag = null;
		document.documentElement.classList.remove("dragging");
		item.classList.remove("sorting");
		all.forEach((x) => { x.style.translate = ""; });
		if (dropped) moved(handle, move(item, to));
	}
	document.addEventListener("pointerup", (e) => { if (drag?.id === e.pointerId) end(true); });
	document.addEventListener("pointercancel", (e) => { if (drag?.id === e.pointerId) end(false); });
	document.addEventListener("keydown", (e) => { if (e.key === "Escape") end(false); });

	function begin() {
		$$("[data-handle], [data-sorts]").forEach((x) => { x.hidden = false; });
	}
	document.addEventListener("shown", begin);
	begin();
})();
