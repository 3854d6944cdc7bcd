package report

import (
	"context"
	"errors"
	"time"

	"daybook/app/catalog"
	"daybook/app/when"
)

const dayMillis = 24 * 60 * 60 * 1000

// span is [from, to); to 0 means no end.
type span struct{ from, to when.Instant }

// marked are the UTC days that have changed since they were summed.
type marked map[int64]bool

func (s *Service) marks(r SumReader, ws catalog.WorkspaceID) (marked, error) {
	days, err := r.DayMarks(ws)
	m := make(marked, len(days))
	for _, day := range days {
		m[day] = true
	}
	return m, err
}

// in reports whether a day of [from, to) is marked.
func (m marked) in(from, to when.Instant) bool {
	if len(m) == 0 {
		return false
	}
	for day := int64(from) / dayMillis; day <= int64(to-1)/dayMillis; day++ {
		if m[day] {
			return true
		}
	}
	return false
}

// aDay reports whether [from, to) is one day of the zone.
func aDay(from, to when.Instant, zone *time.Location) bool {
	at := from.Time().In(zone)
	return when.At(when.DayOf(at)) == from && when.At(when.AddDays(at, 1)) == to
}

// tally adds up the bookings that start in [from, to) and what they have brought in. A day whose sums are kept and
// exact is added by them, and everything else booking by booking, so that the answer is the same whatever is kept. With
// days, only sums of days of the tally's zone are used.
func (s *Service) tally(ctx context.Context, ws catalog.WorkspaceID, t *tally, from, to when.Instant, days bool) error {
	err := s.Reader(ctx).FrozenFigures(func(r Figured) error {
		rest, err := s.tallyKept(r, ws, t, span{from, to}, days || t.person != 0)
		if err != nil {
			return err
		}
		return errors.Join(t.read(r, ws, rest), t.readWork(r, ws, from, to))
	})
	if errors.Is(err, errSums) {
		s.Core.Log().Error("sums of days can't be read and are made anew", "workspace", ws.String())
		if err = s.dropSums(ctx, ws); err == nil {
			fresh := newTally(t.now, t.zone)
			fresh.person, *t = t.person, *fresh
			err = s.Reader(ctx).FrozenFigures(func(r Figured) error {
				return errors.Join(t.read(r, ws, []span{{from, to}}), t.readWork(r, ws, from, to))
			})
		}
	}
	if err != nil {
		return err
	}
	if t.passed >= manyPassed {
		s.sums.want(ws, t.now)
	}
	return nil
}

// read adds the bookings of the spans one by one.
func (t *tally) read(r Figured, ws catalog.WorkspaceID, spans []span) error {
	for _, sp := range spans {
		if err := r.Tally(ws, sp.from, sp.to, t.add); err != nil {
			return err
		}
		if err := r.Revenue(ws, sp.from, sp.to, t.earn); err != nil {
			return err
		}
		if err := r.Received(ws, sp.from, sp.to, t.receive); err != nil {
			return err
		}
	}
	return nil
}

// readWork reads the days of hosts from the date of from to that before to, in the tally's zone: a host's day is that of the
// host's own zone. None is after tomorrow.
func (t *tally) readWork(r HostDayReader, ws catalog.WorkspaceID, from, to when.Instant) (err error) {
	last := dayOf(t.now.Time(), t.zone) + 1
	if to != 0 {
		last = min(last, dayOf(to.Add(-time.Millisecond).Time(), t.zone))
	}
	t.work, err = readWork(r, ws, dayOf(from.Time(), t.zone), last, t.person)
	return err
}

// tallyKept adds the sums of the days that are kept and exact, and returns the spans between them, the earliest first.
func (s *Service) tallyKept(r Figured, ws catalog.WorkspaceID, t *tally, all span, days bool) ([]span, error) {
	marks, err := s.marks(r, ws)
	if err != nil {
		return nil, err
	}
	var rest []span
	var wrong error
	at := all.from
	err = r.DaySums(ws, all.from, all.to, func(d DaySums) {
		if wrong != nil || d.From < at || marks.in(d.From, d.To) || days && !aDay(d.From, d.To, t.zone) {
			return
		}
		used, err := t.addSums(d, days)
		if err != nil {
			wrong = err
			return
		}
		if !used {
			return
		}
		if d.From > at {
			rest = append(rest, span{at, d.From})
		}
		at = d.To
	})
	if at < all.to || all.to == 0 {
		rest = append(rest, span{at, all.to})
	}
	return rest, errors.Join(err, wrong)
}
