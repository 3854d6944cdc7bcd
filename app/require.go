package app

import (
	"context"
	"errors"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// Lacking returns the requirements of the event type that a contact, 0 for somebody new, doesn't meet for a booking that
// starts then. It reads nothing of an event type without requirements.
func Lacking(r booking.ConsentReader, setup *catalog.Setup, e *catalog.EventType, contact booking.ContactID,
	start when.Instant) (lacks []catalog.Requirement, err error) {
	for _, required := range e.Requires {
		var given booking.Given
		if contact != 0 {
			given, err = r.LatestConsent(setup.Workspace.ID, contact, required.Consent)
			if err != nil && !errors.Is(err, fault.ErrNotFound) {
				return nil, err
			}
		}
		if !required.Met(given.Date, given.End, start.Time(), setup.Zone) {
			lacks = append(lacks, required)
		}
	}
	return lacks, nil
}

// asksFirst reports whether what a visitor books waits for approval because of what it requires: for everybody but who
// has shown to be that contact and lacks nothing, so that nobody learns of a consent by trying.
func (c *Change) asksFirst(e *catalog.EventType, contact booking.ContactID, start when.Instant) (bool, error) {
	if len(e.Requires) == 0 || c.Actor.Business() {
		return false, nil
	}
	if contact == 0 || c.Actor.Contact != contact {
		return true, nil
	}
	lacks, err := Lacking(c.Tx, c.Setup, e, contact, start)
	return len(lacks) > 0, err
}

// visitorAsksFirst is asksFirst for whoever books a visit.
func (c *Change) visitorAsksFirst(e *catalog.EventType, p *booking.Invitee, start when.Instant) (bool, error) {
	if len(e.Requires) == 0 || c.Actor.Business() {
		return false, nil
	}
	contact, err := c.Tx.ContactOf(c.Setup.Workspace.ID, p.Identity(c.Setup.Workspace.PhoneCountry()))
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return false, err
	}
	return c.asksFirst(e, contact.ID, start)
}

// refuseLater refuses a visitor's move of a booking that stands to a later start, at which what it requires may have ended.
// It looks at no consent but that of who has shown to be the contact, so that nobody learns of one by trying.
func (c *Change) refuseLater(e *catalog.EventType, start when.Instant) error {
	b := c.Booking
	if c.Actor.Business() || b.Status == booking.Pending || start <= b.Start {
		return nil
	}
	asks, err := c.asksFirst(e, b.ContactID, start)
	if err == nil && asks {
		err = fault.Conflictf("requirement", "%s at a later time needs a check first: ask the business to move it.", e.Title)
	}
	return err
}

// requireFor refuses to confirm a booking whose customer lacks a consent, unless that rule is waived.
func (c *Change) requireFor(b *booking.Booking, waived slot.Reasons) error {
	e := c.Setup.EventTypeByID(b.EventTypeID)
	if e == nil {
		return nil
	}
	lacks, err := Lacking(c.Tx, c.Setup, e, b.ContactID, b.Start)
	if err != nil || len(lacks) == 0 {
		return err
	}
	rule := slot.ReasonsOf(slot.Requirement)
	if waived&rule == 0 {
		return availability.Unmet(e.Title, lacks).With("reasons", rule.List())
	}
	c.Waived |= rule
	return nil
}

// LackingOwn is Lacking for the customer whose own page is open. Errors: forbidden, not_found.
func (s *Service) LackingOwn(ctx context.Context, a Actor, e *catalog.EventType, start when.Instant) ([]catalog.Requirement, error) {
	if err := a.May(MaySeeOwn); err != nil {
		return nil, err
	}
	if a.Contact == 0 {
		return nil, fault.Missing("contact", a.Contact.String())
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return nil, err
	}
	return Lacking(s.Reader(ctx), setup, e, a.Contact, start)
}

// Required is a requirement of a booking's event type, and the consent of its contact that counts for it.
type Required struct {
	catalog.Requirement
	Given booking.Given // zero for none
	Met   bool          // it is valid on the day of the booking that requires it
}

// RequirementsOf returns what the event types require of a booking and of all that is confirmed with it, and which of it is
// there, for whoever decides about it. Errors: forbidden, not_found.
func (s *Service) RequirementsOf(ctx context.Context, a Actor, id string) (all []Required, err error) {
	if err := a.May(MayWaive); err != nil {
		return nil, err
	}
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return nil, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return nil, err
	}
	r := s.Reader(ctx)
	decided, err := s.decidedWith(r, a, &b)
	if err != nil {
		return nil, err
	}
	for i := range decided {
		of := &decided[i]
		e := setup.EventTypeByID(of.EventTypeID)
		if e == nil {
			continue
		}
		for _, required := range e.Requires {
			one := Required{Requirement: required}
			if of.ContactID != 0 {
				one.Given, err = r.LatestConsent(a.Workspace, of.ContactID, required.Consent)
				if err != nil && !errors.Is(err, fault.ErrNotFound) {
					return nil, err
				}
			}
			one.Met = required.Met(one.Given.Date, one.Given.End, of.Start.Time(), setup.Zone)
			all = append(all, one)
		}
	}
	return all, nil
}
