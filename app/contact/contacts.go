package contact

import (
	"context"
	"errors"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// CreateContact creates a contact, or returns, unchanged, the contact that already has the e-mail address, or without
// one the phone number. The name is needed only to create one. created says whether it was created. Errors: bad_request
// (contact_missing), forbidden.
func (s *Service) CreateContact(ctx context.Context, a app.Actor,
	in booking.ContactInput) (c booking.Contact, created bool, err error) {
	if err := a.May(app.MayAddContacts); err != nil {
		return c, false, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return c, false, err
	}
	country, nameFrom := setup.Workspace.PhoneCountry(), 0
	if !booking.CanIdentify(in.Email, in.Phone, country) { // no contact can have this address or number
		nameFrom = 1
	}
	if err := in.Check(nameFrom, country); err != nil {
		return c, false, err
	}
	err = s.Write(ctx, func(tx Tx) (err error) {
		c, err = tx.ContactOf(a.Workspace, booking.Identity{Email: in.Email, Phone: in.Phone, Country: country})
		if !errors.Is(err, fault.ErrNotFound) {
			if created = false; err == nil {
				c, err = s.counted(tx, c)
			}
			return err
		}
		if in.Name == "" {
			return fault.Invalid("name", "is required for a new contact")
		}
		now := s.Core.Now()
		created = true
		c = booking.Contact{
			ID: id.New[booking.ContactIDKind](now), WorkspaceID: a.Workspace, CreatedAt: when.At(now),
			Name: in.Name, Email: in.Email, Phone: in.Phone, TimeZone: in.TimeZone, Notes: in.Notes,
		}
		return s.insert(tx, &c)
	})
	return c, created, err
}

// Contacts lists contacts, newest first, for whom each word of q is found by their Terms.
func (s *Service) Contacts(ctx context.Context, a app.Actor, q string, limit *int,
	after string) (fault.Page[booking.Contact], error) {
	if err := a.May(app.MaySeeContacts); err != nil {
		return fault.Page[booking.Contact]{Data: []booking.Contact{}}, err
	}
	none := fault.Page[booking.Contact]{Data: []booking.Contact{}}
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return none, err
	}
	if q, err = fault.CheckLine("q", q, 0, fault.MaxSearch); err != nil {
		return none, err
	}
	list := fault.List{"contacts", q}
	var last int64
	if after != "" {
		if err := list.Read(after, &last); err != nil {
			return none, err
		}
	}
	r := s.Reader(ctx)
	rows, err := r.Contacts(a.Workspace, q, booking.ContactID(last), n+1)
	if err != nil {
		return none, err
	}
	page := fault.PageOf(rows, n, func(c *booking.Contact) string { return list.Cursor(int64(c.ID)) })
	return page, r.CountBookingsOf(page.Data, when.At(s.Core.Now()))
}

// ContactsWith returns a list of the contact with the e-mail address, or of the contacts with the phone number, at most
// 100 and the oldest first. One of the two must be "". Errors: bad_request.
func (s *Service) ContactsWith(ctx context.Context, a app.Actor, email,
	phone string) (fault.Page[booking.Contact], error) {
	page := fault.Page[booking.Contact]{Data: []booking.Contact{}}
	if err := a.May(app.MaySeeContacts); err != nil {
		return page, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return page, err
	}
	r, err := booking.CheckIdentity(email, phone, setup.Workspace.PhoneCountry())
	if err != nil {
		return page, err
	}
	reader := s.Reader(ctx)
	found, err := reader.ContactsOf(a.Workspace, r, 100)
	if err == nil {
		err = reader.CountBookingsOf(found, when.At(s.Core.Now()))
	}
	if page.Data = append(page.Data, found...); len(found) == 0 && email != "" {
		page.Hint = "Nobody has this e-mail address. Search with q for a name."
	} else if len(found) == 0 {
		page.Hint = "Nobody has this telephone number. Search with q for a name."
	}
	return page, err
}

// SamePhone lists the other contacts with the contact's telephone number, at most ten: they may be the same person,
// entered twice. Errors: forbidden.
func (s *Service) SamePhone(ctx context.Context, a app.Actor, c booking.Contact) ([]booking.Contact, error) {
	if err := a.May(app.MaySeeContacts); err != nil {
		return nil, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return nil, err
	}
	r, ok := booking.ReadIdentity(c.Phone, setup.Workspace.PhoneCountry())
	if !ok || !r.ByPhone() {
		return nil, nil
	}
	all, err := s.Reader(ctx).ContactsOf(a.Workspace, r, 10)
	return slices.DeleteFunc(all, func(o booking.Contact) bool { return o.ID == c.ID }), err
}

// counted returns the contact with the counts of its bookings.
func (s *Service) counted(r booking.ContactCounter, c booking.Contact) (booking.Contact, error) {
	one := []booking.Contact{c}
	err := r.CountBookingsOf(one, when.At(s.Core.Now()))
	return one[0], err
}
