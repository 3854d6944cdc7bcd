package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/when"
)

// become is Become, and tells of it unless the booking was never confirmed: then nobody has heard of it.
func (c *Change) become(to record.Status, action record.Action, reason string, kind catalog.EventKind) error {
	known := c.from != record.Pending
	if err := c.Become(to, action, reason); err != nil {
		return err
	}
	if known || kind == catalog.BookingCreated {
		return c.EmitBooking(kind)
	}
	return nil
}

func wrongState(b *record.Booking, done string) *fault.Error {
	return fault.Conflictf("wrong_state", "A booking that is %s can't be %s.", b.Status, done).With("status", b.Status)
}

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
	reason, err := fault.CheckText("reason", in.Reason, 500)
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

// Confirm approves a pending booking. Errors: not_found, forbidden, conflict wrong_state, conflict payment_due.
func (s *Service) Confirm(ctx context.Context, a Actor, id string) (record.Booking, error) {
	if err := a.May(MayDecide); err != nil {
		return record.Booking{}, err
	}
	return s.Change(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		if b.Status != record.Pending || b.ExpiresAt <= when.At(ch.Now) {
			return wrongState(b, "confirmed")
		}
		if b.NeedsPay {
			return fault.Conflictf("payment_due", "This booking waits for its payment first; it can be confirmed once that has arrived.")
		}
		b.Status = record.Confirmed
		b.SetPending(0)
		return ch.become(record.Confirmed, record.ActConfirmed, "", catalog.BookingCreated)
	})
}

// Decline refuses a pending booking and frees its time. No webhook tells of it. Errors: not_found, forbidden, conflict wrong_state.
func (s *Service) Decline(ctx context.Context, a Actor, id, reason string) (record.Booking, error) {
	if err := a.May(MayDecide); err != nil {
		return record.Booking{}, err
	}
	reason, err := fault.CheckText("reason", reason, 500)
	if err != nil {
		return record.Booking{}, err
	}
	return s.Change(ctx, a, id, func(ch *Change) error {
		b := ch.Booking
		if b.Status != record.Pending {
			return wrongState(b, "declined")
		}
		return s.cancel(ch, record.ActDeclined, reason, true)
	})
}

// MarkNoShow records, after the start, that the invitee did not come. Errors: not_found, forbidden, conflict wrong_state.
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
			return fault.Conflictf("wrong_state", "A booking can be marked as a no-show from its start on, %s.", b.Start).With("status", b.Status)
		}
		b.Status, b.NoShow = record.NoShow, &record.NoShowRecord{At: when.At(ch.Now)}
		if err := s.till.NoShow(ch); err != nil {
			return err
		}
		return ch.become(record.NoShow, record.ActNoShow, "", catalog.BookingNoShow)
	})
}

// UndoNoShow takes a no-show back: the booking has the state from before it. Errors: not_found, conflict wrong_state,
// conflict slot_taken when the time has been booked meanwhile.
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

// refuseOccupied is the conflict of a booking whose time others hold by now. Sharing a session that has a free seat is none.
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

// Lapse cancels the pending bookings whose time to be paid or approved is over, at most limit of them, and says
// how many. One that fails does not keep the others from lapsing; the error joins those of all that failed.
func (s *Service) Lapse(ctx context.Context, limit int) (int, error) {
	due, err := s.Reader(ctx).Lapsing(when.At(s.clock()), limit)
	if err != nil {
		return 0, err
	}
	var failed []error
	for _, b := range due {
		actor := Actor{Kind: record.BySystem, Workspace: b.WorkspaceID}
		_, err := s.Change(ctx, actor, b.ID.String(), func(ch *Change) error {
			b := ch.Booking
			if b.Status != record.Pending || b.ExpiresAt > when.At(ch.Now) {
				return nil // paid, approved or moved meanwhile
			}
			reason := "not approved in time"
			if b.NeedsPay {
				reason = lapsedUnpaid
			}
			return s.cancel(ch, record.ActLapsed, reason, true)
		})
		if err != nil {
			failed = append(failed, fmt.Errorf("booking %s can't lapse: %w", b.ID, err))
		}
	}
	return len(due) - len(failed), errors.Join(failed...)
}
