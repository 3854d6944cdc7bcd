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
}

// visitsFor is how long TestVisitSearchIsExact goes on with salons made up by chance.
var visitsFor = flag.Duration("visits", 0, "compare the search of visits in salons by chance for this long")

// Everything that is offered can be booked as it is shown, and everything that could be booked is offered, with the end
// that comes first: against all arrangements tried one by one.
func TestVisitSearchIsExact(t *testing.T) {
	for _, c := range []exactCase{
		{booking.OrderGiven, 0, "colour cut nails", false, false},
		{booking.OrderGiven, 1, "colour cut nails", false, false},
		{booking.OrderAny, 2, "colour cut nails", false, false},
		{booking.OrderGiven, 3, "nails colour cut", true, false},
		{booking.OrderGiven, 10, "colour cut nails", true, false},
		{booking.OrderAny, 5, "cut nails colour", true, false},
		{booking.OrderGiven, 11, "cut nails colour", false, true},
		{booking.OrderAny, 7, "colour cut nails", false, true},
		{booking.OrderAny, 8, "colour cut nails", true, true},
	} {
		t.Run(fmt.Sprintf("%s %d", c.order, c.seed), func(t *testing.T) {
			if starts, lain := exactVisits(t, c); starts == 0 || c.fills && lain == 0 {
				t.Error("nothing could be booked: the test shows nothing")
			}
		})
	}
	all, nothing := 0, 0
	for began := time.Now(); time.Since(began) < *visitsFor && !t.Failed(); all++ {
		services := []string{"colour", "cut", "nails"}
		rand.Shuffle(3, func(i, j int) { services[i], services[j] = services[j], services[i] })
		c := exactCase{[]booking.VisitOrder{booking.OrderGiven, booking.OrderAny}[rand.IntN(2)], rand.Uint64(),
			strings.Join(services, " "), rand.IntN(2) == 0, rand.IntN(2) == 0}
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
	})
	w.Alter("colour", func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(room), During: catalog.DuringAll}} })
	for i := range 9 { // whatever fits
		in := apptest.Input([]string{"cut", "nails", "trim"}[r.IntN(3)], fmt.Sprintf("1T%02d:%02d", 8+r.IntN(8), r.IntN(4)*15), fmt.Sprintf("p%d", i))
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
				err = undo
			}
			return err
		})
		if err != undo && fault.As(err) == nil {
			t.Fatal(err)
		}
		return v, err == undo
	}
	want := map[when.Instant]when.Instant{}
	day, err := when.ParseISO(apptest.At("1T08:00"))
	w.Must(err)
	services := strings.Fields(c.services)
	total := 0
	for _, s := range services {
		total += minutes[s]
	}
	// all books the services one after the other with all hosts, until that ends sooner than what is known of the start.
	all := func(at when.Instant, services []string, length int, also func(in booking.VisitInput, colour when.Instant, try func(booking.VisitInput))) {
		for _, these := range c.orders(services) {
			for _, hosts := range hostsOf(these) {
				if want[at] != 0 && want[at] <= at.Add(time.Duration(length)*time.Minute) {
					return
				}
				in, start, colour := visit("", "Mia"), at, at
				for i, s := range these {
					in.Items = append(in.Items, booking.VisitItem{EventType: s, Host: hosts[i], Start: start.String()})
					if s == "colour" {
						colour = start
					}
					start = start.Add(time.Duration(minutes[s]) * time.Minute)
				}
				if v, ok := try(in); ok {
					also(in, colour, func(in booking.VisitInput) {
						if v, ok = try(in); ok && (want[at] == 0 || v.End < want[at]) {
							want[at] = v.End
						}
					})
				}
			}
		}
	}
	for at := day; at < day.Add(c.hours()); at = at.Add(10 * time.Minute) {
		if c.fills {
			others := slices.DeleteFunc(slices.Clone(services), func(s string) bool { return s == "nails" })
			all(at, others, total-30, func(in booking.VisitInput, colour when.Instant, try func(booking.VisitInput)) {
				for _, hosts := range hostsOf([]string{"nails"}) {
					for minute := 45; minute <= 55 && want[at] == 0; minute++ {
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
		all(at, services, total, func(in booking.VisitInput, _ when.Instant, try func(booking.VisitInput)) { try(in) })
	}
	in := availability.VisitInput{Input: availability.Input{From: day.String(), To: day.Add(c.hours()).String()},
		Items: visit("", "Mia", services...).Items, VisitChoice: booking.VisitChoice{Order: c.order}}
	found, err := w.VisitAvailability(t.Context(), w.API, in)
	w.Must(err)
	t.Logf("%d starts, %d in a wait", len(found.Data), lain)
	starts = len(want)
	for _, s := range found.Data {
		if want[s.Start] != s.End {
			t.Errorf("%s is offered until %s, want %s", s.Start, s.End, want[s.Start])
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
		plain := visit("", "Mia", services...)
		plain.Start, plain.Order = s.Start.String(), c.order
		if v, ok := try(plain); !ok || v.Start != s.Start || v.End != s.End {
			t.Errorf("%s can't be booked without an arrangement, or ends at %s, not %s", s.Start, v.End, s.End)
		}
	}
	for start := range want {
		t.Errorf("%s could be booked and isn't offered", start)
	}
	return starts, lain
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
// such as have parts, a room and a second person.
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
	b.Run("one", func(b *testing.B) {
		defer perProcessor(b)()
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
			defer perProcessor(b)()
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
}

// perProcessor reports the processor time of an operation, whatever else the machine does.
func perProcessor(b *testing.B) (done func()) {
	b.Helper()
	spent := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	began := spent()
	return func() { b.ReportMetric(float64((spent()-began).Microseconds())/1000/float64(b.N), "cpu-ms/op") }
}
