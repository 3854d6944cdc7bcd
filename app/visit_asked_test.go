package app_test

import (
	"errors"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
)

// arranged says how a visit would be booked, without booking it.
func (w *world) arranged(in booking.VisitInput) (got string) {
	w.T.Helper()
	undo := errors.New("undo")
	err := w.Store.Write(w.T.Context(), func(tx app.Tx) error {
		v, err := w.Service.In(tx).BookVisit(w.T.Context(), w.API, in)
		if err != nil {
			return err
		}
		got = itinerary(v)
		return undo
	})
	if !errors.Is(err, undo) {
		w.Must(err)
	}
	return got
}

// One person can't be asked for where the services name two, in a search as in a booking, whichever of them name one.
func TestOnePersonIsNotTwo(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	days := 1
	for name, in := range map[string]booking.VisitInput{
		"both": visit("1T09:00", "Mia", "cut/1", "cut/2"), "the last two": visit("1T09:00", "Mia", "cut", "cut/2", "cut/1"),
	} {
		in.SamePerson = booking.MustSamePerson
		if _, err := w.BookVisit(t.Context(), w.API, in); refusal(err) != "invalid samePerson" {
			t.Errorf("%s: a booking is %v", name, refusal(err))
		}
		_, err := w.VisitAvailability(t.Context(), w.API, availability.VisitInput{Input: availability.Input{From: apptest.At("1T07:00"), Days: &days},
			VisitChoice: in.VisitChoice, Items: in.Items})
		if refusal(err) != "invalid samePerson" {
			t.Errorf("%s: a search is %v", name, refusal(err))
		}
	}
}

// Of the arrangements that end first, the one with the fewest changes of person is taken if that is preferred, but none that
// ends later; of those that are alike, the services come in the order given.
func TestVisitsThatEndAsEarly(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	w.offer("nails", 2, func(e *catalog.EventType) { e.DurationMinutes, e.SlotStepMinutes = 30, 30 })
	w.Booked("nails", "1T12:00", "Bo") // whoever has it has less time on that day
	w.Booked("cut", "1T13:00", "Cy")
	in := visit("1T09:00", "Mia", "cut", "nails")
	in.Order = booking.OrderAny
	for range 3 {
		if got := w.arranged(in); got[:3] != "cut" {
			t.Errorf("in any order: %s", got)
		}
	}
	in = visit("1T09:00", "Mia", "nails", "cut")
	in.Order = booking.OrderAny
	if got := w.arranged(in); got[:5] != "nails" {
		t.Errorf("in any order, given the other way: %s", got)
	}

	in = visit("1T10:00", "Mia", "cut", "nails", "cut")
	in.Items[0].Host = catalog.HostID(2).String()
	without := w.arranged(in)
	in.SamePerson = booking.PreferSamePerson
	with := w.arranged(in)
	if want := "cut 10:00-10:30 bob, nails 10:30-11:00 bob, cut 11:00-11:30 bob"; with != want {
		t.Errorf("with one person preferred: %s, want %s (without: %s)", with, want, without)
	}
	if without == with {
		t.Errorf("nothing is preferred: %s", with)
	}
	busy := apptest.Input("nails", "1T11:00", "Di")
	busy.Host = catalog.HostID(2).String()
	_, err := w.Book(t.Context(), w.API, busy)
	w.Must(err)
	if got, want := w.arranged(in), "cut 10:00-10:30 bob, nails 10:30-11:00 ana, cut 11:00-11:30 ana"; got != want {
		t.Errorf("with one person preferred who has no time for all: %s, want %s", got, want)
	}
}

// An item that says its end has the length that it says, or the visit is refused.
func TestItemsEndAsTheySay(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	in := visit("", "Mia", "cut/1@1T09:00", "cut/2@1T09:30")
	in.Items[1].End = apptest.At("1T10:30")
	if _, err := w.BookVisit(t.Context(), w.API, in); refusal(err) != "invalid items[1].end" {
		t.Error(refusal(err))
	}
	in.Items[1].End = apptest.At("1T10:00")
	if got := itinerary(w.visited(in)); got != "cut 09:00-09:30 ana, cut 09:30-10:00 bob" {
		t.Error(got)
	}
}

// What is kept free around work is that of the moment of the booking, whatever the workspace says afterwards.
func TestMarginsStayAsTheyWereBooked(t *testing.T) {
	w := newWorld(t)
	margin := func(text string) {
		t.Helper()
		w.Must(w.SQL(`UPDATE workspaces SET settings = '{"waitMargin":` + text + `}', revision = revision + 1`))
	}
	margin("5")
	w.colour(nil)
	w.Booked("colour", "1T09:00", "Mia") // works until 09:45 and from 10:25
	margin("15")
	w.Alter("trim", func(e *catalog.EventType) { e.Parts = nil })
	open := w.openAt("trim", "1T09:00", "1T10:30")
	if len(open) != 1 || open[0] != "09:50" {
		t.Errorf("a trim can begin at %q, want 09:50 only", open)
	}
	w.refusedFor(apptest.Input("trim", "1T09:45", "Bo"), slot.Buffer)
	w.Booked("trim", "1T09:50", "Bo")
	w.nobodyTwice()
}
