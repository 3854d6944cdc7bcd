package app

import (
	"context"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
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
type CancelInput = booking.CancelInput

// Cancel ends a live booking and frees its time. Cancelling again changes nothing and is no error. Within the
// cancellation notice an invitee may cancel only a booking that has a late fee, and must agree to it. Errors:
// not_found, forbidden, bad_request (chargeLateFee: nothing can be charged), conflict wrong_state (a no-show), conflict
// too_late (an invitee within the cancellation notice), conflict late_fee (the invitee has not agreed to the fee).
func (s *Service) Cancel(ctx context.Context, a Actor, id string, in CancelInput) (booking.Booking, error) {
	if err := a.May(MayCancel); err != nil {
		return booking.Booking{}, err
	}
	reason, err := fault.CheckText("reason", in.Reason, fault.MaxReason)
	if err != nil {
		return booking.Booking{}, err
	}
	return s.Change(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		if b.Status == booking.Cancelled {
			return nil
		}
		if !b.Status.MayBecome(booking.Cancelled) {
			return WrongState(b, "cancelled")
		}
		ch.withVisit, ch.withSeries, ch.ending, ch.offers = in.WithVisit, in.WithSeries, in.Ending, in.Offers
		late, err := s.chargesLate(ch, &in)
		if err != nil {
			return err
		}
		return ch.cancel(booking.ActCancelled, reason, refunds(ch, in.Refund), late)
	})
}

// chargesLate reports whether the cancellation costs the booking's fee for a late one. The business decides; an invitee
// who is late agrees to it, or may not cancel.
func (s *Service) chargesLate(ch *Change, in *CancelInput) (bool, error) {
	b, now := ch.Booking, when.At(ch.Now)
	if ch.Actor.Business() && !in.ChargeLateFee {
		return false, nil
	}
	card := false
	if b.CancelsLate(now) {
		var err error
		if card, err = s.till.HasCard(ch); err != nil {
			return false, err
		}
	}
	switch {
	case ch.Actor.Business() && !card:
		return false, fault.Invalid("chargeLateFee", "nothing can be charged: the booking has no lateCancellationFee, its "+
			"freeCancellationUntil is not over, or no card was saved: leave it out")
	case ch.Actor.Business():
		return true, nil
	case !card || now > b.Start:
		return false, withinNotice(ch)
	case in.Agreed == nil || *in.Agreed != *b.LateFee:
		return false, fault.Conflictf("late_fee", "Cancelling this booking now costs %s. Agree to that, or keep it.",
			b.LateFee.Text())
	}
	return true, nil
}

// Cancel turns a live booking into a cancelled one: by hand, by declining or by lapsing. refund says whether payments
// are refunded. A booking that lapses unpaid keeps NeedsOK, in case the payment arrives late.
func (c *Change) Cancel(action booking.Action, reason string, refund bool) error {
	return c.cancel(action, reason, refund, false)
}

// cancel is Cancel; late says whether it costs the fee for that.
func (c *Change) cancel(action booking.Action, reason string, refund, late bool) error {
	b := c.Booking
	unpaid, approval := b.NeedsPay, b.NeedsOK
	b.Status = booking.Cancelled
	b.SetPending(0)
	b.NeedsOK = approval && unpaid
	if err := c.service.till.Close(c, refund); err != nil {
		return err
	}
	if p := c.service.passes; p != nil && (refund || c.Actor.Business()) && len(b.Payments) > 0 {
		if err := p.GiveBackPasses(c); err != nil {
			return err
		}
	}
	if b.Invitation != 0 {
		if err := c.service.links.GiveBack(c); err != nil {
			return err
		}
	}
	b.Cancellation = &booking.Cancellation{Reason: reason, By: c.Actor.Kind, At: when.At(c.Now)}
	if late {
		if err := c.service.till.LateFee(c); err != nil {
			return err
		}
	}
	return c.become(booking.Cancelled, action, reason, catalog.BookingCancelled)
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
	return when.At(ch.Now) <= ch.Booking.ChangeableUntil(ch.Setup)
}
