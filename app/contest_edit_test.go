package app_test

import (
	"fmt"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// Of many edits of one version of a booking exactly one is made.
func TestContestOfOneVersion(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, nil)
	b := w.Booked("cut", "1T09", "bo")
	version := b.ETag()
	errs := w.contest(func(at *apptest.Salon, i int) error {
		edit := fmt.Sprintf(`{"notes":"%d"}`, i)
		if i%3 == 0 {
			edit = fmt.Sprintf(`{"end":"2026-12-01T10:%02d:00Z"}`, 10+i)
		}
		_, err := at.Edit(t.Context(), w.API, b.ID.String(), patch(t, edit), version)
		return err
	})
	done := 0
	for _, err := range errs {
		if err == nil {
			done++
		} else if !fault.Is(err, fault.PreconditionFailed) {
			t.Error(err)
		}
	}
	history, err := w.History(t.Context(), w.API, b.ID.String())
	if err != nil || done != 1 || len(history) != 2 {
		t.Errorf("%d were made, %d entries, %v", done, len(history), err)
	}
}

// Edits that lengthen bookings or give them to another host, moves and new bookings at one moment at two servers: no two
// bookings of a host meet, and each that succeeded stands in the history once.
func TestContestOfEditsMovesAndBookings(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 2, func(e *catalog.EventType) { e.SlotStepMinutes = 30; e.BufferAfterMinutes = 10 })
	ctx := t.Context()
	ana, bob := catalog.HostID(1).String(), catalog.HostID(2).String()
	book := func(at *apptest.Salon, start, who, host string) (booking.Booking, error) {
		in := apptest.Input("cut", start, who)
		in.Host = host
		return at.Book(ctx, w.API, in)
	}
	var all []booking.Booking
	for i, start := range []string{"1T08", "1T10", "1T12", "1T14"} {
		for _, host := range []string{ana, bob} {
			b, err := book(w.Salon, start, fmt.Sprint("p", i, host), host)
			w.Must(err)
			all = append(all, b)
		}
	}
	made := make([]booking.Booking, contenders)
	w.contest(func(at *apptest.Salon, i int) (err error) {
		b := all[i%len(all)]
		switch i / len(all) {
		case 0: // an hour longer
			made[i], err = at.Edit(ctx, w.API, b.ID.String(), patch(t, `{"end":"`+b.End.Add(50*60e9).String()+`"}`), "")
		case 1: // to the other host
			other := map[bool]string{true: bob, false: ana}[b.Host.ID.String() == ana]
			made[i], err = at.Edit(ctx, w.API, b.ID.String(), patch(t, `{"host":"`+other+`"}`), "")
		case 2:
			made[i], err = at.Reschedule(ctx, w.API, b.ID.String(), app.RescheduleInput{Start: b.Start.Add(60 * 60e9).String(), Host: b.Host.ID.String()})
		default:
			made[i], err = book(at, b.Start.Add(60*60e9).String(), fmt.Sprint("new", i), b.Host.ID.String())
		}
		if err != nil && fault.As(err) == nil {
			t.Error(err)
		}
		return err
	})
	entries := map[booking.BookingID]int{}
	for i := range made {
		if made[i].ID != 0 {
			entries[made[i].ID]++
		}
	}
	for _, b := range all {
		entries[b.ID]++ // its creation
	}
	var now []booking.Booking
	for id, want := range entries {
		b, err := w.Booking(ctx, w.API, id.String())
		w.Must(err)
		history, err := w.History(ctx, w.API, id.String())
		if err != nil || len(history) != want {
			t.Errorf("%s: %d entries for %d successes, %v", b.Invitee.Name, len(history), want, err)
		}
		for _, o := range now {
			if o.Host.ID == b.Host.ID && o.BusyStart < b.BusyEnd && b.BusyStart < o.BusyEnd {
				t.Errorf("%s and %s of %s meet", o.Start, b.Start, b.Host.Name)
			}
		}
		now = append(now, b)
	}
	if len(now) <= len(all)/2 {
		t.Errorf("%d bookings", len(now))
	}
}
