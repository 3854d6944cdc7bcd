package report

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Week has the figures of a short span.
type Week struct {
	Booked, Pending, Cancelled, NoShows int
	// Value is that of bookings that took place or will, by currency; nil for an actor who may not see the analytics.
	Value map[string]int64
}

// WeekFigures sums up the bookings that start in [from, to), as far as the actor sees them.
func (s *Service) WeekFigures(ctx context.Context, a app.Actor, from, to time.Time) (w Week, err error) {
	if err := a.May(app.MaySeeFigures); err != nil {
		return w, err
	}
	if a.May(app.MaySeeAnalytics) == nil {
		w.Value = map[string]int64{}
	}
	var host catalog.HostID
	if a.Own() {
		if host = a.Host; host == 0 {
			return w, nil
		}
	}
	sums, err := s.Reader(ctx).BookingSums(a.Workspace, host, when.At(from), when.At(to))
	for _, sum := range sums {
		switch {
		case sum.Status.Stands():
			w.Booked += sum.Count
			if w.Value != nil {
				w.Value[sum.Currency] += sum.Amount
			}
		case sum.Status.Live():
			w.Pending += sum.Count
		case sum.Status == booking.Cancelled:
			w.Cancelled += sum.Count
		case sum.Status == booking.NoShow:
			w.NoShows += sum.Count
		}
	}
	return w, err
}
