package app

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
)

// nearDays is how many days before and after its date a booking may lie instead.
const nearDays = 3

// nearest returns the open start that lies nearest to a date, on its day or else within nearDays; of two as near the
// later. It lies between the neighbouring dates. 0 is none.
func (s *seriesBooking) nearest(i int) (when.Instant, error) {
	d := &s.dates[i]
	day := d.Start.Time().In(s.ch.Setup.Zone)
	after, before := when.Instant(0), when.At(when.AddDays(day, nearDays+1))
	for k := range s.dates {
		if at := s.dates[k].At(); s.dates[k].State != booking.SeriesSkipped && k < i {
			after = max(after, at, s.dates[k].Start)
		} else if k > i {
			before = min(before, s.dates[k].Start)
		}
	}
	open, err := s.open(i > 0)
	if err != nil {
		return 0, err
	}
	for _, days := range []int{0, nearDays} {
		from, to := max(after+1, when.At(when.AddDays(day, -days))), min(before, when.At(when.AddDays(day, days+1)))
		if from >= to {
			continue
		}
		starts, err := open(from, to)
		if err != nil {
			return 0, err
		}
		slices.SortFunc(starts, func(a, b when.Instant) int {
			return cmp.Or(cmp.Compare(abs(a-d.Start), abs(b-d.Start)), cmp.Compare(b, a))
		})
		days := map[string]bool{} // whether the person may come then
		for _, at := range starts {
			day := at.Time().In(s.ch.Setup.Zone).Format(time.DateOnly)
			if _, asked := days[day]; !asked {
				if days[day], err = s.permits(at); err != nil {
					return 0, err
				}
			}
			if days[day] {
				return at, nil
			}
		}
	}
	return 0, nil
}

// permits reports whether the limits and requirements of a person let the invitee book that start.
func (s *seriesBooking) permits(start when.Instant) (bool, error) {
	if s.anybody {
		return true, nil
	}
	p, contact := &s.in.Invitee, booking.Contact{}
	if !p.WalksIn() {
		var err error
		contact, err = s.ch.ContactOf(s.ch.Setup.Workspace.ID, p.Identity(s.ch.Setup.Workspace.PhoneCountry()))
		if err != nil && !errors.Is(err, fault.ErrNotFound) {
			return false, err
		}
	}
	for _, item := range s.in.All() {
		e, err := s.service(item)
		if err != nil {
			return false, err
		}
		q := availability.Among(nil, s.ch.Setup, e, s.ch.Now)
		q.For(contact.ID, p, 0)
		if s.ch.Actor.May(MayWaive) == nil {
			if err := q.ByBusiness(s.in.Override); err != nil {
				return false, err
			}
		}
		if s.ch.Actor.Business() {
			lacks, err := Lacking(s.ch.Tx, s.ch.Setup, e, contact.ID, start)
			if err != nil {
				return false, err
			}
			q.Lacks(lacks)
		}
		if may, err := q.Permits(s.ch.Tx, start); err != nil || !may {
			return false, err
		}
	}
	return true, nil
}

// open returns a search for the open starts of a date in a span.
func (s *seriesBooking) open(later bool) (func(from, to when.Instant) ([]when.Instant, error), error) {
	if !s.in.Visits() {
		q, err := s.search(later)
		if err != nil {
			return nil, err
		}
		return func(from, to when.Instant) ([]when.Instant, error) { return q.StartsIn(s.r, from, to) }, nil
	}
	in := s.in.Visit("")
	v, err := itemsAmong(s.ch, &in, nil)
	if err != nil {
		return nil, err
	}
	if later {
		v.AnyTimeAhead()
	}
	return func(from, to when.Instant) ([]when.Instant, error) { return v.StartsIn(s.r, from, to) }, nil
}

func abs(n when.Instant) when.Instant { return max(n, -n) }
