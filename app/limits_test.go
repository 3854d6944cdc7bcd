package app_test

import (
	"fmt"
	"slices"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// limited offers an event type with limits, served by the hosts 1 to n.
func (w *world) limited(slug string, n int, l catalog.Limits) {
	w.T.Helper()
	w.offer(slug, n, func(e *catalog.EventType) { e.Limits = l })
}

// moved moves a booking.
func (w *world) moved(b booking.Booking, start string) error {
	_, err := w.Reschedule(w.T.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At(start)})
	return err
}

// A person may have as many bookings of an event type as its limits allow: to come, on a day and in a week. The business
// may waive that. A move counts, but not against the day and the week that the booking is in.
func TestLimitsOfAPerson(t *testing.T) {
	w := newWorld(t)
	w.limited("some", 1, catalog.Limits{PersonUpcoming: 2})
	w.limited("daily", 2, catalog.Limits{PersonPerDay: 1})
	w.limited("weekly", 3, catalog.Limits{PersonPerWeek: 1})
	try := func(slug, start, person string) error {
		_, err := w.Book(t.Context(), w.API, apptest.Input(slug, start, person))
		return err
	}
	first := w.Booked("some", "1T09", "bo")
	w.Booked("some", "8T10", "bo")
	e := w.Refused(try("some", "15T11", "bo"), fault.Conflict, "person_upcoming")
	if got := against(t, e); !slices.Equal(got, []string{"person_upcoming"}) {
		t.Errorf("%v stand against it", got)
	}
	w.Must(try("some", "15T11", "cy"))
	w.Must(w.moved(first, "2T09"))
	in := apptest.Input("some", "15T12", "BO")
	in.Override = []string{"person_upcoming"}
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	history, err := w.History(t.Context(), w.Owner, b.ID.String())
	w.Must(err)
	if !slices.Equal(history[0].Waived, in.Override) {
		t.Errorf("the history says that %v were waived", history[0].Waived)
	}

	w.Booked("daily", "1T09", "bo")
	w.Refused(try("daily", "1T14", "bo"), fault.Conflict, "person_day_full")
	second := w.Booked("daily", "2T10", "bo")
	w.Refused(w.moved(second, "1T14"), fault.Conflict, "person_day_full")
	w.Must(w.moved(second, "2T11"))

	booked := w.Booked("weekly", "1T11", "bo")
	w.Refused(try("weekly", "4T11", "bo"), fault.Conflict, "person_week_full")
	next := w.Booked("weekly", "7T11", "bo") // a Monday
	w.Refused(w.moved(next, "4T11"), fault.Conflict, "person_week_full")
	w.Must(w.moved(next, "9T11"))

	// Whoever was merged into another contact is that person, also by the old address.
	cy := w.Booked("weekly", "14T11", "cy")
	_, err = w.People.MergeContacts(t.Context(), w.Owner, cy.ContactID.String(), booked.ContactID.String())
	w.Must(err)
	for _, person := range []string{"bo", "cy"} {
		w.Refused(try("weekly", "15T11", person), fault.Conflict, "person_week_full")
	}
	w.Refused(try("weekly", "9T15", "cy"), fault.Conflict, "person_week_full")

	// What is over is not to come, and a cancelled booking doesn't count.
	_, err = w.Cancel(t.Context(), w.API, b.ID.String(), app.CancelInput{})
	w.Must(err)
	w.at("+9 08:00")
	w.Must(try("some", "16T14", "bo")) // besides the one that came with cy
	w.Refused(try("some", "16T15", "bo"), fault.Conflict, "person_upcoming")
}

// A host, and all hosts together, may have as many sessions of an event type in a week as its limits allow. Starts in
// a full week are not offered, and are explained; a free seat of a begun session is open still.
func TestLimitsOfAWeek(t *testing.T) {
	w := newWorld(t)
	w.limited("each", 2, catalog.Limits{HostPerWeek: 1})
	w.offer("all", 2, func(e *catalog.EventType) { e.Limits.PerWeek, e.Seats = 2, 2 })
	book := func(slug, start, person, host string) (booking.Booking, error) {
		in := apptest.Input(slug, start, person)
		in.Host = host
		return w.Book(t.Context(), w.API, in)
	}
	hosts := func(slug, from string) (all []string) {
		a, err := w.Availability(t.Context(), w.API, availability.Input{EventType: slug, From: apptest.At(from), To: apptest.At(from[:len(from)-2] + "23")})
		w.Must(err)
		for _, s := range a.Slots() {
			all = append(all, fmt.Sprint(s.Start.Time().Format("15"), s.Hosts))
		}
		return all
	}
	reason := func(slug, from string) string {
		a, err := w.Availability(t.Context(), w.API, availability.Input{EventType: slug, From: apptest.At(from), To: apptest.At(from[:len(from)-2] + "23"), Explain: true})
		w.Must(err)
		if len(a.Closed()) == 0 {
			return ""
		}
		return string(a.Closed()[0].Reason)
	}
	one, two := catalog.HostID(1).String(), catalog.HostID(2).String()
	b, err := book("each", "2T09", "bo", one)
	w.Must(err)
	_, err = book("each", "4T09", "cy", one)
	w.Refused(err, fault.BadRequest, "host_week_full")
	if got := hosts("each", "4T14"); !slices.Equal(got, []string{"14[" + two + "]", "15[" + two + "]"}) || reason("each", "4T14") != "host_week_full" {
		t.Errorf("open are %v, closed for %q", got, reason("each", "4T14"))
	}
	if _, err = book("each", "4T09", "cy", ""); err != nil { // the other host takes it
		t.Fatal(err)
	}
	_, err = book("each", "3T09", "di", "")
	w.Refused(err, fault.BadRequest, "host_week_full")
	if got := hosts("each", "3T14"); got != nil {
		t.Errorf("open are %v", got)
	}
	w.Must(w.moved(b, "1T09"))
	next, err := book("each", "7T09", "di", one)
	w.Must(err)
	w.Refused(w.moved(next, "3T09"), fault.BadRequest, "host_week_full")

	for _, start := range []string{"1T11", "3T11"} {
		_, err = book("all", start, "bo", "")
		w.Must(err)
	}
	_, err = book("all", "4T11", "cy", "")
	w.Refused(err, fault.BadRequest, "week_full")
	if got := reason("all", "4T14"); got != "week_full" || hosts("all", "4T14") != nil {
		t.Errorf("closed for %q, open are %v", got, hosts("all", "4T14"))
	}
	_, err = book("all", "3T11", "cy", "") // the second seat
	w.Must(err)
	_, err = book("all", "10T11", "cy", "")
	w.Must(err)
}

// 64 clients book at once, at two servers: nobody and no week gets more than the limits allow.
func TestContestLimits(t *testing.T) {
	const clients = 64
	w := newWorld(t)
	for slug, limits := range map[string]catalog.Limits{"some": {PersonUpcoming: 3}, "weekly": {PerWeek: 4}, "each": {HostPerWeek: 2}} {
		w.offer(slug, 3, func(e *catalog.EventType) { e.DurationMinutes, e.SlotStepMinutes, e.Limits = 30, 30, limits })
	}
	for slug, c := range map[string]struct {
		day    int
		reason string
		most   int
		person func(i int) string
	}{
		"some":   {1, "person_upcoming", 3, func(int) string { return "bo" }},
		"weekly": {8, "week_full", 4, func(i int) string { return fmt.Sprintf("p%d", i) }},
		"each":   {15, "host_week_full", 6, func(i int) string { return fmt.Sprintf("q%d", i) }},
	} {
		errs := w.contestOf(clients, func(at *apptest.Salon, i int) error {
			in := apptest.Input(slug, fmt.Sprintf("%dT%02d:%02d", c.day+i/16, 8+i%16/2, i%2*30), c.person(i))
			_, err := at.Book(t.Context(), w.API, in)
			return err
		})
		if done, refused := w.tally(errs, c.reason); done != c.most || refused != clients-c.most {
			t.Errorf("%s: %d done, %d refused", slug, done, refused)
		}
	}
}
