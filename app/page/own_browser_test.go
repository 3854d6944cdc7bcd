package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/counter"
)

// The whole way on a German customer's phone: from the shop's page to one's own, by the link in the mail; a booking is moved
// there, the data is read, and the page is closed.
func TestOnesOwnPageOnAPhone(t *testing.T) {
	ctx, axe := browser.Open(t), browser.Axe(t)
	w := newMailing(t)
	b := w.book("cut", "2026-12-03T09:00:00Z", "mia")
	past := w.book("cut", "2026-12-01T09:00:00Z", "mia")
	_, err := w.Counter.Record(t.Context(), w.Owner, past.ID.String(), counter.Input{Amount: 4500, Method: "cash"})
	w.Must(err)
	w.Clock.Set(past.End.Time())
	base := w.open()
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
	browser.Language(t, ctx, "de-DE")
	fits := func(what string) {
		t.Helper()
		browser.Accessible(t, ctx, axe)
		if wide := browser.Eval[int](t, ctx, `document.documentElement.scrollWidth`); wide > 390 {
			t.Errorf("%s is %d px wide", what, wide)
		}
		if small := browser.Eval[string](t, ctx, `[...document.querySelectorAll(".own a, .own button, .foot-own a, .own-ask button")]
			.filter(x => x.getBoundingClientRect().height < 44 && !x.matches(".business, p a:not(.foot-own a), .back")).map(x => x.innerText).join()`); small != "" {
			t.Errorf("%s: too small for a thumb: %s", what, small)
		}
	}
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon"))
	browser.Follow(t, ctx, `.foot-own a`)
	fits("asking")
	browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[name=address]`), "mia@mail.example"))
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.actions button`)))
	browser.Until(t, ctx, `document.querySelector("h1")?.innerText==="Bitte sehen Sie in Ihre Mails"`)
	fits("what is answered")
	m := w.ownMails()[0]
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	if m.To != "mia@mail.example" || m.Facts.Own.Locale != "de" {
		t.Fatalf("%+v", m)
	}
	browser.Do(t, ctx, chromedp.Navigate(base+m.Facts.Own.Path(setup)))
	fits("the link's page")
	browser.Eval[chromedp.Void](t, ctx, `{const b=document.querySelector(".verdict button");b.click();b.click()}`)
	browser.Until(t, ctx, `document.querySelector(".own h1")?.innerText==="Meine Termine"`)
	if at := browser.Eval[string](t, ctx, `location.pathname+" "+document.cookie`); at != "/salon/_me " {
		t.Errorf("the page is at %q, or a script reads its cookie", at)
	}
	fits("the page")
	if text := browser.Text(ctx); !strings.Contains(text, "Kommende Termine") || !strings.Contains(text, "2026") || !strings.Contains(text, "Beleg") {
		t.Error(text)
	}
	browser.Follow(t, ctx, `.own-links a[href*="/receipt/"]`)
	fits("the receipt")
	browser.Follow(t, ctx, `.back`)
	browser.Follow(t, ctx, `.own-links a[href*="`+path(b.ManageURL)+`"]`)
	browser.Follow(t, ctx, `.changes a[href*="/reschedule"]`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.month-near [data-day="2026-12-04"]`)))
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[data-start="2026-12-04T08:00:00Z"]`)))
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.actions button`)))
	browser.Until(t, ctx, `document.querySelector("[data-booking-start]")?.dataset.bookingStart==="2026-12-04T08:00:00Z"`)
	if moved := w.Again(b); moved.Status != booking.Rescheduled {
		t.Errorf("it wasn't moved: %+v", moved)
	}
	browser.Follow(t, ctx, `.foot-own a`)
	browser.Until(t, ctx, `document.querySelector(".own-list time")?.dateTime==="2026-12-04T08:00:00Z"`)
	browser.Eval[chromedp.Void](t, ctx, `{fetch("/salon/_me/data.json").then(r => r.json()).then(d => window.file=d.contact.email+" "+d.bookings.length)}`)
	browser.Until(t, ctx, `window.file==="mia@mail.example 2"`)
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?start=2026-12-04T09:00:00Z"))
	if name := browser.Eval[string](t, ctx, `document.querySelector("[name=name]").value`); name != "mia" {
		t.Errorf("the form has the name %q", name)
	}
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/_me"))
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.own-leave button`)))
	browser.Until(t, ctx, `document.querySelector("[name=address]")`)
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/_me"))
	if open := browser.Eval[bool](t, ctx, `!!document.querySelector(".own")`); open {
		t.Error("the page is open after its button")
	}
}
