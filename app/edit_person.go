package app

import (
	"strings"

	"daybook/app/booking"
	"daybook/app/fault"
)

// person gives the booking of somebody who walked in the contact that booking with the same address and number would
// give it, and the other bookings of its visit, too. It returns the names of the fields that changed. Errors: bad_request,
// also where the invitee is known already; already_booked.
func (c *correction) person() (changed []string, err error) {
	b, in := c.Booking, c.in.Invitee
	was := c.found.Invitee
	for _, f := range []struct {
		name      string
		field, to *string
	}{{booking.EditedEmail, &b.Invitee.Email, in.Email}, {"invitee.phone", &b.Invitee.Phone, in.Phone}} {
		if f.to == nil || *f.to == *f.field {
			continue
		}
		if b.ContactID != 0 {
			return nil, fault.Invalid(f.name, "can be given to a booking of somebody who walked in, and this one has a "+
				"customer: correct it there")
		}
		*f.field = *f.to
		changed = append(changed, f.name)
	}
	if len(changed) == 0 {
		return nil, nil
	}
	if err := b.Invitee.Check(c.Setup.Workspace.PhoneCountry(), false); err != nil {
		return nil, err
	}
	contact, twice, _, err := duplicate(c.Change, &b.Invitee, b.EventTypeID, b.Start, b.ID)
	if err == nil && twice != nil && b.Status.Live() {
		err = twice
	}
	if err != nil {
		return nil, err
	}
	if b.Invitee.Name == booking.WalkIn { // which is nobody's name
		if contact == 0 {
			return nil, fault.Invalid("invitee.name", "is required with an e-mail address or a telephone number: the "+
				"name of the customer")
		}
		known, err := c.Contact(b.WorkspaceID, contact)
		if err != nil {
			return nil, err
		}
		b.Invitee.Name, changed = known.Name, append([]string{"invitee.name"}, changed...)
	}
	if contact == 0 {
		if contact, err = insertContact(c.Change, b.Invitee); err != nil {
			return nil, err
		}
	}
	b.ContactID = contact
	c.After(func() error { return c.GiveContact(b) })
	others, _, err := c.Siblings()
	if err != nil {
		return nil, err
	}
	for i := range others {
		if o := &others[i]; o.ContactID == 0 && o.Invitee == was {
			c.After(func() error { return c.alsoOf(o, strings.Join(changed, ", ")) })
		}
	}
	return changed, nil
}

// alsoOf gives another booking of the visit the same invitee and contact.
func (c *correction) alsoOf(o *booking.Booking, changed string) error {
	if more := lockOf(o).Without(c.held); !more.None() { // it was given others since the visit was locked
		if _, err := c.LockTaken(o.WorkspaceID, more); err != nil {
			return err
		}
		again, err := c.Tx.Booking(o.WorkspaceID, o.ID)
		if err != nil {
			return err
		}
		*o = again
	}
	as := &Change{Tx: c.Tx, Setup: c.Setup, Now: c.Now, Actor: c.Actor, Booking: o, service: c.service, from: o.Status,
		was: *o, found: *o, held: c.held}
	o.Invitee, o.ContactID = c.Booking.Invitee, c.Booking.ContactID
	as.Note(booking.ActUpdated, changed)
	if err := as.save(); err != nil {
		return err
	}
	return as.GiveContact(o)
}
