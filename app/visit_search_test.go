package app_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/store/enginetest"
)

// A visit that fits nowhere is given up in bounded time, however many arrangements there are.
func TestVisitSearchIsBounded(t *testing.T) {
	w := newWorld(t)
	for i := range 6 {
		w.offer(fmt.Sprintf("s%d", i), 3, func(e *catalog.EventType) { e.DurationMinutes, e.SlotStepMinutes = 15, 15 })
	}
	w.offer("never", 1, func(e *catalog.EventType) { e.Active = false })
	gap, days := booking.MaxVisitGap, 2
	began := time.Now()
	found, err := w.VisitAvailability(t.Context(), w.API, availability.VisitInput{Input: availability.Input{From: apptest.At("1T07:00"), Days: &days},
		Items:       visit("", "Mia", "s0", "s1", "s2", "s3", "s4", "never").Items,
		VisitChoice: booking.VisitChoice{Order: booking.OrderAny, MaxGap: &gap}})
	w.Must(err)
	if len(found.Data) > 0 {
		t.Errorf("what can't be booked is offered: %+v", found.Data[0])
	}
	in := visit("1T09:00", "Mia", "s0", "s1", "s2", "s3", "s4", "never")
	in.Order, in.MaxGap = booking.OrderAny, &gap
	_, err = w.BookVisit(t.Context(), w.API, in)
	w.Refused(err, fault.Conflict, "slot_taken")
	t.Logf("refused in %v", time.Since(began))
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
	in = visit("1T09:00", "Mia", "s0", "s1", "s2", "s3", "s4", "s5")
	in.Order, in.MaxGap = booking.OrderAny, &gap
	if v := w.visited(in); v.End != v.Start.Add(90*time.Minute) {
		t.Errorf("six services take until %s", v.End)
	}
}

// exactCase is a salon in which open times of visits are compared with all arrangements, tried one by one.
type exactCase struct {
	order    booking.VisitOrder
	seed     uint64
	services string // in the order asked for
	fills    bool   // nails take half an hour, and may be done while a colour sets
	together bool   // a second person does nails
	same     booking.SamePerson
	named    int  // the host who is asked for, for the last of services; 0 is anybody
	gap      int  // maxGap
	most     int  // of cut a day, for each host; 0 is no cap
	dated    bool // nails begin at a few times only
	margin   int  // waitMargin
}

// visitsFor is how long TestVisitSearchIsExact goes on with salons made up by chance.
var visitsFor = flag.Duration("visits", 0, "compare the search of visits in salons by chance for this long")

// Everything that is offered can be booked as it is shown, and everything that could be booked is offered, with the end
// that comes first: against all arrangements tried one by one.
func TestVisitSearchIsExact(t *testing.T) {
	for i, c := range []exactCase{
		{order: booking.OrderGiven, seed: 0, services: "colour cut nails"},
		{order: booking.OrderGiven, seed: 1, services: "cut nails", same: booking.MustSamePerson},
		{order: booking.OrderAny, seed: 2, services: "colour cut nails", same: booking.PreferSamePerson},
		{order: booking.OrderGiven, seed: 3, services: "nails colour cut", fills: true},
		{order: booking.OrderGiven, seed: 10, services: "colour cut nails", fills: true},
		{order: booking.OrderAny, seed: 5, services: "cut nails colour", fills: true, same: booking.PreferSamePerson},
		{order: booking.OrderGiven, seed: 11, services: "cut nails colour", together: true},
		{order: booking.OrderAny, seed: 7, services: "colour cut nails", together: true, named: 2},
		{order: booking.OrderAny, seed: 8, services: "colour cut nails", fills: true, together: true},
		{order: booking.OrderGiven, seed: 12, services: "cut nails", gap: 4, named: 3},
		{order: booking.OrderAny, seed: 13, services: "cut nails cut", most: 2},
		{order: booking.OrderGiven, seed: 14, services: "cut cut", most: 3, same: booking.MustSamePerson},
		{order: booking.OrderAny, seed: 15, services: "colour cut nails", dated: true},
		{order: booking.OrderAny, seed: 16, services: "nails cut", dated: true, gap: 4, same: booking.PreferSamePerson},
		{order: booking.OrderGiven, seed: 17, services: "colour nails", fills: true, margin: 5},
		{order: booking.OrderAny, seed: 18, services: "colour nails cut", fills: true, margin: 7, most: 2, dated: true},
	} {
		// Half of these have each rule at least once; and what the search reads is the same for all of them.
		if !apptest.Long() && (i%2 == 0 || enginetest.OnPostgres() && i%4 == 1) {
			continue
		}
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			if starts, lain := exactVisits(t, c); starts == 0 || c.fills && lain == 0 {
				t.Error("nothing could be booked: the test shows nothing")
			}
		})
	}
	all, nothing := 0, 0
	for began := time.Now(); time.Since(began) < *visitsFor && !t.Failed(); all++ {
		services := []string{"colour", "cut", "nails"}
		rand.Shuffle(3, func(i, j int) { services[i], services[j] = services[j], services[i] })
		c := exactCase{order: []booking.VisitOrder{booking.OrderGiven, booking.OrderAny}[rand.IntN(2)], seed: rand.Uint64(),
			services: strings.Join(services, " "), fills: rand.IntN(2) == 0, together: rand.IntN(2) == 0,
			same: []booking.SamePerson{"", booking.PreferSamePerson, booking.MustSamePerson}[rand.IntN(3)]}
		if rand.IntN(3) == 0 {
			c.named = 1 + rand.IntN(2)
		}
		if !c.fills && rand.IntN(3) == 0 {
			c.gap, c.services = 1+rand.IntN(4), strings.Join(services[:2], " ")
		}
		if rand.IntN(3) == 0 {
			c.most = 1 + rand.IntN(2)
			if c.named == 0 && rand.IntN(2) == 0 {
				c.services = strings.Replace(c.services, "colour", "cut", 1)
				c.fills = false
			}
		}
		c.dated = rand.IntN(3) == 0
		if rand.IntN(3) == 0 {
			c.margin = 1 + rand.IntN(15)
		}
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			if starts, _ := exactVisits(t, c); starts == 0 {
				nothing++
			}
		})
	}
	if all > 0 {
		t.Logf("%d salons by chance, %d of them full", all, nothing)
	}
}

// exactVisits compares one salon, and returns how many starts there are, and how many of them with nails in a wait.
func exactVisits(t *testing.T, c exactCase) (starts, lain int) {
	w, r := newWorld(t), rand.New(rand.NewPCG(c.seed, 32))
	room := w.resource("Room", nil)
	w.colour(func(e *catalog.EventType) {
		e.BufferAfterMinutes, e.SlotStepMinutes = 10, 30
		e.Hosts = append(e.Hosts, catalog.HostRef{ID: 2})
	})
	w.cut("cut", 3, 30)
	w.Alter("cut", func(e *catalog.EventType) { e.MaxPerDay = c.most })
	w.Must(w.SQL(fmt.Sprintf(`UPDATE workspaces SET settings = '{"waitMargin":%d}', revision = revision + 1`, c.margin)))
	minutes := map[string]int{"colour": 120, "cut": 30, "nails": 45}
	if c.fills {
		minutes["nails"] = 30
	}
	w.offer("nails", 3, func(e *catalog.EventType) {
		e.DurationMinutes, e.SlotStepMinutes, e.BufferBeforeMinutes, e.DuringWait = minutes["nails"], 20, 15, c.fills
		e.Needs = []catalog.Need{{OneOf: oneOf(room, w.resource("Second room", nil)), During: catalog.DuringAll}}
		if c.together {
			e.Needs = append(e.Needs, catalog.Need{Hosts: 2})
		}
		for _, at := range c.dates() {
			e.Dates = append(e.Dates, w.wallClock(at))
		}
	})
	w.Alter("colour", func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(room), During: catalog.DuringAll}} })
	for i := range 9 { // whatever fits
		in := apptest.Input([]string{"cut", "nails", "trim"}[r.IntN(3)], fmt.Sprintf("1T%02d:%02d", 8+r.IntN(8), r.IntN(4)*15), fmt.Sprintf("p%d", i))
		if c.dated && in.EventType == "nails" {
			in.Start = apptest.At(c.dates()[r.IntN(len(c.dates()))])
		}
		if in.EventType != "trim" {
			in.Host = catalog.HostID(1 + r.IntN(3)).String()
		}
		in.Override = []string{string(slot.OffGrid)}
		_, err := w.Book(t.Context(), w.API, in)
		if err != nil && fault.As(err) == nil {
			t.Fatal(err)
		}
	}
	undo := errors.New("undo")
	try := func(in booking.VisitInput) (v booking.Visit, booked bool) {
		err := w.Store.Write(t.Context(), func(tx app.Tx) (err error) {
			if v, err = w.Service.In(tx).BookVisit(t.Context(), w.API, in); err == nil {
				w.buffersPerSubject(tx, &v)
				err = undo
			}
			return err
		})
		if err != undo && fault.As(err) == nil {
			t.Fatal(err)
		}
		return v, err == undo
	}
	want, turns := map[when.Instant]when.Instant{}, map[when.Instant]int{}
	day, err := when.ParseISO(apptest.At("1T08:00"))
	w.Must(err)
	services := strings.Fields(c.services)
	// better reports whether an arrangement that ends then, with so many changes of host, is better than what is known of
	// the start.
	better := func(at, end when.Instant, changes int) bool {
		return want[at] == 0 || end < want[at] || end == want[at] && c.same == booking.PreferSamePerson && changes < turns[at]
	}
	// all books the services one after the other with all hosts and gaps, unless better is known of the start.
	all := func(at when.Instant, services []string, also func(in booking.VisitInput, colour when.Instant, try func(booking.VisitInput))) {
		for _, gaps := range c.gaps(len(services)) {
			for _, these := range c.orders(services) {
				for _, hosts := range c.hostsOf(these) {
					in, start, colour := visit("", "Mia"), at, at
					for i, s := range these {
						start = start.Add(time.Duration(gaps[i]) * time.Minute)
						in.Items = append(in.Items, booking.VisitItem{EventType: s, Host: hosts[i], Start: start.String()})
						if s == "colour" {
							colour = start
						}
						start = start.Add(time.Duration(minutes[s]) * time.Minute)
					}
					if !better(at, start, 0) {
						continue
					}
					if _, ok := try(in); ok {
						also(in, colour, func(in booking.VisitInput) {
							if !c.allows(in.Items) || !better(at, start, 0) {
								return
							}
							v, ok := try(in)
							var as []availability.SlotItem
							for i := range v.Items {
								as = append(as, availability.SlotItem{Host: v.Items[i].Host.ID, Start: v.Items[i].Start, End: v.Items[i].End})
							}
							if ok && better(at, v.End, changes(as)) {
								want[at], turns[at] = v.End, changes(as)
							}
						})
					}
				}
			}
		}
	}
	var tried []when.Instant
	for at := day; at < day.Add(c.hours()); at = at.Add(10 * time.Minute) {
		tried = append(tried, at)
	}
	for _, d := range c.dates() {
		at, err := when.ParseISO(apptest.At(d))
		w.Must(err)
		if !slices.Contains(tried, at) && at < day.Add(c.hours()) {
			tried = append(tried, at)
		}
	}
	for _, at := range tried {
		if c.fills {
			others := slices.DeleteFunc(slices.Clone(services), func(s string) bool { return s == "nails" })
			all(at, others, func(in booking.VisitInput, colour when.Instant, try func(booking.VisitInput)) {
				for _, hosts := range c.hostsOf([]string{"nails"}) {
					for minute := 45; minute <= 55; minute++ {
						with := in
						with.Items = append(slices.Clone(in.Items), booking.VisitItem{EventType: "nails", Host: hosts[0],
							Start: colour.Add(time.Duration(minute) * time.Minute).String()})
						try(with)
					}
				}
			})
			if want[at] != 0 {
				lain++
			}
		}
		all(at, services, func(in booking.VisitInput, _ when.Instant, try func(booking.VisitInput)) { try(in) })
	}
	asked := visit("", "Mia", services...)
	asked.VisitChoice = booking.VisitChoice{Order: c.order, SamePerson: c.same, MaxGap: &c.gap}
	if c.named > 0 {
		asked.Items[len(services)-1].Host = catalog.HostID(c.named).String()
	}
	in := availability.VisitInput{Input: availability.Input{From: day.String(), To: day.Add(c.hours()).String()},
		Items: asked.Items, VisitChoice: asked.VisitChoice}
	found, err := w.VisitAvailability(t.Context(), w.API, in)
	w.Must(err)
	t.Logf("%d starts, %d in a wait", len(found.Data), lain)
	starts = len(want)
	for _, s := range found.Data {
		if want[s.Start] != s.End {
			t.Errorf("%s is offered until %s, want %s", s.Start, s.End, want[s.Start])
		}
		if n := changes(s.Items); c.same == booking.PreferSamePerson && n != turns[s.Start] {
			t.Errorf("%s is offered with %d changes of host, want %d: %+v", s.Start, n, turns[s.Start], s.Items)
		}
		delete(want, s.Start)
		shown := booking.VisitInput{Invitee: visit("", "Mia").Invitee}
		for _, item := range s.Items {
			shown.Items = append(shown.Items, booking.VisitItem{EventType: item.EventType, Host: item.Host.String(), Start: item.Start.String(),
				End: item.End.String()})
		}
		if v, ok := try(shown); !ok || v.Start != s.Start || v.End != s.End {
			t.Errorf("%s can't be booked as it is shown: %+v", s.Start, s.Items)
		}
		plain := asked
		plain.Start = s.Start.String()
		if v, ok := try(plain); !ok || v.Start != s.Start || v.End != s.End {
			t.Errorf("%s can't be booked without an arrangement, or ends at %s, not %s", s.Start, v.End, s.End)
		}
	}
	for start := range want {
		t.Errorf("%s could be booked and isn't offered", start)
	}
	return starts, lain
}

// buffersPerSubject wants the visit's bookings to keep free around everybody and everything what their services say, but
// for what goes on with a neighbour.
func (w *world) buffersPerSubject(tx app.Tx, v *booking.Visit) {
	w.T.Helper()
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	all := make([]booking.Booking, len(v.Items))
	var follow []int // those in no wait
	for i := range v.Items {
		all[i], err = tx.Booking(w.Workspace.ID, v.Items[i].ID)
		w.Must(err)
		within := false
		for _, o := range v.Items[:i] {
			within = within || o.Start < all[i].Start && all[i].Start < o.End
		}
		if !within {
			follow = append(follow, i)
		}
	}
	has := func(b *booking.Booking, what string) bool { return slices.Contains(takenBy(b), what) }
	for i := range all {
		b := &all[i]
		rules := setup.EventTypeByID(b.EventTypeID).Rules()
		place := slices.Index(follow, i)
		for k, s := range takenBy(b) {
			before, after := rules.BufferBefore, rules.BufferAfter
			if place > 0 && has(&all[follow[place-1]], s) {
				before = 0
			}
			if place >= 0 && place < len(follow)-1 && has(&all[follow[place+1]], s) {
				after = 0
			}
			from, to := b.Around(b.Subjects(0)[k])
			if from != b.Start.Add(-before) || to != b.End.Add(after) {
				w.T.Errorf("%s: %s keeps %s %s to %s, want %v before and %v after", itinerary(*v), b.EventType, s, from, to, before, after)
			}
		}
	}
}

// takenBy names what the booking takes, as Subjects does.
func takenBy(b *booking.Booking) []string {
	all := []string{b.Host.ID.String()}
	for _, h := range b.Others() {
		all = append(all, h.ID.String())
	}
	for _, r := range b.Resources {
		all = append(all, r.ID.String())
	}
	return all
}

// changes returns how often the host changes, by start: each time from whoever did what is in no wait before.
func changes(items []availability.SlotItem) (n int) {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b availability.SlotItem) int { return int(a.Start - b.Start) })
	last := items[0]
	for _, item := range items[1:] {
		if item.Host != last.Host {
			n++
		}
		if item.Start >= last.End {
			last = item
		}
	}
	return n
}

// allows reports whether the hosts are as they are asked for.
func (c exactCase) allows(items []booking.VisitItem) bool {
	return c.same != booking.MustSamePerson || !slices.ContainsFunc(items, func(i booking.VisitItem) bool { return i.Host != items[0].Host })
}

// gaps are all minutes that may lie before each of n services, the shortest in all first.
func (c exactCase) gaps(n int) [][]int {
	all := [][]int{{0}}
	for range n - 1 {
		var longer [][]int
		for _, gaps := range all {
			for gap := range c.gap + 1 {
				longer = append(longer, append(slices.Clone(gaps), gap))
			}
		}
		all = longer
	}
	sum := func(gaps []int) (n int) {
		for _, g := range gaps {
			n += g
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b []int) int { return sum(a) - sum(b) })
	return all
}

// hostsOf are all choices of a host for each of the services, as asked for.
func (c exactCase) hostsOf(services []string) [][]string {
	all := hostsOf(services)
	if c.named == 0 {
		return all
	}
	asked := strings.Fields(c.services)
	at := slices.Index(services, asked[len(asked)-1])
	return slices.DeleteFunc(all, func(hosts []string) bool { return at >= 0 && hosts[at] != catalog.HostID(c.named).String() })
}

// dates are the starts of nails, of which some lie beside the grid of what may come before.
func (c exactCase) dates() []string {
	if !c.dated {
		return nil
	}
	return []string{"1T08:50", "1T09:30", "1T10:02", "1T10:30", "1T11:34", "1T12:00", "1T14:30", "1T15:04"}
}

// wallClock is the time as the workspace's clock shows it.
func (w *world) wallClock(at string) string {
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	then, err := when.ParseISO(apptest.At(at))
	w.Must(err)
	return then.Time().In(setup.Zone).Format("2006-01-02T15:04")
}

// hours is how much of the day is compared.
func (c exactCase) hours() time.Duration {
	if c.fills || c.together {
		return 4 * time.Hour
	}
	return 8 * time.Hour
}

// orders are the orders in which the services may follow each other.
func (c exactCase) orders(services []string) (all [][]string) {
	if c.order == booking.OrderGiven || len(services) < 2 {
		return [][]string{services}
	}
	for i, first := range services {
		for _, rest := range c.orders(slices.Delete(slices.Clone(services), i, i+1)) {
			all = append(all, append([]string{first}, rest...))
		}
	}
	return all
}

// hostsOf are all choices of a host for each of the services.
func hostsOf(services []string) [][]string {
	if len(services) == 0 {
		return [][]string{nil}
	}
	n := 3
	if services[0] == "colour" {
		n = 2
	}
	var all [][]string
	for host := range n {
		for _, rest := range hostsOf(services[1:]) {
			all = append(all, append([]string{catalog.HostID(host + 1).String()}, rest...))
		}
	}
	return all
}

// One host for all is a must or a wish; within maxGap minutes the next may begin later.
func TestVisitIsArrangedAsAsked(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	w.cut("nails", 2, 30)
	w.Booked("cut", "1T09:30", "Bo") // ana until 10:00, with buffers 09:25 to 10:10
	w.Alter("nails", func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}} })
	ask := func(want string, with func(*booking.VisitInput)) {
		t.Helper()
		in := visit("1T09:00", "Mia", "cut", "nails")
		with(&in)
		undo := errors.New("undo")
		err := w.Store.Write(t.Context(), func(tx app.Tx) error {
			v, err := w.Service.In(tx).BookVisit(t.Context(), w.API, in)
			if err != nil {
				return err
			}
			if got := itinerary(v); got != want {
				t.Errorf("the visit is %q, want %q", got, want)
			}
			return undo
		})
		if e := fault.As(err); e != nil && e.Reason != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	gap := 60
	ask("cut 09:00-09:30 bob, nails 09:30-10:00 bob", func(in *booking.VisitInput) { in.SamePerson = booking.MustSamePerson })
	ask("slot_taken", func(in *booking.VisitInput) {
		in.Items[0].Host, in.SamePerson = catalog.HostID(1).String(), booking.MustSamePerson
	})
	ask("slot_taken", func(in *booking.VisitInput) { in.Items[1].Host = catalog.HostID(1).String() })
	ask("cut 09:00-09:30 bob, nails 10:15-10:45 ana", func(in *booking.VisitInput) { in.Items[1].Host, in.MaxGap = catalog.HostID(1).String(), &gap })
}

// BenchmarkVisits searches 60 days with four hosts, half of them booked, for one service and for three: plain ones, and
// such as have parts, a room and a second person. It fails where three take more than 150 ms of processor time, or three
// plain ones more than 6 times that of one.
func BenchmarkVisits(b *testing.B) {
	b.Run("plain", func(b *testing.B) { benchmarkVisits(b, false) })
	b.Run("needy", func(b *testing.B) { benchmarkVisits(b, true) })
}

func benchmarkVisits(b *testing.B, needy bool) {
	w := &world{apptest.New(b, apptest.Options{Hosts: []string{"ana", "bob", "cyd", "dee"}})}
	w.cut("cut", 4, 30)
	w.cut("nails", 4, 45)
	w.cut("perm", 4, 90)
	if needy {
		room, other := w.resource("Room", nil), w.resource("Second room", nil)
		w.Alter("nails", func(e *catalog.EventType) {
			e.Needs = []catalog.Need{{OneOf: oneOf(room, other), During: catalog.DuringAll}}
		})
		w.Alter("perm", func(e *catalog.EventType) {
			e.Parts = []catalog.Part{{Work: 30}, {Wait: 30}, {Work: 30}}
			e.Needs = []catalog.Need{{OneOf: oneOf(room), During: catalog.DuringWork}, {Hosts: 2}}
		})
	}
	for day := range 60 {
		for i := range 12 {
			in := apptest.Input("cut", fmt.Sprintf("%dT%02d:%02d", day+1, 8+i/2*3/2, i%2*30), fmt.Sprintf("p%d.%d", day, i))
			if _, err := w.Book(b.Context(), w.API, in); err != nil && fault.As(err) == nil {
				b.Fatal(err)
			}
		}
	}
	days, limit := 60, 100
	asked := availability.Input{From: apptest.At("1T00:00"), Days: &days, Limit: &limit}
	var one, three float64
	b.Run("one", func(b *testing.B) {
		defer perProcessor(b, &one)()
		for b.Loop() {
			in, slots := asked, 0
			for in.EventType = "cut"; ; {
				found, err := w.Availability(b.Context(), w.API, in)
				w.Must(err)
				if slots, in.Cursor = slots+found.Len(), found.NextCursor; in.Cursor == "" {
					break
				}
			}
			b.ReportMetric(float64(slots), "slots")
		}
	})
	for _, order := range []booking.VisitOrder{booking.OrderGiven, booking.OrderAny} {
		b.Run(string(order), func(b *testing.B) {
			defer perProcessor(b, &three)()
			for b.Loop() {
				in, slots := availability.VisitInput{Input: asked, Items: visit("", "Mia", "cut", "nails", "perm").Items,
					VisitChoice: booking.VisitChoice{Order: order}}, 0
				for {
					found, err := w.VisitAvailability(b.Context(), w.API, in)
					w.Must(err)
					if slots += len(found.Data); !found.HasMore {
						break
					}
					in.Cursor = *found.NextCursor
				}
				b.ReportMetric(float64(slots), "slots")
			}
		})
	}
	if three > 150 || !needy && three > 6*one {
		b.Errorf("three services take %.1f ms of processor time, and one %.1f", three, one)
	}
}

// perProcessor reports the processor time of an operation in milliseconds, whatever else the machine does, and keeps the
// most there was.
func perProcessor(b *testing.B, most *float64) (done func()) {
	b.Helper()
	spent := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	began := spent()
	return func() {
		ms := float64((spent() - began).Microseconds()) / 1000 / float64(b.N)
		*most = max(*most, ms)
		b.ReportMetric(ms, "cpu-ms/op")
	}
}
