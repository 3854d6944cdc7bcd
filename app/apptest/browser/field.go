package browser

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest"
)

// asked lists the fields and buttons of a page over whose middle something else lies when they stand in the middle of
// the window, and the fields that can't be brought to light. What belongs to a field counts as the field: its labels,
// and what they hold; of a field that is drawn by its label, the label is asked. A closed box is opened for what is in
// it and closed again: <details>, what scripts show, and what another choice of the form shows.
const asked = `(()=>{
	const covered = [], unseen = [];
	const lit = (x) => x.checkVisibility({visibilityProperty: true, opacityProperty: true});
	const drawn = (x) => {
		const box = x.getBoundingClientRect(), style = getComputedStyle(x);
		return lit(x) && box.width >= 3 && box.height >= 3 && !x.closest(".sr") && style.clipPath === "none" && style.pointerEvents !== "none";
	};
	const shown = (f) => [f, ...(f.labels || [])].find(drawn);
	const unbox = (f, undo, alone) => { // opens the boxes that f is in: other fields' stay as they are if it is alone
		for (let x = f; x; x = x.parentElement) {
			const box = x;
			if (box.hasAttribute("hidden")) { // .hidden of a form may be its field
				box.toggleAttribute("hidden", false);
				undo.push(() => box.toggleAttribute("hidden", true));
			}
			if (box.matches("details:not([open])") && !box.querySelector(":scope > summary")?.contains(f)) {
				const name = box.getAttribute("name");
				const other = name && alone && document.querySelector("details[open][name=" + CSS.escape(name) + "]");
				if (name && !alone) box.removeAttribute("name"); // one of a name is open at a time
				box.open = true;
				undo.push(() => {
					box.open = false;
					if (name) box.setAttribute("name", name);
					if (other) other.open = true;
				});
			}
		}
	};
	const back = (undo) => undo.reverse().forEach((u) => u());
	const turn = (x) => { // a box or choice, and returns what turns it back
		if (x.tagName === "OPTION") {
			const list = x.closest("select"), before = list.selectedIndex;
			x.selected = true;
			return () => { list.selectedIndex = before; };
		}
		const before = x.type === "radio" && x.form?.elements[x.name]?.value;
		x.checked = !x.checked;
		return () => { x.checked = !x.checked; if (before) x.form.elements[x.name].value = before; };
	};
	const all = [...document.querySelectorAll("input:not([type=hidden]), select, textarea, button, summary")]
		.filter((f) => !f.disabled && !f.closest("[inert], [aria-hidden=true]")); // such as a trap for robots
	// What else to choose for a field to be shown: one choice, or one without another that hides fields, such as a day
	// without the one that says always. To ask is a layout of the page, so it is asked once for all fields together, with
	// every box open.
	let choices;
	const choose = () => {
		const undo = [], found = new Map(), lost = all.filter((f) => !shown(f));
		for (const f of lost) unbox(f, undo, false);
		const lists = [...document.querySelectorAll("select")].filter((list) => list.options.length <= 8);
		const turns = [...document.querySelectorAll("input[type=radio]:not(:checked), input[type=checkbox]"),
			...lists.flatMap((list) => [...list.options].filter((x) => !x.selected))];
		const ask = (choice) => {
			const missing = lost.filter((f) => !found.has(f) && (!f.form || f.form === choice[0].form));
			if (missing.length === 0) return;
			const undo = choice.map(turn);
			for (const f of missing) if (shown(f)) found.set(f, choice);
			back(undo);
		};
		for (const x of turns) ask([x]);
		const rendered = (form) => [...form.elements].filter((x) => x.checkVisibility()).length;
		const hides = turns.filter((x) => {
			if (!x.checked || !x.form) return false;
			const before = rendered(x.form), again = turn(x), after = rendered(x.form);
			again();
			return after > before;
		});
		for (const hide of hides)
			for (const x of turns.filter((x) => !x.checked && x.form === hide.form)) ask([hide, x]);
		back(undo);
		return found;
	};
	const open = (f) => {
		const undo = [];
		unbox(f, undo, true);
		if (!shown(f)) undo.push(...((choices ??= choose()).get(f) || []).map(turn));
		return undo;
	};
	for (const f of all) {
		const undo = shown(f) ? [] : open(f), at = shown(f), name = f.name || f.id || f.textContent.trim().slice(0, 30) || f.type;
		if (!at) {
			if (f.matches("input, select, textarea")) unseen.push(name);
		} else {
			at.scrollIntoView({block: "center", inline: "nearest", behavior: "instant"});
			const box = at.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
			const hit = document.elementFromPoint(x, y);
			const mine = hit && (hit === f || at.contains(hit) || [...(f.labels || [])].some((l) => l.contains(hit)));
			const panel = hit?.closest(".cal-panel") && !f.closest(".cal-panel"); // lies over the page, and is left by a button
			if (!mine && !panel) covered.push(name + " (" + Math.round(x) + "," + Math.round(y) + "): " +
				(hit ? hit.tagName.toLowerCase() + "." + hit.className + " " + hit.textContent.trim().slice(0, 30) : "outside the window"));
		}
		back(undo);
	}
	return {covered, unseen};
})()`

// Widths are those of a phone, a tablet upright, a small desktop and a large one. What is short looks at the first and the
// last, see apptest.Long.
var Widths = []int64{390, 820, 1024, 1440}

// Uncovered fails the test if, at one of Widths, something lies over the middle of a field or button of the page that is
// shown, open boxes and closed ones alike, or if one of its fields is seen at none of them. It returns the widths at
// which something is wrong. It begins at the end of Widths that is nearer to the window's width, and leaves the window
// at the other: to change it takes longer than to ask.
func Uncovered(t testing.TB, ctx context.Context, name string) []int64 {
	t.Helper()
	widths := slices.Clone(Widths)
	if !apptest.Long() {
		widths = []int64{Widths[0], Widths[len(Widths)-1]}
	}
	if Eval[int64](t, ctx, "innerWidth") > Widths[1] {
		slices.Reverse(widths)
	}
	var wrong []int64
	unseen := map[string]int{}
	for _, width := range widths {
		Do(t, ctx, chromedp.EmulateViewport(width, 844))
		found := Eval[struct {
			Covered []string `json:"covered"`
			Unseen  []string `json:"unseen"`
		}](t, ctx, asked)
		if len(found.Covered) > 0 {
			t.Errorf("%s at %d: under the middle of\n%s", name, width, strings.Join(found.Covered, "\n"))
			wrong = append(wrong, width)
		}
		slices.Sort(found.Unseen)
		for _, field := range slices.Compact(found.Unseen) {
			if unseen[field]++; unseen[field] == len(widths) {
				t.Errorf("%s: %s is never seen", name, field)
			}
		}
	}
	return wrong
}
