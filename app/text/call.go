package text

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/push"
	"daybook/app/when"
)

// mostCalls is how many people who are to be called are listed.
const mostCalls = 50

// Calls lists whom nothing told of a change, a cancellation or an offer, the oldest first: those whose bookings the actor
// sees. Errors: forbidden.
func (s *Service) Calls(ctx context.Context, a app.Actor) ([]Call, error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return nil, err
	}
	r := s.Reader(ctx)
	all, err := r.Calls(a.Workspace, mostCalls)
	if err != nil {
		return nil, err
	}
	seen := all[:0]
	for i := range all {
		if sees, err := seesCall(r, a, &all[i]); err != nil {
			return nil, err
		} else if sees {
			seen = append(seen, all[i])
		}
	}
	return seen, nil
}

// seesCall reports whether the actor sees what the call is about. Offers are nobody's of the team.
func seesCall(r app.BookingReader, a app.Actor, c *Call) (bool, error) {
	if !a.Own() && a.Limits == nil {
		return true, nil
	}
	if c.BookingID == 0 {
		return false, nil
	}
	b, err := r.BookingByID(c.BookingID)
	if errors.Is(err, fault.ErrNotFound) {
		return false, nil
	}
	return err == nil && a.SeesBooking(&b), err
}

// Called notes that somebody was told. Errors: forbidden, not_found.
func (s *Service) Called(ctx context.Context, a app.Actor, ref string) error {
	if err := a.May(app.MayEdit); err != nil {
		return err
	}
	call, err := id.Parse[CallIDKind](ref)
	if err != nil {
		return fault.Missing("call", ref)
	}
	return s.Write(ctx, func(tx Tx) error {
		all, err := tx.Calls(a.Workspace, mostCalls)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(c Call) bool { return c.ID == call })
		if i < 0 {
			return fault.Missing("call", ref)
		}
		if sees, err := seesCall(tx, a, &all[i]); err != nil || !sees {
			return cmp.Or(err, error(fault.Missing("call", ref)))
		}
		done, err := tx.CallDone(a.Workspace, call, a.ID(), when.At(s.Core.Now()))
		if err == nil && !done {
			err = fault.Missing("call", ref)
		}
		return err
	})
}

// callInstead notes that the person of a text that doesn't go is to be called.
func (s *Service) callInstead(tx Tx, t *Text, why string, now when.Instant) error {
	c := Call{ID: id.New[CallIDKind](now.Time()), WorkspaceID: t.WorkspaceID, BookingID: t.BookingID, ContactID: t.ContactID, Kind: t.Kind,
		Phone: t.To, Start: t.Facts.Told.Start, Why: why}
	if w := t.Facts.Told.Waits; w != nil && w.Offer != nil {
		c.Start = w.Offer.Start
	}
	switch {
	case t.BookingID != 0:
		b, err := tx.BookingByID(t.BookingID)
		if errors.Is(err, fault.ErrNotFound) || err == nil && b.Invitee.Erased() {
			return nil
		}
		if err != nil {
			return err
		}
		c.Name = b.Invitee.Name
	case t.ContactID != 0:
		k, err := tx.Contact(t.WorkspaceID, t.ContactID)
		if err != nil {
			return err
		}
		c.Name = k.Name
	}
	return s.noteCall(tx, &c)
}

// noteCall notes that somebody is to be called, and tells the team's devices.
func (s *Service) noteCall(tx Tx, c *Call) error {
	if err := tx.InsertCall(c); err != nil {
		return err
	}
	return push.TellOfCall(tx, c.WorkspaceID, c.BookingID, when.At(s.Core.Now()))
}

// CallReason says why nothing told somebody.
type CallReason string

// The reasons.
const (
	CallStopped CallReason = "stopped" // they sent STOP
	CallConsent CallReason = "consent" // no e-mail address, and no agreement to texts
	CallNumber  CallReason = "number"  // no e-mail address, and no mobile number
	CallOff     CallReason = "off"     // that kind of text is switched off
	CallCap     CallReason = "cap"     // the month's segments are used up
	CallCountry CallReason = "country" // visitors' texts don't go there
	CallOften   CallReason = "often"   // visitors caused enough texts to the number
	CallNight   CallReason = "night"   // it is quiet time, and too late after it
	CallSender  CallReason = "sender"  // the workspace sends no texts any more
	CallFailed  CallReason = "failed"  // the sender could not send it
)

// Why it was noted, besides the reasons for which a text that was queued is not sent.
const (
	whyUnasked     = "no e-mail address, and no agreement to texts"
	whyUnreachable = "no e-mail address, and no mobile number"
	whyQuiet       = "it is quiet time, and too late after it"
	whyOff         = "this kind of text is switched off"
)

// Reason returns why nothing told the person. Whatever a sender answered is CallFailed.
func (c *Call) Reason() CallReason { return reasonOf(c.Why) }

// NotSent returns why a text isn't sent; "" where it goes, went, or was no longer true.
func (t *Text) NotSent() CallReason {
	if t.State == Failed || t.State == Dropped && fallsBack(t.Answer) {
		return reasonOf(t.Answer)
	}
	return ""
}

func reasonOf(why string) CallReason {
	switch why {
	case whyStopped:
		return CallStopped
	case whyUnasked, whyNo:
		return CallConsent
	case whyUnreachable, whyNumber:
		return CallNumber
	case whyOff:
		return CallOff
	case whyCap:
		return CallCap
	case whyCountry:
		return CallCountry
	case whyOften:
		return CallOften
	case whyNight, whyQuiet:
		return CallNight
	case whySender:
		return CallSender
	}
	return CallFailed
}
