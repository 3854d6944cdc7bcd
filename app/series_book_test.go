package app_test

import (
	"fmt"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/right"
)

// count returns how many live bookings there are.
func (w *world) count() int {
	w.T.Helper()
	all, err := w.Store.Reader(w.T.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Statuses: booking.LiveStatuses, Limit: 500})
	w.Must(err)
	return len(all)
}

// A series that is sent again is refused, whatever is to become of dates that can't be booked.
func TestSeriesSentAgain(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	in := weekly("cut", "1T09", "Bo", 3)
	made, err := w.BookSeries(t.Context(), w.API, in)
	w.Must(err)
	for _, in.Conflicts = range []booking.SeriesConflicts{booking.SeriesRefuse, booking.SeriesSkip, booking.SeriesNearest} {
		_, err := w.BookSeries(t.Context(), w.API, in)
		if e := w.Refused(err, fault.Conflict, "already_booked"); fmt.Sprint(e.Details["seriesId"]) != made.ID.String() || w.count() != 3 {
			t.Errorf("%s: %v, %d are booked", in.Conflicts, err, w.count())
		}
	}
}

// Who leaves out the first dates of those that they were shown books the others: the booking window counts for the first one of
// the repetition. Nothing else is booked further ahead that way.
func TestDatesBehindTheFirstAreBooked(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.BookingWindowDays, e.SeriesUpTo = 10, 4 })
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	for i, c := range []struct {
		start string
		count int
		dates []string
		fits  bool
	}{
		{"1T09", 4, []string{"15T09", "22T09"}, true},
		{"1T10", 4, []string{"24T10"}, true},   // near the last
		{"1T11", 4, []string{"29T11"}, false},  // none of these
		{"15T12", 4, []string{"22T12"}, false}, // whose first one lies too far ahead
		{"22T13", 4, []string{"15T13"}, false}, // none behind it
		{"1T14", 10, []string{"15T14"}, false}, // more than a visitor may book
		{"15T15", 2, []string{"15T15"}, false},
	} {
		in := weekly("cut", c.start, fmt.Sprintf("Bo%d", i), c.count)
		for _, at := range c.dates {
			in.Dates = append(in.Dates, booking.SeriesPlace{Start: apptest.At(at)})
		}
		made, err := w.BookSeries(t.Context(), visitor, in)
		if c.fits && (err != nil || len(made.Bookings) != len(c.dates)) {
			t.Errorf("%+v: %v", c, err)
		}
		if !c.fits {
			w.Refused(err, fault.Conflict, "series_conflict")
		}
	}
	visits := weekly("", "2T09", "Cy", 3)
	visits.Items = []booking.VisitItem{{EventType: "cut"}, {EventType: "cut", AddOns: []string{}}}
	w.offer("wash", 1, func(e *catalog.EventType) { e.BookingWindowDays, e.SeriesUpTo = 10, 4 })
	visits.Items[1].EventType, visits.Dates = "wash", []booking.SeriesPlace{{Start: apptest.At("16T09")}}
	if _, err := w.BookSeries(t.Context(), visitor, visits); err != nil {
		t.Errorf("a visit: %v", err)
	}
}

// The booking window counts for the first date, whatever is to become of it, and no date lies years ahead.
func TestSeriesIsNotBookedAnyTimeAhead(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.BookingWindowDays = 10 })
	in := weekly("cut", "15T09", "Bo", 3)
	for _, in.Conflicts = range []booking.SeriesConflicts{booking.SeriesRefuse, booking.SeriesSkip, booking.SeriesNearest} {
		_, err := w.BookSeries(t.Context(), w.API, in)
		e := w.Refused(err, fault.Conflict, "series_conflict")
		if d := datesOf(e); len(d) != 3 || d[0].Reason != "too_far" {
			t.Errorf("%s: %s", in.Conflicts, w.told(d))
		}
	}
	in = weekly("cut", "1T09", "Bo", 3)
	for at, field := range map[string]string{"732T09": "", "733T09": "dates[1].start"} {
		in.Dates = []booking.SeriesPlace{{Start: in.Start}, {Start: apptest.At(at)}}
		_, err := w.BookSeries(t.Context(), w.API, in)
		if e := fault.Refusal(err); field == "" && err != nil || field != "" && (e == nil || e.Field != field) {
			t.Errorf("%s: %v", at, err)
		}
	}
}

// What is booked instead keeps the limits of a person, too.
func TestNearestKeepsThePersonsLimits(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.Limits.PersonPerDay = 1 })
	w.Booked("cut", "8T14", "Bo")
	in := weekly("cut", "1T09", "Bo", 3)
	in.Conflicts = booking.SeriesNearest
	made, err := w.BookSeries(t.Context(), w.API, in)
	w.Must(err)
	if got := w.told(made.Dates); got != "12-01T09:00 ana, 12-08T09:00 to 12-07T15:00 person_day_full ana, 12-15T09:00 ana" {
		t.Error(got)
	}
}

// Nor is a day offered on which the customer's consent has ended, or isn't given yet.
func TestNearestKeepsRequirements(t *testing.T) {
	w := requiring(t)
	known, err := w.People.NewContact(t.Context(), w.Owner, booking.ContactInput{Name: "Bo", Email: "bo@mail.example"})
	w.Must(err)
	w.tested(known.ID.String(), apptest.Monday.Format(time.DateOnly)) // valid until the 10th of December
	for _, at := range []string{"9T12", "9T13", "9T14", "9T15", "10T08", "10T09", "10T10", "10T11", "10T12", "10T13", "10T14", "10T15"} {
		w.Booked("cut", at, "Al"+at)
	}
	in := weekly("color", "3T10", "Bo", 2)
	in.Conflicts = booking.SeriesNearest
	made, err := w.BookSeries(t.Context(), w.API, in)
	w.Must(err)
	if got := w.told(made.Dates); got != "12-03T10:00 ana, 12-10T10:00 to 12-09T11:00 booked ana" { // not the 11th at 8
		t.Error(got)
	}
}

// A key of some hosts or services sees of a series the dates with bookings of these, and of a date what is theirs.
func TestSeriesShowsWhatAKeyMaySee(t *testing.T) {
	w := newWorld(t)
	wash, cut := w.offer("wash", 1, nil), w.offer("cut", 2, nil)
	ctx := t.Context()
	in := weekly("cut", "1T08", "Cy", 3)
	in.Host = catalog.HostID(2).String()
	one, err := w.BookSeries(ctx, w.API, in)
	w.Must(err)
	_, err = w.Reschedule(ctx, w.API, one.Bookings[1].ID.String(), app.RescheduleInput{Start: apptest.At("8T08"), Host: catalog.HostID(1).String()})
	w.Must(err)
	ana := w.API
	ana.Limits = &right.Limits{Hosts: []catalog.HostID{1}, Rights: right.SeeBookings}
	seen, err := w.Series(ctx, ana, one.ID.String())
	w.Must(err)
	if len(seen.Dates) != 1 || seen.Dates[0].Booking != one.Bookings[1].ID || seen.Dates[0].Host != nil {
		t.Errorf("of another host: %+v", seen.Dates)
	}

	in = weekly("", "1T13", "Di", 2)
	in.Items = []booking.VisitItem{{EventType: "wash"}, {EventType: "cut"}}
	visits, err := w.BookSeries(ctx, w.API, in)
	w.Must(err)
	for _, e := range []catalog.EventType{wash, cut} {
		a := w.API
		a.Limits = &right.Limits{EventTypes: []catalog.EventTypeID{e.ID}, Rights: right.SeeBookings}
		seen, err := w.Series(ctx, a, visits.ID.String())
		w.Must(err)
		if len(seen.Dates) != 2 {
			t.Errorf("%s: %+v", e.Slug, seen.Dates)
			continue
		}
		for i, d := range seen.Dates {
			if len(d.Items) != 1 || d.Items[0].EventType != e.Slug || d.Booking != seen.Bookings[i].ID || seen.Bookings[i].EventType != e.Slug {
				t.Errorf("%s: %+v", e.Slug, d)
			}
		}
	}
}

// Why a date was moved is told to those who may set rules aside; others learn that it was taken.
func TestSeriesTellsWhyToWhomItMay(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	ctx := t.Context()
	w.Booked("cut", "8T09", "Al")
	in := weekly("cut", "1T09", "Bo", 3)
	in.Conflicts = booking.SeriesNearest
	made, err := w.BookSeries(ctx, w.API, in)
	w.Must(err)
	reader := w.API
	reader.Limits = &right.Limits{Rights: right.SeeBookings}
	for a, want := range map[*app.Actor]string{&w.API: "booked", &reader: "slot_taken"} {
		seen, err := w.Series(ctx, *a, made.ID.String())
		w.Must(err)
		if len(seen.Dates) != 3 || seen.Dates[1].Reason != want {
			t.Errorf("want %s: %s", want, w.told(seen.Dates))
		}
	}
}

// All that waits for approval does so until the first date begins, wherever that was booked instead.
func TestSeriesWaitsUntilItsFirstDate(t *testing.T) {
	w := newWorld(t)
	w.offer("ask", 1, func(e *catalog.EventType) { e.RequiresApproval = true })
	ctx := t.Context()
	w.Booked("ask", "1T15", "Al") // the last one of the day
	in := weekly("ask", "1T15", "Bo", 3)
	in.Conflicts = booking.SeriesNearest
	made, err := w.BookSeries(ctx, w.API, in)
	w.Must(err)
	ends := func(what, want string, all []booking.Booking) {
		t.Helper()
		for _, b := range all {
			if b = w.Again(b); b.ExpiresAt.String() != apptest.At(want) {
				t.Errorf("%s: %s waits until %s, want %s", what, b.Start, b.ExpiresAt, apptest.At(want))
			}
		}
	}
	ends("booked", "1T14", made.Bookings)
	move := func(i int, to string) {
		t.Helper()
		_, err := w.Reschedule(ctx, w.API, made.Bookings[i].ID.String(), app.RescheduleInput{Start: apptest.At(to)})
		w.Must(err)
	}
	move(1, "1T12")
	ends("the second moves before the first", "1T12", made.Bookings)
	move(1, "9T12")
	ends("and back", "1T14", made.Bookings)
	move(0, "1T10")
	ends("the first moves", "1T10", made.Bookings)
	_, err = w.MoveSeries(ctx, w.API, made.ID.String(), booking.SeriesMoveInput{From: made.Bookings[0].ID.String(), Scope: booking.SeriesAll,
		Start: apptest.At("1T09")})
	w.Must(err)
	ends("all move", "1T09", made.Bookings)
	w.Clock.Set(w.Again(made.Bookings[0]).ExpiresAt.Time())
	_, err = w.Lapse(ctx, 10)
	w.Must(err)
	for _, b := range made.Bookings {
		if b = w.Again(b); b.Status != booking.Cancelled {
			t.Errorf("%s is %s", b.Start, b.Status)
		}
	}
}

// What a visitor's series requires is decided once: where one of its dates needs a check, all of them wait.
func TestSeriesIsAskedForAsAWhole(t *testing.T) {
	w := requiring(t)
	w.Alter("color", func(e *catalog.EventType) { e.SeriesUpTo = 3 })
	known, err := w.People.NewContact(t.Context(), w.Owner, booking.ContactInput{Name: "Bo", Email: "bo@mail.example"})
	w.Must(err)
	w.tested(known.ID.String(), apptest.Monday.Format(time.DateOnly))
	own := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID, Contact: known.ID}
	for n, want := range map[int]booking.Status{2: booking.Confirmed, 3: booking.Pending} { // the third is too late for the test
		made, err := w.BookSeries(t.Context(), own, weekly("color", fmt.Sprintf("1T1%d", n), "Bo", n))
		w.Must(err)
		for _, b := range made.Bookings {
			if b.Status != want || want == booking.Pending && b.ExpiresAt > made.Bookings[0].Start {
				t.Errorf("%d dates: %s is %s until %s", n, b.Start, b.Status, b.ExpiresAt)
			}
		}
	}
}

// The dates of a refusal can be sent back, whatever names the services had.
func TestDatesOfVisitsCanBeSentBack(t *testing.T) {
	w := newWorld(t)
	wash := w.offer("wash", 2, nil)
	w.offer("cut", 2, nil)
	in := weekly("", "1T08", "Bo", 2)
	in.Items = []booking.VisitItem{{EventType: wash.ID.String(), Host: catalog.HostID(2).String()}, {EventType: "cut"}}
	first, err := w.BookSeries(t.Context(), w.API, in)
	w.Must(err)
	for _, d := range first.Dates {
		in.Dates = append(in.Dates, booking.SeriesPlace{Start: apptest.At("20T08"), Items: d.Items})
	}
	_, err = w.CancelSeries(t.Context(), w.API, first.ID.String(), booking.SeriesCancelInput{From: first.Bookings[0].ID.String(), Scope: booking.SeriesAll})
	w.Must(err)
	for i := range in.Dates {
		in.Dates[i].Start = ""
	}
	made, err := w.BookSeries(t.Context(), w.API, in)
	w.Must(err)
	for _, b := range made.Bookings {
		if want := b.EventType == "wash"; b.HostNamed != want {
			t.Errorf("%s with %s: named is %t", b.EventType, b.Host.Name, b.HostNamed)
		}
	}
}

// A service that has been taken from a key's hosts since its server looked is unknown to the key.
func TestSeriesOfAServiceThatIsGone(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, nil)
	a := w.API
	a.Limits = &right.Limits{Hosts: []catalog.HostID{2}, Rights: right.SeeBookings | right.ChangeBookings}
	_, err := w.BookSeries(t.Context(), a, weekly("cut", "1T09", "Bo", 2))
	w.Must(err)
	w.Another().Alter("cut", func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}} })
	_, err = w.BookSeries(t.Context(), a, weekly("cut", "1T10", "Bo", 2))
	w.Refused(err, fault.NotFound, "")
}
