package contact

import (
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/when"
)

// Card is what the person at the chair needs to know of a customer, besides the contact.
type Card struct {
	LastVisit *booking.Booking // the latest that took place and is over; nil
	NextVisit *booking.Booking // the earliest that is to take place; nil
	Spent     []money.Money    // received less given back, tips and sales included, by currency; nil for those who may not see it
	// UsualHost and UsualEventType are those of most visits of the last 24 months, ties the latest; 0 below two visits. The
	// bookings of one day are one visit, here and in EveryDays.
	UsualHost      catalog.HostID
	UsualEventType catalog.EventTypeID
	EveryDays      int    // the median of the days between the last five visits; 0 below two visits
	Formula        *Entry // the latest formula that wasn't corrected; nil
}

const (
	usualMonths = 24
	// usualMost is how many visits are looked at: more than anybody has in these months but a customer of every day.
	usualMost   = 500
	everyVisits = 5
)

// Card returns the card of a contact whose card the actor may see. Staff get the Outline of a visit that isn't theirs, and
// no Spent. Errors: forbidden, not_found.
func (s *Service) Card(ctx context.Context, a app.Actor, contact string) (card Card, err error) {
	if err := a.May(app.MaySeeCard); err != nil {
		return card, err
	}
	r := s.Reader(ctx)
	c, err := s.carded(r, a, contact)
	if err != nil {
		return card, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return card, err
	}
	if err := s.visits(r, a, setup, c.ID, &card); err != nil {
		return card, err
	}
	if a.May(app.MaySeeTill) == nil {
		spent, err := r.Spent(a.Workspace, c.ID)
		if err != nil {
			return card, err
		}
		card.Spent = append([]money.Money{}, spent...)
	}
	card.Formula, err = lastFormula(r, a.Workspace, c.ID)
	return card, err
}

// LastFormula returns the latest formula on the card of a contact that wasn't corrected, or nil: what Card has of entries,
// without what it makes of all bookings. Errors: forbidden, not_found.
func (s *Service) LastFormula(ctx context.Context, a app.Actor, contact string) (*Entry, error) {
	if err := a.May(app.MaySeeCard); err != nil {
		return nil, err
	}
	r := s.Reader(ctx)
	c, err := s.carded(r, a, contact)
	if err != nil {
		return nil, err
	}
	return lastFormula(r, a.Workspace, c.ID)
}

func lastFormula(r CardReads, ws catalog.WorkspaceID, c booking.ContactID) (*Entry, error) {
	e, err := r.LastFormula(ws, c)
	if errors.Is(err, fault.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &e, nameAuthors(r, ws, []*Author{&e.Author})
}

// visits fills in what the bookings of the contact tell.
func (s *Service) visits(r Reader, a app.Actor, setup *catalog.Setup, c booking.ContactID, card *Card) error {
	zone, err := catalog.CheckZone("timeZone", setup.Workspace.TimeZone)
	if err != nil {
		return err
	}
	now := s.Core.Now()
	held, err := r.Bookings(a.Workspace, booking.BookingFilter{Contact: c, EndsBy: when.At(now), Descending: true,
		Statuses: booking.StandingStatuses, Limit: usualMost, Brief: true})
	if err != nil {
		return err
	}
	next, err := r.Bookings(a.Workspace, booking.BookingFilter{Contact: c, EndsAfter: when.At(now),
		LongestLookup: setup.Workspace.LongestBooking, Statuses: booking.StandingStatuses, Limit: 1})
	if err != nil {
		return err
	}
	if len(next) > 0 {
		card.NextVisit = s.shownVisit(setup, a, &next[0])
	}
	if len(held) > 0 {
		last, err := r.Booking(a.Workspace, held[0].ID)
		if err != nil {
			return err
		}
		card.LastVisit = s.shownVisit(setup, a, &last)
	}
	days := make([]time.Time, len(held))
	for i := range held {
		days[i] = dayOf(held[i].Start, zone)
	}
	card.EveryDays = everyDays(days)
	since := when.At(now.In(zone).AddDate(0, -usualMonths, 0))
	if old := slices.IndexFunc(held, func(b booking.Booking) bool { return b.Start < since }); old >= 0 {
		held, days = held[:old], days[:old]
	}
	if len(days) > 0 && days[0] != days[len(days)-1] {
		card.UsualHost = most(held, days, func(b *booking.Booking) catalog.HostID { return b.Host.ID })
		card.UsualEventType = most(held, days, func(b *booking.Booking) catalog.EventTypeID { return b.EventTypeID })
	}
	return nil
}

// dayOf returns the local day of an instant, as midnight in UTC, where all days are equally long.
func dayOf(at when.Instant, zone *time.Location) time.Time {
	local := at.Time().In(zone)
	return time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
}

// shownVisit returns a booking as the actor sees it.
func (s *Service) shownVisit(setup *catalog.Setup, a app.Actor, b *booking.Booking) *booking.Booking {
	s.Core.Present(setup, a, b)
	if !a.SeesBooking(b) {
		outline := b.Outline()
		return &outline
	}
	return b
}

// most returns what the bookings of most days have, of those with equally many the one of the first booking.
func most[T comparable](all []booking.Booking, days []time.Time, of func(*booking.Booking) T) (found T) {
	count, last := map[T]int{}, map[T]time.Time{}
	for i := range all {
		if v := of(&all[i]); last[v] != days[i] {
			count[v]++
			last[v] = days[i]
		}
	}
	for i := range all {
		if v := of(&all[i]); count[v] > count[found] {
			found = v
		}
	}
	return found
}

// everyDays returns the median of the days between the last five visits, from the days of bookings, the latest first.
func everyDays(days []time.Time) int {
	var between []int
	var last time.Time // the day of the visit after
	for _, day := range days {
		if !last.IsZero() && day.Before(last) {
			between = append(between, int(last.Sub(day)/(24*time.Hour)))
		}
		if last = day; len(between) == everyVisits-1 {
			break
		}
	}
	if len(between) == 0 {
		return 0
	}
	slices.Sort(between)
	half := len(between) / 2
	if len(between)%2 == 1 {
		return between[half]
	}
	return (between[half-1] + between[half] + 1) / 2
}

// Tags lists the tags of the workspace's contacts with how many have each, those of most contacts first, at most 100. Staff,
// who have no list of contacts, get none. Errors: forbidden.
func (s *Service) Tags(ctx context.Context, a app.Actor) ([]TagCount, error) {
	if err := a.May(app.MaySeeCard); err != nil || a.Own() {
		return nil, err
	}
	return s.Reader(ctx).TagCounts(a.Workspace, tagsMost)
}

const tagsMost = 100

// TagCount is a tag, and how many contacts have it.
type TagCount struct {
	Tag      string
	Contacts int
}

// carded returns a contact whose card the actor may see: for staff, one whom they serve. The caller has asked for the
// right. Errors: not_found.
func (s *Service) carded(r app.Reader, a app.Actor, ref string) (booking.Contact, error) {
	c, err := app.FindContact(r, a, ref)
	if err == nil && a.Own() {
		err = s.served(r, a, c.ID)
	}
	return c, fault.OrMissing(err, fault.Missing("contact", ref))
}

// nameAuthors fills in the names of authors.
func nameAuthors(r CardReads, ws catalog.WorkspaceID, all []*Author) error {
	var by []string
	for _, one := range all {
		if one.By != "" && !slices.Contains(by, one.By) {
			by = append(by, one.By)
		}
	}
	if len(by) == 0 {
		return nil
	}
	names, err := r.AuthorNames(ws, by)
	for _, one := range all {
		one.Name = names[one.By]
	}
	return err
}

// cardPage is a page of what stands on a card: n of it, from before an id.
type cardPage struct {
	of     booking.ContactID
	n      int
	before int64
	list   fault.List
}

// cardPage reads which page of the list of that name is meant, of a contact whose card the actor may see. Errors: forbidden,
// not_found, bad_request (limit, cursor).
func (s *Service) cardPage(r Reader, a app.Actor, contact string, limit *int, usual int, cursor, name string) (p cardPage, err error) {
	if p.n, err = fault.PageLimit(limit, usual); err != nil {
		return p, err
	}
	c, err := s.carded(r, a, contact)
	if err != nil {
		return p, err
	}
	p.of, p.list = c.ID, fault.List{name, c.ID.String()}
	if cursor != "" {
		err = p.list.Read(cursor, &p.before)
	}
	return p, err
}
