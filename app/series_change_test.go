package app_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// moves moves dates of a series, as the business does.
func (w *world) moves(s booking.Series, from int, scope booking.SeriesScope, to string) (booking.Series, error) {
	w.T.Helper()
	return w.MoveSeries(w.T.Context(), w.API, s.ID.String(), booking.SeriesMoveInput{From: s.Bookings[from].ID.String(), Scope: scope,
		Start: apptest.At(to)})
}

// The first date that moves does so within the booking window, and those behind it go as far.
func TestSeriesMovesWithinTheWindowOfItsFirst(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.BookingWindowDays = 10 })
	made, err := w.BookSeries(t.Context(), w.API, weekly("cut", "1T09", "Bo", 6))
	w.Must(err)
	for from, to := range map[int]string{0: "21T09", 1: "28T09"} {
		_, err := w.moves(made, from, booking.SeriesFollowing, to)
		e := w.Refused(err, fault.Conflict, "series_conflict")
		if d := datesOf(e); len(d) != 1 || d[0].Reason != "too_far" || d[0].Booking != made.Bookings[from].ID {
			t.Errorf("from %d: %s", from, w.told(d))
		}
	}
	for from, to := range map[int]string{0: "2T10", 4: "28T09"} {
		if _, err := w.moves(made, from, booking.SeriesFollowing, to); err != nil {
			t.Errorf("from %d: %v", from, err)
		}
	}
}

// A move that is refused names the dates that can't move there, and no others: those that would be free once they have moved
// can.
func TestSeriesMoveNamesWhatIsTaken(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	made, err := w.BookSeries(t.Context(), w.API, weekly("cut", "1T09", "Bo", 4))
	w.Must(err)
	w.Booked("cut", "29T09", "Al")
	_, err = w.moves(made, 0, booking.SeriesAll, "8T09") // each to where the next one is
	e := w.Refused(err, fault.Conflict, "series_conflict")
	if d := datesOf(e); len(d) != 1 || d[0].Booking != made.Bookings[3].ID || d[0].Reason != "booked" {
		t.Errorf("%+v", d)
	}
	if !strings.HasPrefix(fmt.Sprint(e.Text()), "One date ") {
		t.Error(e)
	}
}

// A date of a series that moves alone is told the next open times, as any booking is.
func TestSeriesMoveOfOneDateHasAlternatives(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	made, err := w.BookSeries(t.Context(), w.API, weekly("cut", "1T09", "Bo", 2))
	w.Must(err)
	w.Booked("cut", "1T11", "Al")
	_, err = w.moves(made, 0, booking.SeriesThis, "1T11")
	if e := w.Refused(err, fault.Conflict, "slot_taken"); e.Details["alternatives"] == nil || e.Details["timeZone"] == nil {
		t.Errorf("%v", e.Details)
	}
}

// What has begun moves no others.
func TestSeriesMoveFromWhatHasBegun(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	made, err := w.BookSeries(t.Context(), w.API, weekly("cut", "1T09", "Bo", 3))
	w.Must(err)
	w.at("+1 09:30")
	_, err = w.moves(made, 0, booking.SeriesFollowing, "1T11")
	if e := w.Refused(err, fault.Conflict, "wrong_state"); !strings.Contains(fmt.Sprint(e.Text()), "has begun") {
		t.Error(e)
	}
	_, err = w.Cancel(t.Context(), w.API, made.Bookings[1].ID.String(), app.CancelInput{})
	w.Must(err)
	_, err = w.moves(made, 1, booking.SeriesFollowing, "8T11")
	if e := w.Refused(err, fault.Conflict, "wrong_state"); !strings.Contains(fmt.Sprint(e.Text()), "is cancelled") {
		t.Error(e)
	}
}
