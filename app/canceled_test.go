package app_test

import (
	"context"
	"testing"

	"daybook/app"
	"daybook/app/record"
)

// Who has hung up keeps no connection busy: reads end with the context of the request, in a transaction or not.
func TestReadsEndWithTheirRequest(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := app.Actor{Kind: record.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
	if _, err := w.Bookings(ctx, a, record.ListBookingsInput{}); err != context.Canceled {
		t.Errorf("a list: %v", err)
	}
	if _, err := w.Booking(ctx, a, record.BookingID(1).String()); err != context.Canceled {
		t.Errorf("one booking: %v", err)
	}
	if _, err := w.Bookings(t.Context(), a, record.ListBookingsInput{}); err != nil {
		t.Errorf("the next request: %v", err)
	}
}
