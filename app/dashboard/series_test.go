package dashboard

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/waitlist"
	"daybook/views/dash"
)

// The form of a service says how many dates customers may book at once.
func TestHowManyDatesCustomersBook(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	b.wants(b.get("/dashboard/types/new"), 200, `name="seriesUpTo"`)
	form := w.perm("Perm")
	b.wants(b.post("/dashboard/types/new", append(form, "seriesUpTo", "12")...), 303)
	e := w.setup().EventType("perm")
	page := "/dashboard/types/" + e.ID.String()
	if n := w.setup().EventTypeByID(e.ID).SeriesUpTo; n != 12 {
		t.Errorf("saved %d", n)
	}
	b.wants(b.get(page), 200, `name="seriesUpTo" value="12"`)
	b.wants(b.post(page, append(form, "seriesUpTo", "54")...), 422)
	b.wants(b.post(page, append(form, "seriesUpTo", "")...), 303)
	if n := w.setup().EventTypeByID(e.ID).SeriesUpTo; n != 0 {
		t.Errorf("emptied, it is %d", n)
	}
}

var tickedDate = regexp.MustCompile(`name="on" value="([^"]*)" checked`)

// series returns the starts of the bookings of a person that are of a series.
func (w *world) series(person string) (all []string) {
	w.T.Helper()
	found, err := w.Bookings(w.T.Context(), w.Owner, booking.ListBookingsInput{Q: person, Status: "confirmed,rescheduled"})
	w.Must(err)
	for _, b := range found.Data {
		if b.Series != nil {
			all = append(all, b.Start.String())
		}
	}
	slices.Sort(all)
	return all
}

// The owner repeats a booking: what doesn't fit is skipped, moved to the nearest time, or given another one, before anything is
// booked; the series is on the page of each booking, and is moved and cancelled from there.
func TestOwnersSeries(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	ben := w.setup().Hosts[1].ID.String()
	at := func(weeks int, clock string) string {
		day, err := time.Parse(time.DateOnly, quietDay)
		w.Must(err)
		local, err := time.ParseInLocation("2006-01-02T15:04", day.AddDate(0, 0, 7*weeks).Format(time.DateOnly)+"T"+clock, w.setup().Zone)
		w.Must(err)
		return local.UTC().Format(time.RFC3339)
	}
	taken := w.booked("beard-trim", "12:00", "Ida Test", 1)
	_, err := w.Reschedule(t.Context(), w.Owner, taken.ID.String(), app.RescheduleInput{Start: at(1, "11:00")})
	w.Must(err)
	form := []string{"type", "beard-trim", "host", ben, "start", at(0, "11:00"), "name", "Sue Serie", "phone", "+49 30 7777", "every", "1", "unit", "week", "times", "3"}
	first := b.get(dash.NewBookingPath + "?type=beard-trim&host=" + ben + "&date=" + quietDay + "&start=" + at(0, "11:00"))
	b.wants(first, 200, "Repeat", `name="every" value="6"`, "!name=\"on\"")
	shown := b.post(dash.NewBookingPath, append(form, "show", "1")...)
	b.wants(shown, 200, "2 of 3 dates fit", "In place of", "another booking is at that time", "Sue Serie", "Book these dates", "data-focus", `name="other.`+at(1, "11:00"))
	if w.series("Sue") != nil {
		t.Fatal("showing dates booked them")
	}
	var on []string
	for _, m := range tickedDate.FindAllStringSubmatch(shown.body, -1) {
		on = append(on, html.UnescapeString(m[1]))
	}
	if len(on) != 3 {
		t.Fatalf("dates %v", on)
	}
	form = append(form, "repeated", "1", "of", html.UnescapeString(regexp.MustCompile(`name="of" value="([^"]*)"`).FindStringSubmatch(shown.body)[1]))
	b.wants(b.post(dash.NewBookingPath, form...), 422, "tick at least one")
	other := append(slices.Clone(form), "on", on[0], "on", on[1], "on", on[2], "instead", on[1]+" "+at(1, "11:00"), "other."+at(1, "11:00"), at(1, "07:00")[:16])
	refused := b.post(dash.NewBookingPath, other...)
	b.wants(refused, 409, "One date can’t be booked, so nothing was:", "Book anyway", "Sue Serie", "data-waives", "!Next free time")
	if w.series("Sue") != nil {
		t.Fatal("booked although one is refused")
	}
	b.wants(b.post(dash.NewBookingPath, append(form, "on", on[0], "on", on[2])...), 303) // the second one is skipped
	made := w.series("Sue")
	if len(made) != 2 || made[1] != at(2, "11:00") {
		t.Fatalf("booked %v", made)
	}
	found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Q: "Sue Serie"})
	w.Must(err)
	id := found.Data[slices.IndexFunc(found.Data, func(b booking.Booking) bool { return b.Start.String() == at(0, "11:00") })].ID.String()
	b.wants(b.get(dash.BookingPath(id)), 200, "Date 1 of 2", "This one and the one after it", "Which dates?", "!Offer the times to the waitlist")
	_, err = w.Waitlist.Join(t.Context(), w.Owner, waitlist.Input{Items: []waitlist.Item{{EventType: "beard-trim"}},
		Wishes: []waitlist.Wish{{From: quietDay, To: quietDay}}, Invitee: booking.Invitee{Name: "Bo Waits", Email: "bo@mail.example"}})
	w.Must(err)
	freed := func() int {
		t.Helper()
		all, err := w.Waitlist.FreedTimes(t.Context(), w.Owner)
		w.Must(err)
		return len(all)
	}
	b.wants(b.get(dash.BookingPath(id)), 200, "Offer the times to the waitlist")
	b.wants(b.get(dash.BookingMovePath(id)+"?start="+at(0, "12:00")), 200, "Which dates?", "Offer the times to the waitlist")
	b.wants(b.post(dash.BookingMovePath(id), "start", at(0, "12:00"), "scope", "following"), 303)
	if n := freed(); n != 0 {
		t.Errorf("two dates that moved are offered at %d times, without a tick", n)
	}
	b.wants(b.post(dash.BookingMovePath(id), "start", at(0, "11:00"), "scope", "following", "offers", "on"), 303)
	if n := freed(); n != 2 {
		t.Errorf("two dates that moved are offered at %d times", n)
	}
	b.wants(b.post(dash.BookingMovePath(id), "start", at(0, "12:00"), "scope", "following"), 303)
	if now := w.series("Sue"); len(now) != 2 || now[0] != at(0, "12:00") || now[1] != at(2, "12:00") {
		t.Errorf("moved to %v", now)
	}
	blocked := w.booked("beard-trim", "15:00", "Uwe Test", 1)
	_, err = w.Reschedule(t.Context(), w.Owner, blocked.ID.String(), app.RescheduleInput{Start: at(2, "15:20")})
	w.Must(err)
	b.wants(b.post(dash.BookingMovePath(id), "start", at(0, "15:20"), "scope", "all"), 409, "One date can’t move there")
	b.wants(b.post(dash.BookingDoPath(id, dash.DoCancel), "scope", "following"), 303)
	if now := w.series("Sue"); now != nil {
		t.Errorf("left %v", now)
	}
}

// Rules are set aside only for the dates of which they were told; a date keeps its tick whoever takes it.
func TestRulesAreSetAsideForDatesThatAreTold(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	at := func(weeks int, clock string) string {
		day, err := time.Parse(time.DateOnly, quietDay)
		w.Must(err)
		local, err := time.ParseInLocation("2006-01-02T15:04", day.AddDate(0, 0, 7*weeks).Format(time.DateOnly)+"T"+clock, w.setup().Zone)
		w.Must(err)
		return local.UTC().Format(time.RFC3339)
	}
	wall := func(weeks int, clock string) string {
		day, err := time.Parse(time.DateOnly, quietDay)
		w.Must(err)
		return day.AddDate(0, 0, 7*weeks).Format(time.DateOnly) + "T" + clock
	}
	hosts := w.setup().Hosts
	form := []string{"type", "beard-trim", "start", at(0, "11:00"), "name", "Sue Serie", "phone", "+49 30 7777", "every", "1", "unit", "week", "times", "3"}
	shown := b.post(dash.NewBookingPath, append(form, "show", "1")...)
	var on []string
	for _, m := range tickedDate.FindAllStringSubmatch(shown.body, -1) {
		on = append(on, html.UnescapeString(m[1]))
	}
	if len(on) != 3 {
		t.Fatalf("dates %v", on)
	}
	form = append(form, "repeated", "1", "of", html.UnescapeString(regexp.MustCompile(`name="of" value="([^"]*)"`).FindStringSubmatch(shown.body)[1]))
	others := func(base []string) []string {
		return append(slices.Clone(base), "on", on[0], "on", on[1], "on", on[2], "instead", on[1]+" "+at(1, "11:00"), "other."+at(1, "11:00"), wall(1, "05:00"))
	}
	refused := b.post(dash.NewBookingPath, others(form)...)
	b.wants(refused, 409, "One date can’t be booked, so nothing was:", "Book anyway")
	told := regexp.MustCompile(`name="aside" value="([^"]*)"`).FindAllStringSubmatch(refused.body, -1)
	if len(told) != 1 || !strings.HasPrefix(html.UnescapeString(told[0][1]), at(1, "05:00")+" ") {
		t.Fatalf("told of %v", told)
	}
	anyway := append(slices.Clone(form), "override", "outside_hours", "aside", html.UnescapeString(told[0][1]))
	both := append(others(anyway), "instead", on[2]+" "+at(2, "11:00"), "other."+at(2, "11:00"), wall(2, "05:00"))
	again := b.post(dash.NewBookingPath, both...)
	b.wants(again, 409, "One date can’t be booked, so nothing was:")
	if told := regexp.MustCompile(`name="aside" value="([^"]*)"`).FindAllString(again.body, -1); len(told) != 2 {
		t.Errorf("of what was set aside before it forgets: %v", told)
	}
	if w.series("Sue") != nil {
		t.Fatal("a rule was set aside for a date of which it wasn't told")
	}
	unticked := b.post(dash.NewBookingPath, append(slices.Clone(form), "show", "1", "listed", strings.Join(elsewhere(on, hosts[0].ID.String(), hosts[1].ID.String()), " "),
		"on", elsewhere(on, hosts[0].ID.String(), hosts[1].ID.String())[0])...)
	if n := len(regexp.MustCompile(`name="on" value="[^"]*" checked`).FindAllString(unticked.body, -1)); n != 1 {
		t.Errorf("%d dates are ticked once another one takes them: %s", n, unticked.body)
	}
	b.wants(b.post(dash.NewBookingPath, others(anyway)...), 303)
	if made := w.series("Sue"); len(made) != 3 || !slices.Contains(made, at(1, "05:00")) {
		t.Errorf("booked %v", made)
	}
}

// elsewhere returns the dates with the other host of two each.
func elsewhere(dates []string, one, two string) (all []string) {
	swap := strings.NewReplacer(one, two, two, one)
	for _, d := range dates {
		all = append(all, swap.Replace(d))
	}
	return all
}

// A customer who was there comes again in as many weeks as usual with two taps: the link, and the button.
func TestAgainInSomeWeeks(t *testing.T) {
	w := newWorld(t)
	past := w.booked("beard-trim", "12:00", "Rita Regel", 1)
	w.Clock.Set(past.End.Time().Add(time.Minute))
	b := w.asOwner()
	page := b.get(dash.BookingPath(past.ID.String()))
	b.wants(page, 200, "Again in 6 weeks")
	link := html.UnescapeString(regexp.MustCompile(`href="([^"]*)"[^>]*>Again in 6 weeks`).FindStringSubmatch(page.body)[1])
	form := b.get(link)
	b.wants(form, 200, "Rita Regel")
	want := past.Start.Time().In(w.setup().Zone).AddDate(0, 0, 42).UTC().Format(time.RFC3339)
	if !strings.Contains(form.body, `name="start" value="`+want+`"`) {
		t.Errorf("the form isn't of %s", want)
	}
	w.Alter("beard-trim", func(e *catalog.EventType) { e.Active = false })
	b.wants(b.get(dash.BookingPath(past.ID.String())), 200, "!Again in 6 weeks")
}

// The owner moves one date of ten with the eight behind it, on a phone: the page says how many that are, and each keeps its
// distance; those before it stay.
func TestOwnerMovesTheFollowingEight(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.look("light", 390, 844)
	b.signIn(w)
	made := w.weekly("beard-trim", 1, 10, "11:00", "Sue Serie")
	b.open(dash.BookingPath(made.Bookings[1].ID.String()))
	b.sees("Date 2 of 10")
	b.click(`a[href$="/move"]`)
	b.click(`.slot[data-start="` + w.weekLater(1, "12:00") + `"]`)
	b.sees("Chosen time")
	b.until(`[...document.querySelectorAll("[name=scope] option")].some(x => x.textContent.trim() === "This one and the 8 after it")`)
	b.fill("scope", "following")
	shot(b, "series-following")
	b.click("form.form button[type=submit]")
	b.until(`location.pathname === "` + dash.BookingPath(made.Bookings[1].ID.String()) + `"`)
	b.sees("Date 2 of 10")
	want := []string{"confirmed@11:00"}
	for range 9 {
		want = append(want, "rescheduled@12:00")
	}
	if got := w.statuses(made); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for i := range made.Bookings {
		at := w.Again(made.Bookings[i]).Start.Time().In(w.setup().Zone)
		if day := made.Bookings[i].Start.Time().In(w.setup().Zone); at.YearDay() != day.YearDay() {
			t.Errorf("date %d is on %v, and was on %v", i+1, at, day)
		}
	}
	b.sees("12:00")
}

// Who comes every four weeks is asked to come again in four.
func TestAgainAsUsual(t *testing.T) {
	w := newWorld(t)
	made := w.weekly("beard-trim", 1, 9, "11:00", "Sue Serie")
	for i := range made.Bookings {
		if i%4 != 0 {
			_, err := w.Cancel(t.Context(), w.Owner, made.Bookings[i].ID.String(), app.CancelInput{})
			w.Must(err)
		}
	}
	w.Clock.Set(made.Bookings[8].End.Time().Add(time.Minute))
	b := w.asOwner()
	b.wants(b.get(dash.BookingPath(made.Bookings[8].ID.String())), 200, "Again in 4 weeks")
	due := fmt.Sprint(w.Again(made.Bookings[8]).Price.Amount / 100)
	took := b.post(dash.BookingPayPath(made.Bookings[8].ID.String()), "amount", due, "due", due, "method", "cash", "back", "/dashboard")
	b.wants(took, 303)
	b.wants(b.get(took.location), 200, "Again in 4 weeks") // with what was just paid
}
