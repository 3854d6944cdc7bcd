package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// ListBookingsInput is what a caller asks for, in the texts of the query parameters.
type ListBookingsInput struct {
	Scope     string // upcoming (default), past
	From, To  string
	Status    string // one, or several joined by commas
	EventType string
	Invitee   string
	Host      string
	TimeZone  string
	Limit     *int
	Cursor    string
	Q         string // words that each begin one of the invitee's name, e-mail or phone (dashboard)
	All       bool   // with scope past: those to come too, the latest first (dashboard)
	LiveOnly  bool   // without a status: live bookings only (agent tools)
}

// Booking is one booking. The error is not_found.
func (s *Service) Booking(ctx context.Context, a Actor, id string) (Booking, error) {
	if err := a.May(MaySeeBooking); err != nil {
		return Booking{}, err
	}
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return Booking{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return Booking{}, err
	}
	s.Present(setup, a, &b)
	return b, nil
}

// Bookings lists bookings: the upcoming ones by start, the past ones latest first, all statuses unless filtered. An
// unknown event type, host or invitee gives an empty list; the error is bad_request.
func (s *Service) Bookings(ctx context.Context, a Actor, in ListBookingsInput) (fault.Page[Booking], error) {
	if err := a.May(MaySeeBookings); err != nil {
		return fault.Page[Booking]{Data: []Booking{}}, err
	}
	none := fault.Page[Booking]{Data: []Booking{}}
	setup, err := s.SetupFor(a)
	if err != nil {
		return none, err
	}
	limit, err := fault.PageLimit(in.Limit, 50)
	if err != nil {
		return none, err
	}
	if a.Own() {
		if a.Host == 0 {
			return none, nil
		}
		in.Host = a.Host.String()
	}
	f, err := in.filter(when.At(s.clock()), setup.Workspace.LongestBooking)
	if err != nil {
		return none, err
	}
	known, err := s.nameFilter(ctx, setup, in, &f)
	if err != nil || !known {
		return none, err
	}
	f.Limit = limit + 1
	rows, err := s.Reader(ctx).Bookings(a.Workspace, f)
	if err != nil {
		return none, err
	}
	page := fault.PageOf(rows, limit, func(b *Booking) string { return fault.Cursor(int64(b.Start), int64(b.ID)) })
	for i := range page.Data {
		s.Present(setup, a, &page.Data[i])
	}
	if len(page.Data) == 0 {
		page.Hint = f.HintWhenEmpty()
	}
	return page, nil
}

// HintWhenEmpty says why a list of no-shows is empty: they lie in the past, and the list is of those to come.
func (f *BookingFilter) HintWhenEmpty() string {
	if f.EndsAfter == 0 || len(f.Statuses) != 1 || f.Statuses[0] != NoShow {
		return ""
	}
	return "No-shows lie in the past, and this list is of bookings that have not ended: ask with scope=past, or with from and to."
}

// filter reads scope, from, to, status and cursor. longest is the length of the workspace's longest booking.
func (in *ListBookingsInput) filter(now when.Instant, longest time.Duration) (f BookingFilter, err error) {
	zone := time.UTC
	if in.TimeZone != "" {
		if zone, err = catalog.CheckZone("timeZone", in.TimeZone); err != nil {
			return f, err
		}
	}
	if f.From, err = ParseBound("from", in.From, zone); err != nil {
		return f, err
	}
	if f.To, err = ParseBound("to", in.To, zone); err != nil {
		return f, err
	}
	switch {
	case in.From != "" || in.To != "":
		if in.From != "" && in.To != "" && f.From > f.To {
			return f, fault.Invalid("from", "must not lie after to")
		}
	case in.Scope != "" && in.Scope != "upcoming" && in.Scope != "past":
		return f, fault.Invalid("scope", "must be upcoming or past")
	case in.Scope == "past":
		f.Descending = true
		if !in.All {
			f.EndsBy = now
		}
	default:
		f.EndsAfter, f.LongestLookup = now, longest
	}
	if in.Cursor != "" {
		var start, id int64
		if err := fault.ParseCursor(in.Cursor, &start, &id); err != nil {
			return f, err
		}
		f.After, f.AfterID = when.Instant(start), BookingID(id)
	}
	f.Statuses, err = in.statuses()
	return f, err
}

// ParseBound reads a bound of a search, a day of the zone or a time; "" is none.
func ParseBound(field, text string, zone *time.Location) (when.Instant, error) {
	if text == "" {
		return 0, nil
	}
	at, err := when.ParseOrDate(text, zone)
	if err != nil {
		return 0, fault.Invalid(field, "%v", err)
	}
	return at, nil
}

// statuses reads status; nil is all.
func (in *ListBookingsInput) statuses() ([]Status, error) {
	if in.Status == "" {
		if in.LiveOnly {
			return []Status{Pending, Confirmed, Rescheduled}, nil
		}
		return nil, nil
	}
	var statuses []Status
	for part := range strings.SplitSeq(in.Status, ",") {
		status := Status(strings.TrimSpace(part))
		if !slices.Contains(Statuses, status) {
			return nil, fault.Invalid("status", "must be one or more of confirmed, pending, cancelled, no_show, rescheduled, joined by commas")
		}
		if !slices.Contains(statuses, status) {
			statuses = append(statuses, status)
		}
	}
	return statuses, nil
}

// nameFilter resolves event type, host and invitee; it reports false where one is unknown, so that nothing can match.
func (s *Service) nameFilter(ctx context.Context, setup *catalog.Setup, in ListBookingsInput, f *BookingFilter) (bool, error) {
	if in.EventType != "" {
		e := setup.EventType(in.EventType)
		if e == nil {
			return false, nil
		}
		f.EventType = e.ID
	}
	if in.Host != "" {
		id, err := id.Parse[catalog.HostIDKind](in.Host)
		if err != nil || setup.Host(id) == nil {
			return false, nil
		}
		f.Host = id
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
		id, err := s.Reader(ctx).FindContactID(setup.Workspace.ID, in.Invitee)
		if err == fault.ErrNotFound {
			return false, nil
		}
		f.Contact = id
		return true, err
	}
	return true, nil
}

// History is all that happened to a booking, the oldest first. The error is not_found.
func (s *Service) History(ctx context.Context, a Actor, id string) ([]HistoryEntry, error) {
	if err := a.May(MaySeeBookings); err != nil {
		return nil, err
	}
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return nil, err
	}
	return s.Reader(ctx).History(b.ID)
}

// EventType is one event type, by its slug or id. The error is not_found.
func (s *Service) EventType(a Actor, ref string) (catalog.EventType, error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return catalog.EventType{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return catalog.EventType{}, err
	}
	e := setup.EventType(ref)
	if e == nil {
		return catalog.EventType{}, fault.Missing("event type", ref)
	}
	return *e, nil
}

// EventTypes lists the event types in the owner's order, behind the cursor.
func (s *Service) EventTypes(a Actor, limit *int, after string) (fault.Page[catalog.EventType], error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return fault.Page[catalog.EventType]{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return fault.Page[catalog.EventType]{}, err
	}
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return fault.Page[catalog.EventType]{}, err
	}
	rows := setup.EventTypes
	if after != "" {
		var last int64
		if err := fault.ParseCursor(after, &last); err != nil {
			return fault.Page[catalog.EventType]{}, err
		}
		i := slices.IndexFunc(rows, func(e catalog.EventType) bool { return e.ID == catalog.EventTypeID(last) })
		rows = rows[i+1:]
	}
	return fault.PageOf(rows, n, func(e *catalog.EventType) string { return fault.Cursor(int64(e.ID)) }), nil
}

// maxFoundContacts bounds whose bookings a search lists: the newest contacts that it finds.
const maxFoundContacts = 50

// maxCalendar is the number of bookings that a calendar shows at most.
const maxCalendar = 2000

// Calendar is every booking that starts in [from, to) and was not cancelled, by start; more is true when there are more
// than it answers. ref is a host's id, or "" for all that the actor sees. The error is not_found.
func (s *Service) Calendar(ctx context.Context, a Actor, ref string, from, to time.Time) (all []Booking, more bool, err error) {
	if err := a.May(MaySeeBookings); err != nil {
		return nil, false, err
	}
	setup, err := s.Setup(a.Workspace)
	if err != nil {
		return nil, false, err
	}
	f := BookingFilter{From: when.At(from), To: when.At(to), Statuses: []Status{Pending, Confirmed, Rescheduled, NoShow}, Limit: maxCalendar + 1}
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
	if all, err = s.Reader(ctx).Bookings(a.Workspace, f); err != nil {
		return nil, false, err
	}
	if more = len(all) > maxCalendar; more {
		all = all[:maxCalendar]
	}
	for i := range all {
		s.Present(setup, a, &all[i])
	}
	return all, more, nil
}
