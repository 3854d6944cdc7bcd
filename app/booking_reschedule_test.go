package app_test

import (
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// A host whom somebody asked for keeps the booking, or the move is refused with who else is free. A host whom nobody
// asked for may change, and the answer says so.
func TestMoveKeepsTheHostWhoWasAskedFor(t *testing.T) {
	w := newWorld(t)
	e := w.offer("cut", 2, nil)
	ana, bob := e.Hosts[0].ID, e.Hosts[1].ID
	with := func(host catalog.HostID, start, person string) booking.Booking {
		t.Helper()
		in := apptest.Input("cut", start, person)
		in.Host = host.String()
		b, err := w.Book(t.Context(), w.API, in)
		w.Must(err)
		return b
	}
	with(ana, "1T10", "x")
	asked := with(ana, "1T09", "bo")
	_, err := w.Reschedule(t.Context(), w.API, asked.ID.String(), app.RescheduleInput{Start: apptest.At("1T10")})
	refusal := w.Refused(err, fault.Conflict, "slot_taken")
	if others, ok := refusal.Details["otherHosts"].([]catalog.HostRef); !ok || len(others) != 1 || others[0].ID != bob {
		t.Errorf("who else is free: %+v", refusal.Details["otherHosts"])
	}
	alternatives, ok := refusal.Details["alternatives"].([]availability.Slot)
	if !ok || len(alternatives) == 0 {
		t.Fatalf("no times of the host: %+v", refusal.Details)
	}
	for _, s := range alternatives {
		if len(s.Hosts) != 1 || s.Hosts[0] != ana {
			t.Errorf("%s is offered with %v", s.Start, s.Hosts)
		}
	}
	b, err := w.Reschedule(t.Context(), w.API, asked.ID.String(), app.RescheduleInput{Start: apptest.At("1T10"), Host: bob.String()})
	w.Must(err)
	if b.Host.ID != bob || !b.HostChanged || b.PreviousHost == nil || b.PreviousHost.ID != ana {
		t.Errorf("moved to %+v, changed %t from %+v", b.Host, b.HostChanged, b.PreviousHost)
	}
	if b, err = w.Booking(t.Context(), w.API, b.ID.String()); err != nil || b.HostChanged || b.PreviousHost != nil {
		t.Errorf("a look later: changed %t from %+v, %v", b.HostChanged, b.PreviousHost, err)
	}

	any := w.Booked("cut", "2T09", "eva") // ana, by id or by load
	other := ana
	if any.Host.ID == ana {
		other = bob
	}
	with(any.Host.ID, "2T11", "y")
	b, err = w.Reschedule(t.Context(), w.API, any.ID.String(), app.RescheduleInput{Start: apptest.At("2T11")})
	w.Must(err)
	if b.Host.ID != other || !b.HostChanged || b.PreviousHost == nil || b.PreviousHost.ID != any.Host.ID {
		t.Errorf("moved to %+v, changed %t from %+v", b.Host, b.HostChanged, b.PreviousHost)
	}
	if b, err = w.Reschedule(t.Context(), w.API, b.ID.String(), app.RescheduleInput{Start: apptest.At("2T13")}); err != nil || b.HostChanged {
		t.Errorf("the host is kept when free: changed %t, %v", b.HostChanged, err)
	}
}
