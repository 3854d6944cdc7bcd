package app

import (
	"context"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// SeriesDates returns what would become of the dates of a series while nobody knows who books: each is free, moved to the
// open start that lies nearest, or skipped. It writes nothing. Each date is looked at by itself, so what dates take from
// each other and the limits of a person are found only by BookSeries, to which these dates can be sent. Errors:
// bad_request, not_found, unavailable (too many searches at once).
func (s *Service) SeriesDates(ctx context.Context, a Actor, in booking.SeriesInput) ([]booking.SeriesDate, error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return nil, err
	}
	start, err := booking.ParseStart(in.Start)
	if err != nil {
		return nil, err
	}
	in.Dates, in.Conflicts = nil, booking.SeriesNearest
	if in.Items, err = s.namedItems(a, setup, &in); err != nil {
		return nil, err
	}
	wanted, err := in.Wanted(start, setup.Zone)
	if err != nil {
		return nil, err
	}
	if err := mayRepeat(a, setup, in.All(), wanted); err != nil {
		return nil, err
	}
	look := seriesBooking{Service: s, ch: &Change{Setup: setup, Now: s.clock(), Actor: a, service: s}, r: s.Reader(ctx), in: &in,
		dates: wanted, anybody: true}
	if err := s.searches.Within(ctx, func() error { return look.lookAt(ctx) }); err != nil {
		return nil, err
	}
	var dates []booking.SeriesDate
	for i := range look.dates {
		dates = append(dates, look.dates[i].SeriesDate)
	}
	return dates, nil
}

// lookAt says of each date what would become of it.
func (s *seriesBooking) lookAt(ctx context.Context) error {
	if err := s.choose(); err != nil {
		return err
	}
	for i := range s.dates {
		d := &s.dates[i]
		if d.State == booking.SeriesSkipped {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		found, err := s.lookAtStart(d, d.Start, i > 0)
		if err != nil {
			return err
		}
		if d.State = booking.SeriesFree; found {
			continue
		}
		near, err := s.nearest(i)
		if err == nil && near != 0 {
			found, err = s.lookAtStart(d, near, i > 0)
		}
		if err != nil {
			return err
		}
		if d.State = booking.SeriesSkipped; found {
			d.State, d.Instead = booking.SeriesMoved, near
		}
	}
	return nil
}

// lookAtStart says in the date with whom it could be booked then, or why it can't be.
func (s *seriesBooking) lookAtStart(d *booking.WantedDate, start when.Instant, later bool) (found bool, err error) {
	if s.in.Visits() {
		err = s.lookAtVisit(d, start, later)
	} else {
		var q *availability.Search
		var p availability.Place
		if q, err = s.search(later); err == nil {
			p, err = q.Find(s.r, start, s.chosen)
		}
		if err == nil {
			host := p.Host.ID
			d.Host = &host
			if start == d.Start {
				setAside(d, p.Waived)
			}
		}
	}
	if e := fault.Refusal(err); e != nil && ofStart(e) {
		s.note(d, e)
		return false, nil
	}
	return err == nil, err
}

// lookAtVisit is lookAtStart for a visit; what stands against it is the error.
func (s *seriesBooking) lookAtVisit(d *booking.WantedDate, start when.Instant, later bool) error {
	in := s.in.Visit("")
	v, err := itemsAmong(s.ch, &in, in.Override)
	if err != nil {
		return err
	}
	if later {
		v.AnyTimeAhead()
	}
	places, err := v.Arrange(s.r, start)
	if err != nil {
		return err
	}
	if places == nil && len(in.Override) > 0 {
		var rules slot.Reasons
		if places, rules, err = v.Follow(s.r, start); err != nil {
			return err
		}
		if start == d.Start {
			setAside(d, rules)
		}
	}
	if places == nil {
		return v.Against(s.r, start)
	}
	for _, at := range places {
		item := in.Items[at.Item]
		d.Items = append(d.Items, booking.VisitItem{EventType: s.ch.Setup.EventType(item.EventType).Slug, Host: at.Host.String(),
			AddOns: item.AddOns, Start: at.Start.String(), End: at.End.String()})
	}
	return nil
}

// SeriesUpTo returns how many dates of these services a visitor may book at once; below 2 they can't be booked as a series.
func SeriesUpTo(services ...*catalog.EventType) int {
	most := booking.MaxSeries / max(1, len(services))
	for _, e := range services {
		most = min(most, e.SeriesUpTo)
	}
	return most
}
