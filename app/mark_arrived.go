package app

import (
	"context"
	"time"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
)

// MarkArrived records that the invitee is there: on the day of the booking, in the workspace's zone, or later. Marking
// again changes nothing and is no error. Errors: not_found, forbidden, conflict wrong_state.
func (s *Service) MarkArrived(ctx context.Context, a Actor, id string) (booking.Booking, error) {
	return s.mark(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		if err := MayArrive(b, ch.Setup.Zone, when.At(ch.Now)); err != nil || b.ArrivedAt != 0 {
			return err
		}
		b.ArrivedAt = when.At(ch.Now)
		ch.Note(booking.ActArrived, "")
		return nil
	})
}

// MarkDone records that the service is done: from the start on, or earlier once the invitee has arrived. It does not
// mark an arrival. Marking again changes nothing and is no error. Errors: as MarkArrived.
func (s *Service) MarkDone(ctx context.Context, a Actor, id string) (booking.Booking, error) {
	return s.mark(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		if err := MayDone(b, when.At(ch.Now)); err != nil || b.DoneAt != 0 {
			return err
		}
		b.DoneAt = when.At(ch.Now)
		ch.Note(booking.ActDone, "")
		return nil
	})
}

// UndoMark takes back the last mark, see LastMark. It fails if that is not last, unless last is "". Errors: not_found,
// forbidden, conflict nothing_to_undo, conflict slot_taken if the time of a no-show has been booked since.
func (s *Service) UndoMark(ctx context.Context, a Actor, id string, last Mark) (booking.Booking, error) {
	return s.mark(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		is := LastMark(b)
		switch {
		case is == "":
			return fault.Conflictf("nothing_to_undo", "The booking is marked neither as arrived, as done nor as a "+
				"no-show: there is nothing to take back.").With("status", b.Status)
		case last != "" && last != is:
			return fault.Conflictf("nothing_to_undo", "That was taken back or followed by something else meanwhile.").
				With("status", b.Status)
		case is == NoShowMark:
			return undoNoShow(ch)
		case is == DoneMark:
			b.DoneAt = 0
			ch.Note(booking.ActDoneUndone, "")
		default:
			b.ArrivedAt = 0
			ch.Note(booking.ActArrivalUndone, "")
		}
		return nil
	})
}

// mark changes the booking with the id, if the actor may mark attendance.
func (s *Service) mark(ctx context.Context, a Actor, id string,
	do func(*Change) error) (booking.Booking, error) {
	if err := a.May(MayMarkAttendance); err != nil {
		return booking.Booking{}, err
	}
	return s.Change(ctx, a, id, do)
}

// MayArrive returns why the booking can't be marked as arrived now, as a conflict, or nil if it can. A booking that is
// marked already can't. zone is that of the workspace.
func MayArrive(b *booking.Booking, zone *time.Location, now when.Instant) error {
	if err := standsFor(b, "marked as arrived"); err != nil || b.ArrivedAt != 0 {
		return err
	}
	if b.DoneAt != 0 {
		return fault.Conflictf("wrong_state", "The booking is done already. Take that back first.").
			With("status", b.Status)
	}
	if day := b.DayBegins(zone); now < day {
		return fault.Conflictf("wrong_state", "An arrival can be marked from the day of the booking on, %s.", day).
			With("status", b.Status)
	}
	return nil
}

// MayDone returns why the booking can't be marked as done now, as a conflict, or nil if it can. A booking that is
// marked already can't.
func MayDone(b *booking.Booking, now when.Instant) error {
	if err := standsFor(b, "marked as done"); err != nil || b.DoneAt != 0 {
		return err
	}
	if now < b.Start && b.ArrivedAt == 0 {
		return fault.Conflictf("wrong_state", "A booking can be marked as done from its start on, %s, or once its "+
			"invitee has arrived.", b.Start).With("status", b.Status)
	}
	return nil
}

// standsFor returns the conflict for a booking to which nobody can have come, or nil.
func standsFor(b *booking.Booking, done string) error {
	switch {
	case b.Status == booking.NoShow:
		return fault.Conflictf("wrong_state", "The booking is marked as a no-show. Take that back first.").
			With("status", b.Status)
	case !b.Status.Stands():
		return WrongState(b, done)
	}
	return nil
}
