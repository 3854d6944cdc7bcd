package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/page"
)

// Booking, moving and cancelling by plain links and forms, with no script at all.
func TestWithoutJavaScript(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	base := w.open()
	browser.NoScript(t, ctx)
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon"))
	browser.Follow(t, ctx, `.event a[href^="/salon/cut"]`)
	browser.Follow(t, ctx, `#next`)
	browser.Follow(t, ctx, `[data-day="2026-12-02"]`)
	browser.Follow(t, ctx, `[data-start="2026-12-02T09:00:00Z"]`)
	fillIn(t, ctx, "Mia")
	browser.Follow(t, ctx, `.actions button`)
	id := browser.Eval[string](t, ctx, bookingID)
	if !strings.HasPrefix(id, "bk_") || w.count() != 1 {
		t.Fatalf("booking %q, %d in all", id, w.count())
	}
	browser.Do(t, ctx, chromedp.Reload())
	if again := browser.Eval[string](t, ctx, bookingID); again != id || w.count() != 1 {
		t.Errorf("a reload made %q, %d in all", again, w.count())
	}
	browser.Follow(t, ctx, `.changes a[href*="/reschedule"]`)
	browser.Follow(t, ctx, `[data-day="2026-12-03"]`)
	browser.Follow(t, ctx, `[data-start="2026-12-03T08:00:00Z"]`)
	browser.Follow(t, ctx, `.actions button`)
	if got := browser.Eval[string](t, ctx, `{const d=document.querySelector("[data-booking-id]").dataset;[d.bookingId,d.bookingStart,d.bookingStatus].join(" ")}`); got != id+" 2026-12-03T08:00:00Z rescheduled" {
		t.Errorf("moved: %s", got)
	}
	browser.Follow(t, ctx, `.changes a[href*="/cancel"]`)
	browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[name=reason]`), "Ill"))
	browser.Follow(t, ctx, `.actions button`)
	b, err := w.Booking(t.Context(), w.Owner, id)
	w.Must(err)
	if b.Status != booking.Cancelled || b.Cancellation.Reason != "Ill" || browser.Eval[string](t, ctx, `document.querySelector("[data-booking-id]").dataset.bookingStatus`) != "cancelled" {
		t.Errorf("%+v", b)
	}
	if seal := browser.Eval[string](t, ctx, `{const s=document.querySelector(".seal"),m=document.createElement("i");m.style.color="var(--muted)";s.append(m);
		[getComputedStyle(s).color===getComputedStyle(m).color,!!s.querySelector("svg rect")].join()}`); seal != "true,true" { // a calendar in grey, no red cross
		t.Errorf("the head is in grey, and a calendar: %s", seal)
	}
}

// With scripts nothing is loaded anew on the way to the form, many clicks book once, and going back finds the form.
func TestWithJavaScript(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	base := w.open()
	browser.Zone(t, ctx, "America/New_York")
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/either"))
	browser.Until(t, ctx, `location.search.includes("New_York")`)
	browser.Eval[chromedp.Void](t, ctx, `window.mark=1`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`#next`)))
	browser.Until(t, ctx, `document.querySelector("#month-title").innerText.includes("December")`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[data-day="2026-12-02"]`)))
	browser.Until(t, ctx, `document.activeElement.id==="times-title"`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[data-start="2026-12-02T14:00:00Z"]`)))
	browser.Until(t, ctx, `document.activeElement.id==="details-title"&&document.querySelector("time").innerText.includes("9:00")`)
	if !browser.Eval[bool](t, ctx, `window.mark===1`) {
		t.Error("the page was loaded anew on the way")
	}
	fillIn(t, ctx, "Mia")
	browser.Eval[chromedp.Void](t, ctx, `{const b=document.querySelector(".actions button");b.click();b.click();b.click()}`)
	browser.Until(t, ctx, bookingID)
	browser.Until(t, ctx, `!location.search.includes("new=1")&&document.activeElement.tagName==="H1"`)
	if w.count() != 1 {
		t.Errorf("%d bookings", w.count())
	}
	if ref := browser.Eval[string](t, ctx, `document.querySelector(".calendars a").rel`); ref != "noopener noreferrer" {
		t.Errorf("the calendar link tells where it was clicked: %q", ref)
	}
	// Back, and the same form once more: the same confirmation.
	id := browser.Eval[string](t, ctx, bookingID)
	browser.Eval[chromedp.Void](t, ctx, `setTimeout(()=>history.back())`)
	browser.Until(t, ctx, `document.querySelector("[name=email]")`)
	browser.Eval[chromedp.Void](t, ctx, `{document.querySelector("[name=name]").value="Mia";document.querySelector("[name=email]").value="mia@mail.example";document.querySelector("form[data-once]").submit()}`)
	browser.Until(t, ctx, `document.querySelector("[data-booking-id],.verdict-plain,.others")`)
	if again := browser.Eval[string](t, ctx, bookingID); again != "" && again != id || w.count() != 1 {
		t.Errorf("again: %q, %d bookings", again, w.count())
	}
}

// The whole way by keyboard.
func TestKeyboardOnly(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	base := w.open()
	browser.Zone(t, ctx, "Europe/Berlin")
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?month=2026-12"))
	browser.Until(t, ctx, `document.querySelector("[data-grid]").getAttribute("role")==="grid"`)
	press := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			browser.Do(t, ctx, chromedp.KeyEvent(k))
		}
	}
	at := func(want string) { t.Helper(); browser.Until(t, ctx, focused+`==="`+want+`"`) }
	for range 20 {
		press(kb.Tab)
		if browser.Eval[string](t, ctx, `document.activeElement.dataset.day||""`) != "" {
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
	browser.Until(t, ctx, bookingID)
	p, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{})
	w.Must(err)
	if len(p.Data) != 1 || p.Data[0].Start.String() != "2026-12-09T09:00:00Z" || p.Data[0].Notes != "Hello" {
		t.Errorf("%+v", p.Data)
	}
}

// Two pages stand at the same time. One gets it; the other keeps what was typed, picks another time and books that.
func TestContestTwoPagesOneSlot(t *testing.T) {
	one := browser.Open(t)
	two := browser.Tab(t, one)
	w := newWorld(t, page.Options{})
	form := w.open() + "/salon/cut?timeZone=Europe/Berlin&start=2026-12-02T09:00:00Z"
	browser.Do(t, one, chromedp.Navigate(form))
	browser.Do(t, two, chromedp.Navigate(form))
	fillIn(t, one, "Mia")
	fillIn(t, two, "Leo")
	browser.Follow(t, one, `.actions button`)
	browser.Until(t, one, bookingID)
	browser.Follow(t, two, `.actions button`)
	browser.Until(t, two, `document.querySelector(".others")&&document.activeElement.classList.contains("notice")`)
	got := browser.Eval[string](t, two, `["name","email","notes"].map(n=>document.querySelector("[name="+n+"]").value).join("|")+"|"+[...document.querySelectorAll("[data-start]")].map(e=>e.dataset.start).join(" ")`)
	if want := "Leo|leo@mail.example|Just the tips|2026-12-02T10:00:00Z 2026-12-02T11:00:00Z 2026-12-02T12:00:00Z"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	browser.Do(t, two, chromedp.Click(browser.CSS(`[data-start="2026-12-02T11:00:00Z"]`)))
	browser.Follow(t, two, `.actions button`)
	browser.Until(t, two, bookingID)
	if w.count() != 2 {
		t.Errorf("%d bookings", w.count())
	}
}

// The browser does the work that a booking costs where the owner asks for it.
func TestChallengeInBrowser(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{Challenge: 12})
	browser.Do(t, ctx, chromedp.Navigate(w.open()+"/salon/cut?timeZone=Europe/Berlin&start=2026-12-02T09:00:00Z"))
	fillIn(t, ctx, "Mia")
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.actions button`)))
	browser.Until(t, ctx, bookingID)
	if w.count() != 1 {
		t.Errorf("%d bookings", w.count())
	}
}
