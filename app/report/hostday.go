package report

import (
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/app/work"
)

// HostDay is one day of a host that is over: when they were at work, as hours, overrides, times off and holidays were then,
// and how long of it they worked for bookings. Durations are milliseconds.
type HostDay struct {
	Host     catalog.HostID
	Day      int64 // a date of the host's zone, as days since 1970
	From, To when.Instant
	Known    bool        // else the day is from before days were written
	Open     []slot.Span // in order; they don't meet
	Counted  bool        // Booked and Outside are exact
	Booked   int64       // of Open, the work of bookings that stand: no buffers, no waits, what is shared once
	Outside  int64       // the same outside of Open
}

// HostOf is a host with the workspace.
type HostOf struct {
	Workspace catalog.WorkspaceID
	Host      catalog.HostID
}

const (
	dayLook = time.Minute // how often days that are over are looked for
	daysDue = 100         // hosts that are taken up together, and days of one in a transaction
	// bookingReach is more than any booking lasts.
	bookingReach = 8 * when.Day
)

// OpenFor returns how long the host was at work.
func (d *HostDay) OpenFor() (sum int64) {
	for _, s := range d.Open {
		sum += s.End - s.Start
	}
	return sum
}

// KeepDays writes the days of hosts that are over, until ctx ends.
func (s *Service) KeepDays(ctx context.Context) error {
	work.Every(ctx, dayLook, s.WriteDays, func(err error, repeated int) {
		s.Core.Log().Error("days of hosts that are over can't be written", "error", err, "repeated", repeated)
	})
	return nil
}

// WriteDays writes the days that are over of all hosts of this server's share: each once, in a transaction that has locked
// the host, so that no booking of the day changes meanwhile and a kill leaves whole days. A host's first day is the one on
// which a server first sees them: what was before is not known. The days in which no server ran are written with the hours
// as they are now. Days whose bookings have changed since are counted again.
func (s *Service) WriteDays(ctx context.Context) error {
	var failed []error
	done := map[HostOf]bool{}
	for ctx.Err() == nil {
		mine := s.Share().Buckets
		if mine == 0 {
			break
		}
		due, err := s.Reader(ctx).HostsDue(mine, when.At(s.Now()), daysDue)
		if err != nil {
			return err
		}
		before := len(done)
		for _, h := range due {
			if done[h] || ctx.Err() != nil {
				continue
			}
			done[h] = true
			if err := s.writeDaysOf(ctx, h); err != nil {
				failed = append(failed, err)
			}
		}
		if len(done) == before {
			break
		}
	}
	return errors.Join(failed...)
}

func (s *Service) writeDaysOf(ctx context.Context, h HostOf) error {
	for more := true; more; {
		setup, err := s.Core.Setup(h.Workspace)
		if errors.Is(err, fault.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		host := setup.Host(h.Host)
		if host == nil { // made since
			return nil
		}
		err = s.Quietly(ctx, func(tx Tx) error {
			if _, err := tx.LockHosts(h.Workspace, h.Host); err != nil {
				return err
			}
			var err error
			more, err = writeDays(tx, host, s.Now())
			return err
		})
		if errors.Is(err, fault.ErrNotFound) { // deleted meanwhile
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeDays writes the days of a host that are over, and counts those again that have changed; some of them, if there are
// more.
func writeDays(tx Tx, h *catalog.Host, now time.Time) (more bool, err error) {
	zone := h.Location()
	last, err := tx.LastHostDay(h.WorkspaceID, h.ID)
	switch {
	case errors.Is(err, fault.ErrNotFound):
		last = dayOf(now, zone) - 1
		from, to := dayIn(last, zone)
		if err := tx.InsertHostDay(h.WorkspaceID, HostDay{Host: h.ID, Day: last, From: from, To: to}); err != nil {
			return false, err
		}
	case err != nil:
		return false, err
	}
	for n := 0; ; n++ {
		from, to := dayIn(last+1, zone)
		if to > when.At(now) {
			if err := tx.NextHostDay(h.WorkspaceID, h.ID, to); err != nil {
				return false, err
			}
			break
		}
		if n == daysDue {
			return true, nil
		}
		last++
		d := HostDay{Host: h.ID, Day: last, From: from, To: to, Known: true, Open: openIn(h, from, to)}
		if err := d.count(tx, h.WorkspaceID); err != nil {
			return false, err
		}
		if err := tx.InsertHostDay(h.WorkspaceID, d); err != nil {
			return false, err
		}
	}
	changed, err := tx.ChangedHostDaysOf(h.WorkspaceID, h.ID, daysDue)
	if err != nil {
		return false, err
	}
	for i := range changed {
		if err := changed[i].count(tx, h.WorkspaceID); err != nil {
			return false, err
		}
		if err := tx.CountHostDay(h.WorkspaceID, changed[i]); err != nil {
			return false, err
		}
	}
	return len(changed) == daysDue, nil
}

// count sets what was booked of the day. Its sums are those of r's moment.
func (d *HostDay) count(r HostDayReader, ws catalog.WorkspaceID) error {
	works, err := r.HostWork(ws, d.Host, d.From.Add(-bookingReach), d.From, d.To)
	if err != nil {
		return err
	}
	d.Booked, d.Outside, d.Counted = 0, 0, true
	for _, w := range slot.Merge(works) {
		w = slot.Span{Start: max(w.Start, int64(d.From)), End: min(w.End, int64(d.To))}
		if w.Start >= w.End {
			continue
		}
		within := int64(0)
		for _, o := range d.Open {
			within += max(0, min(w.End, o.End)-max(w.Start, o.Start))
		}
		d.Booked, d.Outside = d.Booked+within, d.Outside+w.End-w.Start-within
	}
	return nil
}

// openIn returns when a host is at work in [from, to): hours and overrides less times off and public holidays. Who can't be
// booked is at no work.
func openIn(h *catalog.Host, from, to when.Instant) (open []slot.Span) {
	if !h.Active || from >= to {
		return nil
	}
	r := slot.Request{Now: int64(from), From: int64(from), To: int64(to), Hosts: []slot.Host{h.Calendar()},
		Rules: slot.Rules{Duration: time.Minute}}
	var away []slot.Span
	for _, c := range slot.Outside(&r) {
		away = append(away, slot.Span{Start: c.Start, End: c.End})
	}
	for _, a := range h.Away(from.Time(), to.Time()) {
		away = append(away, slot.Span{Start: int64(a.Start), End: int64(a.End)})
	}
	at := int64(from)
	for _, a := range slot.Merge(away) {
		if a.Start > at {
			open = append(open, slot.Span{Start: at, End: min(a.Start, int64(to))})
		}
		if at = max(at, a.End); at >= int64(to) {
			return open
		}
	}
	return append(open, slot.Span{Start: at, End: int64(to)})
}

// dayOf returns the date of a moment in the zone, as days since 1970.
func dayOf(t time.Time, zone *time.Location) int64 {
	y, m, d := t.In(zone).Date()
	return slot.DayNumber(slot.Date{Year: y, Month: m, Day: d})
}

// dayIn returns when a date begins and ends in the zone.
func dayIn(day int64, zone *time.Location) (from, to when.Instant) {
	y, m, d := time.Unix(day*24*60*60, 0).UTC().Date()
	return when.At(when.DayStart(y, m, d, zone)), when.At(when.DayStart(y, m, d+1, zone))
}

// dateOf writes a date.
func dateOf(day int64) string { return time.Unix(day*24*60*60, 0).UTC().Format(time.DateOnly) }

// worked are sums of days of a host, in milliseconds.
type worked struct {
	first                 int64 // the first of the days
	open, booked, outside int64
}

// dayWork adds up days of hosts.
type dayWork struct {
	sums map[catalog.HostID]*worked
	days map[int64]*worked // of the one host whose days are asked for
}

// readWork reads the sums of the days from the first to the last, of all hosts, and each day of one; 0 is none.
func readWork(r HostDayReader, ws catalog.WorkspaceID, first, last int64, host catalog.HostID) (w dayWork, err error) {
	w = dayWork{map[catalog.HostID]*worked{}, map[int64]*worked{}}
	if first > last {
		return w, nil
	}
	add := func(host catalog.HostID, day, open, booked, outside int64) {
		x := w.sums[host]
		if x == nil {
			x = &worked{first: day}
			w.sums[host] = x
		}
		x.first = min(x.first, day)
		x.open, x.booked, x.outside = x.open+open, x.booked+booked, x.outside+outside
	}
	if err := r.HostDaySums(ws, first, last, add); err != nil {
		return w, err
	}
	changed, err := r.ChangedHostDays(ws)
	if err != nil {
		return w, err
	}
	for i := range changed {
		d := &changed[i]
		if d.Day < first || d.Day > last {
			continue
		}
		if err := d.count(r, ws); err != nil {
			return w, err
		}
		add(d.Host, d.Day, d.OpenFor(), d.Booked, d.Outside)
	}
	if host == 0 {
		return w, nil
	}
	days, err := r.HostDays(ws, host, first, last)
	for i := range days {
		d := &days[i]
		if !d.Known {
			continue
		}
		if !d.Counted {
			at := slices.IndexFunc(changed, func(c HostDay) bool { return c.Host == d.Host && c.Day == d.Day })
			d.Booked, d.Outside = changed[at].Booked, changed[at].Outside
		}
		w.days[d.Day] = &worked{d.Day, d.OpenFor(), d.Booked, d.Outside}
	}
	return w, err
}
