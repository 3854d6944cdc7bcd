package app

import (
	"context"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/when"
)

// MarkNoShow records, after the start, that the invitee did not come. Errors: not_found, forbidden, conflict
// wrong_state.
func (s *Service) MarkNoShow(ctx context.Context, a Actor, id string) (record.Booking, error) {
	if err := a.May(MayMarkNoShow); err != nil {
		return record.Booking{}, err
	}
	return s.Change(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		if !b.Status.MayBecome(record.NoShow) {
			return wrongState(b, "marked as a no-show")
		}
		if when.At(ch.Now) < b.Start {
			return fault.Conflictf("wrong_state", "A booking can be marked as a no-show from its start on, %s.",
				b.Start).With("status", b.Status)
		}
		b.Status, b.NoShow = record.NoShow, &record.NoShowRecord{At: when.At(ch.Now)}
		if err := s.till.NoShow(ch); err != nil {
			return err
		}
		return ch.become(record.NoShow, record.ActNoShow, "", catalog.BookingNoShow)
	})
}

// UndoNoShow undoes a no-show: the booking returns to the state it had before. Errors: not_found, conflict wrong_state,
// conflict slot_taken if the time has been booked since.
func (s *Service) UndoNoShow(ctx context.Context, a Actor, id string) (record.Booking, error) {
	if err := a.May(MayMarkNoShow); err != nil {
		return record.Booking{}, err
	}
	return s.Change(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		if b.Status != record.NoShow {
			return wrongState(b, "taken back from no-show")
		}
		if err := refuseOccupied(ch); err != nil {
			return err
		}
		b.Status = record.Confirmed
		if b.RescheduleCount > 0 {
			b.Status = record.Rescheduled
		}
		b.NoShow = nil
		if err := s.till.UndoNoShow(ch); err != nil {
			return err
		}
		return ch.Become(b.Status, record.ActNoShowUndone, "")
	})
}

// refuseOccupied returns the conflict for a booking whose time is now taken, or nil. A free seat in the same session is
// no conflict.
func refuseOccupied(ch *Change) error {
	b := ch.Booking
	rows, err := ch.Occupied(nil, b.Host.ID, b.BusyStart, b.BusyEnd)
	if err != nil {
		return err
	}
	seats := ch.Setup.EventTypeByID(b.EventTypeID).Seats
	for _, o := range rows {
		if o.EventType == b.EventTypeID && o.Start == int64(b.Start) {
			seats--
		}
		if seats < 1 || o.EventType != b.EventTypeID || o.Start != int64(b.Start) {
			return fault.Conflictf("slot_taken", "The time was booked by somebody else meanwhile.").With("bookingId", o.ID)
		}
	}
	return nil
}
