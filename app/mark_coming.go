package app

import (
	"context"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// AskedComing notes that the invitee was asked whether they come at this start, after the question was sent: of a booking of
// a visit, for all of the visit that is live and hasn't begun, which one question is about. A booking that has another
// start by now, has begun or is over stays as it is, which is no error. The last answer stays. Errors: not_found, forbidden.
func (s *Service) AskedComing(ctx context.Context, a Actor, id string, start when.Instant) error {
	if err := a.May(MayAskComing); err != nil {
		return err
	}
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return err
	}
	ask := func(ch *Change) error {
		moved := ch.Booking.ID == b.ID && ch.Booking.Start != start
		if moved || MayAnswerComing(ch.Booking, when.At(ch.Now)) != nil {
			return nil
		}
		ch.Booking.AskComing(when.At(ch.Now))
		ch.Note(booking.ActAskedComing, "")
		return nil
	}
	if !b.InVisit() {
		_, err = s.Change(ctx, a, id, ask)
		return err
	}
	return s.WithSeenVisit(ctx, a, b.Visit.ID.String(), func(tx Tx, now time.Time, v *booking.Visit) error {
		for i := range v.Items {
			if v.Items[i].ID == b.ID && v.Items[i].Start != start { // it was moved since it was asked of
				return nil
			}
		}
		bound := s.In(tx)
		bound.at = now
		for i := range v.Items {
			_, err := bound.Change(ctx, a, v.Items[i].ID.String(), func(ch *Change) error {
				ch.withVisit = true
				return ask(ch)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// AnswerComing notes the invitee's answer to whether they come, for this booking alone: of a series, for this date. It needs
// no question before. The last answer counts until the start; the same one again changes nothing. It frees no time, and
// cancels and refunds nothing; the team is told of a no, see TeamNews. Errors: not_found, forbidden, conflict wrong_state (it
// has begun, or is not live).
func (s *Service) AnswerComing(ctx context.Context, a Actor, id string, yes bool, by booking.ComingBy) (booking.Booking, error) {
	if err := a.May(MayAnswer); err != nil {
		return booking.Booking{}, err
	}
	return s.Change(ctx, a, id, func(ch *Change) error { return answer(ch, yes, by) })
}

// AnswerVisitComing does the same for each booking of a visit that the actor sees, is live and hasn't begun, or for none of
// them. Errors: those of AnswerComing, where there is none such.
func (s *Service) AnswerVisitComing(ctx context.Context, a Actor, ref string, yes bool, by booking.ComingBy) (booking.Visit, error) {
	if err := a.May(MayAnswer); err != nil {
		return booking.Visit{}, err
	}
	err := s.WithSeenVisit(ctx, a, ref, func(tx Tx, now time.Time, v *booking.Visit) error {
		bound, answered := s.In(tx), false
		bound.at = now
		var why error
		for i := range v.Items {
			if no := MayAnswerComing(&v.Items[i], when.At(now)); no != nil {
				why = no
				continue
			}
			answered = true
			_, err := bound.Change(ctx, a, v.Items[i].ID.String(), func(ch *Change) error {
				ch.withVisit = true
				return answer(ch, yes, by)
			})
			if err != nil {
				return err
			}
		}
		if answered {
			return nil
		}
		return why
	})
	if err != nil {
		return booking.Visit{}, err
	}
	return s.Visit(ctx, a, ref)
}

// answer notes it of the booking of a change.
func answer(ch *Change, yes bool, by booking.ComingBy) error {
	now := when.At(ch.Now)
	if err := MayAnswerComing(ch.Booking, now); err != nil {
		return err
	}
	is, action, kind := booking.ComingYes, booking.ActComing, catalog.BookingConfirmedByInvitee
	if !yes {
		is, action, kind = booking.ComingNo, booking.ActNotComing, catalog.BookingNotComing
	}
	if !ch.Booking.AnswerComing(is, by, now) {
		return nil
	}
	ch.Note(action, "")
	return ch.EmitBooking(kind)
}

// MayAnswerComing returns why nobody can say any more, or yet, whether the invitee of the booking comes, as a conflict, or nil.
func MayAnswerComing(b *booking.Booking, now when.Instant) error {
	switch {
	case !b.Status.Live():
		return WrongState(b, "said to be coming to")
	case b.Start <= now:
		return fault.Conflictf("wrong_state", "The booking has begun at %s: whether somebody comes is said until then.", b.Start).
			With("status", b.Status)
	}
	return nil
}
