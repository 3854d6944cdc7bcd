package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Bookings lists bookings: upcoming ones by start, past ones latest first, in all states unless filtered. An unknown
// event type, host or invitee gives an empty list, or not_found with booking.ListBookingsInput.Spoken. Errors:
// bad_request, not_found.
func (s *Service) Bookings(ctx context.Context, a Actor,
	in booking.ListBookingsInput) (fault.Page[booking.Booking], error) {
	if err := a.May(MaySeeBookings); err != nil {
		return fault.Page[booking.Booking]{Data: []booking.Booking{}}, err
	}
	none := fault.Page[booking.Booking]{Data: []booking.Booking{}}
	setup, err := s.SetupFor(a)
	if err != nil {
		return none, err
	}
	limit, err := fault.PageLimit(in.Limit, 50)
	if err != nil {
		return none, err
	}
	if in.Spoken {
		if err := a.understand(setup, &in.Host, &in.EventType, &in.TimeZone); err != nil {
			return none, err
		}
	}
	if a.Own() {
		if a.Host == 0 {
			return none, nil
		}
		if in.Host, err = a.NamedHost(setup, in.Host); err != nil {
			return none, err
		}
	}
	f, err := in.Filter(when.At(s.clock()), setup.Workspace.LongestBooking)
	if err != nil {
		return none, err
	}
	known, err := s.nameFilter(ctx, setup, a, in, &f, &none.Hint)
	if err != nil || !known {
		return none, err
	}
	f.Limit, f.HasOthers = limit+1, setup.Workspace.HasOthers
	rows, err := s.Reader(ctx).Bookings(a.Workspace, a.Limits.Narrow(f))
	if err != nil {
		return none, err
	}
	page := fault.PageOf(rows, limit, in.CursorAt)
	for i := range page.Data {
		s.Present(setup, a, &page.Data[i])
	}
	if len(page.Data) == 0 {
		switch page.Hint = f.HintWhenEmpty(); {
		case page.Hint != "":
		case in.Contact != "":
			page.Hint = noContact
		case in.Invitee != "" && !a.seesAllContacts():
			page.Hint = notYours
		}
	}
	return page, nil
}

// The hints for an invitee without bookings. Actors who don't see all contacts get the same one whether or not the
// person is known, so that it reveals nothing about other customers.
const (
	nobody = "Nobody has this e-mail address or telephone number, so there are no bookings of theirs. Ask with q for a " +
		"name."
	noContact = "You see no such bookings of this contact. GET /api/v1/contacts has their ids, ct_…; scope=all lists past " +
		"bookings, too."
	notYours = "You see no bookings of this e-mail address or telephone number. Ask with q for a name."
)

// seesContactOf reports whether a booking that the actor sees names its contact: agents are told of people by their names.
func (a Actor) seesContactOf() bool {
	return a.Kind == booking.BySystem || a.Kind != booking.ByAgent && a.seesAllContacts()
}

// seesAllContacts reports whether the actor may know who is in the list of contacts.
func (a Actor) seesAllContacts() bool {
	return !a.Own() && !a.Limits.Narrows() && a.May(MaySeeContacts) == nil
}

// understand replaces what names a host and an event type, of those that the actor knows, by their ids, and the zone by
// the workspace's; "" stays, but for the zone. The error is not_found, with near names.
func (a Actor) understand(setup *catalog.Setup, host, eventType, zone *string) error {
	if *host != "" {
		h, err := setup.HostNamed(*host, func(h catalog.HostID) bool { return a.Limits.Knows(setup, h) })
		if err != nil {
			return err
		}
		*host = h.ID.String()
	}
	if *eventType != "" {
		e, err := setup.EventTypeNamed(*eventType, a.SeesEventType)
		if err != nil {
			return err
		}
		*eventType = e.ID.String()
	}
	if *zone == "" {
		*zone = setup.Workspace.TimeZone
	}
	return nil
}

// understandChosen is understand, but for the zone, and with the add-ons that are booked.
func (a Actor) understandChosen(setup *catalog.Setup, host, eventType *string, addOns *[]string) error {
	if err := a.understand(setup, host, eventType, new(string)); err != nil {
		return err
	}
	if e := setup.EventType(*eventType); e != nil {
		*addOns = e.AddOnsNamed(*addOns)
	}
	return nil
}

// nameFilter looks up event type, host and invitee; it returns false if one of them is unknown, so that nothing can
// match, and then says so in the hint.
func (s *Service) nameFilter(ctx context.Context, setup *catalog.Setup, a Actor, in booking.ListBookingsInput,
	f *booking.BookingFilter, hint *string) (bool, error) {
	if in.EventType != "" {
		e := setup.EventType(in.EventType)
		if e == nil || !a.SeesEventType(e) {
			*hint = setup.NoEventType(in.EventType, a.SeesEventType)
			return false, nil
		}
		f.EventType = e.ID
	}
	if in.Host != "" {
		id, err := id.Parse[catalog.HostIDKind](in.Host)
		knows := func(h catalog.HostID) bool { return a.Limits.Knows(setup, h) }
		if err != nil || setup.Host(id) == nil || !knows(id) {
			*hint = setup.NoHost(in.Host, knows)
			return false, nil
		}
		f.Host = id
	}
	if in.Contact != "" {
		id, err := id.Parse[booking.ContactIDKind](in.Contact)
		if err != nil || id == 0 { // 0 filters nothing
			*hint = noContact
			return false, nil
		}
		f.Contact = id
	}
	if in.Series != "" {
		id, err := id.Parse[booking.SeriesIDKind](in.Series)
		if err != nil || id == 0 { // 0 filters nothing
			*hint = "There is no such series. A booking says of which one it is: series.id."
			return false, nil
		}
		f.Series = id
	}
	if in.Q != "" {
		found, err := s.Reader(ctx).Contacts(setup.Workspace.ID, in.Q, 0, maxFoundContacts)
		if err != nil || len(found) == 0 {
			return false, err
		}
		for i := range found {
			f.Contacts = append(f.Contacts, found[i].ID)
		}
	}
	if in.Invitee != "" {
		found, err := s.invitees(ctx, setup, a, in)
		if *hint = nobody; !a.seesAllContacts() {
			*hint = notYours
		}
		if in.Contact != "" {
			return slices.ContainsFunc(found, func(c booking.Contact) bool { return c.ID == f.Contact }), err
		}
		if len(found) == 1 {
			f.Contact = found[0].ID
			return true, err
		}
		for i := range found {
			f.Contacts = append(f.Contacts, found[i].ID)
		}
		return len(found) > 0, err
	}
	return true, nil
}

// invitees finds whom an input calls its invitee: the contacts with that e-mail address or telephone number or, where
// it is spoken and the actor sees all contacts, the one whom the name fits. The error is bad_request, for a name that
// fits several.
func (s *Service) invitees(ctx context.Context, setup *catalog.Setup, a Actor,
	in booking.ListBookingsInput) ([]booking.Contact, error) {
	reader, ws := s.Reader(ctx), setup.Workspace.ID
	r, ok := booking.ReadIdentity(in.Invitee, setup.Workspace.PhoneCountry())
	if ok {
		return reader.ContactsOf(ws, r, maxFoundContacts)
	}
	if !in.Spoken || !a.seesAllContacts() || utf8.RuneCountInString(in.Invitee) > fault.MaxSearch {
		return nil, nil
	}
	found, err := reader.Contacts(ws, in.Invitee, 0, maxFoundContacts)
	if err != nil || len(found) <= 1 {
		return found, err
	}
	name := strings.TrimSpace(in.Invitee)
	same := slices.DeleteFunc(slices.Clone(found), func(c booking.Contact) bool { return !strings.EqualFold(c.Name, name) })
	if len(same) == 1 {
		return same, nil
	}
	if len(same) > 1 {
		found = same
	}
	var some []string
	for _, c := range found[:min(len(found), 5)] {
		some = append(some, fmt.Sprintf("%s (%s)", c.Name, cmp.Or(c.Email, c.Phone)))
	}
	return nil, fault.Invalid("invitee", "fits several people, such as %s: name one by e-mail address or telephone number, or "+
		"ask with q for the bookings of all", strings.Join(some, ", "))
}

const (
	maxFoundContacts = 50   // whose bookings a search lists, newest first
	maxCalendar      = 2000 // the most bookings that a calendar shows
)

// Calendar returns every booking that starts in [from, to) and was not cancelled, by start; more is true if there are
// more than it returns. ref is a host's id, or "" for all hosts that the actor sees; brief is that of BookingFilter.
// Errors: not_found.
func (s *Service) Calendar(ctx context.Context, a Actor, ref string, from, to time.Time,
	brief bool) (all []booking.Booking, more bool, err error) {
	if err := a.May(MaySeeBookings); err != nil {
		return nil, false, err
	}
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		return nil, false, err
	}
	f := booking.BookingFilter{From: when.At(from), To: when.At(to), Statuses: booking.ShownStatuses,
		Limit: maxCalendar + 1, Brief: brief, HasOthers: setup.Workspace.HasOthers}
	if a.Own() {
		ref = a.Host.String()
	}
	if ref != "" {
		if f.Host, err = id.Parse[catalog.HostIDKind](ref); err != nil || setup.Host(f.Host) == nil {
			return nil, false, fault.Missing("host", ref)
		}
	} else if a.Own() {
		return nil, false, nil
	}
	if all, err = s.Reader(ctx).Bookings(a.Workspace, a.Limits.Narrow(f)); err != nil {
		return nil, false, err
	}
	more = len(all) > maxCalendar
	all = all[:min(len(all), maxCalendar)]
	for i := 0; i < len(all) && !brief; i++ {
		s.Present(setup, a, &all[i])
	}
	return all, more, nil
}
