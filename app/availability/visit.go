package availability

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// VisitInput holds the query of a search for a visit. Of the embedded Input, what is of one service is left empty.
type VisitInput struct {
	Input
	Items []booking.VisitItem
	booking.VisitChoice
}

// Visit is a search for the times of a visit: for each of its services a search of its own, whose openings are put
// together. Only the start of the visit lies on a grid, that of the service which comes first; the others begin at any
// whole minute. Between two services with the same host lies no buffer.
type Visit struct {
	items   []*Search
	addOns  [][]string
	keep    []catalog.HostID // by item, who has it now; 0 is nobody
	choice  booking.VisitChoice
	meeting bool                          // see meets
	rank    func(item int) ([]int, error) // the hosts of an item, by preference; nil is by id
}

// Visits is a list of open times of a visit, the earliest first.
type Visits struct {
	Data          []Slot       `json:"data"`
	HasMore       bool         `json:"hasMore"`
	NextCursor    *string      `json:"nextCursor"`
	TimeZone      string       `json:"timeZone"`
	DatesTimeZone string       `json:"datesTimeZone,omitempty"`
	NextAvailable when.Instant `json:"nextAvailable"`
	SearchedUntil when.Instant `json:"searchedUntil,omitempty"`
}

// NewVisit checks the input of a search for a visit. Errors: those of New, about items.
func NewVisit(r Reader, setup *catalog.Setup, now time.Time, gate *Gate, in VisitInput) (*Visit, error) {
	if n := len(in.Items); n < 1 || n > booking.MaxVisitItems {
		return nil, fault.Invalid("items", "must be 1 to %d", booking.MaxVisitItems)
	}
	if err := in.VisitChoice.Check(); err != nil {
		return nil, err
	}
	v := &Visit{choice: in.VisitChoice, keep: make([]catalog.HostID, len(in.Items))}
	in.EventTypes = in.named()
	for i, item := range in.Items {
		one := in.Input
		one.EventType, one.Host, one.Choice = item.EventType, item.Host, catalog.Choice{AddOns: item.AddOns}
		if i > 0 { // the span is that of the first
			one.From, one.To, one.Days, one.Cursor = "", "", nil, ""
		}
		q, err := New(r, setup, now, gate, one)
		if err != nil {
			return nil, InItem(err, i)
		}
		v.items, v.addOns = append(v.items, q), append(v.addOns, item.AddOns)
	}
	v.meeting = v.meets()
	return v, v.Fits()
}

// InItem says of which item the error is.
func InItem(err error, i int) error {
	e := fault.Refusal(err)
	if e == nil || !slices.Contains([]string{"eventType", "host", "addOns", "start", "end"}, e.Field) {
		return err
	}
	return e.About(fmt.Sprintf("items[%d].%s", i, e.Field))
}

// named names the question, for its cursors.
func (in *VisitInput) named() string {
	var all []string
	for _, item := range in.Items {
		all = append(all, item.EventType+"/"+item.Host+"/"+strings.Join(item.AddOns, ";"))
	}
	return fmt.Sprint(strings.Join(all, ","), " ", in.Order, " ", in.SamePerson, " ", in.Gap())
}

// AmongVisit returns a search for a visit of services of which the caller has locked the hosts, in the order given.
func AmongVisit(items []*Search, choice booking.VisitChoice) *Visit {
	v := &Visit{items: items, addOns: make([][]string, len(items)), choice: choice, keep: make([]catalog.HostID, len(items))}
	v.meeting = v.meets()
	return v
}

// Keeping makes Arrange prefer for the item the host who has it now.
func (v *Visit) Keeping(item int, host catalog.HostID) { v.keep[item] = host }

// Fits refuses services that can't be booked in one visit.
func (v *Visit) Fits() error {
	place := v.items[0].place
	for _, q := range v.items {
		if q.place != 0 && place != 0 && q.place != place && q.ways() != nil {
			return fault.Invalid("items", "%s and the others take place at different places: book them apart", q.event.Title)
		}
		if place == 0 {
			place = q.place
		}
		if v.items[0].setup.WaitsForPayment(q.event) {
			return PaidAlone(q.event)
		}
	}
	return nil
}

// meets reports whether services of the visit may stand in each other's way although they follow each other: in a room
// that several need, or as more than a host may do of one service.
func (v *Visit) meets() bool {
	needy, times := 0, map[catalog.EventTypeID]bool{}
	for _, q := range v.items {
		if len(q.needs) > 0 {
			needy++
		}
		if times[q.event.ID] && q.rules.MaxPerDay > 0 {
			return true
		}
		times[q.event.ID] = true
	}
	return needy > 1
}

// PaidAlone is the error of a service that is paid online when it is booked.
func PaidAlone(e *catalog.EventType) error {
	return fault.Invalid("items", "%s is paid online when it is booked: book it by itself", e.Title)
}

// openings are the openings of a visit's services around some starts, found when they are asked for.
type openings struct {
	of    *Visit
	from  []*slot.Request // of the first services: on their grids
	later []*slot.Request // at any minute
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
		o.later[i] = req
		grid := *req
		grid.To = int64(to)
		o.from[i] = &grid
		later := *req
		later.Rules.Step = time.Minute
		o.later[i] = &later
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
	if before {
		own.Rules.BufferBefore = 0
	}
	if after {
		own.Rules.BufferAfter = 0
	}
	return &own
}

// end returns when an item that begins then with the host ends, and whether it can. first says that the visit begins
// with it.
func (o *openings) end(item, host int, start int64, first, before, after bool) (int64, bool) {
	if first {
		if o.first[item] == nil {
			o.first[item] = slot.FindMinutes(joined(o.from[item], false, true))
		}
		if _, ok := o.first[item][host].End(start); !ok {
			return 0, false
		}
		if after {
			return o.first[item][host].End(start)
		}
	}
	return o.minutes(item, before, after)[host].End(start)
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
		o.found[item][which] = slot.FindMinutes(joined(o.later[item], before, after))
	}
	return o.found[item][which]
}

// next returns the first start at or after from at which one of the services that may come first is open.
func (o *openings) next(from int64) (first int64, ok bool) {
	for i := range o.of.items {
		if i > 0 && o.of.choice.Order != booking.OrderAny {
			break
		}
		if o.first[i] == nil {
			o.first[i] = slot.FindMinutes(joined(o.from[i], false, true))
		}
		for h := range o.first[i] {
			if at, found := o.first[i][h].Next(from); found && (!ok || at < first) {
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
	before     bool // the same host does what comes before
}

// arranging looks for the arrangement of a visit that ends first; of those, if the same person is preferred, for the
// one with the fewest changes of host, and then for the first by the order given and the rank of the hosts. It goes
// through the arrangements one service after the other, and leaves those that can't be better than the best so far
// (branch and bound; A. H. Land and A. G. Doig, 1960), and ends of a path from which nothing better was found before.
type arranging struct {
	*openings
	shortest []int64
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
	last   int // item
	id     catalog.HostID
	end    int64
	before bool
}

// looksPerVisit is how many starts of services are looked at for one start of a visit at most, which takes some 10 ms.
// Three services, four hosts and gaps of up to four hours stay far below it; beyond it the start is left out.
const looksPerVisit = 100_000

func (o *openings) arranging() (*arranging, error) {
	a := &arranging{openings: o, dead: map[tail]bool{}}
	for i, q := range o.of.items {
		a.shortest = append(a.shortest, q.shortest())
		var rank []int
		if o.of.rank != nil {
			var err error
			if rank, err = o.of.rank(i); err != nil {
				return nil, err
			}
		} else {
			for h := range q.hosts {
				rank = append(rank, h)
			}
		}
		a.ranks = append(a.ranks, rank)
	}
	return a, nil
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
		case !a.closes() || !a.better(a.path[n-1].end, changes):
			return true
		case v.meeting && !a.apartAll():
			return false
		}
		a.best, a.changes = slices.Clone(a.path), changes
		return false
	}
	var at tail
	from, until := start, start
	if n > 0 {
		last := &a.path[n-1]
		at = tail{done, last.item, last.id, last.end, last.before}
		if a.dead[at] {
			return true
		}
		from = last.end
		until = from + int64(v.choice.Gap())
	}
	dead = v.choice.SamePerson != booking.PreferSamePerson // else it depends on the changes so far
	for item := range v.items {
		if done&(1<<item) != 0 || v.choice.Order != booking.OrderAny && item != n {
			continue
		}
		for _, host := range a.ranks[item] {
			id := v.items[item].hosts[host].ID
			same := n > 0 && a.path[n-1].id == id
			turns := changes
			if n > 0 && !same {
				turns++
				if v.choice.SamePerson == booking.MustSamePerson || !a.closes() {
					continue
				}
			}
			for start := from; start <= until; start += slot.Minute {
				if !a.better(start+rest, turns) {
					break
				}
				if a.looked++; a.looked > a.most {
					return false
				}
				if n > 0 {
					next, ok := a.openings.minutes(item, same, true)[host].Next(start)
					if !ok || next > until {
						break
					}
					if start = next; !a.better(start+rest, turns) {
						break
					}
				}
				end, ok := a.end(item, host, start, n == 0, same, true)
				if !ok {
					continue
				}
				if !same && !a.apart(id, item, start) {
					dead = false
					continue
				}
				a.path = append(a.path, placed{item, host, id, start, end, same})
				if !a.place(start, done|1<<item, turns, rest-a.shortest[item]) {
					dead = false
				}
				a.path = a.path[:n]
			}
		}
	}
	if dead && n > 0 {
		a.dead[at] = true
	}
	return dead
}

// apartAll judges the services of the path one by one, each beside those before it as if these were booked: a room that
// several need is taken by one at a time with its buffers, and a host's cap counts them all.
func (a *arranging) apartAll() bool {
	var before []booking.Occupation
	rooms := map[catalog.ResourceID][]slot.Booking{}
	for i, p := range a.path {
		q := a.of.items[p.item]
		from := a.later[p.item]
		if i == 0 {
			from = a.from[p.item]
		}
		req := joined(from, p.before, i+1 < len(a.path) && a.path[i+1].id == p.id)
		req.Hosts, req.Resources = slices.Clone(req.Hosts), slices.Clone(req.Resources)
		host := &req.Hosts[p.host]
		host.Booked = slices.Clone(host.Booked)
		for _, o := range before {
			if o.Host == p.id {
				o.Same = o.EventType == q.event.ID
				host.Booked = append(host.Booked, o.Booking)
			}
		}
		ids := catalog.Needed(q.needs)
		for j := range req.Resources {
			req.Resources[j].Booked = slices.Concat(req.Resources[j].Booked, rooms[ids[j]])
		}
		verdict := req.Waiving(p.start, p.host, 0)
		if verdict.Reason != slot.Open {
			return false
		}
		taken := slot.Booking{Start: p.start, End: verdict.End, Occupied: verdict.Occupied}
		before = append(before, booking.Occupation{Booking: taken, EventType: q.event.ID, Host: p.id})
		for j, at := range verdict.Resources {
			spans := []slot.Work{{Own: slot.Span{Start: p.start, End: verdict.End}, Occupied: verdict.Occupied}}
			if q.needs[j].During == catalog.DuringWork && verdict.Works != nil {
				spans = verdict.Works
			}
			for _, w := range spans {
				rooms[ids[at]] = append(rooms[ids[at]], slot.Booking{Start: w.Own.Start, End: w.Own.End, Occupied: w.Occupied})
			}
		}
	}
	return true
}

// closes reports whether the last service of the path is open with its buffer behind it, as where another host or
// nobody comes next.
func (a *arranging) closes() bool {
	p := &a.path[len(a.path)-1]
	_, ok := a.end(p.item, p.host, p.start, len(a.path) == 1, p.before, false)
	return ok
}

// apart reports whether a service that begins then keeps its buffer before it from what the host has done earlier in
// the visit, before others.
func (a *arranging) apart(id catalog.HostID, item int, start int64) bool {
	for _, p := range slices.Backward(a.path) {
		if p.id == id {
			free := p.end + a.of.items[p.item].rules.BufferAfter.Milliseconds()
			return start-a.of.items[item].rules.BufferBefore.Milliseconds() >= free
		}
	}
	return true
}

// better reports whether an arrangement that ends then, with so many changes of host, is better than the best.
func (a *arranging) better(end int64, changes int) bool {
	if a.best == nil {
		return true
	}
	if best := a.best[len(a.best)-1].end; end != best {
		return end < best
	}
	return a.of.choice.SamePerson == booking.PreferSamePerson && changes < a.changes
}

// Result runs the search: the open starts of the visit in the span asked for, earliest first.
func (v *Visit) Result(ctx context.Context, r Reader) (*Visits, error) {
	q := v.items[0]
	defer q.work.end()
	found, stopped, err := v.run(ctx, r, q.from, q.to, q.limit+1)
	if err != nil {
		return nil, err
	}
	res := &Visits{TimeZone: q.zone.String(), DatesTimeZone: q.datesZone}
	goOn := func(behind int64) {
		cursor := q.cursor(behind)
		res.HasMore, res.NextCursor = true, &cursor
	}
	if len(found) > q.limit {
		found = found[:q.limit]
		goOn(q.days.behind(found[q.limit-1][0].start, q.zone))
	} else if stopped != 0 {
		behind := int64(stopped) - 1
		if n := len(found); n > 0 {
			behind = max(behind, q.days.behind(found[n-1][0].start, q.zone))
		}
		goOn(behind)
	}
	if len(found) == 0 {
		if res.SearchedUntil = stopped; stopped == 0 {
			ahead, until, err := v.first(ctx, r, q.to, 1)
			if err != nil {
				return nil, err
			}
			if res.SearchedUntil = until; len(ahead) > 0 {
				res.NextAvailable, res.SearchedUntil = when.Instant(ahead[0][0].start), 0
			}
		}
	}
	res.Data = v.slots(found)
	return res, nil
}

// NextSlots returns the first n open starts of the visit at or after from, or fewer if the search stopped early.
func (v *Visit) NextSlots(ctx context.Context, r Reader, from when.Instant, n int) ([]Slot, error) {
	defer v.items[0].work.end()
	found, _, err := v.first(ctx, r, from, n)
	return v.slots(found), err
}

// Arrange returns the best arrangement of a visit that starts then, with the hosts who have the fewest live bookings in
// that week in front where that is open, or nil.
func (v *Visit) Arrange(r Reader, start when.Instant) (places []booking.VisitPlace, err error) {
	from, to := isoWeek(start, v.items[0].setup.Zone)
	v.rank = func(item int) ([]int, error) {
		hosts := v.items[item].hosts
		rank, busy := make([]int, len(hosts)), make([]int, len(hosts))
		for i, h := range hosts {
			n, err := r.LiveStarts(h.ID, from, to)
			if err != nil {
				return nil, err
			}
			rank[i], busy[i] = i, n
		}
		slices.SortStableFunc(rank, func(a, b int) int { return busy[a] - busy[b] })
		if keep := v.keep[item]; keep != 0 {
			slices.SortStableFunc(rank, func(a, b int) int {
				return moveToFront(hosts[a].ID == keep) - moveToFront(hosts[b].ID == keep)
			})
		}
		return rank, nil
	}
	o, err := v.load(r, start, start+1)
	if err != nil {
		return nil, err
	}
	a, err := o.arranging()
	if err != nil {
		return nil, err
	}
	for _, p := range a.at(int64(start)) {
		places = append(places, booking.VisitPlace{Item: p.item, Host: p.id, Start: when.Instant(p.start), End: when.Instant(p.end)})
	}
	return places, nil
}

func moveToFront(first bool) int {
	if first {
		return 0
	}
	return 1
}

// Zone returns the time zone of local times in the result.
func (v *Visit) Zone() *time.Location { return v.items[0].zone }

func (v *Visit) slots(found [][]placed) []Slot {
	all := make([]Slot, len(found))
	for i, path := range found {
		s := Slot{Start: when.Instant(path[0].start), End: when.Instant(path[len(path)-1].end)}
		s.Local = s.Start.Time().In(v.items[0].zone).Format(time.RFC3339)
		for _, p := range path {
			if !slices.Contains(s.Hosts, p.id) {
				s.Hosts = append(s.Hosts, p.id)
			}
			s.Items = append(s.Items, SlotItem{v.items[p.item].event.Slug, p.id, when.Instant(p.start), when.Instant(p.end),
				v.addOns[p.item]})
		}
		all[i] = s
	}
	return all
}

// first finds the first n open starts at or after from, up to stopped or, if that is zero, up to the end of the booking
// window.
func (v *Visit) first(ctx context.Context, r Reader, from when.Instant,
	n int) (found [][]placed, stopped when.Instant, err error) {
	q := v.items[0]
	q.work.again(aheadWork)
	return v.run(ctx, r, from, q.now.Add(v.window())+1, n)
}

// window returns how far ahead a visit can start.
func (v *Visit) window() (longest time.Duration) {
	longest = v.items[0].rules.Window
	if v.choice.Order == booking.OrderAny {
		for _, q := range v.items {
			longest = max(longest, q.rules.Window)
		}
	}
	return longest
}

// run finds the open starts in [from, to), at most limit (0 is all), as Search.run does.
func (v *Visit) run(ctx context.Context, r Reader, from, to when.Instant,
	limit int) (found [][]placed, stopped when.Instant, err error) {
	q := v.items[0]
	from, to = max(from, q.now), min(to, q.now.Add(v.window())+1)
	perDay := v.costPerDay()
	for from < to {
		end := min(to, from.Add(min(stretch(perDay, limit), visitStretch)))
		ok, err := q.work.begin(ctx, int(float64(perDay)*float64(end-from)/float64(when.Day.Milliseconds()))+v.hosts()*hostWork)
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			return found, from, nil
		}
		o, err := v.load(r, from, end)
		if err != nil {
			return nil, 0, err
		}
		a, err := o.arranging()
		if err != nil {
			return nil, 0, err
		}
		for at := int64(from); ; at++ {
			start, ok := o.next(at)
			if !ok {
				break
			}
			if at = start; !v.wanted(start, found) {
				continue
			}
			looked := a.looked
			if best := a.at(start); best != nil {
				found = append(found, best)
				if limit > 0 && len(found) >= limit {
					return found, 0, nil
				}
			}
			if q.work.spent += a.looked - looked; q.work.spent > q.work.budget && at+1 < int64(to) {
				return found, when.Instant(at + 1), ctx.Err()
			}
		}
		from = end
	}
	return found, 0, ctx.Err()
}

// visitStretch is how much of the calendar is searched at once at most: the openings of all of it are found, however few
// are asked for. A page of 100 starts of three services with four hosts takes 6 ms by it, and 14 ms by a month
// (BenchmarkVisits).
const visitStretch = 7 * when.Day

// wanted reports whether the start is of the days asked for.
func (v *Visit) wanted(start int64, found [][]placed) bool {
	q := v.items[0]
	if q.days.all() {
		return true
	}
	last := int64(0)
	if len(found) > 0 {
		last = found[len(found)-1][0].start
	}
	return len(q.days.keep([]slot.Slot{{Start: start}}, q.zone, last)) > 0
}

// costPerDay returns what a day of the search costs, in starts that are judged: each minute of each host's hours, with
// and without the buffers at either end, of which a sweep takes a fourth of judging.
func (v *Visit) costPerDay() (cost int) {
	for _, q := range v.items {
		minutes := 0
		for _, h := range q.hosts {
			minutes += h.StartsPerDay(1)
		}
		cost += minutes * q.startWork()
	}
	return cost
}

func (v *Visit) hosts() (n int) {
	for _, q := range v.items {
		n += len(q.hosts)
	}
	return n
}

// Within makes the search find the place of one of a visit's bookings: at any minute unless it comes first, and without
// the buffer to a neighbour with the same host.
func (q *Search) Within(step *booking.VisitStep) {
	if step.Before != 0 {
		q.rules.Step = time.Millisecond
	}
	if step.JoinsBefore {
		q.rules.BufferBefore = 0
	}
	if step.JoinsAfter {
		q.rules.BufferAfter = 0
	}
}
