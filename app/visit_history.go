package app

import (
	"context"
	"slices"

	"daybook/app/booking"
	"daybook/app/when"
)

// VisitHistory is the bookings of a visit, in its order, or those of a series, by their dates, and their histories. Bookings
// that were deleted are left out. It is for one goroutine, and is never refreshed.
type VisitHistory struct {
	booking.Visit // zero, but for the items, of a series
	Histories     [][]booking.HistoryEntry

	series bool
	news   map[made][]TeamNews
}

// made is when a change was made, and what it was.
type made struct {
	at     when.Instant
	action booking.Action
}

// VisitHistory reads the visit of a booking; nil where it is of none with others. It asks for no rights.
func (s *Service) VisitHistory(ctx context.Context, b *booking.Booking) (*VisitHistory, error) {
	if !b.InVisit() {
		return nil, nil
	}
	r := s.Reader(ctx)
	if len(b.Visit.Bookings) == 0 { // as somebody sees it who doesn't see the others
		stored, err := r.BookingByID(b.ID)
		if err != nil || !stored.InVisit() {
			return nil, err
		}
		b = &stored
	}
	all, err := bookingsOf(r, b.WorkspaceID, b.Visit)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	v := &VisitHistory{Visit: booking.Visit{ID: b.Visit.ID, Items: all}, news: map[made][]TeamNews{}}
	v.Span()
	return v, v.read(r)
}

// SeriesHistory reads the series of a booking; nil where it is of none. It asks for no rights.
func (s *Service) SeriesHistory(ctx context.Context, b *booking.Booking) (*VisitHistory, error) {
	if b.Series == nil {
		return nil, nil
	}
	r := s.Reader(ctx)
	all, err := r.Bookings(b.WorkspaceID, booking.BookingFilter{Series: b.Series.ID, Limit: booking.MaxSeries})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	slices.SortStableFunc(all, booking.InSeries)
	v := &VisitHistory{Visit: booking.Visit{Items: all}, news: map[made][]TeamNews{}, series: true}
	return v, v.read(r)
}

// read reads the histories.
func (v *VisitHistory) read(r Reader) error {
	for i := range v.Items {
		history, err := r.History(v.Items[i].WorkspaceID, v.Items[i].ID)
		if err != nil {
			return err
		}
		v.Histories = append(v.Histories, history)
	}
	return nil
}

// with reports whether the change was of several of these bookings.
func (v *VisitHistory) with(h *booking.HistoryEntry) bool {
	if v.series {
		return h.WithSeries
	}
	return h.WithVisit
}

// Together returns the index in the history of the i-th booking of what was done to it together with another; -1 for
// nothing.
func (v *VisitHistory) Together(i int, with *booking.HistoryEntry) int {
	return slices.IndexFunc(v.Histories[i], func(h booking.HistoryEntry) bool {
		return v.with(with) && v.with(&h) && h.At == with.At && doing(h.Action) == doing(with.Action)
	})
}

// doing returns the action, one for all that ends the wait for the payment of a visit: some of its bookings are paid then,
// of others a card is saved, or nothing is to be paid.
func doing(a booking.Action) booking.Action {
	if endsWait(a) {
		return booking.ActPaid
	}
	return a
}

// Leads reports whether the change is the one of its visit's, or series', that tells the invitee: of what was done to several,
// that of the first booking which it was done to.
func (v *VisitHistory) Leads(c *Followed) bool {
	for i := range v.Items {
		if v.Items[i].ID == c.Booking {
			return true
		}
		if v.Together(i, &c.HistoryEntry) >= 0 {
			return false
		}
	}
	return true
}

// Alike returns what was done to the bookings together with a change, that one left out.
func (v *VisitHistory) Alike(c *Followed) (all []Followed) {
	for i := range v.Items {
		if one := v.followed(i, &c.HistoryEntry); one != nil && one.Booking != c.Booking {
			all = append(all, *one)
		}
	}
	return all
}

// followed returns what was done to the i-th booking together with a change, as followers get it; nil for nothing.
func (v *VisitHistory) followed(i int, with *booking.HistoryEntry) *Followed {
	n := v.Together(i, with)
	if n < 0 {
		return nil
	}
	c := FollowedIn(&v.Items[i], v.Histories[i], n)
	return &c
}

// FollowedIn returns an entry in the history of a booking as followers get it, but without its number.
func FollowedIn(b *booking.Booking, history []booking.HistoryEntry, i int) Followed {
	c := Followed{HistoryEntry: history[i], Booking: b.ID, Workspace: b.WorkspaceID, Seq: i + 1}
	if i > 0 {
		before := &history[i-1]
		c.PreviousStart, c.PreviousHost, c.PreviousOthers = before.Start, before.Host, before.Others
	}
	return c
}
