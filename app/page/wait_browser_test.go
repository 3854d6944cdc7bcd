package page_test

import (
	"log/slog"
	"net/http"
	"regexp"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/page"
	"daybook/app/waitlist"

	"github.com/chromedp/chromedp"
)

// A customer finds a day full, asks to be told, confirms by the link that they are mailed, and takes what comes free by the
// next link, at the width of a phone.
func TestWaitsAndTakes(t *testing.T) {
	ctx := browser.Open(t)
	w := newMailing(t)
	mux := http.NewServeMux()
	page.NewDecisions(w.Set, slog.New(slog.DiscardHandler)).Routes(mux)
	mux.Handle("/", w.handler)
	w.handler = mux
	base := w.open()
	w.Clock.Set(apptest.Monday.Add(10 * time.Hour))
	day := apptest.Monday.AddDate(0, 0, 2).Format(time.DateOnly)
	b := w.book("cut", "2T11:00", "gone")
	browser.Resize(t, ctx, 390, 844)
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?date="+day))
	browser.Follow(t, ctx, `a[href*="/_wait/cut"]`)
	browser.Eval[chromedp.Void](t, ctx, `for(const n of ["from0","to0"]){const f=document.querySelector("[name="+n+"]");f.value="`+day+`"}`)
	browser.Do(t, ctx,
		chromedp.SendKeys(browser.CSS(`[name=name]`), "Bo Berg"),
		chromedp.SendKeys(browser.CSS(`[name=email]`), "bo@mail.example"))
	browser.Follow(t, ctx, `.actions button`)
	all := w.waitlist()
	if len(all) != 1 || all[0].Status != waitlist.Unconfirmed {
		t.Fatalf("joined: %+v", all)
	}
	link := func(kind catalog.MailKind) {
		t.Helper()
		mails, err := w.Mail.Mails(t.Context(), w.Owner, mail.ListInput{})
		w.Must(err)
		if m := mails.Data[0]; m.Kind != kind || m.To != "bo@mail.example" {
			t.Fatalf("the latest mail is %s to %s, not %s", m.Kind, m.To, kind)
		}
		to := regexp.MustCompile(`https://book\.example\.com(/booking/\S+/wait)`).FindStringSubmatch(w.mailed("bo@mail.example"))
		if to == nil {
			t.Fatalf("the mail %s has no link", kind)
		}
		browser.Do(t, ctx, chromedp.Navigate(base+to[1]))
	}
	link(catalog.MailWaits)
	browser.Follow(t, ctx, `button[value=confirm]`)
	if e := w.waitlist()[0]; e.Status != waitlist.Waiting {
		t.Fatalf("confirmed: %v", e.Status)
	}
	w.Must(w.Waitlist.CarryOut(t.Context()))
	_, err := w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
	w.Must(err)
	w.Must(w.Waitlist.CarryOut(t.Context()))
	e := w.waitlist()[0]
	if e.Offer == nil || e.Offer.Start != b.Start {
		t.Fatalf("offered: %+v", e.Offer)
	}
	link(catalog.MailOffer)
	browser.Follow(t, ctx, `button[value=take]`)
	browser.Do(t, ctx, chromedp.Navigate(base+browser.Eval[string](t, ctx, `new URL(document.querySelector("a.button-main").href).pathname`)))
	taken, err := w.Booking(t.Context(), w.Owner, browser.Eval[string](t, ctx, bookingID))
	w.Must(err)
	if taken.Status != booking.Confirmed || taken.Start != b.Start || taken.Invitee.Name != "Bo Berg" || w.waitlist()[0].BookingID != taken.ID {
		t.Errorf("took %+v", taken)
	}
}
