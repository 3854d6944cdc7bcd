package page_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/page"
	"daybook/app/payment/stripetest"
)

// scopesOn are the scopes that a page asks for.
func scopesOn(a answer) []string { return a.all(`name="scope" value="([^"]*)"`) }

// A page asks for following and all only where their dates are still to come, and all of the series is the invitee's.
func TestScopesOfWhatIsReached(t *testing.T) {
	w := newWorld(t, page.Options{})
	ctx := t.Context()
	asks := func(what string, b booking.Booking, want ...string) {
		t.Helper()
		link := path(b.ManageURL)
		for _, at := range []string{link + "/cancel", link + "/reschedule?start=2026-12-17T13:00:00Z"} {
			if got := scopesOn(w.get(at)); !slices.Equal(got, want) {
				t.Errorf("%s: %s asks %v, want %v", what, at[len(link):], got, want)
			}
		}
	}
	given, err := w.BookSeries(ctx, w.Owner, booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3},
		EventType: "cut", Start: "2026-12-01T09:00:00Z", Invitee: booking.Invitee{Name: booking.WalkIn}})
	w.Must(err)
	for i := 2; i > 0; i-- { // of three that were booked for who walked in, Zoe has the last two
		name, email := "Zoe", "zoe@mail.example"
		_, err = w.Edit(ctx, w.Owner, given.Bookings[i].ID.String(), booking.EditInput{Invitee: &booking.EditInvitee{Name: &name, Email: &email}}, "")
		w.Must(err)
	}
	asks("the first is somebody else's", given.Bookings[0])
	asks("the first is somebody else's", given.Bookings[1], "this", "following")
	asks("the first is somebody else's", given.Bookings[2])
	if text := w.get(path(given.Bookings[1].ManageURL)).text; !strings.Contains(text, "Tue, Dec 15") || strings.Contains(text, "Tue, Dec 1,") {
		t.Error("the dates that are reached are not listed")
	}
	_, err = w.CancelSeries(ctx, w.Owner, given.ID.String(), booking.SeriesCancelInput{From: given.Bookings[0].ID.String(), Scope: booking.SeriesAll})
	w.Must(err)

	ends := w.mySeries("ida", 3)
	asks("all three", ends.Bookings[0], "this", "all")
	asks("all three", ends.Bookings[1], "this", "following", "all")
	_, err = w.Cancel(ctx, w.Owner, ends.Bookings[1].ID.String(), app.CancelInput{})
	w.Must(err)
	asks("one is cancelled", ends.Bookings[0], "this", "all")
	if text := w.get(path(ends.Bookings[0].ManageURL) + "/cancel").text; !strings.Contains(text, "All 2 that") {
		t.Error("what is cancelled counts among what is to come")
	}
	_, err = w.Cancel(ctx, w.Owner, ends.Bookings[2].ID.String(), app.CancelInput{})
	w.Must(err)
	asks("all others are cancelled", ends.Bookings[0])
	_, err = w.Cancel(ctx, w.Owner, ends.Bookings[0].ID.String(), app.CancelInput{})
	w.Must(err)

	last, err := w.BookSeries(ctx, w.Owner, booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3},
		EventType: "cut", Start: "2026-12-02T09:00:00Z", Invitee: booking.Invitee{Name: booking.WalkIn}})
	w.Must(err)
	for i := range 2 {
		name, email := "Kim", "kim@mail.example"
		_, err = w.Edit(ctx, w.Owner, last.Bookings[i].ID.String(), booking.EditInput{Invitee: &booking.EditInvitee{Name: &name, Email: &email}}, "")
		w.Must(err)
	}
	for _, b := range last.Bookings {
		asks("the last is somebody else's", b)
	}
	if a := w.send("POST", path(last.Bookings[0].ManageURL)+"/cancel", url.Values{"scope": {"all"}}); a.StatusCode != 404 || !slices.Contains(w.starts(), "2026-12-02T09:00:00Z") {
		t.Errorf("what isn't asked is %d", a.StatusCode)
	}

	begun := w.mySeries("eva", 3)
	w.Clock.Set(begun.Bookings[0].Start.Time().Add(time.Minute))
	asks("the first has begun", begun.Bookings[1], "this", "all")
	if text := w.get(path(begun.Bookings[1].ManageURL) + "/cancel").text; !strings.Contains(text, "All 2 that") {
		t.Error("what has begun counts among what is to come")
	}
	w.Clock.Set(begun.Bookings[1].Start.Time().Add(time.Minute))
	asks("it is the last", begun.Bookings[2])
}

// The page that asks whether to cancel says for each scope what comes back, what doesn't, and which dates stay.
func TestCancellingSaysWhatComesBack(t *testing.T) {
	takes := false
	w := newWorld(t, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return takes }})
	s := w.takesCards(t, &takes)
	w.Alter("cut", func(e *catalog.EventType) {
		e.Payment, e.SeriesPayment, e.SeriesUpTo = catalog.PayOnline, catalog.SeriesPayAll, 5
	})
	made, err := w.BookSeries(t.Context(), w.API, booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 4},
		EventType: "cut", Start: "2026-12-02T09:00:00Z", Invitee: booking.Invitee{Name: "Mia", Email: "mia@mail.example", TimeZone: "Europe/Berlin"}})
	w.Must(err)
	third := path(made.Bookings[2].ManageURL)
	if text := plain(w.get(third).text); !strings.Contains(text, "Pay €180") {
		t.Error("the page of a date doesn't say what all of them cost")
	}
	if text := w.get(third + "/cancel").text; strings.Contains(text, "refund") {
		t.Error("what isn't paid comes back")
	}
	token := third[strings.LastIndexByte(third, '/')+1:]
	_, err = w.Payment.CheckoutURL(t.Context(), token)
	w.Must(err)
	s.Pay(t, s.Session(t, -1), stripetest.Good)
	_, err = w.Payment.CheckoutDone(t.Context(), token)
	w.Must(err)
	notes := func(at string) (all []string) {
		t.Helper()
		for _, label := range w.get(at).all(`(?s)name="scope"(.*?)</label>`) {
			text := ""
			for _, note := range (answer{text: plain(label)}).all(`<small>([^<]*)</small>`) {
				text += note + " "
			}
			all = append(all, strings.TrimSpace(text))
		}
		return all
	}
	want := func(what, at string, want ...string) {
		t.Helper()
		if got := notes(at); !slices.Equal(got, want) {
			t.Errorf("%s: %q", what, got)
		}
	}
	want("all in time", third+"/cancel", "€45 will be refunded to you.", "€90 will be refunded to you.", "€180 will be refunded to you.")
	w.Clock.Set(made.Bookings[0].Start.Time().Add(-time.Hour))
	const stays = "Wed, Dec 2, 10:00 AM stays: it is too late to cancel it online. "
	want("one late", third+"/cancel", "€45 will be refunded to you.", "€90 will be refunded to you.", stays+"€135 will be refunded to you.")
	w.Alter("cut", func(e *catalog.EventType) { e.RefundOnCancel = catalog.RefundNever })
	want("never", third+"/cancel", "€45 will not be refunded.", "€90 will not be refunded.", stays+"€135 will not be refunded.")
	w.Alter("cut", func(e *catalog.EventType) { e.RefundOnCancel = catalog.RefundWithinNotice })
	a := w.send("POST", third+"/cancel", url.Values{"scope": {"all"}})
	if text := plain(a.text); a.StatusCode != 200 || !strings.Contains(text, strings.TrimSpace(stays)) {
		t.Errorf("%d", a.StatusCode)
	}
	if got := w.starts(); !slices.Equal(got, []string{"2026-12-02T09:00:00Z"}) {
		t.Errorf("left %v", got)
	}
}

// says wants these texts on the page, and none of those that begin with "!".
func (w *world) says(what, at string, want ...string) {
	w.T.Helper()
	text := plain(w.get(at).text)
	for _, part := range want {
		part, never := strings.CutPrefix(part, "!")
		if strings.Contains(text, part) == never {
			w.T.Errorf("%s: %q is there: %t", what, part, never)
		}
	}
}

// What was paid for a series stands on the pages of its dates. Cancelled together, they say so on each page, with how many they
// are and what goes back, before any refund has run.
func TestPaidSeriesSaysWhatBecomesOfItsMoney(t *testing.T) {
	takes := false
	w := newWorld(t, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return takes }})
	s := w.takesCards(t, &takes)
	w.Alter("cut", func(e *catalog.EventType) {
		e.Payment, e.SeriesPayment, e.SeriesUpTo = catalog.PayOnline, catalog.SeriesPayAll, 5
	})
	weeks := func(person, start string, n int) []string {
		t.Helper()
		made, err := w.BookSeries(t.Context(), w.API, booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: n},
			EventType: "cut", Start: start, Invitee: booking.Invitee{Name: person, Email: person + "@mail.example", TimeZone: "Europe/Berlin"}})
		w.Must(err)
		var all []string
		for _, b := range made.Bookings {
			all = append(all, path(b.ManageURL))
		}
		return all
	}
	pay := func(at string) {
		t.Helper()
		token := at[strings.LastIndexByte(at, '/')+1:]
		_, err := w.Payment.CheckoutURL(t.Context(), token)
		w.Must(err)
		s.Pay(t, s.Session(t, -1), stripetest.Good)
		_, err = w.Payment.CheckoutDone(t.Context(), token)
		w.Must(err)
	}
	all := weeks("mia", "2026-12-02T09:00:00Z", 4)
	w.says("not paid yet", all[1], "!paid online", "!Paid online")
	pay(all[0])
	w.says("paid", all[1], "€45 paid online", "Paid online for these dates: €180")
	if n := strings.Count(w.get(all[1]).text, ">Paid online<"); n != 4 {
		t.Errorf("%d dates are paid", n)
	}
	w.says("to be cancelled", all[1]+"/cancel", "Which dates do you want to cancel?", `data-submit="Cancel booking"`,
		`data-submit="Cancel these 3 dates"`, `data-submit="Cancel these 4 dates"`, "Cancel the chosen dates", "Their times", "!Cancel this booking?")
	if a := w.send("POST", all[1]+"/cancel", url.Values{"scope": {"this"}}); a.StatusCode != 303 {
		t.Fatalf("%d", a.StatusCode)
	}
	w.says("one is cancelled", all[1], "Booking cancelled", "€45 is on its way back to you.", "!not be refunded", "!dates are cancelled")
	w.says("one is cancelled", all[0], "Paid online for these dates: €135", "!is on its way")
	w.Clock.Advance(time.Minute)
	if a := w.send("POST", all[0]+"/cancel", url.Values{"scope": {"all"}}); a.StatusCode != 303 {
		t.Fatalf("%d", a.StatusCode)
	}
	for _, at := range []int{0, 3} {
		w.says("the rest is cancelled", all[at], "3 dates are cancelled", "They were cancelled as you asked.", "€135 is on its way back to you.", "!Booking cancelled")
	}
	w.says("another act", all[1], "Booking cancelled", "€45 is on its way back to you.")

	w.Alter("cut", func(e *catalog.EventType) { e.RefundOnCancel = catalog.RefundNever })
	kept := weeks("ida", "2026-12-03T09:00:00Z", 3)
	pay(kept[0])
	w.Clock.Set(time.Date(2026, 12, 3, 8, 30, 0, 0, time.UTC))
	a := w.send("POST", kept[0]+"/cancel", url.Values{"scope": {"all"}})
	if text := plain(a.text); a.StatusCode != 200 || !strings.Contains(text, "2 dates are cancelled. Thu, Dec 3, 10:00 AM stays") {
		t.Errorf("two of three: %d %s", a.StatusCode, text)
	}
	w.says("nothing goes back", kept[2], "2 dates are cancelled", "€90 will not be refunded.", "!on its way")
}

// Where each later date can be paid ahead, the form says so, and the page of such a date has the way to pay it until that is done.
func TestLaterDateIsPaidAheadFromItsPage(t *testing.T) {
	takes := false
	w := newWorld(t, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return takes }})
	s := w.takesCards(t, &takes)
	w.Alter("cut", func(e *catalog.EventType) {
		e.Payment, e.SeriesPayment, e.SeriesUpTo = catalog.PayOnline, catalog.SeriesPayEach, 4
	})
	if text := plain(w.dates(filled(w.get(cutOnTuesday)), cutOnTuesday, "3").text); !strings.Contains(text, "or online before, on the page of each date") {
		t.Error("the form doesn't say how the other dates are paid")
	}
	made, err := w.BookSeries(t.Context(), w.API, booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3},
		EventType: "cut", Start: "2026-12-02T09:00:00Z", Invitee: booking.Invitee{Name: "Mia", Email: "mia@mail.example", TimeZone: "Europe/Berlin"}})
	w.Must(err)
	first, second := path(made.Bookings[0].ManageURL), path(made.Bookings[1].ManageURL)
	pay := func(at string) {
		t.Helper()
		token := at[strings.LastIndexByte(at, '/')+1:]
		_, err := w.Payment.CheckoutURL(t.Context(), token)
		w.Must(err)
		s.Pay(t, s.Session(t, -1), stripetest.Good)
		_, err = w.Payment.CheckoutDone(t.Context(), token)
		w.Must(err)
	}
	w.says("all wait", second, "Pay €45", "!online now")
	pay(first)
	w.says("the first is paid", first, "€45 paid online", "!online now")
	w.says("the second is not", second, "Pay €45 online now", second+"/pay", "paid on site", "!€45 paid online")
	pay(second)
	w.says("the second is paid", second, "€45 paid online", "Paid online for these dates: €90", "!online now")
	w.Clock.Set(made.Bookings[2].Start.Time())
	w.says("the third has begun", path(made.Bookings[2].ManageURL), "!online now")
}
