package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/page"
	"daybook/app/record"
)

// Booking, moving and cancelling by plain links and forms, with no script at all.
func TestWithoutJavaScript(t *testing.T) {
	ctx := browse(t)
	w := newWorld(t, page.Options{})
	base := w.open()
	noScript(t, ctx)
	do(t, ctx, chromedp.Navigate(base+"/salon"))
	follow(t, ctx, `.event a[href^="/salon/cut"]`)
	follow(t, ctx, `#next`)
	follow(t, ctx, `[data-day="2026-12-02"]`)
	follow(t, ctx, `[data-start="2026-12-02T09:00:00Z"]`)
	fillIn(t, ctx, "Mia")
	follow(t, ctx, `.actions button`)
	id := eval[string](t, ctx, bookingID)
	if !strings.HasPrefix(id, "bk_") || w.count() != 1 {
		t.Fatalf("booking %q, %d in all", id, w.count())
	}
	do(t, ctx, chromedp.Reload())
	if again := eval[string](t, ctx, bookingID); again != id || w.count() != 1 {
		t.Errorf("a reload made %q, %d in all", again, w.count())
	}
	follow(t, ctx, `.changes a[href*="/reschedule"]`)
	follow(t, ctx, `[data-day="2026-12-03"]`)
	follow(t, ctx, `[data-start="2026-12-03T08:00:00Z"]`)
	follow(t, ctx, `.actions button`)
	if got := eval[string](t, ctx, `{const d=document.querySelector("[data-booking-id]").dataset;[d.bookingId,d.bookingStart,d.bookingStatus].join(" ")}`); got != id+" 2026-12-03T08:00:00Z rescheduled" {
		t.Errorf("moved: %s", got)
	}
	follow(t, ctx, `.changes a[href*="/cancel"]`)
	do(t, ctx, chromedp.SendKeys(css(`[name=reason]`), "Ill"))
	follow(t, ctx, `.actions button`)
	b, err := w.service.Booking(t.Context(), w.owner(), id)
	w.must(err)
	if b.Status != record.Cancelled || b.Cancellation.Reason != "Ill" || eval[string](t, ctx, `document.querySelector("[data-booking-id]").dataset.bookingStatus`) != "cancelled" {
		t.Errorf("%+v", b)
	}
}

// With scripts nothing is loaded anew on the way to the form, many clicks book once, and going back finds the form.
func TestWithJavaScript(t *testing.T) {
	ctx := browse(t)
	w := newWorld(t, page.Options{})
	base := w.open()
	zoneOverride(t, ctx, "America/New_York")
	do(t, ctx, chromedp.Navigate(base+"/salon/cut"))
	until(t, ctx, `location.search.includes("New_York")`)
	eval[chromedp.Void](t, ctx, `window.mark=1`)
	do(t, ctx, chromedp.Click(css(`#next`)))
	until(t, ctx, `document.querySelector("#month-title").innerText.includes("December")`)
	do(t, ctx, chromedp.Click(css(`[data-day="2026-12-02"]`)))
	until(t, ctx, `document.activeElement.id==="times-title"`)
	do(t, ctx, chromedp.Click(css(`[data-start="2026-12-02T14:00:00Z"]`)))
	until(t, ctx, `document.activeElement.id==="details-title"&&document.querySelector("time").innerText.includes("9:00")`)
	if !eval[bool](t, ctx, `window.mark===1`) {
		t.Error("the page was loaded anew on the way")
	}
	fillIn(t, ctx, "Mia")
	eval[chromedp.Void](t, ctx, `{const b=document.querySelector(".actions button");b.click();b.click();b.click()}`)
	until(t, ctx, bookingID)
	until(t, ctx, `!location.search.includes("new=1")&&document.activeElement.tagName==="H1"`)
	if w.count() != 1 {
		t.Errorf("%d bookings", w.count())
	}
	if ref := eval[string](t, ctx, `document.querySelector(".calendars a").rel`); ref != "noopener noreferrer" {
		t.Errorf("the calendar link tells where it was clicked: %q", ref)
	}
	// Back, and the same form once more: the same confirmation.
	id := eval[string](t, ctx, bookingID)
	eval[chromedp.Void](t, ctx, `history.back()`)
	until(t, ctx, `document.querySelector("[name=email]")`)
	eval[chromedp.Void](t, ctx, `{document.querySelector("[name=name]").value="Mia";document.querySelector("[name=email]").value="mia@mail.example";document.querySelector("form[data-once]").submit()}`)
	until(t, ctx, `document.querySelector("[data-booking-id],.verdict-plain,.others")`)
	if again := eval[string](t, ctx, bookingID); again != "" && again != id || w.count() != 1 {
		t.Errorf("again: %q, %d bookings", again, w.count())
	}
}

// The whole way by keyboard.
func TestKeyboardOnly(t *testing.T) {
	ctx := browse(t)
	w := newWorld(t, page.Options{})
	base := w.open()
	zoneOverride(t, ctx, "Europe/Berlin")
	do(t, ctx, chromedp.Navigate(base+"/salon/cut?month=2026-12"))
	until(t, ctx, `document.querySelector("[data-grid]").getAttribute("role")==="grid"`)
	press := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			do(t, ctx, chromedp.KeyEvent(k))
		}
	}
	at := func(want string) { t.Helper(); until(t, ctx, focused+`==="`+want+`"`) }
	for range 20 {
		press(kb.Tab)
		if eval[string](t, ctx, `document.activeElement.dataset.day||""`) != "" {
			break
		}
	}
	at("2026-12-01")
	press(kb.ArrowDown, kb.ArrowRight)
	at("2026-12-09")
	press(kb.Enter)
	at("times-title")
	press(kb.Tab, kb.Tab)
	at("2026-12-09T09:00:00Z")
	press(kb.Enter)
	at("details-title")
	press(kb.Tab)
	at("f-name")
	press("Mia", kb.Tab, "mia@mail.example", kb.Tab, "Hello", kb.Tab, kb.Enter)
	until(t, ctx, bookingID)
	p, err := w.service.Bookings(t.Context(), w.owner(), record.ListBookingsInput{})
	w.must(err)
	if len(p.Data) != 1 || p.Data[0].Start.String() != "2026-12-09T09:00:00Z" || p.Data[0].Notes != "Hello" {
		t.Errorf("%+v", p.Data)
	}
}

// Two pages stand at the same time. One gets it; the other keeps what was typed, picks another time and books that.
func TestTwoPagesOneSlot(t *testing.T) {
	one := browse(t)
	two := tab(t, one)
	w := newWorld(t, page.Options{})
	form := w.open() + "/salon/cut?timeZone=Europe/Berlin&start=2026-12-02T09:00:00Z"
	do(t, one, chromedp.Navigate(form))
	do(t, two, chromedp.Navigate(form))
	fillIn(t, one, "Mia")
	fillIn(t, two, "Leo")
	follow(t, one, `.actions button`)
	until(t, one, bookingID)
	follow(t, two, `.actions button`)
	until(t, two, `document.querySelector(".others")&&document.activeElement.classList.contains("notice")`)
	got := eval[string](t, two, `["name","email","notes"].map(n=>document.querySelector("[name="+n+"]").value).join("|")+"|"+[...document.querySelectorAll("[data-start]")].map(e=>e.dataset.start).join(" ")`)
	if want := "Leo|leo@mail.example|Just the tips|2026-12-02T10:00:00Z 2026-12-02T11:00:00Z 2026-12-02T12:00:00Z"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	do(t, two, chromedp.Click(css(`[data-start="2026-12-02T11:00:00Z"]`)))
	follow(t, two, `.actions button`)
	until(t, two, bookingID)
	if w.count() != 2 {
		t.Errorf("%d bookings", w.count())
	}
}

// The browser does the work that a booking costs where the owner asks for it.
func TestChallengeInBrowser(t *testing.T) {
	ctx := browse(t)
	w := newWorld(t, page.Options{Challenge: 12})
	do(t, ctx, chromedp.Navigate(w.open()+"/salon/cut?timeZone=Europe/Berlin&start=2026-12-02T09:00:00Z"))
	fillIn(t, ctx, "Mia")
	do(t, ctx, chromedp.Click(css(`.actions button`)))
	until(t, ctx, bookingID)
	if w.count() != 1 {
		t.Errorf("%d bookings", w.count())
	}
}
