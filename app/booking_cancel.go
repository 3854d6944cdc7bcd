package app

import (
	"context"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/when"
)

// withinNotice is the error of an invitee who comes too late to move or cancel.
func withinNotice(ch *Change) error {
	b := ch.Booking
	if ch.Actor.Business() {
		return nil
	}
	if when.At(ch.Now) <= b.ChangeableUntil(ch.Setup) {
		return nil
	}
	return fault.Conflictf("too_late", "It is too late to change this booking online: please contact %s.", ch.Setup.Workspace.Name)
}

// CancelInput says why a booking is cancelled, and whether what was paid goes back; nil leaves that to the rules.
type CancelInput struct {
	Reason string
	Refund *bool
}

// Cancel ends a live booking and frees its time. Cancelling again changes nothing and is no error.
// Errors: not_found, forbidden, conflict wrong_state (a no-show), conflict too_late (an invitee within the notice).
func (s *Service) Cancel(ctx context.Context, a Actor, id string, in CancelInput) (record.Booking, error) {
	if err := a.May(MayCancel); err != nil {
		return record.Booking{}, err
	}
	reason, err := fault.CheckText("reason", in.Reason, fault.MaxReason)
	if err != nil {
		return record.Booking{}, err
	}
	return s.Change(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		if b.Status == record.Cancelled {
			return nil
		}
		if !b.Status.MayBecome(record.Cancelled) {
			return wrongState(b, "cancelled")
		}
		if err := withinNotice(ch); err != nil {
			return err
		}
		return s.cancel(ch, record.ActCancelled, reason, refunds(ch, in.Refund))
	})
}

// cancel turns a live booking into a cancelled one: by hand, by declining or by lapsing. refund says whether what was
// paid goes back. One that lapses unpaid keeps in mind whether it wants approval, should the payment come late.
func (s *Service) cancel(ch *Change, action record.Action, reason string, refund bool) error {
	b := ch.Booking
	unpaid, approval := b.NeedsPay, b.NeedsOK
	b.Status = record.Cancelled
	b.SetPending(0)
	b.NeedsOK = approval && unpaid
	if err := s.till.Close(ch, refund); err != nil {
		return err
	}
	b.Cancellation = &record.Cancellation{Reason: reason, By: ch.Actor.Kind, At: when.At(ch.Now)}
	return ch.become(record.Cancelled, action, reason, catalog.BookingCancelled)
}

// refunds reports whether a cancellation gives back what was paid: as the business says, which is yes unless it says
// no; for an invitee by the event type's rule.
func refunds(ch *Change, asked *bool) bool {
	if ch.Actor.Business() {
		return asked == nil || *asked
	}
	e := ch.Setup.EventTypeByID(ch.Booking.EventTypeID)
	if e == nil {
		return true
	}
	switch e.RefundOnCancel {
	case catalog.RefundAlways:
		return true
	case catalog.RefundNever:
		return false
	}
	return when.At(ch.Now.Add(time.Duration(e.CancellationNoticeMinutes)*time.Minute)) <= ch.Booking.Start
}
