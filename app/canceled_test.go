package app_test

import (
	"context"
	"testing"

	"daybook/app"
	"daybook/app/booking"
)

// Reads end with the context of their request, so that a caller who hangs up keeps no connection busy.
func TestReadsEndWithTheirRequest(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "1T09", "bo")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
	if _, err := w.Bookings(ctx, a, booking.ListBookingsInput{}); err != context.Canceled {
		t.Errorf("a list: %v", err)
	}
	if _, err := w.Booking(ctx, a, booking.BookingID(1).String()); err != context.Canceled {
		t.Errorf("one booking: %v", err)
	}
	if _, err := w.WorkspaceBySlug(ctx, "salon"); err != context.Canceled {
		t.Errorf("a workspace: %v", err)
	}
	if _, _, err := w.BookingByToken(ctx, b.ManageURL[len("/booking/"):]); err != context.Canceled {
		t.Errorf("the booking of a link: %v", err)
	}
	if _, err := w.Bookings(t.Context(), a, booking.ListBookingsInput{}); err != nil {
		t.Errorf("the next request: %v", err)
	}
}
