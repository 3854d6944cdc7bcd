package text

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/id"
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
	return s.Reader(ctx).Calls(a.Workspace, mostCalls)
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
	return tx.InsertCall(&c)
}
