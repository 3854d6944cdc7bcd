package page_test

import (
	"cmp"
	"fmt"
	"net/http"
	netmail "net/mail"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/money"
	"daybook/app/page"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
)

const eitherOnTuesday = "/salon/either?timeZone=Europe/Berlin&start=2026-12-01T08:00:00Z"

// plain is what a page says, with simple spaces.
func plain(text string) string {
	return strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(text)
}

// takesCards connects the payment provider's stand-in, which the world then takes cards by.
func (w *world) takesCards(t testing.TB, takes *bool) *stripetest.Server {
	t.Helper()
	s := stripetest.New(t)
	s.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(s.URL))
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key,
		SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	*takes = true
	return s
}

// busy takes a host's time.
func (w *world) busy(eventType, at string, host catalog.HostID) {
	w.T.Helper()
	in := apptest.Input(eventType, at, "Someone at "+at)
	in.Host, in.Invitee.Email = host.String(), ""
	in.Invitee.Name = booking.WalkIn
	_, err := w.Book(w.T.Context(), w.Owner, in)
	w.Must(err)
}

// A date that was not ticked stays so, even where somebody else would do it by now; what is ticked and has gone is shown
// anew, and nothing else is booked for it.
func TestUntickedDatesStayUnticked(t *testing.T) {
	w := seriesWorld(t)
	w.Apply("{workspace: {slug: salon}, hosts: [{name: Ben, email: ben@salon.example, eventTypes: [{slug: either, durationMinutes: 60}]}]}")
	shown := w.dates(filled(w.get(eitherOnTuesday)), eitherOnTuesday, "4")
	all := ticked(shown)
	if len(all) != 4 {
		t.Fatalf("%v", all)
	}
	host := func(value string) catalog.HostID {
		setup, err := w.Setup(w.Workspace.ID)
		w.Must(err)
		for _, h := range setup.Hosts {
			if strings.Contains(value, h.ID.String()) {
				return h.ID
			}
		}
		t.Fatalf("%q is with nobody", value)
		return 0
	}
	sent := withDates(shown, "mia", "4")
	sent["on"] = []string{all[0], all[1], all[3]}
	w.busy("either", "2026-12-15T08:00:00Z", host(all[2])) // the other one would do the date that isn't wanted
	nameless := cloned(sent)
	nameless.Set("name", "")
	again := w.send("POST", eitherOnTuesday, nameless)
	if got := ticked(again); again.StatusCode != 422 || len(got) != 3 || strings.Contains(strings.Join(got, " "), "2026-12-15") {
		t.Errorf("%d: ticked are %v", again.StatusCode, got)
	}
	w.busy("either", "2026-12-22T08:00:00Z", host(all[3]))
	again = w.send("POST", eitherOnTuesday, sent)
	if again.StatusCode != 409 || !strings.Contains(again.text, "have changed") || w.starts() != nil {
		t.Fatalf("%d, booked %v", again.StatusCode, w.starts())
	}
	got := ticked(again)
	if len(got) != 3 || strings.Contains(strings.Join(got, " "), "2026-12-15") || !strings.Contains(got[2], "2026-12-22") || got[2] == all[3] {
		t.Errorf("the list anew has %v ticked", got)
	}
	sent["on"] = got
	if done := w.send("POST", eitherOnTuesday, sent); done.StatusCode != 303 || len(w.starts()) != 3 {
		t.Errorf("%d, booked %v", done.StatusCode, w.starts())
	}
}

// Each search of dates counts for the address that asked for it, whatever was wrong with the form; a booking makes none.
func TestSearchesOfDatesAreLimited(t *testing.T) {
	w := newWorld(t, page.Options{BookingsPerHour: 2})
	w.Alter("cut", func(e *catalog.EventType) { e.SeriesUpTo = 4 })
	from := []string{"X-Forwarded-For", "203.0.113.9"}
	shown := w.dates(filled(w.get(cutOnTuesday)), cutOnTuesday, "2") // by nobody who counts
	sent := withDates(shown, "mia", "2")
	none, wrong := cloned(sent), cloned(sent)
	none.Del("on")
	wrong.Set("email", "nobody")
	if a := w.send("POST", cutOnTuesday, sent, from...); a.StatusCode != 303 {
		t.Fatalf("%d", a.StatusCode)
	}
	for i := range 8 { // four times what may be booked
		form := []url.Values{none, wrong}[i%2]
		if a := w.send("POST", cutOnTuesday, form, from...); a.StatusCode != 422 || len(a.all(`name="(on)"`)) != 2 {
			t.Fatalf("form %d: %d", i, a.StatusCode)
		}
	}
	for _, form := range []url.Values{none, wrong} {
		if a := w.send("POST", cutOnTuesday, form, from...); a.StatusCode != 429 {
			t.Errorf("one too many: %d", a.StatusCode)
		}
	}
}

// The page says what the dates that are ticked cost together, and how much of that is paid now.
func TestSumOfDates(t *testing.T) {
	takes := false
	w := newWorld(t, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return takes }})
	w.Apply(colourAndCut)
	for _, slug := range []string{"cut", "colour"} {
		w.Alter(slug, func(e *catalog.EventType) { e.SeriesUpTo = 4 })
	}
	says := func(what, at string, form url.Values, want ...string) {
		t.Helper()
		a := w.dates(form, at, "4")
		text := plain(a.text)
		for _, want := range want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q", what, want)
			}
		}
	}
	form := filled(w.get(cutOnTuesday))
	says("on site", cutOnTuesday, form, "<strong>€180</strong>", `visit-parts">paid on site`)
	w.takesCards(t, &takes)
	w.Alter("cut", func(e *catalog.EventType) { e.Payment = catalog.PayOnline })
	says("the first", cutOnTuesday, form, "<strong>€180</strong>", "€45 now, €135 on site", "Only the first date is paid now")
	says("a visit", colourWithCut, filled(w.get(colourWithCut)), "<strong>€500</strong>", "€45 now, €455 on site")
	w.Alter("cut", func(e *catalog.EventType) { e.SeriesPayment = catalog.SeriesPayAll })
	says("all", cutOnTuesday, form, "<strong>€180</strong>", `visit-parts">€180 now`, "All dates are paid at once")
	says("a visit, all", colourWithCut, filled(w.get(colourWithCut)), "<strong>€500</strong>", "€180 now, €320 on site")
	shown := w.dates(form, cutOnTuesday, "4")
	some := withDates(shown, "mia", "4")
	some["on"] = some["on"][1:3]
	some.Set("name", "")
	if a := w.send("POST", cutOnTuesday, some); !strings.Contains(plain(a.text), "<strong>€90</strong>") || !strings.Contains(plain(a.text), `visit-parts">€90 now`) {
		t.Error("two dates don't cost €90")
	}
	w.Alter("cut", func(e *catalog.EventType) {
		e.Payment, e.Deposit = catalog.PayOnSite, &catalog.Deposit{Percent: 20}
	})
	says("deposits", cutOnTuesday, form, "<strong>€180</strong>", "€36 now, €144 on site")
}

// Dates of a service with a fee are booked by whoever agrees to it for each of them; of a visit, too.
func TestDatesWithAFee(t *testing.T) {
	takes := false
	w := newWorld(t, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return takes }})
	w.Apply(colourAndCut)
	for _, slug := range []string{"cut", "colour"} {
		w.Alter(slug, func(e *catalog.EventType) { e.SeriesUpTo = 4 })
	}
	w.takesCards(t, &takes)
	w.Alter("cut", func(e *catalog.EventType) { e.NoShowFee = &money.Money{Amount: 2000, Currency: "EUR"} })
	for i, at := range []string{cutOnTuesday, colourWithCut} {
		shown := w.dates(filled(w.get(at)), at, "4")
		if !strings.Contains(shown.text, "This holds for each of the dates.") {
			t.Errorf("%s doesn't say that the fee is for each date", at)
		}
		form := withDates(shown, fmt.Sprintf("mia%d", i), "4")
		form.Del("feeConsent")
		if a := w.send("POST", at, form); a.StatusCode != http.StatusUnprocessableEntity || len(w.starts()) > 0 {
			t.Fatalf("%s without consent: %d, booked %v", at, a.StatusCode, w.starts())
		}
		form.Set("feeConsent", "on")
		if a := w.send("POST", at, form); a.StatusCode != http.StatusSeeOther || len(w.starts()) != 4*(i+1) {
			t.Fatalf("%s: %d, booked %v", at, a.StatusCode, w.starts())
		}
		all, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Status: "pending"})
		w.Must(err)
		for _, b := range all.Data {
			_, err := w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
			w.Must(err)
		}
	}
}

// A date that is with another person says what that changes of its length and price.
func TestDateWithAnotherPerson(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Apply(`{workspace: {slug: salon}, hosts: [
  {name: Ben, email: ben@salon.example, eventTypes: [{slug: either, durationMinutes: 90, price: {amount: 6000}}]}]}`)
	w.Alter("either", func(e *catalog.EventType) { e.SeriesUpTo, e.Price = 3, &money.Money{Amount: 4500, Currency: "EUR"} })
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	w.busy("either", "2026-12-01T08:00:00Z", setup.Hosts[1].ID) // so that Ana can do two of three
	w.busy("either", "2026-12-08T08:00:00Z", setup.Hosts[0].ID)
	w.busy("either", "2026-12-15T08:00:00Z", setup.Hosts[1].ID)
	text := plain(w.dates(filled(w.get(eitherOnTuesday)), eitherOnTuesday, "3").text)
	for _, want := range []string{"with Ben", "1 hr 30 min · €60", "<strong>€150</strong>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if n := strings.Count(text, `class="differs"`); n != 1 {
		t.Errorf("%d dates differ", n)
	}
}

// mailed returns what was mailed to the address last.
func (w *world) mailed(to string) string {
	w.T.Helper()
	ctx, text := w.T.Context(), ""
	for n := 1; n > 0; {
		var err error
		n, err = w.Mail.WriteMails(ctx, 100)
		w.Must(err)
	}
	claimed, err := w.Mail.ClaimMails(ctx, 0, time.Minute, 50)
	w.Must(err)
	for _, m := range claimed {
		about, err := w.Mail.MailSubject(ctx, &m)
		w.Must(err)
		about.Sends = true
		if m.To == to && about.Dropped == "" {
			composed, err := mail.ComposeAbout(ctx, w.Mail, &m, &about, netmail.Address{})
			w.Must(err)
			text = composed.Text
		}
	}
	return text
}

// A visitor books four dates but one, sees what they cost together, and cancels one and those behind it from the mail's link.
func TestDatesAreBookedAndCancelledFromTheMail(t *testing.T) {
	ctx, axe := browser.Open(t), browser.Axe(t)
	takes := false
	w := newWorld(t, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return takes }})
	s := w.takesCards(t, &takes)
	w.Alter("cut", func(e *catalog.EventType) {
		e.SeriesUpTo, e.Payment, e.SeriesPayment = 4, catalog.PayOnline, catalog.SeriesPayAll
	})
	base := w.open()
	looks := func(what string) {
		t.Helper()
		browser.Accessible(t, ctx, axe)
		dir := os.Getenv("DAYBOOK_TEST_SHOTS")
		if dir == "" {
			return
		}
		for _, wide := range []int64{390, 820, 1024, 1440} {
			for _, theme := range []string{"light", "dark"} {
				browser.Resize(t, ctx, wide, 900)
				browser.Media(t, ctx, theme)
				browser.Shot(t, ctx, dir, fmt.Sprintf("dates-%s-%d-%s", what, wide, theme))
			}
		}
		browser.Resize(t, ctx, 1024, 900)
		browser.Media(t, ctx, "light")
	}
	says := func(texts ...string) {
		t.Helper()
		body := plain(browser.Text(ctx))
		for _, text := range texts {
			if !strings.Contains(body, text) {
				t.Errorf("no %q in %s", text, body)
			}
		}
	}
	lang := cmp.Or(os.Getenv("DAYBOOK_TEST_SHOTS_LANGUAGE"), "de")
	browser.Resize(t, ctx, 1024, 900)
	browser.Do(t, ctx, chromedp.Navigate(base+cutOnTuesday+"&lang="+lang), chromedp.Click(browser.CSS(`.repeat summary`)))
	browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[name=name]`), "Mia"), chromedp.SendKeys(browser.CSS(`[name=email]`), "mia@mail.example"))
	browser.Do(t, ctx, chromedp.SetValue(browser.CSS(`[name=every]`), "1"), chromedp.SetValue(browser.CSS(`[name=times]`), "4"))
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.repeat-how button`)))
	browser.Until(t, ctx, `document.querySelectorAll("[name=on]:checked").length===4`)
	says("180 €")
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.other:has([value^="2026-12-15"])`)))
	browser.Until(t, ctx, `document.querySelectorAll("[name=on]:checked").length===3`)
	says("135 €") // for what is ticked now
	if lang == "de" {
		says("135 € jetzt")
	}
	looks("ticked-" + lang)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.actions button`)))
	browser.Until(t, ctx, bookingID+`!==""`)
	if at := w.starts(); !slices.Equal(at, []string{"2026-12-01T08:00:00Z", "2026-12-08T08:00:00Z", "2026-12-22T08:00:00Z"}) {
		t.Fatalf("booked %v", at)
	}
	says("135 €")
	if lang == "de" {
		says("135 € zahlen", "Wartet auf Ihre Zahlung")
	}
	looks("unpaid-" + lang)
	all, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Status: "pending"})
	w.Must(err)
	link := all.Data[0].ManageURL[strings.LastIndexByte(all.Data[0].ManageURL, '/')+1:]
	_, err = w.Payment.CheckoutURL(t.Context(), link)
	w.Must(err)
	s.Pay(t, s.Session(t, -1), stripetest.Good)
	_, err = w.Payment.CheckoutDone(t.Context(), link)
	w.Must(err)
	sent := regexp.MustCompile(`https://book\.example\.com(/booking/\S+)`).FindStringSubmatch(w.mailed("mia@mail.example"))
	if sent == nil {
		t.Fatal("the mail has no link")
	}
	browser.Do(t, ctx, chromedp.Navigate(base+sent[1]+"?lang="+lang))
	if lang == "de" {
		says("45 € online bezahlt", "Für diese Termine online bezahlt: 135 €")
	}
	looks("booked-" + lang)
	browser.Follow(t, ctx, `.series li:nth-child(2) a`)
	browser.Follow(t, ctx, `.changes a[href*="/cancel"]`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.other:has([value=following])`)))
	says("45 €", "90 €", "135 €") // what comes back of this one, the following and all
	if lang == "de" {
		says("Welche Termine möchten Sie absagen?", "Diese 2 Termine absagen")
	}
	looks("cancel-" + lang)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.actions button`)))
	browser.Until(t, ctx, bookingID+`!==""&&document.querySelector("[data-booking-status]").dataset.bookingStatus==="cancelled"`)
	if at := w.starts(); !slices.Equal(at, []string{"2026-12-01T08:00:00Z"}) {
		t.Errorf("left %v", at)
	}
	if lang == "de" {
		says("2 Termine sind abgesagt", "90 € werden Ihnen erstattet")
	}
	looks("cancelled-" + lang)
}
