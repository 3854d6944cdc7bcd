package page_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/page"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
)

// depositFlow is what the pages of a deposit and of a late cancellation say in one language.
var depositFlow = []struct{ lang, day, parts, rule, consent, pay, until, late, agree, submit, told string }{
	{"en", "2026-12-02", "€9 now, €36 on site", "Cancelling later than 24 hr before the start costs €20.",
		"€20 may be charged to my card if I cancel later than 24 hr", "Pay €9", "Free to cancel until Tue, Dec 1",
		"Now it costs €20", "I agree that €20 is charged to my card.", "Cancel booking for €20",
		"The late cancellation costs €20"},
	{"de", "2026-12-04", "9 € jetzt, 36 € vor Ort", "Eine Absage später als 24 Std. vor Beginn kostet 20 €.",
		"wenn ich später als 24 Std. vor Beginn absage", "9 € zahlen", "Absage bis Do, 3. Dez.",
		"Jetzt kostet sie 20 €", "20 € von meiner Karte abgebucht werden.", "Termin für 20 € absagen",
		"Die späte Absage kostet 20 €"},
}

// A deposit is paid and the booking is cancelled late, by links and forms, with no script at all: the fee is said at
// every step, and nothing is charged before the box is ticked.
func TestDepositAndLateCancellation(t *testing.T) {
	ctx := browser.Open(t)
	takes := false
	w := newWorld(t, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return takes }})
	s := stripetest.New(t)
	s.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(s.URL))
	w.Apply("workspace: {slug: salon}\neventTypes:\n  - {slug: cut, deposit: {percent: 20}, lateCancellationFee: {amount: 2000}}\n")
	base := w.open()
	browser.NoScript(t, ctx)
	shows := func(texts ...string) {
		t.Helper()
		body := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(browser.Eval[string](t, ctx, `document.body.innerText`))
		for _, text := range texts {
			if has := strings.Contains(body, strings.TrimPrefix(text, "!")); has == strings.HasPrefix(text, "!") {
				t.Errorf("%s:\n%s", text, body)
			}
		}
	}
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?lang=en&date=2026-12-02"))
	shows("paid on site", "!on site.", "!Cancelling later") // nobody can be charged yet
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key,
		SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	takes = true
	for _, says := range depositFlow {
		browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?lang="+says.lang+"&date="+says.day))
		shows(says.parts, says.rule)
		browser.Follow(t, ctx, `[data-start="`+says.day+`T09:00:00Z"]`)
		shows(says.parts, says.rule, says.consent)
		fillIn(t, ctx, "Mia"+says.lang)
		browser.Do(t, ctx, chromedp.Click(browser.CSS(`[name=feeConsent]`)))
		browser.Follow(t, ctx, `.actions button`)
		shows(says.pay, says.until)
		id := browser.Eval[string](t, ctx, bookingID)
		b, err := w.Booking(t.Context(), w.Owner, id)
		w.Must(err)
		link := b.ManageURL[strings.LastIndexByte(b.ManageURL, '/')+1:]
		_, err = w.Payment.CheckoutURL(t.Context(), link)
		w.Must(err)
		s.Pay(t, s.Session(t, -1), stripetest.Good)
		_, err = w.Payment.CheckoutDone(t.Context(), link)
		w.Must(err)
		at := base + "/booking/" + link + "?lang=" + says.lang
		browser.Do(t, ctx, chromedp.Navigate(at))
		shows(says.until, "!"+says.pay)
		w.Clock.Set(b.FreeCancel.Time().Add(time.Minute))
		browser.Do(t, ctx, chromedp.Navigate(at))
		browser.Follow(t, ctx, `.changes a[href*="/cancel"]`)
		shows(says.late, says.agree, says.submit)
		browser.Eval[chromedp.Void](t, ctx, `document.querySelectorAll("form").forEach(f=>{f.noValidate=true})`)
		browser.Follow(t, ctx, `.actions button`) // without the tick
		shows(says.late, says.agree)
		if b, err = w.Booking(t.Context(), w.Owner, id); err != nil || b.Status != booking.Confirmed {
			t.Fatalf("cancelled without consent: %s, %v", b.Status, err)
		}
		browser.Do(t, ctx, chromedp.Click(browser.CSS(`[name=agreeFee]`)))
		browser.Follow(t, ctx, `.actions button`)
		shows(says.told)
		b, err = w.Booking(t.Context(), w.Owner, id)
		w.Must(err)
		if c := b.Cancellation; b.Status != booking.Cancelled || c.Fee == nil || c.Fee.Amount != 2000 || c.Fee.Status != "pending" {
			t.Errorf("%s: %+v", b.Status, c)
		}
	}
}
