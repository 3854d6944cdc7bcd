package app

import (
	"context"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/when"
)

// withinNotice returns the error for an invitee who is too late to move or cancel, or nil.
func withinNotice(ch *Change) error {
	b := ch.Booking
	if ch.Actor.Business() {
		return nil
	}
	if when.At(ch.Now) <= b.ChangeableUntil(ch.Setup) {
		return nil
	}
	return fault.Conflictf("too_late", "It is too late to change this booking online: please contact %s.",
		ch.Setup.Workspace.Name)
}

// CancelInput is the input of Cancel.
type CancelInput = record.CancelInput

// Cancel ends a live booking and frees its time. Cancelling again changes nothing and is no error. Errors: not_found,
// forbidden, conflict wrong_state (a no-show), conflict too_late (an invitee within the cancellation notice).
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
			return WrongState(b, "cancelled")
		}
		if err := withinNotice(ch); err != nil {
			return err
		}
		return s.cancel(ch, record.ActCancelled, reason, refunds(ch, in.Refund))
	})
}

// cancel turns a live booking into a cancelled one: by hand, by declining or by lapsing. refund says whether what was
// paid is refunded. A booking that lapses unpaid keeps NeedsOK, in case the payment arrives late.
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

// refunds reports whether a cancellation refunds what was paid. The business decides, with yes as the default; for an
// invitee the event type's rule decides.
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
