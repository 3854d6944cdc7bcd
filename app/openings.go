package app

import (
	"context"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/record"
	"daybook/app/slot"
	"daybook/app/when"
)

// AvailabilityInput is what a caller asks for, in the texts of the query parameters.
type AvailabilityInput struct {
	EventType      string
	From, To       string
	Days           *int
	TimeZone       string
	Host           string
	ExcludeBooking string
	Limit          *int
	Cursor         string
	Explain        bool
}

const (
	maxAvailabilityDays     = 62
	defaultAvailabilityDays = 7
	defaultSlots            = 100
	maxClosed               = 20_000 // that an answer explains
)

// SearchReader is what a search reads of the storage.
type SearchReader interface {
	Booking(ws catalog.WorkspaceID, id record.BookingID) (record.Booking, error)
	// Occupied appends to dst the live bookings of the host whose occupied span meets [from, to), by its start.
	Occupied(dst []record.Occupation, host catalog.HostID, from, to when.Instant) ([]record.Occupation, error)
	// OccupiedSpans is Occupied for those who need to know no more than when.
	OccupiedSpans(dst []slot.Span, host catalog.HostID, from, to when.Instant) ([]slot.Span, error)
	// LiveStarts counts the host's live bookings that start in [from, to).
	LiveStarts(host catalog.HostID, from, to when.Instant) (int, error)
}

// search is a checked AvailabilityInput.
type search struct {
	setup    *catalog.Setup
	event    *catalog.EventType
	rules    slot.Rules
	hosts    []*catalog.Host
	exclude  record.BookingID
	zone     *time.Location
	now      when.Instant
	from, to when.Instant
	limit    int
	explain  bool
	work     work
}

// newSearch checks the input of a search, at a moment and among those that the gate lets through. r finds the booking
// that is left out. Errors: bad_request, not_found (event type, host or booking).
func newSearch(r SearchReader, setup *catalog.Setup, now time.Time, gate *gate, in AvailabilityInput) (*search, error) {
	q := &search{setup: setup, zone: setup.Zone, now: when.At(now), explain: in.Explain, work: work{gate: gate, budget: spanWork}}
	if in.EventType == "" {
		return nil, fault.Invalid("eventType", "is required: a slug or id of the event type")
	}
	if q.event = setup.EventType(in.EventType); q.event == nil {
		return nil, fault.Missing("event type", in.EventType)
	}
	q.rules = q.event.Rules()
	var err error
	if in.TimeZone != "" {
		if q.zone, err = catalog.CheckZone("timeZone", in.TimeZone); err != nil {
			return nil, err
		}
	}
	if q.limit, err = fault.PageLimit(in.Limit, defaultSlots); err != nil {
		return nil, err
	}
	if err := q.setSpan(in); err != nil {
		return nil, err
	}
	if q.hosts, err = candidates(setup, q.event, in.Host); err != nil {
		return nil, err
	}
	return q, q.setExcluded(r, in.ExcludeBooking)
}

// searchAmong is a search for one booking's time among hosts, for who holds their lock.
func searchAmong(hosts []*catalog.Host, setup *catalog.Setup, e *catalog.EventType, now time.Time) *search {
	return &search{setup: setup, event: e, rules: e.Rules(), hosts: hosts, zone: setup.Zone, now: when.At(now)}
}

// Moving takes a booking out of what is occupied, and its own length and buffers instead of the event type's: found is
// then where that booking may be moved.
func (q *search) Moving(b *record.Booking) {
	q.exclude = b.ID
	if b.EventTypeID == q.event.ID {
		q.rules = b.KeepLength(q.rules)
	}
}

// AtShortNotice has the search find what would be too soon to book.
func (q *search) AtShortNotice() { q.rules.MinimumNotice = 0 }

// Zone is the zone in which local times are written.
func (q *search) Zone() *time.Location { return q.zone }

// Answer is all that was asked for: the open starts in [from, to), earliest first.
func (q *search) Answer(ctx context.Context, r SearchReader) (*Availability, error) {
	defer q.work.end()
	found, closed, stopped, err := q.run(ctx, r, q.from, q.to, q.limit+1)
	if err != nil {
		return nil, err
	}
	if len(closed) > maxClosed {
		return nil, fault.Invalid("explain", "that span has more than %d closed times; ask for fewer days, or for one host", maxClosed)
	}
	res := &Availability{search: q, found: found, closed: closed}
	if len(found) > q.limit {
		res.found = found[:q.limit]
		res.NextCursor = fault.Cursor(found[q.limit-1].Start)
	} else if stopped != 0 {
		res.NextCursor = fault.Cursor(int64(stopped) - 1)
	}
	if len(found) == 0 {
		if res.SearchedUntil = stopped; stopped == 0 {
			res.NextAvailable, res.SearchedUntil, err = q.next(ctx, r, q.to)
		}
	}
	return res, err
}

// OpenTimes are all open starts in [from, to), at most 62 days; stopped is where the search ended early, or zero.
func (q *search) OpenTimes(ctx context.Context, r SearchReader, from, to when.Instant) (open []OpenTime, stopped when.Instant, err error) {
	if to-from > when.Instant(maxAvailabilityDays*when.Day.Milliseconds()) {
		return nil, 0, fault.Invalid("to", "at most %d days at once", maxAvailabilityDays)
	}
	defer q.work.end()
	found, _, stopped, err := q.run(ctx, r, from, to, 0)
	return q.open(found), stopped, err
}

// NextOpenTimes are the first n open starts from then on; stopped is where the search ended early, or zero.
func (q *search) NextOpenTimes(ctx context.Context, r SearchReader, from when.Instant, n int) (open []OpenTime, stopped when.Instant, err error) {
	defer q.work.end()
	found, stopped, err := q.first(ctx, r, from, n)
	return q.open(found), stopped, err
}

// NextSlots are the first n open slots from then on, or fewer where the search ended early.
func (q *search) NextSlots(ctx context.Context, r SearchReader, from when.Instant, n int) ([]Slot, error) {
	defer q.work.end()
	found, _, err := q.first(ctx, r, from, n)
	return q.slots(found), err
}

// setSpan reads from, to, days and cursor.
func (q *search) setSpan(in AvailabilityInput) (err error) {
	// A bare date is a day of the call's zone, which is UTC when it has none.
	zone := time.UTC
	if in.TimeZone != "" {
		zone = q.zone
	}
	q.from = q.now
	if in.From != "" {
		if q.from, err = when.ParseOrDate(in.From, zone); err != nil {
			return fault.Invalid("from", "%v", err)
		}
		q.from = max(q.from, q.now)
	}
	switch {
	case in.To != "" && in.Days != nil:
		return fault.Invalid("days", "give either to or days, not both")
	case in.To != "":
		if q.to, err = when.ParseOrDate(in.To, zone); err != nil {
			return fault.Invalid("to", "%v", err)
		}
		if in.From != "" && q.to < q.from && q.from != q.now {
			return fault.Invalid("to", "must not lie before from")
		}
	default:
		days := defaultAvailabilityDays
		if in.Days != nil {
			days = *in.Days
		}
		if days < 1 || days > maxAvailabilityDays {
			return fault.Invalid("days", "must be a whole number from 1 to %d", maxAvailabilityDays)
		}
		q.to = q.from.Add(time.Duration(days) * when.Day)
	}
	if q.to-q.from > when.Instant(maxAvailabilityDays*when.Day.Milliseconds()) {
		return fault.Invalid("to", "at most %d days at once", maxAvailabilityDays)
	}
	if in.Cursor != "" {
		var last int64
		if err := fault.ParseCursor(in.Cursor, &last); err != nil {
			return err
		}
		q.from = max(q.from, when.Instant(last)+1)
	}
	return nil
}

// setExcluded is Moving of the booking of an id that a caller gave; "" is none.
func (q *search) setExcluded(r SearchReader, ref string) error {
	if ref == "" {
		return nil
	}
	id, err := id.Parse[record.BookingIDKind](ref)
	if err != nil {
		return fault.Missing("booking", ref)
	}
	b, err := r.Booking(q.setup.Workspace.ID, id)
	if err != nil {
		return fault.OrMissing(err, fault.Missing("booking", ref))
	}
	q.Moving(&b)
	return nil
}

// candidates are the active hosts that may take a booking: the one named, or all that serve the event type.
func candidates(setup *catalog.Setup, e *catalog.EventType, ref string) ([]*catalog.Host, error) {
	if ref == "" {
		hosts := make([]*catalog.Host, 0, len(e.Hosts))
		for _, h := range e.Hosts {
			if host := setup.Host(h.ID); host.Active {
				hosts = append(hosts, host)
			}
		}
		return hosts, nil
	}
	id, err := id.Parse[catalog.HostIDKind](ref)
	host := setup.Host(id)
	if err != nil || host == nil {
		return nil, fault.Missing("host", ref)
	}
	if !e.ServedBy(id) || !host.Active {
		return nil, fault.Invalid("host", "%s does not serve %s", host.Name, e.Title)
	}
	return []*catalog.Host{host}, nil
}

// request loads what the hosts have in [from, to) for the slot engine.
func (q *search) request(r SearchReader, from, to when.Instant, limit int) (*slot.Request, error) {
	req := q.emptyRequest(from, to, limit)
	lower, upper := q.reach(from, to)
	if q.rules.MaxPerDay > 0 { // the sessions of the whole local days count
		lower, upper = lower.Add(-26*time.Hour), upper.Add(26*time.Hour)
	}
	var rows []record.Occupation
	for i, h := range q.hosts {
		var err error
		if rows, err = r.Occupied(rows[:0], h.ID, lower, upper); err != nil {
			return nil, err
		}
		booked := make([]slot.Booking, 0, len(rows))
		for _, o := range rows {
			if o.ID != q.exclude {
				o.Same = o.EventType == q.event.ID
				booked = append(booked, o.Booking)
			}
		}
		q.work.spent += len(rows) * rowWork
		req.Hosts[i].Booked = booked
	}
	return req, nil
}

func (q *search) emptyRequest(from, to when.Instant, limit int) *slot.Request {
	req := &slot.Request{
		Now: int64(q.now), From: int64(from), To: int64(to), Rules: q.rules, Limit: limit, MaxClosed: maxClosed,
		Hosts: make([]slot.Host, len(q.hosts)),
	}
	for i, h := range q.hosts {
		req.Hosts[i] = h.Calendar()
	}
	return req
}

// reach is the time that bookings which start in [from, to) may occupy.
func (q *search) reach(from, to when.Instant) (lower, upper when.Instant) {
	return from.Add(-q.rules.BufferBefore), to.Add(q.rules.Duration + q.rules.BufferAfter)
}

// onlyWhen reports whether the occupied times say all that is needed of the bookings: nobody asks why, and none is
// shared, counted or left out.
func (q *search) onlyWhen() bool {
	return !q.explain && q.rules.Seats <= 1 && q.rules.MaxPerDay == 0 && q.exclude == 0
}

// quickRequest is request where onlyWhen: it reads a third of the columns.
func (q *search) quickRequest(r SearchReader, from, to when.Instant, limit int) (req *slot.Request, err error) {
	req = q.emptyRequest(from, to, limit)
	lower, upper := q.reach(from, to)
	for i, h := range q.hosts {
		if req.Hosts[i].Busy, err = r.OccupiedSpans(nil, h.ID, lower, upper); err != nil {
			return nil, err
		}
		q.work.spent += len(req.Hosts[i].Busy) * rowWork
	}
	return req, nil
}

// run finds the open starts in [from, to), at most limit (0 is all), a stretch of days at a time. When the search has
// spent its budget it ends early: stopped is the time up to which it looked, else zero. It ends with ctx, too.
func (q *search) run(ctx context.Context, r SearchReader, from, to when.Instant, limit int) (found []slot.Slot, closed []slot.Closed, stopped when.Instant, err error) {
	if q.rules.Inactive && !q.explain {
		return nil, nil, 0, nil
	}
	if !q.explain { // nothing else is open
		from, to = max(from, q.now), min(to, q.now.Add(q.rules.Window)+1)
	}
	for perDay := q.startsPerDay(); from < to; {
		length := stretch(perDay)
		end := min(to, from.Add(length))
		ok, err := q.work.begin(ctx, int(float64(perDay)*float64(end-from)/float64(when.Day.Milliseconds()))+len(q.hosts)*visitWork)
		if err != nil {
			return nil, nil, 0, err
		}
		if !ok {
			return found, closed, from, nil
		}
		more, why, err := q.part(r, from, end, max(0, limit-len(found)))
		if err != nil {
			return nil, nil, 0, err
		}
		found, closed = join(found, more), join(closed, why)
		if limit > 0 && len(found) >= limit || len(closed) > maxClosed {
			break
		}
		from = end
	}
	return found, closed, 0, nil
}

// join is append that keeps a first list as it is.
func join[T any](all, more []T) []T {
	if len(all) == 0 {
		return more
	}
	return append(all, more...)
}

// part is run for one stretch.
func (q *search) part(r SearchReader, from, to when.Instant, limit int) ([]slot.Slot, []slot.Closed, error) {
	load := q.request
	if q.onlyWhen() {
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

// next is the first open start at or after from, or zero when there is none up to the end of the booking window or,
// when it is not zero, up to stopped.
func (q *search) next(ctx context.Context, r SearchReader, from when.Instant) (first, stopped when.Instant, err error) {
	found, stopped, err := q.first(ctx, r, from, 1)
	if err != nil || len(found) == 0 {
		return 0, stopped, err
	}
	return when.Instant(found[0].Start), 0, nil
}

// first finds the first n open slots at or after from, searched to the end of the booking window or, when it is not zero,
// to stopped.
func (q *search) first(ctx context.Context, r SearchReader, from when.Instant, n int) (found []slot.Slot, stopped when.Instant, err error) {
	explain := q.explain
	defer func() { q.explain = explain }()
	q.explain = false
	q.work.again(aheadWork)
	found, _, stopped, err = q.run(ctx, r, from, q.now.Add(q.rules.Window)+1, n)
	return found, stopped, err
}
