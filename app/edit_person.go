package app

import (
	"strings"

	"daybook/app/booking"
	"daybook/app/fault"
)

// person gives the booking of somebody who walked in the contact that booking with the same address and number would
// give it, and so to the other bookings of its visit that have none. An actor who may not see all contacts learns nothing
// of the contact: its name is theirs to type, whether or not the business knows the person. It returns the names of the
// fields that changed. Errors: bad_request, also where the invitee is known already; forbidden, where the actor does not
// see all of the visit; already_booked.
func (c *correction) person() (changed []string, err error) {
	b, in := c.Booking, c.in.Invitee
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
	all, err := c.ofWalkIn()
	if err != nil {
		return nil, err
	}
	var contact booking.ContactID
	for i, o := range all {
		known, twice, _, err := duplicate(c.Change, &b.Invitee, o.EventTypeID, o.Start, o.ID)
		if err == nil && twice != nil && o.Status.Live() {
			err = twice
		}
		if err != nil {
			return nil, err
		}
		if i == 0 {
			contact = known
		}
	}
	if b.Invitee.Name == booking.WalkIn { // which is nobody's name
		if contact == 0 || !c.Actor.seesAllContacts() {
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
	for _, o := range all[1:] {
		c.After(func() error { return c.alsoOf(o.ID, strings.Join(changed, ", ")) })
	}
	return changed, nil
}

// ofWalkIn returns the booking and the others of its visit that stand and have no customer yet. The error is forbidden where the
// actor does not see one of those.
func (c *correction) ofWalkIn() ([]*booking.Booking, error) {
	all := []*booking.Booking{c.Booking}
	others, _, err := c.Siblings()
	if err != nil {
		return nil, err
	}
	for i := range others {
		o := &others[i]
		if o.ContactID != 0 || o.Invitee.Erased() || !o.Status.Stands() {
			continue
		}
		if !c.Actor.SeesBooking(o) {
			return nil, fault.New(fault.Forbidden, "role", "Others do a part of this visit, and the customer is the whole "+
				"visit's: somebody who sees all of it can say who it is.")
		}
		all = append(all, o)
	}
	return all, nil
}

// alsoOf gives another booking of the visit the same invitee and contact. It runs after the booking is saved, which may
// have changed how much time the other takes.
func (c *correction) alsoOf(ref booking.BookingID, changed string) error {
	o, err := c.Tx.Booking(c.Booking.WorkspaceID, ref)
	if err != nil {
		return err
	}
	if more := lockOf(&o).Without(c.held); !more.None() { // it was given others since the visit was locked
		if _, err := c.LockTaken(o.WorkspaceID, more); err != nil {
			return err
		}
		if o, err = c.Tx.Booking(o.WorkspaceID, ref); err != nil {
			return err
		}
	}
	as := &Change{Tx: c.Tx, Setup: c.Setup, Now: c.Now, Actor: c.Actor, Booking: &o, service: c.service, from: o.Status,
		was: o, found: o, held: c.held}
	o.Invitee, o.ContactID = c.Booking.Invitee, c.Booking.ContactID
	as.Note(booking.ActUpdated, changed)
	if err := as.save(); err != nil {
		return err
	}
	return as.GiveContact(&o)
}
