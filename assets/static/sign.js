// A signature: what a finger, a pen or a mouse draws in a frame goes along with the form as strokes of points, "x,y x,y;x,y".
// Without this file there is the name alone.
(() => {
	"use strict";
	const most = 3500; // points; the server takes a few more
	const padOf = (x) => x.closest("[data-sign]");
	const lineOf = (pad) => pad.querySelector("path");
	const inputOf = (pad) => pad.parentNode.querySelector("input[name=signature]");
	// What was drawn before the form was refused comes back with it.
	const drawn = (text) => text.split(";").filter(Boolean).map((s) => s.split(" ").map((p) => p.split(",").map(Number)));
	const strokesOf = (pad) => pad.strokes || (pad.strokes = drawn(inputOf(pad).value));

	// pointOf returns where the pointer is, in the units of the picture.
	function pointOf(pad, e) {
		const r = pad.getBoundingClientRect(), box = pad.viewBox.baseVal;
		const at = (n, from, length, units) => Math.min(units - 1, Math.max(0, Math.round((n - from) / length * units)));
		return [at(e.clientX, r.left, r.width, box.width), at(e.clientY, r.top, r.height, box.height)];
	}

	function draw(pad) {
		const strokes = strokesOf(pad);
		lineOf(pad).setAttribute("d", strokes.map((s) => s.map((p, i) => (i ? "L" : "M") + p.join(" ")).join("") + (s.length > 1 ? "" : "h.1")).join(""));
		inputOf(pad).value = strokes.map((s) => s.map((p) => p.join(",")).join(" ")).join(";");
		inputOf(pad).dispatchEvent(new Event("input", { bubbles: true }));
	}

	document.addEventListener("pointerdown", (e) => {
		const pad = padOf(e.target), all = pad && strokesOf(pad);
		if (!pad || e.button || all.length > 190 || all.flat().length > most) return;
		e.preventDefault();
		pad.setPointerCapture(e.pointerId);
		pad.pointer = e.pointerId;
		all.push([pointOf(pad, e)]);
		draw(pad);
	});
	document.addEventListener("pointermove", (e) => {
		const pad = padOf(e.target);
		if (!pad || pad.pointer !== e.pointerId) return;
		const all = strokesOf(pad), stroke = all.at(-1), last = stroke.at(-1), next = pointOf(pad, e);
		if (Math.hypot(next[0] - last[0], next[1] - last[1]) < 2 || all.flat().length > most) return;
		stroke.push(next);
		draw(pad);
	});
	for (const name of ["pointerup", "pointercancel"]) {
		document.addEventListener(name, (e) => {
			const pad = padOf(e.target);
			if (pad) pad.pointer = null;
		});
	}
	document.addEventListener("click", (e) => {
		const button = e.target.closest("[data-sign-clear]");
		if (!button) return;
		const pad = button.closest("[data-sign-part]").querySelector("[data-sign]");
		pad.strokes = [];
		draw(pad);
	});

	function show() {
		for (const x of document.querySelectorAll("[data-sign-part]")) x.hidden = false;
	}
	document.addEventListener("shown", show);
	show();
})();
