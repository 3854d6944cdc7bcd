package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest/browser"
	"daybook/app/catalog"
	"daybook/app/page"
	"daybook/app/when"
)

// On a phone two weeks and the times stand in the first screen; other weeks and the whole month are one tap away, and a
// wide screen shows the month. Only what is visible is tapped.
func TestTwoWeeksOnAPhone(t *testing.T) {
	const (
		visible = `[...document.querySelectorAll("[data-grid] [data-day]")].filter(x => x.checkVisibility())`
		span    = `(d => d.length + " " + d[0].dataset.day + " " + d.at(-1).dataset.day)(` + visible + `)`
		// whether the first time lies whole in the first screen, under the pointer
		inSight = `(r => scrollY === 0 && r.bottom <= innerHeight &&
			!!document.elementFromPoint(r.x + r.width/2, r.y + r.height/2)?.closest(".time"))(document.querySelector(".time").getBoundingClientRect())`
	)
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	at := w.open()
	browser.Zone(t, ctx, "Europe/Berlin")
	shows := func(what, want string) {
		t.Helper()
		browser.Until(t, ctx, what+`==="`+want+`"`)
	}
	tap := func(selector string) {
		t.Helper()
		browser.Do(t, ctx, chromedp.Click(browser.CSS(selector)))
	}
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch), chromedp.Navigate(at+"/salon/cut"))
	shows(span, "14 2026-11-29 2026-12-12")
	if !browser.Eval[bool](t, ctx, inSight) {
		t.Error("the first time is not in the first screen")
	}

	tap(`.month-near [data-day="2026-12-02"]`) // in another month than the first open day
	browser.Until(t, ctx, `document.querySelector(".time").dataset.start.startsWith("2026-12-02")&&document.activeElement.id==="times-title"`)
	shows(span, "14 2026-11-29 2026-12-12")
	tap(`#later`)
	shows(span, "14 2026-12-13 2026-12-26")
	shows(`document.querySelector("[data-live]").textContent`, "Sunday, December 13 – Saturday, December 26: 10 days with free times")
	browser.Until(t, ctx, `document.querySelector(".time").dataset.start.startsWith("2026-12-14")&&document.activeElement.id==="later"`)
	tap(`#later`)
	shows(span, "14 2026-12-27 2027-01-09")
	tap(`.month-near [data-day="2027-01-05"]`)
	browser.Until(t, ctx, `document.querySelector(".time").dataset.start.startsWith("2027-01-05")`)
	shows(span, "14 2026-12-27 2027-01-09")

	tap(`#whole`)
	shows(span, "31 2027-01-01 2027-01-31")
	shows(`[...document.querySelectorAll("[aria-current][data-day]")].map(x => x.dataset.day).join()`, "2027-01-05,2027-01-05")
	tap(`#whole`)
	shows(span, "14 2026-12-27 2027-01-09")
	tap(`#earlier`)
	shows(span, "14 2026-12-13 2026-12-26")
	tap(`#earlier`)
	shows(span, "14 2026-11-29 2026-12-12")
	shows(`document.querySelector("#earlier").getAttribute("aria-disabled")`, "true")

	browser.Eval[chromedp.Void](t, ctx, visible+`.find(x => x.dataset.day === "2026-12-11").focus()`)
	browser.Do(t, ctx, chromedp.KeyEvent(kb.PageDown))
	browser.Until(t, ctx, `document.activeElement.dataset.day?.startsWith("2026-12-25")`)

	moved := w.book("cut", "22T10:00", "mia")
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch), chromedp.Navigate(at+path(moved.ManageURL)+"/reschedule"))
	shows(span, "14 2026-12-13 2026-12-26")
	tap(`#earlier`)
	shows(span, "14 2026-11-29 2026-12-12")

	browser.Do(t, ctx, chromedp.EmulateViewport(1440, 900), chromedp.Navigate(at+"/salon/cut?date=2026-12-02"))
	shows(span, "31 2026-12-01 2026-12-31")
}

// Two weeks pick their own first open day, in whichever month, and what is offered when they have none comes after them.
// Nothing leads past the last day that can be booked.
func TestTwoWeeksPickWithinThemselves(t *testing.T) {
	w := newWorld(t, page.Options{})
	picked := func(week string) string {
		t.Helper()
		return strings.Join(w.get("/salon/cut?week="+week).all(`data-start="(\d{4}-\d\d-\d\d)`), " ")
	}
	shut := func(from, to string) {
		t.Helper()
		start, err := when.Parse(from)
		w.Must(err)
		end, err := when.Parse(to)
		w.Must(err)
		_, err = w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(ws *catalog.Workspace) {
			ws.TimeOff = append(ws.TimeOff, catalog.TimeOff{Start: start, End: end})
		})
		w.Must(err)
	}
	shut("2026-12-23T23:00:00Z", "2027-01-03T23:00:00Z")
	if got := picked("2026-12-27"); !strings.HasPrefix(got, "2027-01-04") {
		t.Errorf("the first open days are in January, picked %q", got)
	}
	shut("2027-01-03T23:00:00Z", "2027-01-12T23:00:00Z")
	shown := w.get("/salon/cut?week=2026-12-27")
	if got := picked("2026-12-27"); got != "" {
		t.Errorf("closed for two weeks, picked %q", got)
	}
	if next := shown.all(`Next available: ([^<]*)`); len(next) != 1 || next[0] != "Wed,\u00a0Jan\u00a013" {
		t.Errorf("after two weeks without a time comes %q", next)
	}
	if last := w.get("/salon/cut?week=2027-01-24"); len(last.all(`id="later" (href)`)) > 0 {
		t.Error("it leads past the last day that can be booked")
	}
}
