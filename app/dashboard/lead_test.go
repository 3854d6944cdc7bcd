package dashboard

import (
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

// leads wants one line of the screen to be larger than all others: 28 px on a desktop, 22 on a phone.
func (b *tab) leads(width int64) {
	b.t.Helper()
	least := 22.0
	if width > 1000 {
		least = 28
	}
	found := browser.Eval[[]any](b.t, b.ctx, leading)
	if size := found[0].(float64); size < least || len(found) != 2 {
		b.t.Errorf("text of %.0f px leads, want one line of %.0f or more: %v", size, least, found[1:])
	}
}

// Today says one thing first, whenever it is looked at. The other pages are asked where they are opened already:
// TestNoAccessibilityViolations and TestBusinessPages.
func TestOneLineLeads(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	_, at := w.busyDay()
	for name, clock := range map[string]string{"before the day": "07:30", "in it": "10:10", "after it": "20:30"} {
		t.Run(name, func(t *testing.T) {
			b := &tab{t, b.ctx, b.url}
			w.Clock.Set(at(clock))
			b.look("light", 1440, 900)
			b.open("/dashboard")
			b.leads(1440)
		})
	}
}
