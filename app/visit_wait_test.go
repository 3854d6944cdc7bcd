package app_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// manicure adds a colour with a wait (see colour), of the first host, and a manicure of half an hour of the first n hosts
// that may be done in it.
func (w *world) manicure(n int) {
	w.colour(nil)
	w.offer("nails", n, func(e *catalog.EventType) {
		e.DurationMinutes, e.SlotStepMinutes, e.BufferAfterMinutes, e.DuringWait = 30, 30, 5, true
	})
}

// What may be done in a wait is arranged there, whatever place it has in the list; who does it keeps their buffers, and
// what follows the colour still has none with its host.
func TestVisitFillsAWait(t *testing.T) {
	w := newWorld(t)
	w.manicure(2)
	w.cut("cut", 2, 30)
	for _, services := range [][]string{{"colour", "nails", "cut/1"}, {"colour", "cut/1", "nails"}, {"nails", "colour", "cut/1"}} {
		v := w.visited(visit("1T09:00", "Mia", services...))
		if got, want := itinerary(v), "colour 09:00-11:00 ana, nails 09:45-10:15 ana, cut 11:00-11:30 ana"; got != want {
			t.Errorf("%v is %q, want %q", services, got, want)
		}
		if v.End != v.Items[2].End || v.Items[1].Visit.Position != 2 {
			t.Errorf("it ends at %s, and the second is %+v", v.End, v.Items[1].Visit)
		}
		if a, b, c := v.Items[0], v.Items[1], v.Items[2]; a.BusyEnd != a.End || b.BusyEnd != b.End.Add(5*time.Minute) || c.BusyStart != c.Start {
			t.Errorf("they take ana until %s and %s, and from %s", a.BusyEnd, b.BusyEnd, c.BusyStart)
		}
		w.nobodyTwice()
		_, err := w.CancelVisit(t.Context(), w.API, v.ID.String(), app.CancelInput{})
		w.Must(err)
	}
	w.Booked("trim", "1T09:55", "Bo") // in ana's wait
	v := w.visited(visit("1T09:00", "Mia", "colour", "nails"))
	if got, want := itinerary(v), "colour 09:00-11:00 ana, nails 09:45-10:15 bob"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	_, err := w.CancelVisit(t.Context(), w.API, v.ID.String(), app.CancelInput{})
	w.Must(err)
	v = w.visited(visit("1T09:00", "Mia", "colour", "nails/1"))
	if got, want := itinerary(v), "colour 09:00-11:00 ana, nails 11:00-11:30 ana"; got != want {
		t.Errorf("with a wait that is taken it is %q, want %q", got, want)
	}
	w.nobodyTwice()
}

// Two short ones lie in one wait one after the other, never at once; what has a wait itself can have another one in it.
func TestVisitFillsAWaitTwice(t *testing.T) {
	w := newWorld(t)
	w.manicure(3)
	for slug, minutes := range map[string]int{"brow": 15, "lash": 5} {
		w.offer(slug, 3, func(e *catalog.EventType) { e.DurationMinutes, e.SlotStepMinutes, e.DuringWait = minutes, 5, true })
	}
	w.Alter("nails", func(e *catalog.EventType) {
		e.Parts, e.BufferAfterMinutes = []catalog.Part{{Work: 10}, {Wait: 10}, {Work: 10}}, 0
	})
	in := visit("1T09:00", "Mia", "colour", "brow/3", "brow/3", "nails/2")
	in.Order = booking.OrderAny
	v := w.visited(in)
	if got, want := itinerary(v), "colour 09:00-11:00 ana, brow 09:45-10:00 cyd, brow 10:00-10:15 cyd, nails 11:00-11:30 bob"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	v = w.visited(visit("2T09:00", "Mia", "colour", "nails/2", "lash/3"))
	if got, want := itinerary(v), "colour 09:00-11:00 ana, nails 09:45-10:15 bob, lash 09:55-10:00 cyd"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	w.nobodyTwice()
}

// Whoever sends starts back gets them, within a wait too; across its end, or of a service that may not, it is refused,
// held or booked.
func TestVisitInAWaitAsGiven(t *testing.T) {
	w := newWorld(t)
	w.manicure(2)
	w.cut("cut", 2, 30)
	for services, reason := range map[string]string{
		"colour/1@1T09:00 nails/2@1T09:50 cut/1@1T11:00":   "",
		"nails/2@1T09:55 colour/1@1T09:00":                 "",
		"colour/1@1T09:00 nails/2@1T09:56":                 "visit_overlap", // across its end
		"colour/1@1T09:00 nails/2@1T09:30":                 "visit_overlap",
		"colour/1@1T09:00 cut/2@1T09:50":                   "visit_overlap",
		"colour/1@1T09:00 nails/2@1T09:45 nails/2@1T09:50": "slot_taken",
		"colour/1@1T09:00 nails/2@1T09:50 nails/2@1T15:10": "items[2].start",
		"colour/1@1T09:00 nails/2@1T09:50 nails/2@1T15:00": "",
		"colour/1@1T09:00 nails/1@1T09:55 nails/2@1T11:00": "slot_taken", // with its buffer ana would be late
		"colour/1@1T09:00 nails/1@1T09:50 nails/2@1T11:00": "",
		"nails/1@1T08:30 colour/1@1T09:00 nails/2@1T09:45": "",
		"nails/2@1T09:00 colour/1@1T09:15":                 "visit_overlap",
		"colour/1@1T09:00 nails/2@1T09:45 nails/1@1T09:50": "visit_overlap",
	} {
		in := visit("", "Mia", strings.Fields(services)...)
		undone := w.undone(func(s *app.Service) (err error) {
			_, err = s.BookVisit(t.Context(), w.API, in)
			return err
		})
		held := w.undone(func(s *app.Service) (err error) {
			_, err = s.Hold(t.Context(), w.API, app.HoldInput{Items: in.Items})
			return err
		})
		for name, err := range map[string]error{"booked": undone, "held": held} {
			got := ""
			if e := fault.As(err); e != nil {
				if got = e.Reason; e.Code == fault.BadRequest {
					got = e.Field
				}
			}
			if got != reason {
				t.Errorf("%s is %s: %q, want %q: %v", services, name, got, reason, err)
			}
		}
	}
}

// undone runs do in a transaction that is taken back, and returns its error.
func (w *world) undone(do func(*app.Service) error) (err error) {
	w.T.Helper()
	back := w.Store.Write(w.T.Context(), func(tx app.Tx) error {
		if err = do(w.Service.In(tx)); err == nil {
			return fault.ErrNotFound
		}
		return err
	})
	if err == nil && back != fault.ErrNotFound {
		w.T.Fatal(back)
	}
	return err
}

// An item that is moved alone may lie in a wait if its service may, or if it lay there before; the colour can't be moved
// away from what is done in its wait by less than all of it. The whole visit moves as one.
func TestVisitMovesWithItsWait(t *testing.T) {
	w := newWorld(t)
	w.manicure(2)
	w.cut("cut", 2, 30)
	v := w.visited(visit("1T09:00", "Mia", "colour", "nails/2", "cut/2"))
	colour, nails, cut := v.Items[0].ID.String(), v.Items[1].ID.String(), v.Items[2].ID.String()
	move := func(id, to, reason string) {
		t.Helper()
		_, err := w.Reschedule(t.Context(), w.API, id, booking.RescheduleInput{Start: apptest.At(to), Override: []string{"off_grid", "buffer"}})
		if reason != "" {
			w.Refused(err, fault.Conflict, reason)
		} else {
			w.Must(err)
		}
	}
	move(nails, "1T09:55", "")
	move(nails, "1T09:56", "visit_overlap")
	move(nails, "1T14:00", "")
	move(cut, "1T09:50", "visit_overlap")
	move(nails, "1T09:50", "")
	move(colour, "1T09:06", "visit_overlap")
	move(colour, "1T08:59", "")
	w.Alter("nails", func(e *catalog.EventType) { e.DuringWait = false })
	move(nails, "1T09:45", "")
	note := "soft"
	if _, err := w.Edit(t.Context(), w.API, nails, booking.EditInput{InternalNote: &note}, ""); err != nil {
		t.Errorf("it can't be edited where it is: %v", err)
	}
	move(nails, "1T09:40", "visit_overlap")
	move(nails, "1T14:00", "")
	move(nails, "1T09:50", "visit_overlap")
	w.Alter("nails", func(e *catalog.EventType) { e.DuringWait = true })
	move(nails, "1T09:50", "")
	open, err := w.VisitAvailability(t.Context(), w.API, availability.VisitInput{ExcludeVisit: v.ID.String(),
		Input: availability.Input{From: apptest.At("2T10:00"), To: apptest.At("2T10:01")}})
	w.Must(err)
	if len(open.Data) != 1 || open.Data[0].End.String() != apptest.At("2T12:30") {
		t.Errorf("it could be moved to %+v", open.Data)
	}
	moved, err := w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("2T10:00")})
	w.Must(err)
	if got, want := itinerary(moved), "colour 10:00-12:00 ana, nails 10:45-11:15 bob, cut 12:00-12:30 bob"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	if s, err := when.ParseISO(apptest.At("2T12:30")); err != nil || moved.End != s {
		t.Errorf("it ends at %s", moved.End)
	}
	w.nobodyTwice()
}
