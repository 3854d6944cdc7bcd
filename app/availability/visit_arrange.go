package availability

import (
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// Arrange returns the best arrangement of a visit that starts then, with the hosts who have the fewest live bookings in
// that week in front where that is open, or nil.
func (v *Visit) Arrange(r Reader, start when.Instant) (places []booking.VisitPlace, err error) {
	ranks, err := v.fewestFirst(r, start)
	if err != nil {
		return nil, err
	}
	o, err := v.load(r, start, start+1)
	if err != nil {
		return nil, err
	}
	a := o.arranging(ranks)
	for _, p := range a.at(int64(start)) {
		places = append(places, booking.VisitPlace{Item: p.item, Host: p.id, Start: when.Instant(p.start), End: when.Instant(p.end),
			Waits: a.waits(&p)})
	}
	return places, nil
}

// fewestFirst returns the hosts of each item: who has it now, then those with the fewest live bookings in the week of the
// start, then by id.
func (v *Visit) fewestFirst(r Reader, start when.Instant) ([][]int, error) {
	from, to := isoWeek(start, v.items[0].setup.Zone)
	ranks, booked := v.byID(), map[catalog.HostID]int{}
	for i, q := range v.items {
		for _, h := range q.hosts {
			if _, known := booked[h.ID]; known {
				continue
			}
			n, err := r.LiveStarts(h.ID, from, to)
			if err != nil {
				return nil, err
			}
			booked[h.ID] = n
		}
		order := func(host int) int {
			if id := q.hosts[host].ID; id != v.keep[i] {
				return booked[id]
			}
			return -1
		}
		slices.SortStableFunc(ranks[i], func(a, b int) int { return order(a) - order(b) })
	}
	return ranks, nil
}

// byID returns the hosts of each item by their ids, as a set-up has them.
func (v *Visit) byID() [][]int {
	ranks := make([][]int, len(v.items))
	for i, q := range v.items {
		for host := range q.hosts {
			ranks[i] = append(ranks[i], host)
		}
	}
	return ranks
}

// openings are the openings of a visit's services around some starts, found when they are asked for.
type openings struct {
	of    *Visit
	from  []*slot.Request    // of the first services: on their grids
	later []*slot.Request    // at any minute
	loose [2][]*slot.Request // from and later, see loosen; what is open by them may not be
	first [][]slot.Minutes
	found [][4][]slot.Minutes // by item, and whether the same host does what is before and after
}

// load reads what takes the time of the hosts, for visits that start in [from, to).
func (v *Visit) load(r Reader, from, to when.Instant) (*openings, error) {
	n := len(v.items)
	o := &openings{of: v, from: make([]*slot.Request, n), later: make([]*slot.Request, n), first: make([][]slot.Minutes, n),
		found: make([][4][]slot.Minutes, n)}
	last := to + when.Instant(n-1)*v.choice.Gap()
	for _, q := range v.items {
		last = last.Add(q.longest())
	}
	for i, q := range v.items {
		read := q.request
		if q.onlyWhen() && !q.travels() {
			read = q.quickRequest
		}
		req, err := read(r, from, last, 0)
		if err != nil {
			return nil, err
		}
		grid := *req
		grid.To = int64(to)
		o.from[i] = &grid
		later := *req
		later.Rules.Step = time.Minute
		o.later[i] = &later
	}
	if o.loose = [2][]*slot.Request{o.from, o.later}; v.meeting {
		shared := v.shared()
		for which, all := range o.loose {
			o.loose[which] = slices.Clone(all)
			for i, req := range all {
				o.loose[which][i] = o.loosen(i, req, shared)
			}
		}
	}
	return o, nil
}

// longest returns how long the service takes with the host who takes longest.
func (q *Search) longest() time.Duration {
	longest := q.rules.Duration
	for _, h := range q.hosts {
		longest = max(longest, q.takes(h.ID))
	}
	return longest
}

// shortest returns how long it takes at least; a session that has begun may end sooner than a new one.
func (q *Search) shortest() int64 {
	if q.rules.Seats > 1 {
		return 0
	}
	least := q.rules.Duration
	for i, h := range q.hosts {
		if d := q.takes(h.ID); d > 0 && (i == 0 || d < least) {
			least = d
		}
	}
	return least.Milliseconds()
}

// joined returns the request without the buffers that lie between services of one host.
func joined(req *slot.Request, before, after bool) *slot.Request {
	own := *req
	own.Rules.Joins = slot.Joins{Before: before, After: after}
	return &own
}

// end returns when an item that begins then with the host ends, and whether it can. first says that the visit begins
// with it.
func (o *openings) end(item, host int, start int64, first, before, after bool) (int64, bool) {
	if first {
		if end, ok := o.starts(item)[host].End(start); !ok || after {
			return end, ok
		}
	}
	return o.minutes(item, before, after)[host].End(start)
}

// starts returns the openings of an item with each host where the visit begins with it and the host goes on.
func (o *openings) starts(item int) []slot.Minutes {
	if o.first[item] == nil {
		o.first[item] = slot.FindMinutes(joined(o.loose[0][item], false, true))
	}
	return o.first[item]
}

// minutes returns the openings of an item with each host at any minute.
func (o *openings) minutes(item int, before, after bool) []slot.Minutes {
	which := 0
	if before {
		which |= 1
	}
	if after {
		which |= 2
	}
	if o.found[item][which] == nil {
		o.found[item][which] = slot.FindMinutes(joined(o.loose[1][item], before, after))
	}
	return o.found[item][which]
}

// next returns the first start at or after from at which one of the services that may come first is open.
func (o *openings) next(from int64) (first int64, ok bool) {
	for i := range o.of.items {
		if !o.of.begins(i) {
			break
		}
		for _, m := range o.starts(i) {
			if at, found := m.Next(from); found && (!ok || at < first) {
				first, ok = at, true
			}
		}
	}
	return first, ok
}

// placed is a service in an arrangement.
type placed struct {
	item, host int
	id         catalog.HostID
	start, end int64
	same       bool // the same host does what comes before
	before     bool // or may be there, beside the one who does it: there is no buffer before it
	within     bool // it is done in a wait of another
}

// endOf returns when the last service of a path ends.
func endOf(path []placed) (end int64) {
	for i := range path {
		end = max(end, path[i].end)
	}
	return end
}

// arranging looks for the arrangement of a visit that ends first; of those, if the same person is preferred, for the
// one with the fewest changes of host, and then for the first by the order given and the rank of the hosts. It goes
// through the arrangements one service after the other, by start, and leaves those that can't be better than the best so
// far (branch and bound; A. H. Land and A. G. Doig, 1960), and ends of a path from which nothing better was found before.
//
// A service that may be done in waits lies in a wait of one that is before it in the path, at any minute and with its own
// buffers, or follows like any other. The order given is that of those which follow; maxGap is between these, too.
type arranging struct {
	*openings
	shortest []int64         // 0 of those that fill waits
	fills    []bool          // see Visit.fills
	works    [][][]slot.Work // by item and host, nil for all the while
	ranks    [][]int
	path     []placed
	best     []placed
	changes  int // of best
	dead     map[tail]bool
	looked   int // starts that were looked at
	most     int // of looked, at this start
}

// tail is all of a path that what follows depends on, but for rooms, caps and what a host has done earlier.
type tail struct {
	done   uint
	last   int // item, of those that are in no wait
	id     catalog.HostID
	end    int64
	before bool
	within int64 // when the last one in its waits ends; 0 for none
}

// looksPerVisit is how many starts of services are looked at for one start of a visit at most, which takes some 10 ms.
// Three services, four hosts and gaps of up to four hours stay far below it; beyond it the start is left out.
const looksPerVisit = 100_000

// arranging begins to look, with the hosts of each item as they are preferred.
func (o *openings) arranging(ranks [][]int) *arranging {
	a := &arranging{openings: o, ranks: ranks, dead: map[tail]bool{}}
	for i, q := range o.of.items {
		a.fills = append(a.fills, o.of.fills(i))
		shortest, works := q.shortest(), make([][]slot.Work, len(q.hosts))
		if a.fills[i] {
			shortest = 0
		}
		for j := range works {
			works[j] = o.later[i].WorksOf(j)
		}
		a.shortest, a.works = append(a.shortest, shortest), append(a.works, works)
	}
	return a
}

// at returns the best arrangement of a visit that starts then; nil if there is none.
func (a *arranging) at(start int64) []placed {
	a.path, a.best, a.changes = a.path[:0], nil, 0
	clear(a.dead)
	rest := int64(0)
	for _, d := range a.shortest {
		rest += d
	}
	a.most = a.looked + looksPerVisit
	a.place(start, 0, 0, rest)
	return a.best
}

// place puts another service behind those of the path. done are the items in the path, rest is how long the others take
// at least. It reports whether nothing was better because of the tail of the path alone.
func (a *arranging) place(start int64, done uint, changes int, rest int64) (dead bool) {
	v, n := a.of, len(a.path)
	if n == len(v.items) {
		switch {
		case !a.closes() || !a.better(endOf(a.path), changes):
			return true
		case v.meeting && !a.apartAll():
			return false
		}
		a.best, a.changes = slices.Clone(a.path), changes
		return false
	}
	at, told := a.tail(done)
	if told && a.dead[at] {
		return true
	}
	from, until, last := start, start, a.last()
	if n > 0 {
		from = last.end
		until = from + int64(v.choice.Gap())
	}
	dead = v.choice.SamePerson != booking.PreferSamePerson // else it depends on the changes so far
	try := func(p placed, turns int) {
		a.path = append(a.path, p)
		if !a.apart() || !a.place(start, done|1<<p.item, turns, rest-a.shortest[p.item]) {
			dead = false
		}
		a.path = a.path[:n]
	}
	for item := range v.items {
		if done&(1<<item) != 0 {
			continue
		}
		follows := a.follows(item, done)
		for _, host := range a.ranks[item] {
			id := v.items[item].hosts[host].ID
			same := n > 0 && last.id == id
			joins := same || n > 0 && v.takesBeside(last.item, id)
			turns := changes
			if n > 0 && !same {
				turns++
				if v.choice.SamePerson == booking.MustSamePerson {
					continue
				}
			}
			if n > 0 && a.fills[item] {
				if !a.inWaits(item, host, turns, rest, try) {
					return false
				}
			}
			if !follows || n > 0 && !same && !a.closes() {
				continue
			}
			for start := from; start <= until; start += slot.Minute {
				if !a.better(start+rest, turns) {
					break
				}
				if a.looked++; a.looked > a.most {
					return false
				}
				if n > 0 {
					next, ok := a.openings.minutes(item, joins, true)[host].Next(start)
					if !ok || next > until {
						break
					}
					if start = next; !a.better(start+rest, turns) {
						break
					}
				}
				if end, ok := a.end(item, host, start, n == 0, joins, true); ok {
					try(placed{item: item, host: host, id: id, start: start, end: end, same: same, before: joins}, turns)
				}
			}
		}
	}
	if dead && told {
		a.dead[at] = true
	}
	return dead
}

// tail returns the tail of the path. It says nothing for a path without services, and where some service that is done in
// a wait has waits of its own.
func (a *arranging) tail(done uint) (at tail, told bool) {
	for _, p := range slices.Backward(a.path) {
		if !p.within {
			at.done, at.last, at.id, at.end, at.before = done, p.item, p.id, p.end, p.before
			return at, true
		}
		if a.works[p.item][p.host] != nil {
			break
		}
		at.within = max(at.within, p.end)
	}
	return at, false
}

// closes reports whether the last service of the path is open with its buffer behind it, as where another host or
// nobody comes next.
func (a *arranging) closes() bool {
	p := a.last()
	_, ok := a.end(p.item, p.host, p.start, p == &a.path[0], p.before, false)
	return ok
}

// better reports whether an arrangement that ends then, with so many changes of host, is better than the best.
func (a *arranging) better(end int64, changes int) bool {
	if a.best == nil {
		return true
	}
	if best := endOf(a.best); end != best {
		return end < best
	}
	return a.of.choice.SamePerson == booking.PreferSamePerson && changes < a.changes
}
