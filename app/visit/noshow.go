package visit

import (
	"context"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/slot"
	"daybook/app/when"
)

// MarkNoShow records, after the start, that the invitee did not come. Errors: not_found, forbidden, conflict
// wrong_state, conflict has_come when the booking is marked as arrived or done.
func (s *Service) MarkNoShow(ctx context.Context, a app.Actor, id string) (record.Booking, error) {
	return s.mark(ctx, a, id, func(ch *app.Change) error {
		b := ch.Booking
		if err := MayMiss(b, when.At(ch.Now)); err != nil {
			return err
		}
		b.Status, b.NoShow = record.NoShow, &record.NoShowRecord{At: when.At(ch.Now)}
		if err := ch.Till().NoShow(ch); err != nil {
			return err
		}
		if err := ch.Become(record.NoShow, record.ActNoShow, ""); err != nil {
			return err
		}
		return ch.EmitBooking(catalog.BookingNoShow)
	})
}

// MayMiss returns why the booking can't be marked as a no-show now, a conflict, or nil.
func MayMiss(b *record.Booking, now when.Instant) error {
	if !b.Status.MayBecome(record.NoShow) {
		return app.WrongState(b, "marked as a no-show")
	}
	if Last(b) != "" {
		return fault.Conflictf("has_come", "The booking is marked as %s. Take that back first.", Last(b)).
			With("status", b.Status)
	}
	if now < b.Start {
		return fault.Conflictf("wrong_state", "A booking can be marked as a no-show from its start on, %s.",
			b.Start).With("status", b.Status)
	}
	return nil
}

// undoNoShow returns a no-show to the state that it had before, unless its time has been booked since. Where only a
// buffer has been entered, its own or another's, it comes back without buffers, and the history says so.
func undoNoShow(ch *app.Change) error {
	b := ch.Booking
	entered, err := refuseOccupied(ch)
	if err != nil {
		return err
	}
	if entered {
		b.BusyStart, b.BusyEnd = b.Start, b.End
		ch.Waived = slot.ReasonsOf(slot.Buffer)
	}
	b.Status = record.Confirmed
	if b.RescheduleCount > 0 {
		b.Status = record.Rescheduled
	}
	b.NoShow = nil
	if err := ch.Till().UndoNoShow(ch); err != nil {
		return err
	}
	return ch.Become(b.Status, record.ActNoShowUndone, "")
}

// refuseOccupied returns the conflict for a booking whose time is now taken, or nil. A free seat in the same session is
// no conflict; entered says that there is room for the booking, but not for the buffers.
func refuseOccupied(ch *app.Change) (entered bool, err error) {
	b := ch.Booking
	rows, err := ch.Occupied(nil, b.Host.ID, b.BusyStart, b.BusyEnd)
	if err != nil {
		return false, err
	}
	seats := ch.Setup.EventTypeByID(b.EventTypeID).Seats
	for _, o := range rows {
		session := o.EventType == b.EventTypeID && o.Start == int64(b.Start)
		if session {
			seats--
		}
		if session && seats < 1 || !session && o.Start < int64(b.End) && o.End > int64(b.Start) {
			return false, fault.Conflictf("slot_taken", "The time was booked by somebody else meanwhile.").
				With("bookingId", o.ID)
		}
		entered = entered || !session
	}
	return entered, nil
}
