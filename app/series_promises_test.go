package app_test

import (
	"fmt"
	"path"
	"slices"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// A series of visits has at most 53 bookings, however few dates these are.
func TestSeriesOfVisitsIsBounded(t *testing.T) {
	w := newWorld(t)
	w.cut("wash", 2, 30)
	w.cut("cut", 2, 30)
	in := weekly("", "1T08", "Bo", 27)
	in.Items = []booking.VisitItem{{EventType: "wash"}, {EventType: "cut"}}
	_, err := w.BookSeries(t.Context(), w.API, in)
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "repeat" || w.count() != 0 {
		t.Errorf("54 bookings: %v of %s", err, e.Field)
	}
	in.Repeat.Count = 26
	made, err := w.BookSeries(t.Context(), w.API, in)
	w.Must(err)
	if len(made.Bookings) != 52 {
		t.Errorf("%d bookings", len(made.Bookings))
	}
}

// Of two open starts that lie as near the later one is taken. Where nothing is open within three days the series is refused,
// until that date stands in except.
func TestNearestTakesTheLaterOrNone(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.offer("cut", 1, nil)
	w.Booked("cut", "8T12", "Al") // 11 and 13 are an hour away
	in := weekly("cut", "1T12", "Bo", 3)
	in.Conflicts = booking.SeriesNearest
	shown, err := w.SeriesDates(ctx, w.API, in)
	w.Must(err)
	if got := w.told(shown); got != "12-01T12:00 ana, 12-08T12:00 to 12-08T13:00 booked ana, 12-15T12:00 ana" {
		t.Error(got)
	}
	_, err = w.Shop.AddTimeOff(ctx, w.Owner, catalog.HostID(1).String(), "2026-12-05T00:00", "2026-12-11T23:59", "")
	w.Must(err)
	_, err = w.BookSeries(ctx, w.API, in)
	if d := datesOf(w.Refused(err, fault.Conflict, "series_conflict")); len(d) != 3 || d[1].State != booking.SeriesSkipped || w.count() != 1 {
		t.Errorf("%s", w.told(d))
	}
	in.Repeat.Except = []string{"2026-12-08"}
	made, err := w.BookSeries(ctx, w.API, in)
	w.Must(err)
	if len(made.Bookings) != 2 {
		t.Errorf("%d bookings", len(made.Bookings))
	}
}

// Events of a series come per booking, when it is booked, moved and cancelled.
func TestEventsOfSeriesComePerBooking(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.offer("cut", 1, nil)
	w.endpoint("*")
	before := len(w.EventKinds())
	told := func(what string, kind catalog.EventKind, n int) {
		t.Helper()
		all := w.EventKinds()
		if got := all[before:]; !slices.Equal(got, slices.Repeat([]catalog.EventKind{kind}, n)) {
			t.Errorf("%s: %v", what, got)
		}
		before = len(all)
	}
	made, err := w.BookSeries(ctx, w.API, weekly("cut", "1T09", "Bo", 4))
	w.Must(err)
	told("booked", catalog.BookingCreated, 4)
	_, err = w.moves(made, 1, booking.SeriesFollowing, "8T11")
	w.Must(err)
	told("moved", catalog.BookingRescheduled, 3)
	_, err = w.CancelSeries(ctx, w.API, made.ID.String(), booking.SeriesCancelInput{From: made.Bookings[0].ID.String(), Scope: booking.SeriesAll})
	w.Must(err)
	told("cancelled", catalog.BookingCancelled, 4)
}

// An invitee cancels those for which it isn't too late, and is told which stay and why; they move all or none. A fee for a
// late cancellation is for one date.
func TestSeriesKeepsWhatIsTooLate(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.offer("cut", 1, func(e *catalog.EventType) { e.CancellationNoticeMinutes = 24 * 60 })
	made, err := w.BookSeries(ctx, w.API, weekly("cut", "1T09", "Bo", 3))
	w.Must(err)
	w.at("+1 08:00")
	_, invitee, err := w.BookingByToken(ctx, path.Base(made.Bookings[1].ManageURL))
	w.Must(err)
	from := made.Bookings[1].ID.String()
	_, err = w.MoveSeries(ctx, invitee, made.ID.String(), booking.SeriesMoveInput{From: from, Scope: booking.SeriesAll, Start: apptest.At("8T11")})
	w.Refused(err, fault.Conflict, "too_late")
	for i, b := range made.Bookings {
		if now := w.Again(b); now.Start != b.Start {
			t.Errorf("date %d moved", i+1)
		}
	}
	for _, scope := range []booking.SeriesScope{booking.SeriesFollowing, booking.SeriesAll} {
		in := booking.SeriesCancelInput{From: from, Scope: scope}
		in.ChargeLateFee = true
		_, err := w.CancelSeries(ctx, w.API, made.ID.String(), in)
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "chargeLateFee" {
			t.Errorf("%s: %v", scope, err)
		}
	}
	gone, err := w.CancelSeries(ctx, invitee, made.ID.String(), booking.SeriesCancelInput{From: from, Scope: booking.SeriesAll})
	w.Must(err)
	if want := []booking.SeriesKept{{ID: made.Bookings[0].ID, Reason: "too_late"}}; !slices.Equal(gone.Kept, want) {
		t.Errorf("%+v stay, want %+v", gone.Kept, want)
	}
	for i, b := range made.Bookings {
		if now := w.Again(b); (now.Status == booking.Cancelled) != (i > 0) {
			t.Errorf("date %d is %s", i+1, now.Status)
		}
	}
}

// Each date of a series has a reminder of its own, about that date.
func TestRemindersOfSeriesGoOneByOne(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.ReminderMinutes = []int{60} })
	made, err := w.BookSeries(t.Context(), w.API, weekly("cut", "1T09", "Bo", 3))
	w.Must(err)
	w.sendMails()
	for i := range made.Bookings {
		w.Clock.Set(made.Bookings[i].Start.Time().Add(-time.Hour))
		var got []string
		for _, m := range w.sendMails() {
			got = append(got, fmt.Sprintf("%s %s %d +%d", m.Kind, m.To, m.BookingID, len(m.Facts.Series)))
		}
		if want := []string{fmt.Sprintf("%s bo@mail.example %d +0", catalog.MailReminder, made.Bookings[i].ID)}; !slices.Equal(got, want) {
			t.Errorf("date %d: %q, want %q", i+1, got, want)
		}
	}
}
