package page_test

import (
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/page"
)

// ticked are the dates of a page's form, as a browser sends them.
func ticked(a answer) []string { return a.all(`name="on" value="([^"]*)" checked`) }

// dates asks for the dates of a form, every week so many.
func (w *world) dates(form url.Values, at, times string) answer {
	w.T.Helper()
	form = cloned(form)
	form.Set("every", "1")
	form.Set("unit", "week")
	form.Set("times", times)
	form.Set("show", "1")
	return w.send("POST", at, form)
}

func cloned(form url.Values) url.Values {
	all := url.Values{}
	for name, values := range form {
		all[name] = slices.Clone(values)
	}
	return all
}

// withDates is the form of an answer with the dates that are ticked.
func withDates(a answer, person, times string) url.Values {
	form := filled(a, "name", person, "email", person+"@mail.example", "every", "1", "unit", "week", "times", times)
	form["on"] = ticked(a)
	return form
}

func (w *world) starts() (all []string) {
	w.T.Helper()
	p, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{Status: "confirmed,pending,rescheduled"})
	w.Must(err)
	for _, b := range p.Data {
		if b.Series != nil {
			all = append(all, b.Start.String())
		}
	}
	slices.Sort(all)
	return all
}

const cutOnTuesday = "/salon/cut?timeZone=Europe/Berlin&start=2026-12-01T08:00:00Z"

// seriesWorld is a world in which customers may book four dates at once. The second Tuesday at nine is taken, and the third is
// a day off.
func seriesWorld(t testing.TB) *world {
	w := newWorld(t, page.Options{})
	for _, slug := range []string{"cut", "either"} {
		w.Alter(slug, func(e *catalog.EventType) { e.SeriesUpTo = 4 })
	}
	w.book("cut", "2026-12-08T08:00:00Z", "leo")
	return w
}

// Without JavaScript a customer sees all dates, with the nearest time in place of what is taken, before anything is sent; what
// is ticked is booked.
func TestSeriesWithoutJavaScript(t *testing.T) {
	w := seriesWorld(t)
	if form := w.get("/salon/bridal?start=2026-12-01T08:00:00Z"); strings.Contains(form.text, "several dates") {
		t.Error("a service without seriesUpTo offers a series")
	}
	form := w.get(cutOnTuesday)
	if !strings.Contains(form.text, "Book several dates") || strings.Contains(form.text, `value="5"`) && strings.Contains(form.text, `<option value="5">5</option></select>`) {
		t.Error("the form doesn't ask whether it comes again, or for too many dates")
	}
	shown := w.dates(filled(form, "name", "Mia Meyer", "notes", "Just the tips"), cutOnTuesday, "4")
	for _, want := range []string{"4 of 4 dates are free", "Tue, Dec 1", "in place of Tue, Dec 8", `value="Mia Meyer"`, "Just the tips", "Book these dates"} {
		if !strings.Contains(strings.ReplaceAll(shown.text, "\u202f", " "), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := w.starts(); n != nil {
		t.Fatalf("showing dates booked %v", n)
	}
	all := ticked(shown)
	if len(all) != 4 {
		t.Fatalf("the dates are %v", all)
	}
	sent := withDates(shown, "mia", "4")
	sent["on"] = slices.Delete(slices.Clone(all), 2, 3)
	none := cloned(sent)
	none.Del("on")
	if a := w.send("POST", cutOnTuesday, none); a.StatusCode != 422 || !strings.Contains(a.text, "tick at least one") || len(ticked(a)) != 0 {
		t.Errorf("without dates: %d %q", a.StatusCode, ticked(a))
	}
	other := cloned(sent) // another rhythm than the dates are of: they are shown anew
	other.Set("every", "2")
	if a := w.send("POST", cutOnTuesday, other); a.StatusCode != 200 || !strings.Contains(a.text, "2027") && !strings.Contains(a.text, "Dec 29") || w.starts() != nil {
		t.Errorf("another rhythm: %d, booked %v", a.StatusCode, w.starts())
	}
	for _, wrong := range []string{"x", "2026-12-01T08:00:00Z~hs_zz", "2026-12-01T08:00:00Z"} {
		bad := cloned(sent)
		bad["on"] = []string{wrong}
		if a := w.send("POST", cutOnTuesday, bad); a.StatusCode != 409 || w.starts() != nil {
			t.Errorf("%q is %d", wrong, a.StatusCode)
		}
	}
	done := w.send("POST", cutOnTuesday, sent)
	want := []string{"2026-12-01T08:00:00Z", "2026-12-08T09:00:00Z", "2026-12-22T08:00:00Z"}
	if done.StatusCode != 303 || !slices.Equal(w.starts(), want) {
		t.Fatalf("%d: booked %v", done.StatusCode, w.starts())
	}
	again := w.send("POST", cutOnTuesday, sent)
	if again.Header.Get("Location") != done.Header.Get("Location") || len(w.starts()) != 3 {
		t.Errorf("the form sent twice leads to %q, and books %v", again.Header.Get("Location"), w.starts())
	}
	booked := w.get(done.Header.Get("Location"))
	for _, want := range []string{"You’re booked", "Date 1 of 3", "Tue, Dec 22"} {
		if !strings.Contains(booked.text, want) {
			t.Errorf("the page of the booking has no %q", want)
		}
	}
	if a := w.send("POST", cutOnTuesday, func() url.Values { f := cloned(sent); f.Set("show", "0"); return f }()); a.StatusCode != 200 || ticked(a) != nil {
		t.Errorf("only the first: %d %v", a.StatusCode, ticked(a))
	}
}

// A date that somebody else takes meanwhile is shown, and nothing is booked; the next try books what is left.
func TestSeriesThatChangedMeanwhile(t *testing.T) {
	w := seriesWorld(t)
	shown := w.dates(filled(w.get(cutOnTuesday)), cutOnTuesday, "3")
	w.book("cut", "2026-12-15T08:00:00Z", "ada")
	a := w.send("POST", cutOnTuesday, withDates(shown, "mia", "3"))
	if a.StatusCode != 409 || !strings.Contains(a.text, "have changed") || w.starts() != nil {
		t.Fatalf("%d, booked %v", a.StatusCode, w.starts())
	}
	if !strings.Contains(a.text, `value="mia@mail.example"`) {
		t.Error("what was typed is gone")
	}
	if a = w.send("POST", cutOnTuesday, withDates(a, "mia", "3")); a.StatusCode != 303 || len(w.starts()) != 3 {
		t.Errorf("%d, booked %v", a.StatusCode, w.starts())
	}
	w.Alter("cut", func(e *catalog.EventType) { e.Limits.PersonUpcoming = 2 }) // whom it is of is known only when it is booked
	shown = w.dates(filled(w.get("/salon/cut?timeZone=Europe/Berlin&start=2026-12-03T08:00:00Z")), cutOnTuesday, "3")
	a = w.send("POST", cutOnTuesday, withDates(shown, "zoe", "3"))
	if a.StatusCode != 409 || !strings.Contains(a.text, "as many upcoming bookings") || len(ticked(a)) != 2 {
		t.Fatalf("%d: %v", a.StatusCode, ticked(a))
	}
	if a = w.send("POST", cutOnTuesday, withDates(a, "zoe", "3")); a.StatusCode != 303 || len(w.starts()) != 5 {
		t.Errorf("%d, booked %v", a.StatusCode, w.starts())
	}
	w.Alter("cut", func(e *catalog.EventType) { e.SeriesUpTo = 0 })
	if a = w.send("POST", cutOnTuesday, withDates(shown, "ida", "3")); a.StatusCode != 200 || len(w.starts()) != 5 || !strings.Contains(a.text, "can’t be booked together") {
		t.Errorf("switched off meanwhile: %d, booked %v", a.StatusCode, w.starts())
	}
}

// A visit comes again with all of its services.
func TestSeriesOfVisits(t *testing.T) {
	w := visitWorld(t, page.Options{})
	w.Alter("colour", func(e *catalog.EventType) { e.SeriesUpTo = 5 })
	w.Alter("cut", func(e *catalog.EventType) { e.SeriesUpTo = 3 })
	form := w.get(colourWithCut)
	if strings.Count(form.text, "<option value=\"4\"") != 1 { // of the weeks, not of the dates
		t.Error("a visit comes more often than its services may")
	}
	shown := w.dates(filled(form), colourWithCut, "3")
	if len(ticked(shown)) != 3 {
		t.Fatalf("%d %v", shown.StatusCode, ticked(shown))
	}
	done := w.send("POST", colourWithCut, withDates(shown, "mia", "3"))
	if done.StatusCode != 303 || len(w.starts()) != 6 {
		t.Fatalf("%d, booked %v", done.StatusCode, w.starts())
	}
	booked := w.get(done.Header.Get("Location"))
	if at := w.starts(); !slices.Equal(at, []string{"2026-12-01T08:00:00Z", "2026-12-01T09:30:00Z", "2026-12-08T08:00:00Z", "2026-12-08T09:30:00Z", "2026-12-15T08:00:00Z", "2026-12-15T09:30:00Z"}) {
		t.Errorf("booked %v", at)
	}
	if !strings.Contains(booked.text, "Date 1 of 3") || strings.Count(booked.text, `href="/visit/`) < 2 {
		t.Error("the page of the visit doesn't lead to the others")
	}
	rest := strings.Split(done.Header.Get("Location"), "?")[0]
	moved := w.send("POST", rest+"/reschedule", url.Values{"start": {"2026-12-01T09:30:00Z"}, "scope": {"all"}})
	want := []string{"2026-12-01T09:30:00Z", "2026-12-01T11:00:00Z", "2026-12-08T09:30:00Z", "2026-12-08T11:00:00Z", "2026-12-15T09:30:00Z", "2026-12-15T11:00:00Z"}
	if all := w.starts(); moved.StatusCode != 303 || !slices.Equal(all, want) {
		t.Errorf("all moved: %d %v", moved.StatusCode, all)
	}
	second := w.get(strings.ReplaceAll(booked.all(`href="(/visit/[^"]*)"`)[0], "&amp;", "&"))
	cancels := strings.ReplaceAll(second.all(`href="(/visit/[^"]*/cancel[^"]*)"`)[0], "&amp;", "&")
	if a := w.send("POST", cancels, url.Values{"scope": {"this"}}); a.StatusCode != 303 || !slices.Equal(w.starts(), slices.Concat(want[:2], want[4:])) {
		t.Errorf("the second cancelled: %d, left %v", a.StatusCode, w.starts())
	}
	if a := w.send("POST", rest+"/cancel", url.Values{"scope": {"all"}}); a.StatusCode != 303 || len(w.starts()) > 0 {
		t.Errorf("all cancelled: %d, left %v", a.StatusCode, w.starts())
	}
}

// mySeries books every week, as the owner would.
func (w *world) mySeries(person string, n int) booking.Series {
	w.T.Helper()
	made, err := w.BookSeries(w.T.Context(), w.Owner, booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: n},
		EventType: "cut", Start: "2026-12-01T09:00:00Z", Invitee: booking.Invitee{Name: person, Email: person + "@mail.example", TimeZone: "Europe/Berlin"}})
	w.Must(err)
	return made
}

// From the link of one date its person cancels it, the following or all by their own rules, and moves them together or not at
// all.
func TestSeriesByALink(t *testing.T) {
	w := newWorld(t, page.Options{})
	made := w.mySeries("mia", 6)
	third := path(made.Bookings[2].ManageURL)
	shown := w.get(third)
	for i, b := range made.Bookings {
		if link := path(b.ManageURL); i != 2 && !strings.Contains(shown.text, `href="`+link) {
			t.Errorf("no link to date %d", i+1)
		}
	}
	asked := w.get(third + "/reschedule?start=2026-12-16T10:00:00Z")
	for _, want := range []string{"Only this one", "This one and the 3 after it", "All 6 that are still to come"} {
		if !strings.Contains(asked.text, want) || !strings.Contains(w.get(third+"/cancel").text, want) {
			t.Errorf("nobody asks %q", want)
		}
	}
	w.book("cut", "2026-12-23T10:00:00Z", "leo")
	a := w.send("POST", third+"/reschedule", url.Values{"start": {"2026-12-16T10:00:00Z"}, "scope": {"following"}})
	if a.StatusCode != 409 || !strings.Contains(a.text, "One date can’t move there") || !strings.Contains(a.text, "Dec 23") || w.starts()[2] != "2026-12-15T09:00:00Z" {
		t.Errorf("%d: %v", a.StatusCode, w.starts())
	}
	a = w.send("POST", third+"/reschedule", url.Values{"start": {"2026-12-15T10:00:00Z"}, "scope": {"following"}})
	if at := w.starts(); a.StatusCode != 303 || at[1] != "2026-12-08T09:00:00Z" || at[2] != "2026-12-15T10:00:00Z" || at[5] != "2027-01-05T10:00:00Z" {
		t.Errorf("%d: %v", a.StatusCode, at)
	}
	w.Clock.Set(made.Bookings[0].Start.Time().AddDate(0, 0, 6)) // of the second date it is less than the notice of a day
	w.Clock.Set(made.Bookings[1].Start.Time().Add(-3600e9))
	if a = w.send("POST", third+"/reschedule", url.Values{"start": {"2026-12-15T11:00:00Z"}, "scope": {"all"}}); a.StatusCode != 409 ||
		!strings.Contains(a.text, "too late to move all") || !slices.Contains(w.starts(), "2026-12-15T10:00:00Z") {
		t.Errorf("too late: %d %v", a.StatusCode, w.starts())
	}
	a = w.send("POST", third+"/cancel", url.Values{"scope": {"all"}})
	if a.StatusCode != 200 || !strings.Contains(a.text, "stays: it is too late to cancel it online") || !slices.Equal(w.starts(), []string{"2026-12-08T09:00:00Z"}) { // the first is over
		t.Errorf("%d, left %v", a.StatusCode, w.starts())
	}
	if a = w.get(third); !strings.Contains(a.text, "Cancelled") {
		t.Error("the page doesn't say that it is cancelled")
	}
}

// A link opens no other series, nor a date that was given to somebody else.
func TestStrangersAndSeries(t *testing.T) {
	w := newWorld(t, page.Options{})
	mine, err := w.BookSeries(t.Context(), w.Owner, booking.SeriesInput{Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3},
		EventType: "cut", Start: "2026-12-01T09:00:00Z", Invitee: booking.Invitee{Name: booking.WalkIn}})
	w.Must(err)
	name, email := "Zoe", "zoe@mail.example"
	_, err = w.Edit(t.Context(), w.Owner, mine.Bookings[1].ID.String(), booking.EditInput{Invitee: &booking.EditInvitee{Name: &name, Email: &email}}, "")
	w.Must(err)
	for i, never := range map[int]int{0: 1, 1: 0, 2: 1} {
		link := path(mine.Bookings[i].ManageURL)
		if text := w.get(link).text; strings.Contains(text, path(mine.Bookings[never].ManageURL)) || i != 1 && strings.Contains(text, "Zoe") {
			t.Errorf("date %d leads to %d", i, never)
		}
		w.send("POST", link+"/cancel", url.Values{"scope": {"all"}})
		w.send("POST", link+"/reschedule", url.Values{"start": {"2026-12-02T10:00:00Z"}, "scope": {"all"}})
	}
	if got := w.starts(); !slices.Equal(got, []string{"2026-12-01T09:00:00Z", "2026-12-08T09:00:00Z", "2026-12-15T09:00:00Z"}) {
		t.Errorf("the dates of two people were changed by one: %v", got)
	}
}

// A German customer books four dates on a phone, moves the following, and cancels all.
func TestSeriesOnAPhone(t *testing.T) {
	ctx, axe := browser.Open(t), browser.Axe(t)
	w := seriesWorld(t)
	base := w.open()
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
	browser.Language(t, ctx, "de-DE")
	fits := func(what string) {
		t.Helper()
		browser.Accessible(t, ctx, axe)
		if dir := os.Getenv("DAYBOOK_TEST_SHOTS"); dir != "" {
			browser.Shot(t, ctx, dir, "series-"+what)
		}
		if wide := browser.Eval[int](t, ctx, `document.documentElement.scrollWidth`); wide > 390 {
			t.Errorf("%s is %d px wide", what, wide)
		}
	}
	browser.Do(t, ctx, chromedp.Navigate(base+cutOnTuesday))
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.repeat summary`)))
	fits("asking")
	browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[name=name]`), "Mia"))
	browser.Do(t, ctx, chromedp.SetValue(browser.CSS(`[name=every]`), "1"))
	browser.Do(t, ctx, chromedp.SetValue(browser.CSS(`[name=times]`), "4"))
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.repeat-how button`)))
	browser.Until(t, ctx, `document.querySelectorAll("[name=on]").length===4`)
	fits("dates")
	if text := browser.Text(ctx); !strings.Contains(text, "4 von 4 Terminen sind frei") || !strings.Contains(text, "statt Di, 8. Dez.") {
		t.Error(text)
	}
	browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[name=email]`), "mia@mail.example\r")) // Enter books
	browser.Until(t, ctx, bookingID+`!==""`)
	fits("booked")
	if n := len(w.starts()); n != 4 {
		t.Fatalf("booked %d", n)
	}
	browser.Follow(t, ctx, `.series li:nth-child(3) a`)
	browser.Follow(t, ctx, `.changes a[href*="/reschedule"]`)
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.month-near [data-day="2026-12-16"]`)))
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[data-start="2026-12-16T10:00:00Z"]`)))
	browser.Until(t, ctx, `document.querySelectorAll("[name=scope]").length===3`)
	fits("moving")
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[name=scope][value=following]`)), chromedp.Click(browser.CSS(`.actions button`)))
	browser.Until(t, ctx, `document.querySelector("[data-booking-start]")?.dataset.bookingStart==="2026-12-16T10:00:00Z"`)
	if at := w.starts(); at[3] != "2026-12-23T10:00:00Z" || at[1] != "2026-12-08T09:00:00Z" {
		t.Errorf("moved to %v", at)
	}
	browser.Follow(t, ctx, `.changes a[href*="/cancel"]`)
	fits("cancelling")
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`[name=scope][value=all]`)), chromedp.Click(browser.CSS(`.actions button`)))
	browser.Until(t, ctx, bookingID+`!==""&&document.querySelector("[data-booking-status]").dataset.bookingStatus==="cancelled"`)
	fits("cancelled")
	if at := w.starts(); len(at) > 1 {
		t.Errorf("left %v", at)
	}
}
