package contact

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

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
	if err := mayGive(a, &in); err != nil {
		return c, false, err
	}
	if err := fault.Join(in.Check(nameFrom, country), s.checkCard(&setup.Workspace, &in)); err != nil {
		return c, false, err
	}
	err = s.Write(ctx, func(tx Tx) (err error) {
		if len(in.Fields) > 0 { // as setCard does, but before the contact
			if err := tx.LockWorkspace(a.Workspace); err != nil {
				return err
			}
		}
		c, err = tx.ContactOf(a.Workspace, booking.Identity{Email: in.Email, Phone: in.Phone, Country: country})
		if !errors.Is(err, fault.ErrNotFound) {
			if created = false; err == nil {
				c, err = s.shownOne(tx, a, c)
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
		if err := s.insert(tx, &c); err != nil {
			return err
		}
		if err := s.setCard(tx, a, &c, &in); err != nil {
			return err
		}
		c, err = s.shownOne(tx, a, c)
		return err
	})
	return c, created, err
}

// Filter keeps a list of contacts to some of them.
type Filter struct {
	Q    string   // each word of it is found by their Terms
	Tags []string // they have all of them; only for those who may see the cards of contacts

	MinNoShows *int   // they did not come that often at least; nil is any number
	Since      string // to bookings that started at or after it; "" is a year ago
}

// Missing keeps a list of contacts to those who often did not come.
type Missing struct {
	Least int // no-shows; 0 is everybody
	Since when.Instant
}

// MaxNoShows is the most that may be asked for.
const MaxNoShows = 1000

// missing returns what the filter says of no-shows. Errors: bad_request.
func (f *Filter) missing(zone *time.Location, now time.Time) (m Missing, err error) {
	switch {
	case f.MinNoShows == nil && f.Since != "":
		return m, fault.Invalid("since", "goes with minNoShows: give that too, or leave this out")
	case f.MinNoShows == nil:
		return m, nil
	case *f.MinNoShows < 1 || *f.MinNoShows > MaxNoShows:
		return m, fault.Invalid("minNoShows", "must lie between 1 and %d", MaxNoShows)
	}
	m.Least = *f.MinNoShows
	if f.Since == "" {
		m.Since = when.At(when.DayOf(now.In(zone)).AddDate(-1, 0, 0))
		return m, nil
	}
	m.Since, err = booking.ParseBound("since", f.Since, zone)
	return m, err
}

// check normalises the filter: tags as they are compared, in their order. Errors: forbidden, bad_request.
func (f *Filter) check(a app.Actor) (err error) {
	if f.Q, err = fault.CheckLine("q", f.Q, 0, fault.MaxSearch); err != nil || len(f.Tags) == 0 {
		return err
	}
	if err := a.May(app.MaySeeCard); err != nil {
		return err
	}
	tags, err := checkTags(f.Tags)
	for i := range tags {
		tags[i] = FoldTag(tags[i])
	}
	f.Tags = tags
	return err
}

// Contacts lists contacts, newest first. Errors: forbidden (tags, too), bad_request.
func (s *Service) Contacts(ctx context.Context, a app.Actor, f Filter, limit *int,
	after string) (fault.Page[booking.Contact], error) {
	if err := a.May(app.MaySeeContacts); err != nil {
		return fault.Page[booking.Contact]{Data: []booking.Contact{}}, err
	}
	none := fault.Page[booking.Contact]{Data: []booking.Contact{}}
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return none, err
	}
	if err := f.check(a); err != nil {
		return none, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return none, err
	}
	missed, err := f.missing(setup.Zone, s.Core.Now())
	if err != nil {
		return none, err
	}
	list := append(fault.List{"contacts", f.Q}, f.Tags...)
	if missed.Least > 0 {
		list = append(list, strconv.Itoa(missed.Least), f.Since)
	}
	var last int64
	if after != "" {
		if err := list.Read(after, &last); err != nil {
			return none, err
		}
	}
	r := s.Reader(ctx)
	rows, err := r.TaggedContacts(a.Workspace, f.Q, f.Tags, missed, booking.ContactID(last), n+1)
	if err != nil {
		return none, err
	}
	page := fault.PageOf(rows, n, func(c *booking.Contact) string { return list.Cursor(int64(c.ID)) })
	return page, s.shown(r, a, page.Data)
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
		err = s.shown(reader, a, found)
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
	reader := s.Reader(ctx)
	all, err := reader.ContactsOf(a.Workspace, r, 10)
	if err == nil {
		err = s.shown(reader, a, all)
	}
	return slices.DeleteFunc(all, func(o booking.Contact) bool { return o.ID == c.ID }), err
}
