package availability

import (
	"context"
	"slices"
	"sort"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// request loads the hosts' bookings in [from, to) for the slot engine.
func (q *Search) request(r Reader, from, to when.Instant, limit int) (*slot.Request, error) {
	req := q.emptyRequest(from, to, limit)
	lower, upper := q.reach(from, to)
	if q.rules.MaxPerDay > 0 { // the sessions of the whole local days count
		lower, upper = lower.Add(-26*time.Hour), upper.Add(26*time.Hour)
	}
	var seatsTaken map[booking.BookingID]int
	if q.rules.Seats > 1 {
		var err error
		if seatsTaken, err = r.SeatsTaken(q.event.ID, from, to); err != nil {
			return nil, err
		}
		q.work.spent += len(seatsTaken) * rowWork
	}
	ways := q.ways()
	if ways != nil {
		req.Rules.Place, req.Rules.Travel = q.place, ways[q.event.ID]
	}
	everybody := q.everybody()
	taken := make([]slot.Host, len(everybody)) // Booked and Busy only
	err := ways.eachOccupied(r, hostIDs(everybody), lower, upper, q.held, func(host int, o booking.Occupation) {
		q.work.spent += rowWork
		into := &taken[host]
		switch {
		case o.Held && q.passes[o.For]:
		case o.Held:
			o.Same, o.Alone = o.EventType == q.event.ID && !o.Later, o.InParts
			into.Booked = append(into.Booked, o.Booking)
		case o.ID == 0:
			into.Busy = append(into.Busy, o.Booking.Occupied)
		case !q.ignores(o.ID):
			o.Same, o.Alone, o.Seats = o.EventType == q.event.ID && !o.Later, o.InParts, seatsTaken[o.ID]
			into.Booked = append(into.Booked, o.Booking)
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range q.hosts {
		req.Hosts[i].Booked, req.Hosts[i].Busy = taken[i].Booked, taken[i].Busy
	}
	q.fillOthers(req, func(h *catalog.Host, into *slot.Host) {
		of := &taken[slices.Index(everybody, h)]
		into.Booked, into.Busy = of.Booked, of.Busy
	})
	if err := q.fillNeeds(r, req, lower, upper); err != nil {
		return nil, err
	}
	switch {
	case q.staysInVisit():
		q.stay(req)
	case q.step != nil && len(q.hosts) == 1:
		q.join(req, q.hosts[0].ID, q.step.Before, q.step.After, q.step.Next)
	}
	return req, q.fillWeeks(r, req)
}

func (q *Search) emptyRequest(from, to when.Instant, limit int) *slot.Request {
	req := &slot.Request{
		Now: int64(q.now), From: int64(from), To: int64(to), Rules: q.rules, Limit: limit, MaxClosed: maxClosed,
		Hosts: make([]slot.Host, len(q.hosts)),
	}
	for i, h := range q.hosts {
		req.Hosts[i] = h.Calendar()
		if req.Hosts[i].Duration = q.takes(h.ID); req.Hosts[i].Duration > 0 {
			req.Hosts[i].Works = q.event.With(h.ID).Works()
		}
	}
	return req
}

// takes returns how long the host takes for a new session, or 0 if that is the event type's length.
func (q *Search) takes(host catalog.HostID) time.Duration {
	if q.kept || !q.event.Varies() {
		return 0
	}
	return time.Duration(q.event.With(host).DurationMinutes) * time.Minute
}

// reach returns the time that bookings starting in [from, to) can occupy.
func (q *Search) reach(from, to when.Instant) (lower, upper when.Instant) {
	longest := q.rules.Duration
	for _, h := range q.hosts {
		longest = max(longest, q.takes(h.ID))
	}
	if lower = from.Add(-q.rules.BufferBefore); q.step != nil && q.step.From != 0 {
		lower = min(lower, q.step.From)
	}
	return lower, to.Add(longest + q.rules.BufferAfter)
}

// onlyWhen reports whether the search needs only the occupied times: it explains nothing, and no booking is shared,
// counted or left out.
func (q *Search) onlyWhen() bool {
	return !q.explain && q.rules.Seats <= 1 && q.rules.Party <= 1 && q.rules.MaxPerDay == 0 && len(q.exclude) == 0 &&
		q.passes == [3]bool{}
}

// quickRequest is request if onlyWhen is true: it reads a third of the columns.
func (q *Search) quickRequest(r Reader, from, to when.Instant, limit int) (*slot.Request, error) {
	req := q.emptyRequest(from, to, limit)
	lower, upper := q.reach(from, to)
	everybody := q.everybody()
	all, err := r.OccupiedSpans(hostIDs(everybody), lower, upper, q.held)
	if err != nil {
		return nil, err
	}
	for i, spans := range all {
		all[i] = append(spans, meeting(everybody[i].Busy, lower, upper)...)
		q.work.spent += len(all[i]) * rowWork
	}
	for i := range q.hosts {
		req.Hosts[i].Busy = all[i]
	}
	q.fillOthers(req, func(h *catalog.Host, into *slot.Host) { into.Busy = all[slices.Index(everybody, h)] })
	if err := q.fillNeeds(r, req, lower, upper); err != nil {
		return nil, err
	}
	return req, q.fillWeeks(r, req)
}

// meeting returns those of disjoint spans, by start, that meet [from, to).
func meeting(spans []slot.Span, from, to when.Instant) []slot.Span {
	first := sort.Search(len(spans), func(i int) bool { return spans[i].End > int64(from) })
	spans = spans[first:]
	return spans[:sort.Search(len(spans), func(i int) bool { return spans[i].Start >= int64(to) })]
}

// run finds the open starts in [from, to), at most limit (0 is all), a stretch of days at a time. If the search spends
// its budget it stops early: stopped is the time up to which it looked, or else zero. It also ends with ctx.
func (q *Search) run(ctx context.Context, r Reader, from, to when.Instant,
	limit int) (found []slot.Slot, closed []slot.Closed, stopped when.Instant, err error) {
	if q.rules.Inactive && !q.explain {
		return nil, nil, 0, nil
	}
	if !q.explain { // nothing else is open
		from, to = max(from, q.now), min(to, q.now.Add(q.rules.Window)+1)
	}
	for perDay := q.startsPerDay(); from < to; {
		length := stretch(perDay, limit)
		end := min(to, from.Add(length))
		ok, err := q.work.begin(ctx,
			int(float64(perDay)*float64(end-from)/float64(when.Day.Milliseconds()))*q.startWork()+(len(q.hosts)+len(q.others))*hostWork)
		if err != nil {
			return nil, nil, 0, err
		}
		if !ok {
			return found, closed, from, nil
		}
		most := max(0, limit-len(found))
		if !q.days.all() {
			most = 0
		}
		more, why, err := q.part(r, from, end, most)
		if err != nil {
			return nil, nil, 0, err
		}
		if !q.days.all() {
			last := int64(0)
			if len(found) > 0 {
				last = found[len(found)-1].Start
			}
			more = q.days.keep(more, q.zone, last)
			if limit > 0 {
				more = more[:min(len(more), limit-len(found))]
			}
		}
		found, closed = join(found, more), join(closed, why)
		if limit > 0 && len(found) >= limit || len(closed) > maxClosed {
			break
		}
		from = end
	}
	return found, closed, 0, nil
}

// join is append without a copy of the first list.
func join[T any](all, more []T) []T {
	if len(all) == 0 {
		return more
	}
	return append(all, more...)
}

// part is run for one stretch.
func (q *Search) part(r Reader, from, to when.Instant, limit int) ([]slot.Slot, []slot.Closed, error) {
	load := q.request
	if q.onlyWhen() && !q.travels() {
		load = q.quickRequest
	}
	req, err := load(r, from, to, limit)
	if err != nil {
		return nil, nil, err
	}
	if q.explain {
		found, closed := slot.Explain(req)
		return found, closed, nil
	}
	return slot.Find(req), nil, nil
}

// next returns the first open start at or after from; zero means that there is none before stopped or, if that is zero,
// before the end of the booking window.
func (q *Search) next(ctx context.Context, r Reader, from when.Instant) (first, stopped when.Instant, err error) {
	found, stopped, err := q.first(ctx, r, from, 1)
	if err != nil || len(found) == 0 {
		return 0, stopped, err
	}
	return when.Instant(found[0].Start), 0, nil
}

// first finds the first n open slots at or after from, up to stopped or, if that is zero, up to the end of the booking
// window.
func (q *Search) first(ctx context.Context, r Reader, from when.Instant,
	n int) (found []slot.Slot, stopped when.Instant, err error) {
	explain := q.explain
	defer func() { q.explain = explain }()
	q.explain = false
	q.work.again(aheadWork)
	found, _, stopped, err = q.run(ctx, r, from, q.now.Add(q.rules.Window)+1, n)
	return found, stopped, err
}
