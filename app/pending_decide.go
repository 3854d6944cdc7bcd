package app

import (
	"context"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// Confirm approves a pending booking. Errors: not_found, forbidden, conflict wrong_state, conflict payment_due.
func (s *Service) Confirm(ctx context.Context, a Actor, id string) (booking.Booking, error) {
	if err := a.May(MayDecide); err != nil {
		return booking.Booking{}, err
	}
	return s.Change(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		if b.Status != booking.Pending || b.ExpiresAt <= when.At(ch.Now) {
			return WrongState(b, "confirmed")
		}
		if b.NeedsPay {
			return fault.Conflictf("payment_due",
				"This booking waits for its payment first; it can be confirmed once that has arrived.")
		}
		b.Status = booking.Confirmed
		b.SetPending(0)
		if err := ch.Become(booking.Confirmed, booking.ActConfirmed, ""); err != nil {
			return err
		}
		if err := ch.EmitBooking(catalog.BookingApproved); err != nil {
			return err
		}
		return ch.EmitBooking(catalog.BookingCreated)
	})
}

// Decline refuses a pending booking and frees its time. Errors: not_found, forbidden, conflict
// wrong_state.
func (s *Service) Decline(ctx context.Context, a Actor, id, reason string) (booking.Booking, error) {
	if err := a.May(MayDecide); err != nil {
		return booking.Booking{}, err
	}
	reason, err := fault.CheckText("reason", reason, fault.MaxReason)
	if err != nil {
		return booking.Booking{}, err
	}
	return s.Change(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		if b.Status != booking.Pending {
			return WrongState(b, "declined")
		}
		return ch.Cancel(booking.ActDeclined, reason, true)
	})
}
