package app

import (
	"context"

	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/record"
	"daybook/app/when"
)

// CreateContact creates a contact, or returns the one that already has the e-mail, unchanged; that needs no name.
// created says which. Errors: bad_request, forbidden.
func (s *Service) CreateContact(ctx context.Context, a Actor,
	in record.ContactInput) (c record.Contact, created bool, err error) {
	if err := a.May(MayAddContacts); err != nil {
		return c, false, err
	}
	nameFrom := 0
	if _, err := fault.CheckEmail("email", in.Email); err != nil { // no contact can have this address
		nameFrom = 1
	}
	if err := in.Check(nameFrom); err != nil {
		return c, false, err
	}
	err = s.Write(ctx, func(tx Tx) (err error) {
		c, err = tx.ContactByEmail(a.Workspace, in.Email)
		if err != fault.ErrNotFound {
			created = false
			return err
		}
		if in.Name == "" {
			return fault.Invalid("name", "is required for a new contact")
		}
		now := s.clock()
		created = true
		c = record.Contact{
			ID: id.New[record.ContactIDKind](now), WorkspaceID: a.Workspace, CreatedAt: when.At(now),
			Name: in.Name, Email: in.Email, Phone: in.Phone, TimeZone: in.TimeZone, Notes: in.Notes,
		}
		return tx.InsertContact(&c)
	})
	return c, created, err
}

// Contact returns one contact. The error is not_found.
func (s *Service) Contact(ctx context.Context, a Actor, ref string) (record.Contact, error) {
	if err := a.May(MaySeeContacts); err != nil {
		return record.Contact{}, err
	}
	return FindContact(s.Reader(ctx), a, ref)
}

// Contacts lists contacts, newest first; each word of q must begin a word of the name, the e-mail or the phone.
func (s *Service) Contacts(ctx context.Context, a Actor, q string, limit *int,
	after string) (fault.Page[record.Contact], error) {
	if err := a.May(MaySeeContacts); err != nil {
		return fault.Page[record.Contact]{Data: []record.Contact{}}, err
	}
	none := fault.Page[record.Contact]{Data: []record.Contact{}}
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return none, err
	}
	if q, err = fault.CheckLine("q", q, 0, fault.MaxSearch); err != nil {
		return none, err
	}
	var last int64
	if after != "" {
		if err := fault.ParseCursor(after, &last); err != nil {
			return none, err
		}
	}
	rows, err := s.Reader(ctx).Contacts(a.Workspace, q, record.ContactID(last), n+1)
	if err != nil {
		return none, err
	}
	return fault.PageOf(rows, n, func(c *record.Contact) string { return fault.Cursor(int64(c.ID)) }), nil
}

// ContactsByEmail returns a list with the contact that has the e-mail address, or an empty list. The error is
// bad_request.
func (s *Service) ContactsByEmail(ctx context.Context, a Actor, email string) (fault.Page[record.Contact], error) {
	if err := a.May(MaySeeContacts); err != nil {
		return fault.Page[record.Contact]{Data: []record.Contact{}}, err
	}
	page := fault.Page[record.Contact]{Data: []record.Contact{}}
	email, err := fault.CheckLine("email", email, 1, fault.MaxEmail)
	if err != nil {
		return page, err
	}
	c, err := s.Reader(ctx).ContactByEmail(a.Workspace, email)
	if err == fault.ErrNotFound {
		return page, nil
	}
	page.Data = append(page.Data, c)
	return page, err
}

func FindContact(r Reader, a Actor, ref string) (record.Contact, error) {
	id, err := id.Parse[record.ContactIDKind](ref)
	if err != nil {
		return record.Contact{}, fault.Missing("contact", ref)
	}
	c, err := r.Contact(a.Workspace, id)
	if err == nil && c.Email == "" { // deleted: its bookings only count in figures
		err = fault.ErrNotFound
	}
	return c, fault.OrMissing(err, fault.Missing("contact", ref))
}
