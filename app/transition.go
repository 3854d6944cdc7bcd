package app

import (
	"context"
	"fmt"
)

// change runs an operation on one booking in a transaction that has locked the hosts of its event type.
func (s *Service) change(ctx context.Context, a Actor, id string, op func(tx *locked, b *Booking) error) (Booking, error) {
	if err := a.MayWrite(); err != nil {
		return Booking{}, err
	}
	before, err := s.find(ctx, a, id) // for its event type, which never changes
	if err != nil {
		return Booking{}, err
	}
	var b Booking
	var setup *Setup
	err = s.write(ctx, func(tx Tx) error {
		l, err := s.lock(tx, a.Workspace, before.EventTypeID.String())
		if err != nil {
			return err
		}
		setup = l.setup
		if b, err = tx.Booking(a.Workspace, before.ID); err != nil {
			return err
		}
		if !a.sees(b.Host.ID) { // another host has it by now
			return Missing("booking", id)
		}
		return op(l, &b)
	})
	if err != nil {
		return Booking{}, err
	}
	s.present(setup, a, &b)
	return b, nil
}

// find is the stored booking of an id that a caller gave. An invitee's link is for one booking only.
func (s *Service) find(ctx context.Context, a Actor, ref string) (Booking, error) {
	missing := Missing("booking", ref)
	id, err := ParseID[bookingKind](ref)
	if err != nil || a.Booking != 0 && a.Booking != id {
		return Booking{}, missing
	}
	b, err := s.reader(ctx).Booking(a.Workspace, id)
	if err == nil && !a.sees(b.Host.ID) {
		return Booking{}, missing
	}
	return b, orMissing(err, missing)
}

// saveChange saves a booking that went from a state to b.Status, and tells of it unless it was never confirmed.
func (s *Service) saveChange(tx *locked, a Actor, b *Booking, from Status, action, reason string, kind EventKind) error {
	if !from.may(b.Status) {
		return fmt.Errorf("booking %s: %s may not become %s", b.ID, from, b.Status)
	}
	b.UpdatedAt = At(tx.now)
	c := Change{History: HistoryEntry{
		At: At(tx.now), Actor: a.Kind, By: a.id(), Action: action, From: from, To: b.Status, Start: b.Start, Reason: reason,
		Host: b.Host.ID, Tell: b.Status != NoShow && from != NoShow,
	}}
	if kind != "" && (from != Pending || kind == BookingCreated) {
		if err := s.tell(tx, &c, kind, b); err != nil {
			return err
		}
	}
	return tx.SaveBooking(b, false, c)
}

func wrongState(b *Booking, done string) *Error {
	return conflict("wrong_state", "A booking that is %s can't be %s.", b.Status, done).with("status", b.Status)
}

// withinNotice is the error of an invitee who comes too late to move or cancel.
func withinNotice(tx *locked, a Actor, b *Booking) error {
	if a.business() {
		return nil
	}
	if At(tx.now) <= tx.setup.ChangeableUntil(b) {
		return nil
	}
	return conflict("too_late", "It is too late to change this booking online: please contact %s.", tx.setup.Workspace.Name)
}

// CancelInput says why a booking is cancelled, and whether what was paid goes back; nil leaves that to the rules.
type CancelInput struct {
	Reason string
	Refund *bool
}

// Cancel ends a live booking and frees its time. Cancelling again changes nothing and is no error.
// Errors: not_found, forbidden, conflict wrong_state (a no-show), conflict too_late (an invitee within the notice).
func (s *Service) Cancel(ctx context.Context, a Actor, id string, in CancelInput) (Booking, error) {
	reason, err := checkText("reason", in.Reason, 500)
	if err != nil {
		return Booking{}, err
	}
	return s.change(ctx, a, id, func(tx *locked, b *Booking) error {
		if b.Status == Cancelled {
			return nil
		}
		if !b.Status.Live() {
			return wrongState(b, "cancelled")
		}
		if err := withinNotice(tx, a, b); err != nil {
			return err
		}
		return s.cancel(tx, a, b, "cancelled", reason, refunds(tx, a, b, in.Refund))
	})
}

// cancel turns a live booking into a cancelled one: by hand, by declining or by lapsing. refund says whether what was
// paid goes back. One that lapses unpaid keeps in mind whether it wants approval, should the payment come late.
func (s *Service) cancel(tx *locked, a Actor, b *Booking, action, reason string, refund bool) error {
	from, unpaid, approval := b.Status, b.NeedsPay, b.NeedsOK
	b.Status = Cancelled
	b.setPending(0)
	b.NeedsOK = approval && unpaid
	if err := s.endPayment(tx, b, refund); err != nil {
		return err
	}
	b.Cancellation = &Cancellation{Reason: reason, By: a.Kind, At: At(tx.now)}
	return s.saveChange(tx, a, b, from, action, reason, BookingCancelled)
}

// Confirm approves a pending booking. Errors: not_found, forbidden, conflict wrong_state, conflict payment_due.
func (s *Service) Confirm(ctx context.Context, a Actor, id string) (Booking, error) {
	return s.change(ctx, a, id, func(tx *locked, b *Booking) error {
		if b.Status != Pending || b.ExpiresAt <= At(tx.now) {
			return wrongState(b, "confirmed")
		}
		if b.NeedsPay {
			return conflict("payment_due", "This booking waits for its payment first; it can be confirmed once that has arrived.")
		}
		b.Status = Confirmed
		b.setPending(0)
		return s.saveChange(tx, a, b, Pending, "confirmed", "", BookingCreated)
	})
}

// Decline refuses a pending booking and frees its time. No webhook tells of it. Errors: not_found, forbidden, conflict wrong_state.
func (s *Service) Decline(ctx context.Context, a Actor, id, reason string) (Booking, error) {
	reason, err := checkText("reason", reason, 500)
	if err != nil {
		return Booking{}, err
	}
	return s.change(ctx, a, id, func(tx *locked, b *Booking) error {
		if b.Status != Pending {
			return wrongState(b, "declined")
		}
		return s.cancel(tx, a, b, "declined", reason, true)
	})
}

// MarkNoShow records, after the start, that the invitee did not come. Errors: not_found, forbidden, conflict wrong_state.
func (s *Service) MarkNoShow(ctx context.Context, a Actor, id string) (Booking, error) {
	return s.change(ctx, a, id, func(tx *locked, b *Booking) error {
		if !b.Status.may(NoShow) {
			return wrongState(b, "marked as a no-show")
		}
		if At(tx.now) < b.Start {
			return conflict("wrong_state", "A booking can be marked as a no-show from its start on, %s.", b.Start).with("status", b.Status)
		}
		from := b.Status
		b.Status = NoShow
		b.NoShow = &NoShowRecord{At: At(tx.now)}
		fee, err := s.chargeFee(tx, b)
		if err != nil {
			return err
		}
		if fee != nil {
			fee.onto(b)
		}
		return s.saveChange(tx, a, b, from, "no_show", "", BookingNoShow)
	})
}

// UndoNoShow takes a no-show back: the booking has the state from before it. Errors: not_found, conflict wrong_state,
// conflict slot_taken when the time has been booked meanwhile.
func (s *Service) UndoNoShow(ctx context.Context, a Actor, id string) (Booking, error) {
	return s.change(ctx, a, id, func(tx *locked, b *Booking) error {
		if b.Status != NoShow {
			return wrongState(b, "taken back from no-show")
		}
		if err := refuseOccupied(tx, b); err != nil {
			return err
		}
		b.Status = Confirmed
		if b.RescheduleCount > 0 {
			b.Status = Rescheduled
		}
		b.NoShow = nil
		if err := s.dropFee(tx, b); err != nil {
			return err
		}
		return s.saveChange(tx, a, b, NoShow, "no_show_undone", "", "")
	})
}

// refuseOccupied is the conflict of a booking whose time others hold by now. Sharing a session that has a free seat is none.
func refuseOccupied(tx *locked, b *Booking) error {
	rows, err := tx.Occupied(nil, b.Host.ID, b.BusyStart, b.BusyEnd)
	if err != nil {
		return err
	}
	seats := tx.setup.EventTypeByID(b.EventTypeID).Seats
	for _, o := range rows {
		if o.EventType == b.EventTypeID && o.Start == int64(b.Start) {
			seats--
		}
		if seats < 1 || o.EventType != b.EventTypeID || o.Start != int64(b.Start) {
			return conflict("slot_taken", "The time was booked by somebody else meanwhile.").with("bookingId", o.ID)
		}
	}
	return nil
}

// Lapse cancels the pending bookings whose time to be paid or approved is over, at most limit of them, and says how many.
func (s *Service) Lapse(ctx context.Context, limit int) (int, error) {
	due, err := s.store.Lapsing(At(s.clock()), limit)
	if err != nil {
		return 0, err
	}
	for _, b := range due {
		actor := Actor{Kind: BySystem, Workspace: b.WorkspaceID}
		_, err := s.change(ctx, actor, b.ID.String(), func(tx *locked, b *Booking) error {
			if b.Status != Pending || b.ExpiresAt > At(tx.now) {
				return nil // paid, approved or moved meanwhile
			}
			reason := "not approved in time"
			if b.NeedsPay {
				reason = lapsedUnpaid
			}
			return s.cancel(tx, actor, b, "lapsed", reason, true)
		})
		if err != nil {
			return 0, err
		}
	}
	return len(due), nil
}
