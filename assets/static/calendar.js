// The calendar: dragging, by mouse, finger or keys; arrow keys, the panel's Escape, the line of the time. It asks the
// server for nothing itself: it follows links and sends forms of the page, which dash.js does in place. Every page
// works without this file.
(() => {
	"use strict";
	const $ = (s, in_ = document) => in_.querySelector(s);
	const $$ = (s, in_ = document) => [...in_.querySelectorAll(s)];
	const grid = () => $(".cal");
	const two = (n) => String(n).padStart(2, "0");
	const clock = (m) => two(Math.floor(m / 60)) + ":" + two(m % 60);
	// How the page writes a time of the day.
	const hours = new Intl.DateTimeFormat(document.documentElement.lang || [], { timeStyle: "short", timeZone: "UTC" });
	const written = (m) => hours.format((m % 1440) * 60e3);
	const lasting = (from, to) => written(from) + "–" + written(to);
	let drag = null, swallow = false, opened = "", places = {};

	// What a column knows: its hours, and where a minute of it is.
	const number = (x, name) => +getComputedStyle(x).getPropertyValue("--" + name);
	function minuteAt(col, y) {
		const box = col.getBoundingClientRect(), from = number(col, "from"), till = number(col, "till");
		return from * 60 + (y - box.top) / box.height * (till - from) * 60;
	}
	const inside = (col, m) => Math.max(number(col, "from") * 60, Math.min(m, number(col, "till") * 60));
	function put(x, col, from, to) {
		const box = col.getBoundingClientRect(), start = number(col, "from") * 60;
		const px = box.height / (number(col, "till") * 60 - start);
		x.style.top = (from - start) * px + "px";
		x.style.height = (to - from) * px + "px";
	}
	function columnAt(x, y) {
		return $$(".cal-col[data-host]").find((c) => {
			const b = c.getBoundingClientRect();
			return x >= b.left && x < b.right && y >= b.top - 40 && y < b.bottom + 40;
		});
	}
	// snapped is the nearest start that the working hours of the column have for a step, else a quarter of an hour.
	function snapped(col, m, step) {
		for (const span of col.dataset.open.split(" ").filter(Boolean)) {
			const [from, to] = span.split("-").map(Number);
			if (m >= from - step / 2 && m < to) return from + Math.round((m - from) / step) * step;
		}
		return Math.round(m / 15) * 15;
	}

	// Dragging: a booking to another time or host, its lower edge to another end, or over a gap. On touch screens after
	// holding still for a moment, so that the page can be scrolled.
	const hold = 350, far = 5;
	// edged is the booking whose lower edge was pressed; a finger may be a little above or below it.
	function edged(e) {
		const on = e.target.closest(".ev-drag.at"), col = e.target.closest(".cal-col"), touch = e.pointerType === "touch";
		return (on ? [on] : col && touch ? $$(".ev-drag.at", col) : []).find((x) => {
			const b = x.getBoundingClientRect(), above = touch ? Math.min(20, b.height * .4) : Math.min(8, b.height * .35);
			return $(".ev-grip", x) && e.clientX >= b.left && e.clientX < b.right &&
				e.clientY > b.bottom - above && e.clientY < b.bottom + 10;
		});
	}
	function press(e) {
		if (drag?.keys) drop(false);
		if (e.button || e.ctrlKey || e.metaKey || e.shiftKey || drag) return;
		const edge = edged(e), ev = edge || e.target.closest(".ev-drag.at"), gap = !ev && e.target.closest(".gap");
		const from = ev || gap, col = from && from.closest(".cal-col");
		if (!col) return;
		drag = { from, ev, gap, col, x: e.clientX, y: e.clientY, id: e.pointerId, touch: e.pointerType === "touch" };
		drag.alone = !ev?.dataset.visit || !!e.target.closest(".ev-alone");
		if (ev) {
			[drag.start, drag.end] = ev.dataset.at.split("-").map(Number);
			drag.grow = !!edge;
			drag.grip = minuteAt(col, e.clientY) - (edge ? drag.end : drag.start);
		}
		if (drag.touch) drag.timer = setTimeout(() => drag && lift(), hold);
	}
	function lift() {
		drag.on = true;
		document.documentElement.classList.add("dragging");
		document.documentElement.classList.toggle("growing", !!drag.grow);
		const x = drag.shown = drag.ev ? drag.ev.cloneNode(true) : document.createElement("div");
		x.removeAttribute("href");
		x.removeAttribute("data-booking");
		x.removeAttribute("data-visit");
		x.setAttribute("aria-hidden", "true");
		x.className = drag.ev ? drag.ev.className.replace(/\b(sh|sm|eh|em|lane|of)-\d+\b/g, "") + " ev-ghost" : "cal-pick";
		if (drag.ev) drag.ev.classList.add("ev-held");
		drag.col.append(x);
		drag.kin = drag.alone || drag.grow ? [] : kin(drag.ev).filter((k) => k !== drag.ev).map((k) => {
			const ghost = k.cloneNode(true);
			for (const name of ["href", "data-booking", "data-visit"]) ghost.removeAttribute(name);
			ghost.setAttribute("aria-hidden", "true");
			ghost.classList.add("ev-ghost");
			k.classList.add("ev-held");
			return { of: k, ghost, col: k.closest(".cal-col") };
		});
		if (navigator.vibrate && drag.touch) navigator.vibrate(10);
		if (!drag.keys) move({ clientX: drag.x, clientY: drag.y });
	}
	// carry shows the booking that is held at another time, and grow with another end: a length in steps of 5 minutes.
	function carry(col, at) {
		Object.assign(drag, { to: col, at });
		if (drag.shown.parentNode !== col) col.append(drag.shown);
		put(drag.shown, col, at, at + drag.end - drag.start);
		const px = col.getBoundingClientRect().height / ((number(col, "till") - number(col, "from")) * 60);
		for (const k of drag.kin || []) { // the others of the visit keep their distance
			(k.col === drag.col ? col : k.col).append(k.ghost);
			k.ghost.style.top = k.of.offsetTop + (at - drag.start) * px + "px";
			k.ghost.style.height = k.of.offsetHeight + "px";
		}
		label(written(at));
		const stays = col === drag.col && at === drag.start;
		let red = !stays && refused(drag.ev, col, at);
		for (const k of drag.kin || []) {
			const no = !stays && refused(k.of, k.ghost.parentNode, begins(k.of) + at - drag.start);
			k.ghost.classList.toggle("ev-meets", no);
			red ||= no;
		}
		drag.shown.classList.toggle("ev-meets", red);
	}
	// over is which minute of the column's day it is now: the one that the server wrote, which goes on from then.
	const read = new WeakMap();
	function over(col) {
		const past = col.dataset.past;
		if (read.get(col)?.past !== past) read.set(col, { past, at: Date.now() });
		return +past + Math.floor((Date.now() - read.get(col).at) / 60e3);
	}
	// shut reports whether a time lies outside of what the column shows or in hours in which nobody works.
	function shut(col, from, to) {
		return from < number(col, "from") * 60 || to > number(col, "till") * 60 ||
			spans(col, ".off-shut, .off-pause").some((x) => x.from < to && from < x.to);
	}
	function spans(col, selector) {
		const minute = (x, hour, rest) => number(x, hour) * 60 + number(x, rest);
		return $$(selector, col).map((x) => ({ x, from: minute(x, "sh", "sm"), to: minute(x, "eh", "em") }));
	}
	const begins = (ev) => number(ev, "sh") * 60 + number(ev, "sm");
	// takes is when a booking takes its host if it begins at a minute: all the while, or each part without the waits.
	function takes(ev, start) {
		const length = (number(ev, "eh") * 60 + number(ev, "em")) - begins(ev);
		return (ev.dataset.takes || "0-" + length + "-0-0").split(" ").map((work) => {
			const [from, to, before, after] = work.split("-").map(Number);
			return { from: start + from, to: start + to, before, after };
		});
	}
	// refused reports whether a booking can't begin there by what the calendar shows: the time is over or too soon, the
	// host doesn't do it, or something is in its way. The server decides.
	function refused(ev, col, start) {
		const { notice, hosts } = ev.dataset, host = col.dataset.host;
		if (start < over(col) + (+notice || 0)) return true;
		if (hosts && host !== ev.closest(".cal-col").dataset.host && !hosts.split(" ").includes(host)) return true;
		return takes(ev, start).some((w) => meets(col, w, joined(ev, col, start)));
	}
	// joined is the session at that minute which has seats for a booking, by its id.
	function joined(ev, col, start) {
		const [kind, taken] = (ev.dataset.seats || "").split(" ");
		return spans(col, ".ev[data-seats]:not(.ev-ghost)").filter((s) => {
			const [of, , free] = s.x.dataset.seats.split(" ");
			return s.from === start && of === kind && +taken <= +free;
		}).map((s) => s.x.dataset.booking);
	}
	// meets reports whether something stands in the way of work: other bookings, but for a session that is joined, and
	// what is kept free around them, time off, other calendars, closed hours.
	function meets(col, { from, to, before, after }, session = []) {
		const own = [drag.ev, ...(drag.kin || []).map((k) => k.of)].map((x) => x.dataset.booking).concat(session);
		return shut(col, from, to) ||
			spans(col, ".ev[data-booking]:not(.ev-ghost, .ev-missed), .off-away, .off-busy, .off-buffer").some((s) =>
				s.from < to + after && from - before < s.to && !own.includes(s.x.dataset.booking || s.x.dataset.of));
	}
	function grow(end) {
		const last = number(drag.col, "till") * 60, length = Math.round((end - drag.start) / 5) * 5;
		drag.until = Math.min(drag.start + Math.max(length, 5), Math.max(last, drag.end));
		put(drag.shown, drag.col, drag.start, drag.until);
		drag.shown.classList.toggle("ev-meets", drag.until > drag.end && meets(drag.col, { ...takes(drag.ev, drag.start)[0], from: drag.end, to: drag.until }));
		label(lasting(drag.start, drag.until));
	}
	// staying is the column to which what is held can go: a visit stays with those who do it, one service of it goes to others.
	function staying(col) {
		return col && (drag.alone || col.dataset.host === drag.col.dataset.host) ? col : drag.col;
	}
	// landing is the start that what is held has next to a minute: that of the first service of a visit is on a grid.
	function landing(col, m) {
		const first = leader(), from = +first.dataset.at.split("-")[0], on = first.closest(".cal-col");
		return drag.start + snapped(on === drag.col ? col : on, from + m - drag.start, gridOf(first)) - from;
	}
	function leader() {
		const all = drag.alone ? [drag.ev] : kin(drag.ev).filter((x) => x.dataset.at);
		return all.reduce((a, b) => parseInt(b.dataset.at) < parseInt(a.dataset.at) ? b : a, drag.ev);
	}
	const gridOf = (ev) => +ev.dataset.step || 15;
	const kin = (ev) => $$(".cal .ev[data-visit]").filter((x) => x.dataset.visit === ev?.dataset.visit);
	function label(text) {
		const time = $("time", drag.shown);
		if (time) time.textContent = text;
		drag.shown.dataset.when = text;
	}
	function move(e) {
		if (!drag || drag.keys) return;
		if (!drag.on) {
			const gone = Math.hypot(e.clientX - drag.x, e.clientY - drag.y) > far;
			if (gone && drag.touch) return drop(false);
			if (!gone) return;
			lift();
		}
		if (drag.grow) {
			grow(minuteAt(drag.col, e.clientY) - drag.grip);
		} else if (drag.ev) {
			const col = staying(columnAt(e.clientX, e.clientY));
			carry(col, landing(col, minuteAt(col, e.clientY) - drag.grip));
		} else {
			const a = minuteAt(drag.col, drag.y), b = minuteAt(drag.col, e.clientY);
			drag.at = inside(drag.col, Math.floor(Math.min(a, b) / 15) * 15);
			drag.until = inside(drag.col, Math.max(Math.ceil(Math.max(a, b) / 15) * 15, drag.at + 15));
			put(drag.shown, drag.col, drag.at, drag.until);
			drag.shown.textContent = lasting(drag.at, drag.until);
		}
		edge(e);
	}
	// edge scrolls the calendar when something is dragged to its edge.
	function edge(e) {
		const s = $(".cal-scroll"), b = s.getBoundingClientRect(), near = 40;
		if (e.clientY < b.top + near + 40) s.scrollTop -= 12;
		else if (e.clientY > b.bottom - near) s.scrollTop += 12;
		if (e.clientX < b.left + near + 40) s.scrollLeft -= 12;
		else if (e.clientX > b.right - near) s.scrollLeft += 12;
	}
	function drop(done) {
		const d = drag;
		if (!d) return;
		drag = null;
		clearTimeout(d.timer);
		document.documentElement.classList.remove("dragging", "growing");
		if (!d.on) return;
		if (!d.keys) {
			swallow = true;
			setTimeout(() => { swallow = false; });
		}
		if (d.ev) d.ev.classList.remove("ev-held");
		d.shown.remove();
		for (const k of d.kin || []) {
			k.ghost.remove();
			k.of.classList.remove("ev-held");
		}
		if (!done) return;
		if (d.gap) {
			swallow = false;
			return aim(d.gap, d.col, d.at, d.until).click();
		}
		const { day, host } = d.to?.dataset || {}, booking = d.ev.dataset.booking;
		if (d.keys) opened = booking; // which has the focus again
		if (d.grow) {
			if (d.until !== d.end) ask("grow", { booking, end: d.col.dataset.day + "T" + clock(d.until % 1440) });
		} else if (d.to !== d.col || d.at !== d.start) {
			const alone = d.alone && d.ev.dataset.visit ? "1" : "";
			ask("move", { booking, start: day + "T" + clock(Math.max(0, Math.min(d.at, 1439))), host, alone });
		}
	}
	function ask(name, values) {
		const form = $(`form[data-${name}]`);
		if (!form) return;
		for (const [field, value] of Object.entries(values)) form.elements[field].value = value;
		form.requestSubmit();
	}
	// aim has the link of a gap open that time; calendar.js gives the pages no address of its own.
	function aim(gap, col, at, until) {
		const url = new URL(gap.href);
		url.searchParams.set("at", col.dataset.day + "T" + clock(Math.min(at, 1425)));
		if (until && until < 1440) url.searchParams.set("until", col.dataset.day + "T" + clock(until));
		gap.href = url;
		return gap;
	}
	// The quarter of an hour that a click would take is shown under a mouse, and the one that was taken while its panel is open.
	const quarter = (col, y) => inside(col, Math.floor(minuteAt(col, y) / 15) * 15);
	function mark(name, col, from, till, text) {
		const x = $("." + name) || document.createElement("div");
		x.className = "cal-pick " + name;
		x.setAttribute("aria-hidden", "true");
		x.textContent = text;
		col.append(x);
		put(x, col, from, till);
		return x;
	}
	function hint(e) {
		const gap = !drag && e.pointerType === "mouse" && e.target.closest?.(".gap"), col = gap && gap.closest(".cal-col");
		if (!col) return $(".cal-hint")?.remove();
		const at = quarter(col, e.clientY);
		mark("cal-hint", col, at, at + 15, written(at)).classList.toggle("cal-no", at + 15 <= over(col) || shut(col, at, at + 15));
	}
	function chosen() {
		$(".cal-chosen")?.remove();
		const asked = new URL(location.href).searchParams, [day, at] = (asked.get("at") || "").split("T");
		const col = at && $$(".cal-col[data-host]").find((c) => c.dataset.host === asked.get("new") && c.dataset.day === day);
		if (!col || !$("[data-panel]")) return;
		const minutes = (text) => text.split(":").reduce((h, m) => h * 60 + +m, 0), from = minutes(at);
		const until = asked.get("until")?.split("T")[1];
		if (!Number.isFinite(from) || until && !Number.isFinite(minutes(until))) return;
		mark("cal-chosen", col, from, until ? minutes(until) : from + 15, until ? lasting(from, minutes(until)) : written(from));
	}
	document.addEventListener("pointermove", hint);
	document.addEventListener("pointerdown", press);
	document.addEventListener("pointermove", move);
	document.addEventListener("pointerup", () => { if (!drag?.keys) drop(true); });
	document.addEventListener("pointercancel", () => { if (!drag?.keys) drop(false); });
	document.addEventListener("touchmove", (e) => { if (drag?.on) e.preventDefault(); }, { passive: false });
	document.addEventListener("dragstart", (e) => { if (e.target.closest?.(".cal")) e.preventDefault(); });
	document.addEventListener("contextmenu", (e) => { if (drag?.touch) e.preventDefault(); });
	document.addEventListener("click", (e) => {
		if (swallow) {
			swallow = false;
			e.preventDefault();
			return;
		}
		const gap = e.target.closest(".gap"), col = gap?.closest(".cal-col"), link = e.target.closest(".ev[href]");
		if (link) opened = link.dataset.booking;
		if (gap && e.isTrusted && e.detail) { // a click on the page, not a key on the link
			aim(gap, col, quarter(col, e.clientY));
		}
		if (e.target.closest("[data-dismiss]")) {
			e.preventDefault();
			e.target.closest("[data-toast]").remove();
		}
	}, true);

	// Keys: arrows go from booking to booking, Escape closes what is open. Space holds a booking: then the arrows move it,
	// and with Shift they change its length, which they do at once, too; Enter or Space saves that, Escape puts it back.
	function take(ev) {
		const [start, end] = ev.dataset.at.split("-").map(Number), col = ev.closest(".cal-col");
		drag = { from: ev, ev, col, start, end, to: col, at: start, until: end, keys: true, alone: !ev.dataset.visit };
		lift();
		carry(col, start);
	}
	function nudge(dx, dy, longer) {
		const d = drag;
		if (longer && (dx || !$(".ev-grip", d.ev))) return;
		if (longer !== !!d.grow) Object.assign(d, { grow: longer, at: d.start, until: d.end, to: d.col });
		if (longer) {
			carry(d.col, d.start);
			grow(d.until + dy * 5);
		} else {
			const all = $$(".cal-col[data-host]"), to = staying(all[all.indexOf(d.to) + dx]);
			const step = gridOf(leader()), length = d.end - d.start;
			let at = d.at;
			if (dy) at = landing(to, d.at + dy * step);
			if (dy && (at - d.at) * dy <= 0) at = d.at + dy * step;
			carry(to, Math.max(number(to, "from") * 60, Math.min(at, number(to, "till") * 60 - length)));
		}
		d.shown.scrollIntoView({ block: "nearest", inline: "nearest" });
	}
	// tell says where what is held is now, in the words of the form that would move it there.
	function tell(word) {
		const live = $("[data-announce]"), words = $("form[data-move]")?.dataset || {}, d = drag;
		if (!live) return;
		const at = !d ? "" : d.grow ? lasting(d.start, d.until)
			: lasting(d.at, d.at + d.end - d.start) + ", " + d.to.dataset.name;
		const no = d?.shown.matches(".ev-meets") && words.meets;
		live.textContent = [words[word], [at, no].filter(Boolean).join(", ")].filter(Boolean).join(" ");
	}
	function heldKey(e, way) {
		if (way) nudge(...way, e.shiftKey);
		else if (e.key === "Enter" || e.key === " ") return e.preventDefault(), drop(true);
		else if (e.key === "Escape") return e.preventDefault(), drop(false), tell("back");
		else return;
		e.preventDefault();
		tell();
	}
	document.addEventListener("focusout", () => { if (drag?.keys) drop(false); });
	function near(at, dx, dy) {
		const a = at.getBoundingClientRect(), x = a.left + a.width / 2, y = a.top;
		let best = null, least = Infinity;
		for (const e of $$(".ev[href]")) {
			if (e === at) continue;
			const b = e.getBoundingClientRect(), ex = b.left + b.width / 2 - x, ey = b.top - y;
			if (dx ? ex * dx < a.width / 2 : ey * dy <= 0 || Math.abs(ex) > a.width / 2) continue;
			const cost = dx ? Math.abs(ex) * 3 + Math.abs(ey) : Math.abs(ey) + Math.abs(ex) * 3;
			if (cost < least) [best, least] = [e, cost];
		}
		return best;
	}
	document.addEventListener("keydown", (e) => {
		const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
		if ($("dialog[open]")) return;
		const ev = e.target.closest?.(".ev[href]"), way = !e.altKey && !e.ctrlKey && !e.metaKey && arrows[e.key];
		if (drag?.keys) return heldKey(e, way);
		if (ev?.matches(".ev-drag.at") && !drag && (e.key === " " || e.shiftKey && way?.[1])) {
			e.preventDefault();
			take(ev);
			if (way) nudge(...way, true);
			return tell(way ? "" : "held");
		}
		if (ev && way) {
			e.preventDefault();
			const next = near(ev, ...way);
			if (next) rove(next).focus();
		}
		if (e.key !== "Escape" || e.defaultPrevented) return;
		if (drag) return drop(false);
		if ($("details.menu[open]")) return;
		const open = $(".cal-panel details[open]"), close = $("[data-close]");
		if (open) {
			open.open = false;
			$("summary", open).focus();
		} else if (close) close.click();
	});
	// rove lets Tab reach one booking of the calendar; the arrows reach the others.
	function rove(to) {
		for (const e of $$(".cal .ev[href]")) e.tabIndex = e === to ? 0 : -1;
		if (to?.matches(".ev-drag.at")) to.setAttribute("aria-describedby", "cal-keys");
		return to;
	}
	document.addEventListener("focusin", (e) => { if (e.target.matches?.(".cal .ev[href]")) rove(e.target); });

	// All blocks of a visit stand out while one of them is pointed at or has the focus.
	function together(e) {
		const on = e.target.closest?.(".ev[data-visit]"), all = on ? kin(on) : [];
		for (const x of $$(".ev-kin")) if (!all.includes(x)) x.classList.remove("ev-kin");
		if (all.length > 1) all.forEach((x) => x.classList.add("ev-kin"));
	}
	document.addEventListener("pointerover", together);
	document.addEventListener("focusin", together);

	// The line of the time goes on while the page is open.
	function tick() {
		for (const line of $$(".cal-now")) {
			const col = line.closest(".cal-col"), m = over(col);
			if (m < number(col, "till") * 60) put(line, col, m, m + 1);
		}
	}
	setInterval(tick, 30e3);

	// shown is called for each page, and after each refresh.
	function shown() {
		const page = $(".cal-scroll");
		if (!page) return;
		$$(".cal-col[data-past]").forEach(over);
		tick();
		const key = new URL(location.href).searchParams.get("span") || "day";
		if (!page.dataset.kept) {
			page.dataset.kept = "1";
			if (places[key]) page.scrollTo(...places[key]);
			else {
				const now = $(".cal-now"), today = $("th.cal-today, .cal-column .cal-today", page);
				if (now) page.scrollTop = now.offsetTop - page.clientHeight / 3;
				if (today && !$(".cal-column + .cal-column .cal-now", page)) {
					page.scrollLeft += today.getBoundingClientRect().left - page.getBoundingClientRect().left - 160;
				}
			}
			page.addEventListener("scroll", () => { places[key] = [page.scrollLeft, page.scrollTop]; }, { passive: true });
			const panel = $("[data-panel]");
			if (!panel && opened) $(`.ev[data-booking="${opened}"]`)?.focus({ preventScroll: true });
			if (!panel) opened = "";
		}
		chosen();
		const at = document.activeElement;
		rove(at?.matches(".cal .ev[href]") ? at : $(".cal .ev[href]"));
		const toast = $("[data-toast]:not(.toast-bad)");
		if (toast && !toast.dataset.timed) {
			toast.dataset.timed = "1";
			setTimeout(() => toast.remove(), 10e3);
		}
		const url = new URL(location.href);
		for (const name of ["moved", "undone", "grown", "shrunk", "blocked", "freed"]) url.searchParams.delete(name);
		if (url.href !== location.href) history.replaceState(null, "", url);
	}
	document.addEventListener("shown", shown);
	shown();
})();
