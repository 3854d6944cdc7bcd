package dashboard

import (
	"fmt"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
)

// widths are those of a desktop, which is worked on with a mouse, and of a phone, with a finger.
var widths = []int64{1440, 390}

// hand works on pages as a person does, and counts: taps are clicks, taps and drags; fields are those typed into.
type hand struct {
	*tab
	phone        bool
	taps, fields int
	screens      []string // that were seen, see screen
}

// hand is a mouse, or where the width is that of a phone, a finger.
func (b *tab) hand(width int64) *hand {
	b.t.Helper()
	h := &hand{tab: b, phone: width == 390}
	_, err := chromedp.Call(b.ctx, emulation.SetTouchEmulationEnabled,
		emulation.SetTouchEmulationEnabledParams{Enabled: h.phone})
	if err != nil {
		b.t.Fatal(err)
	}
	b.look("light", width, 844)
	return h
}

// spot is the middle of what is found first of what can be seen, once it rests there and nothing lies over it. The page must have
// been painted: until then a browser drops what is pressed.
const spot = `(() => {
	const x = [...document.querySelectorAll(%q)].find((x) => x.checkVisibility());
	if (!x || !performance.getEntriesByType("paint").length || document.querySelector("[aria-busy=true]")) return window.spot = null;
	x.scrollIntoView({ block: "center", inline: "nearest" });
	const r = x.getClientRects()[0], at = [r.left + r.width / 2, r.top + r.height / 2];
	const hit = document.elementFromPoint(...at), was = window.spot;
	window.spot = hit && (x.contains(hit) || hit.closest("label")?.control === x) ? at : null;
	return was && window.spot && was.join() === at.join();
})()`

// tap clicks or taps on what the selector finds. It fails where a person could not: on what is hidden or covered.
func (h *hand) tap(selector string) {
	h.t.Helper()
	h.taps++
	h.until(fmt.Sprintf(spot, selector))
	at := browser.Eval[[]float64](h.t, h.ctx, `window.spot`)
	if !h.phone {
		h.do(chromedp.MouseClickXY(at[0], at[1]))
		return
	}
	h.touch(input.DispatchTouchEventTypeTouchStart, at...)
	h.touch(input.DispatchTouchEventTypeTouchEnd)
}

// typedIn fills in what is found first of what can be seen, in what slid over the page if anything did.
const typedIn = `(() => {
	const seen = [...document.querySelectorAll(%q)].filter((x) => x.checkVisibility());
	const x = seen.find((x) => x.closest("dialog[open]")) || seen[0];
	if (!x || document.querySelector("[aria-busy=true]")) return false;
	x.focus();
	x.value = %q;
	for (const e of ["input", "change"]) x.dispatchEvent(new Event(e, { bubbles: true }));
	return true;
})()`

// types fills in the fields of these names, of which it counts each.
func (h *hand) types(pairs ...string) {
	h.t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		h.fields++
		h.until(fmt.Sprintf(typedIn, fmt.Sprintf("[name='%s']", pairs[i]), pairs[i+1]))
	}
}

// letters types into a field by the keyboard, so that what is found while somebody types is found.
func (h *hand) letters(name, text string) {
	h.t.Helper()
	h.fields++
	h.until(fmt.Sprintf(`(x => x?.role === "combobox" && x.checkVisibility() && (x.focus(), true))(document.querySelector("[name=%s]"))`, name))
	h.do(chromedp.KeyEvent(text))
}

// drag moves what stands in a column of the calendar, by so many columns and minutes.
func (h *hand) drag(selector string, columns, minutes float64) {
	h.t.Helper()
	h.taps++
	if !h.phone {
		h.letGo(h.pull(selector, columns, minutes))
		return
	}
	h.until(fmt.Sprintf(spot, selector))
	by := browser.Eval[[]float64](h.t, h.ctx, fmt.Sprintf(reach, selector, .5))
	x, y := h.finger(selector, .5, true)
	const steps = 4
	for i := range steps {
		part := float64(i+1) / steps
		h.touch(input.DispatchTouchEventTypeTouchMove, x+part*columns*by[2], y+part*minutes*by[3])
	}
	h.touch(input.DispatchTouchEventTypeTouchEnd)
}
