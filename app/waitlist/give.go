package waitlist

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

// proposal is an entry that fits into a time that came free, and where.
type proposal struct {
	entry  Entry
	start  when.Instant
	end    when.Instant
	host   string    // who leads, where it is one service and nobody is asked for
	taken  slot.Span // of the host or the room whose time came free
	leaves int64     // milliseconds of that
}

const (
	mostTried  = 20 // proposals that are tried in one go
	mostStarts = 200
	visitReach = 12 * time.Hour // how long before a time that came free a visit may begin that has a part in it
	visitPages = 10             // of a hundred starts each
)

// give offers a time that came free to who fits it best, first of those who want its host, then of those who lacked a room of
// it; where nobody does, or as many were asked as may be, it is open to everybody, and those of services that tell all at once
// are told.
func (s *Service) give(ctx context.Context, j *app.WaitJob) error {
	setup, err := s.Core.Setup(j.Workspace)
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	now := s.Now()
	if morning, night := app.Morning(now, setup.Zone); night && j.Due < morning {
		return s.behind(ctx, j, func(tx Tx, j *app.WaitJob, _ when.Instant) error {
			if j.Hold != 0 {
				if _, err := tx.DropHold(j.Workspace, j.Hold); err != nil {
					return err
				}
			}
			j.Due, j.Hold, j.HeldUntil, j.First, j.Offers = morning, 0, 0, 0, 0 // the morning begins anew
			return tx.UpdateWaitJob(j)
		})
	}
	var told []proposal
	if j.End > when.At(now) {
		by, err := s.ways(ctx, setup)
		if err != nil {
			return err
		}
		for _, part := range partsOf(j) {
			if by == (ways{}) {
				break
			}
			tells, offered, err := s.givePart(ctx, setup, &part, by, now)
			if err != nil || offered {
				return err
			}
			told = append(told, tells...)
		}
	}
	return s.behind(ctx, j, func(tx Tx, j *app.WaitJob, _ when.Instant) error {
		if err := s.tellAll(tx, j, told); err != nil {
			return err
		}
		return s.drop(tx, j)
	})
}

// givePart offers a part of a time that came free to who fits it best, and reports whether it did; if not, it returns those who
// fit it and are told of it.
func (s *Service) givePart(ctx context.Context, setup *catalog.Setup, part *app.WaitJob, by ways, now time.Time) (told []proposal, offered bool, err error) {
	all, err := s.proposals(ctx, setup, part, by, now)
	if err != nil {
		return nil, false, err
	}
	all = slices.DeleteFunc(all, func(p proposal) bool {
		tells := p.entry.TellsAll(setup)
		if tells {
			told = append(told, p)
		}
		return tells
	})
	if part.Offers >= mostOffered || part.First != 0 && when.At(now).Add(leastOffered) > part.First.Add(offeredFor) {
		all = nil
	}
	for i := range all[:min(len(all), mostTried)] {
		next := booking.WaitID(0)
		if i+1 < len(all) {
			next = all[i+1].entry.ID
		}
		err := s.offer(ctx, setup, part, &all[i], next)
		if err == nil || fault.Refusal(err) == nil {
			return nil, err == nil, err
		}
	}
	return told, false, nil
}

// partsOf returns a time that came free as its host's, and then as that of each room of it.
func partsOf(j *app.WaitJob) (parts []app.WaitJob) {
	if j.Host != 0 {
		parts = append(parts, *j)
	}
	for _, r := range j.Rooms {
		room := *j
		room.Host, room.Rooms = 0, []catalog.ResourceID{r}
		parts = append(parts, room)
	}
	return parts
}

// offer offers the time to an entry, unless a rule refuses it. part is the job as its host's time or as a room's.
func (s *Service) offer(ctx context.Context, setup *catalog.Setup, part *app.WaitJob, p *proposal, next booking.WaitID) error {
	var refused error
	err := s.behind(ctx, part, func(tx Tx, j *app.WaitJob, now when.Instant) error {
		refused = nil
		until, ok := offerUntil(setup, p.start, s.Now())
		if !ok {
			refused = errOver()
			return nil
		}
		if j.First != 0 {
			until = min(until, j.First.Add(offeredFor))
		}
		e, err := tx.WaitEntry(j.Workspace, p.entry.ID)
		if errors.Is(err, fault.ErrNotFound) {
			refused = errOver()
			return nil
		}
		if err != nil {
			return err
		}
		span, held, seats := spanOf(j), j.HeldUntil, j.Seats
		err = tx.Try(func() error {
			j.Next = next
			if part.Host == 0 && j.Host != 0 { // nobody wants it of that host
				j.Host, j.Hosts, j.Resources = 0, nil, nil
			}
			j.Start, j.End = when.Instant(max(span.Start, p.taken.Start)), when.Instant(min(span.End, p.taken.End))
			if seats > 0 {
				j.Start, j.End, j.Seats = when.Instant(span.Start), when.Instant(span.End), min(seats, e.Seats)
			}
			rooms, err := s.offerTo(tx, &e, j, p.start, p.host, until, tx.UpdateWaitJob)
			if err != nil {
				return err
			}
			if seats > 0 {
				return s.keepSeats(tx, j, span, held, seats-e.Seats)
			}
			if err := s.keepRooms(tx, j, rooms); err != nil {
				return err
			}
			return s.keepRest(tx, setup, j, append(rooms, j.Rooms...), span, p.taken, held)
		})
		if fault.Refusal(err) != nil {
			refused, err = err, nil
		}
		return err
	})
	if err == nil {
		err = refused
	}
	return err
}

// keepRooms makes the rooms of a time that an offer of it doesn't take times of their own.
func (s *Service) keepRooms(tx Tx, j *app.WaitJob, rooms []catalog.ResourceID) error {
	for _, r := range rooms {
		now := s.Now()
		rest := app.WaitJob{ID: id.New[booking.WaitJobIDKind](now), Workspace: j.Workspace, Kind: app.WaitFreed, Booking: j.Booking,
			Start: j.Start, End: j.End, Due: when.At(now), WaitState: app.WaitState{Since: j.Since, Rooms: []catalog.ResourceID{r}}}
		if err := tx.InsertWaitJob(&rest); err != nil {
			return err
		}
	}
	return nil
}

// keepRest makes what an offer leaves of a time that came free times of their own.
func (s *Service) keepRest(tx Tx, setup *catalog.Setup, j *app.WaitJob, rooms []catalog.ResourceID, span, taken slot.Span, held when.Instant) error {
	for _, piece := range app.Without(span, []slot.Span{taken}) {
		if time.Duration(piece.End-piece.Start)*time.Millisecond < app.Shortest(setup) {
			continue
		}
		now := s.Now()
		rest := app.WaitJob{ID: id.New[booking.WaitJobIDKind](now), Workspace: j.Workspace, Kind: app.WaitFreed, Booking: j.Booking, Host: j.Host,
			Start: when.Instant(piece.Start), End: when.Instant(piece.End), Due: when.At(now), WaitState: app.WaitState{Since: j.Since, Rooms: rooms}}
		if held > when.At(now) && j.Host != 0 {
			if err := s.houseAgain(tx, &rest, j.Host, held, false); err != nil {
				return err
			}
		}
		if err := tx.InsertWaitJob(&rest); err != nil {
			return err
		}
	}
	return nil
}

// keepSeats makes the seats that an offer leaves a job of their own.
func (s *Service) keepSeats(tx Tx, j *app.WaitJob, span slot.Span, held when.Instant, left int) error {
	if left < 1 {
		return nil
	}
	now := s.Now()
	rest := app.WaitJob{ID: id.New[booking.WaitJobIDKind](now), Workspace: j.Workspace, Kind: app.WaitFreed, Booking: j.Booking, Host: j.Host,
		Start: when.Instant(span.Start), End: when.Instant(span.End), Due: when.At(now), WaitState: app.WaitState{Since: j.Since, EventType: j.EventType, Seats: left}}
	if held > when.At(now) {
		if err := s.houseAgain(tx, &rest, j.Host, held, false); err != nil {
			return err
		}
	}
	return tx.InsertWaitJob(&rest)
}

// proposals returns who fits into a time that came free and is reached, the best first: who leaves the fewest minutes of it,
// then who waits for longest.
func (s *Service) proposals(ctx context.Context, setup *catalog.Setup, j *app.WaitJob, by ways, now time.Time) ([]proposal, error) {
	r := s.Reader(ctx)
	waiting, err := r.Waiters(j.Workspace, mostOfList)
	if err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	for i := range waiting {
		if e := &waiting[i]; e.Status == Offered {
			asked[e.Person()] = true
		}
	}
	var all []proposal
	starts := map[string][]proposal{}
	for i := range waiting {
		e := &waiting[i]
		if e.Status != Waiting || j.Since != 0 && e.ConfirmedAt > j.Since || asked[e.Person()] || !e.reached(by) ||
			slices.Contains(j.Asked, e.ID) || !e.wishes(j.Start, j.End, setup.Zone) {
			continue
		}
		key := e.key()
		places, known := starts[key]
		if !known {
			if places, err = s.places(ctx, r, setup, j, e, now); err != nil {
				return nil, err
			}
			starts[key] = places
		}
		if p := e.choose(setup, j, places, now); p != nil {
			p.entry = *e
			all = append(all, *p)
		}
	}
	slices.SortStableFunc(all, func(a, b proposal) int {
		return cmp.Or(cmp.Compare(a.leaves, b.leaves), cmp.Compare(a.entry.ConfirmedAt, b.entry.ConfirmedAt), cmp.Compare(a.entry.ID, b.entry.ID))
	})
	return all, nil
}

// key is equal for entries that want the same.
func (e *Entry) key() string {
	var b strings.Builder
	for _, item := range e.Items {
		b.WriteString(item.EventType + "/" + item.Host + "/" + strings.Join(item.AddOns, ",") + ";")
	}
	return b.String() + string(e.Order) + strconv.Itoa(e.Seats)
}

// choose returns where the entry fits: where it leaves the fewest minutes, flush with the beginning of the time that came free, else with its end, else first. It is
// nil where it doesn't.
func (e *Entry) choose(setup *catalog.Setup, j *app.WaitJob, places []proposal, now time.Time) (best *proposal) {
	span := spanOf(j)
	rank := func(p *proposal) int {
		switch {
		case p.taken.Start == span.Start:
			return 0
		case p.taken.End == span.End:
			return 1
		case p.taken.Start > span.Start:
			return 2
		}
		return 3
	}
	for i := range places {
		p := &places[i]
		if !e.Wants(p.start, setup.Zone) || slices.Contains(e.Refused, p.start) || e.told(p.start) && e.TellsAll(setup) {
			continue
		}
		if _, ok := offerUntil(setup, p.start, now); !ok {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(p.leaves, best.leaves), cmp.Compare(rank(p), rank(best))) < 0 {
			best = p
		}
	}
	if best == nil {
		return nil
	}
	one := *best
	return &one
}

// places returns the open starts of what an entry wants that touch a time that came free, by start: with its host, or where it
// is that of a room alone, with any host those that need that room. A visit is found by its hosts only.
func (s *Service) places(ctx context.Context, r Reader, setup *catalog.Setup, j *app.WaitJob, e *Entry, now time.Time) (all []proposal, err error) {
	add := func(start, end when.Instant, host string, taken slot.Span) {
		met := min(taken.End, int64(j.End)) - max(taken.Start, int64(j.Start))
		if met > 0 && len(all) < mostStarts {
			all = append(all, proposal{start: start, end: end, host: host, taken: taken, leaves: max(0, int64(j.End-j.Start)-met)})
		}
	}
	if len(e.Items) > 1 {
		if j.Host == 0 {
			return nil, nil
		}
		return all, s.visits(ctx, setup, j, e, add)
	}
	item := &e.Items[0]
	service := setup.EventType(item.EventType)
	if service == nil || !service.Active || j.EventType != 0 && service.ID != j.EventType {
		return nil, nil
	}
	service, err = service.Chosen(catalog.Choice{AddOns: item.AddOns, Seats: e.Seats})
	if err != nil {
		return nil, nil // it is not on offer any more
	}
	hosts, err := availability.Candidates(setup, service, item.Host)
	if err != nil {
		return nil, nil
	}
	var others *catalog.EventType // the service with what it can have in place of the room
	if j.Host == 0 {
		needed := false
		if others, needed = withoutRoom(service, j.Rooms[0]); !needed {
			return nil, nil
		}
	}
	several, _ := service.Others()
	for _, h := range hosts {
		if j.Host != 0 && h.ID != j.Host && several == 0 {
			continue
		}
		rules, with := service.Rules(), service.With(h.ID)
		length := time.Duration(with.DurationMinutes) * time.Minute
		startsOf := func(service *catalog.EventType) (*availability.Search, []when.Instant, error) {
			q := availability.Among([]*catalog.Host{h}, setup, service, now)
			q.Passing(booking.HeldForHouse)
			found, err := q.StartsIn(r, j.Start.Add(-length-rules.BufferAfter), j.End.Add(rules.BufferBefore))
			return q, found, err
		}
		q, found, err := startsOf(service)
		if err != nil {
			return nil, err
		}
		if others != nil && len(found) > 0 {
			_, open, err := startsOf(others)
			if err != nil {
				return nil, err
			}
			found = slices.DeleteFunc(found, func(start when.Instant) bool { return slices.Contains(open, start) })
		}
		for _, start := range found {
			if several > 0 && j.Host != 0 {
				p, err := q.Find(r, start, 0)
				if fault.Refusal(err) != nil {
					continue
				}
				if err != nil {
					return nil, err
				}
				if h.ID != j.Host && !slices.ContainsFunc(p.Hosts, func(o catalog.HostRef) bool { return o.ID == j.Host }) {
					continue
				}
			}
			add(start, start.Add(length), h.ID.String(), slot.Span{Start: int64(start.Add(-rules.BufferBefore)), End: int64(start.Add(length + rules.BufferAfter))})
		}
	}
	slices.SortStableFunc(all, func(a, b proposal) int { return cmp.Compare(a.start, b.start) })
	return all, nil
}

// withoutRoom returns the service as it is done without a room, or nil where it can't be, and whether it may need it at all.
func withoutRoom(e *catalog.EventType, room catalog.ResourceID) (others *catalog.EventType, needed bool) {
	own := *e
	own.Needs, others = slices.Clone(e.Needs), &own
	for i := range own.Needs {
		n := &own.Needs[i]
		if !slices.Contains(n.OneOf, room) {
			continue
		}
		needed = true
		if n.OneOf = slices.DeleteFunc(slices.Clone(n.OneOf), func(r catalog.ResourceID) bool { return r == room }); len(n.OneOf) == 0 {
			others = nil
		}
	}
	return others, needed
}

// visits finds the starts of a visit that has a part in the time that came free.
func (s *Service) visits(ctx context.Context, setup *catalog.Setup, j *app.WaitJob, e *Entry, add func(start, end when.Instant, host string, taken slot.Span)) error {
	in := availability.VisitInput{Input: availability.Input{From: j.Start.Add(-visitReach).String(), To: j.End.String(), Freed: true, Limit: new(fault.MaxPage)}}
	in.Order = e.Order
	for _, item := range e.Items {
		in.Items = append(in.Items, booking.VisitItem{EventType: item.EventType, Host: item.Host, AddOns: item.AddOns})
	}
	for range visitPages {
		found, err := s.Core.VisitAvailability(ctx, app.Actor{Kind: booking.BySystem, Workspace: j.Workspace}, in)
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.BadRequest) {
			return nil // it is not on offer any more
		}
		if err != nil {
			return err
		}
		for i := range found.Data {
			for _, item := range found.Data[i].Items {
				if item.Host == j.Host {
					add(found.Data[i].Start, found.Data[i].End, "", slot.Span{Start: int64(item.Start), End: int64(item.End)})
				}
			}
		}
		if found.NextCursor == nil {
			return nil
		}
		in.Cursor = *found.NextCursor
	}
	return nil
}
