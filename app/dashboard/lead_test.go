package dashboard

import (
	"maps"
	"slices"
	"testing"

	"daybook/app/apptest/browser"
)

// leading is the size of the largest text of the page, and the elements that have it.
const leading = `(() => {
	let size = 0, all = [];
	for (const x of document.querySelectorAll("body *")) {
		if (x.closest(".sr, dialog:not([open])") || !x.checkVisibility()) continue;
		if (![...x.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
		const px = parseFloat(getComputedStyle(x).fontSize);
		if (px > size) [size, all] = [px, []];
		if (px === size) all.push(x.tagName.toLowerCase() + " " + x.textContent.trim().slice(0, 30));
	}
	return [size, ...all];
})()`

// leads wants one line of the screen to be larger than all others, and as large as that.
func (b *tab) leads(name string, least float64) {
	b.t.Helper()
	found := browser.Eval[[]any](b.t, b.ctx, leading)
	if size := found[0].(float64); size < least || len(found) != 2 {
		b.t.Errorf("%s: text of %.0f px leads, want one line of %.0f or more: %v", name, size, least, found[1:])
	}
}

// Each page says one thing first: one line is larger than all others, 28 px on a desktop, 22 on a phone.
func TestOneLineLeads(t *testing.T) {
	w := newWorld(t)
	pages := w.pages()
	maps.Copy(pages, w.businessPages())
	b := w.browse()
	b.signIn(w)
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		b.look("light", 1440, 900)
		b.open(pages[name])
		b.leads(name+" at 1440", 28)
		b.look("light", 390, 844)
		b.leads(name+" at 390", 22)
	}
	_, at := w.busyDay()
	for name, clock := range map[string]string{"before the day": "07:30", "in it": "10:10", "after it": "20:30"} {
		w.Clock.Set(at(clock))
		b.look("light", 1440, 900)
		b.open("/dashboard")
		b.leads("today, "+name, 28)
	}
}
