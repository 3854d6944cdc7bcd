package app_test

import (
	"cmp"
	"errors"
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

// cut adds a service of the first n hosts, every half hour, with buffers of five and ten minutes.
func (w *world) cut(slug string, n, minutes int) {
	w.offer(slug, n, func(e *catalog.EventType) {
		e.DurationMinutes, e.SlotStepMinutes, e.BufferBeforeMinutes, e.BufferAfterMinutes = minutes, 30, 5, 10
	})
}

// visit is the input of a visit of these services: "cut", or "cut/2" with the second host, or "cut/2@1T09:30".
func visit(start, person string, services ...string) booking.VisitInput {
	in := booking.VisitInput{Invitee: apptest.Input("", "", person).Invitee}
	if start != "" {
		in.Start = apptest.At(start)
	}
	for _, s := range services {
		s, at, _ := strings.Cut(s, "@")
		slug, host, _ := strings.Cut(s, "/")
		item := booking.VisitItem{EventType: slug}
		if at != "" {
			item.Start = apptest.At(at)
		}
		if host != "" {
			item.Host = catalog.HostID(host[0] - '0').String()
		}
		in.Items = append(in.Items, item)
	}
	return in
}

// itinerary writes the bookings of a visit: "colour 09:00-11:00 ana".
func itinerary(v booking.Visit) string {
	var all []string
	for _, b := range v.Items {
		all = append(all, fmt.Sprintf("%s %s-%s %s", b.EventType, b.Start.Time().Format("15:04"), b.End.Time().Format("15:04"),
			b.Host.Name))
	}
	return strings.Join(all, ", ")
}

func (w *world) visited(in booking.VisitInput) booking.Visit {
	w.T.Helper()
	v, err := w.BookVisit(w.T.Context(), w.API, in)
	w.Must(err)
	return v
}

// A visit is booked as a whole: one after the other without a wait, each a booking that knows the others; without a
// buffer where the same host goes on.
func TestVisit(t *testing.T) {
	w := newWorld(t)
	w.colour(func(e *catalog.EventType) { e.BufferAfterMinutes = 10 })
	w.cut("cut", 2, 30)
	v := w.visited(visit("1T09:00", "Mia", "colour", "cut/1"))
	if got, want := itinerary(v), "colour 09:00-11:00 ana, cut 11:00-11:30 ana"; got != want {
		t.Fatalf("the visit is %q, want %q", got, want)
	}
	if v.Start != v.Items[0].Start || v.End != v.Items[1].End || v.Items[0].ContactID != v.Items[1].ContactID {
		t.Errorf("the visit is %+v", v)
	}
	if v.Items[0].HostNamed || !v.Items[1].HostNamed {
		t.Errorf("hosts are named: %v, %v", v.Items[0].HostNamed, v.Items[1].HostNamed)
	}
	read, err := w.Visit(t.Context(), w.API, v.ID.String())
	w.Must(err)
	for i, b := range read.Items {
		if b.Visit == nil || b.Visit.ID != v.ID || b.Visit.Position != i+1 || b.Visit.Of != 2 || b.Visit.Bookings[1-i] != read.Items[1-i].ID {
			t.Errorf("item %d says %+v of its visit", i+1, b.Visit)
		}
	}
	if kinds := w.EventKinds(); !slices.Equal(kinds[len(kinds)-2:], []catalog.EventKind{catalog.BookingCreated, catalog.BookingCreated}) {
		t.Errorf("its events are %v", kinds)
	}
	first, second := read.Items[0], read.Items[1]
	if first.BusyEnd != first.End || second.BusyStart != second.Start || second.BusyEnd != second.End.Add(10*time.Minute) {
		t.Errorf("they take the host until %s, and from %s to %s", first.BusyEnd, second.BusyStart, second.BusyEnd)
	}
	other := w.visited(visit("1T12:00", "Bo", "cut/1", "cut/2"))
	if a, b := other.Items[0], other.Items[1]; a.BusyEnd != a.End.Add(10*time.Minute) || b.BusyStart != b.Start.Add(-5*time.Minute) {
		t.Errorf("with two hosts each keeps its buffers: until %s, from %s", a.BusyEnd, b.BusyStart)
	}
	_, err = w.BookVisit(t.Context(), w.API, visit("1T09:00", "Cy", "colour", "cut/1"))
	e := w.Refused(err, fault.Conflict, "slot_taken")
	if next, _ := e.Details["alternatives"].([]availability.Slot); len(next) == 0 || len(next[0].Items) != 2 {
		t.Errorf("the alternatives are %v", e.Details["alternatives"])
	}
	w.nobodyTwice()
}

// If one item can't be booked, none is, and nobody is made a contact.
func TestVisitIsAllOrNothing(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	w.cut("nails", 2, 60)
	w.Booked("cut", "1T09:30", "Bo") // ana
	before := len(w.EventKinds())
	for _, in := range []booking.VisitInput{
		visit("", "Mia", "nails/2@1T08:30", "cut/1@1T09:30"),
		visit("1T08:30", "Mia", "nails/2", "cut/1"),
	} {
		_, err := w.BookVisit(t.Context(), w.API, in)
		w.Refused(err, fault.Conflict, "slot_taken")
	}
	if got := len(w.EventKinds()); got != before {
		t.Errorf("%d events of a visit that was refused", got-before)
	}
	found, err := w.People.Contacts(t.Context(), w.Owner, "", nil, "")
	w.Must(err)
	if len(found.Data) != 1 {
		t.Errorf("there are %d contacts", len(found.Data))
	}
	for _, wrong := range []struct {
		in    booking.VisitInput
		about string
	}{
		{visit("1T09:00", "Mia"), "items"},
		{visit("1T09:00", "Mia", "cut", "cut", "cut", "cut", "cut", "cut", "cut"), "items"},
		{visit("1T09:00", "Mia", "cut@1T10:00"), "items[0].start"},
		{visit("", "Mia", "cut/1@1T10:30", "cut/1@1T15:15"), "items[1].start"},
		{visit("", "Mia", "cut/1@1T11:00", "nails/2@1T11:10"), ""},
	} {
		_, err := w.BookVisit(t.Context(), w.API, wrong.in)
		if e := fault.As(err); e == nil || e.Field != wrong.about || e.Code != fault.BadRequest && e.Reason != "visit_overlap" {
			t.Errorf("%v: %v", wrong.in.Items, err)
		}
	}
}

// A visit moves and ends as a whole; an item that is moved alone may not meet its siblings, and gets its own buffers.
func TestVisitMovesAsOne(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	w.cut("cut", 2, 30)
	v := w.visited(visit("1T09:00", "Mia", "colour", "cut/1"))
	moved, err := w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T10:00")})
	w.Must(err)
	if got, want := itinerary(moved), "colour 10:00-12:00 ana, cut 12:00-12:30 ana"; got != want {
		t.Errorf("the visit is %q, want %q", got, want)
	}
	w.Booked("trim", "1T09:00", "Bo") // before it, and in its wait
	w.Booked("trim", "1T10:45", "Cy")
	events := len(w.EventKinds())
	if _, err = w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T09:00")}); fault.As(err) == nil ||
		fault.As(err).Reason != "slot_taken" {
		t.Errorf("moved onto another: %v", err)
	}
	same, err := w.Visit(t.Context(), w.API, v.ID.String())
	w.Must(err)
	if itinerary(same) != itinerary(moved) || len(w.EventKinds()) != events {
		t.Errorf("a refused move has left %q", itinerary(same))
	}
	cut := moved.Items[1].ID.String()
	_, err = w.Reschedule(t.Context(), w.API, cut, booking.RescheduleInput{Start: apptest.At("1T11:00"), Host: catalog.HostID(2).String()})
	if e := w.Refused(err, fault.Conflict, "visit_overlap"); e.Details["bookingId"] != moved.Items[0].ID {
		t.Errorf("it meets %v", e.Details)
	}
	b, err := w.Reschedule(t.Context(), w.API, cut, booking.RescheduleInput{Start: apptest.At("1T14:00")})
	w.Must(err)
	if b.BusyStart != b.Start.Add(-5*time.Minute) {
		t.Errorf("moved alone it takes its host from %s", b.BusyStart)
	}
	ended, err := w.CancelVisit(t.Context(), w.API, v.ID.String(), booking.CancelInput{Reason: "ill"})
	w.Must(err)
	for _, b := range ended.Items {
		if b.Status != booking.Cancelled || b.Cancellation.Reason != "ill" {
			t.Errorf("%s is %s", b.EventType, b.Status)
		}
	}
	if again, err := w.CancelVisit(t.Context(), w.API, v.ID.String(), booking.CancelInput{}); err != nil || itinerary(again) != itinerary(ended) {
		t.Errorf("cancelled again: %v", err)
	}
	_, err = w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T09:00")})
	w.Refused(err, fault.Conflict, "wrong_state")
	w.nobodyTwice()
}

// A room that several services of a visit need is never taken twice, whatever is moved or edited later: with its
// buffers it leaves time between two hosts, and none where one host goes on.
func TestVisitInOneRoom(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	for _, slug := range []string{"wash", "cut", "brow"} {
		w.cut(slug, 3, 30)
		w.Alter(slug, func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(room), During: catalog.DuringAll}} })
	}
	_, err := w.BookVisit(t.Context(), w.API, visit("1T09:00", "Mia", "wash/1", "cut/2"))
	w.Refused(err, fault.Conflict, "slot_taken")
	gap := 60
	in := visit("1T09:00", "Mia", "wash/1", "cut/2", "brow/2")
	in.MaxGap = &gap
	v := w.visited(in)
	if got, want := itinerary(v), "wash 09:00-09:30 ana, cut 09:45-10:15 bob, brow 10:15-10:45 bob"; got != want {
		t.Fatalf("the visit is %q, want %q", got, want)
	}
	w.roomIs(room, "08:55-09:40 09:40-10:15 10:15-10:55")
	moved, err := w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T09:30")})
	w.Must(err)
	if got, want := itinerary(moved), "wash 09:30-10:00 ana, cut 10:15-10:45 bob, brow 10:45-11:15 bob"; got != want {
		t.Errorf("the visit is %q, want %q", got, want)
	}
	w.roomIs(room, "09:25-10:10 10:10-10:45 10:45-11:25")
	third := catalog.HostID(3).String()
	if _, err := w.Edit(t.Context(), w.API, moved.Items[1].ID.String(), booking.EditInput{Host: &third}, ""); fault.As(err) == nil {
		t.Errorf("another host has the room until the next item: %v", err)
	}
	end := moved.Items[2].End.Add(15 * time.Minute).String()
	if _, err := w.Edit(t.Context(), w.API, moved.Items[2].ID.String(), booking.EditInput{End: &end}, ""); err != nil {
		t.Errorf("the last item can't last longer: %v", err)
	}
	end = moved.Items[1].End.Add(5 * time.Minute).String()
	if _, err := w.Edit(t.Context(), w.API, moved.Items[1].ID.String(), booking.EditInput{End: &end}, ""); fault.As(err) == nil {
		t.Errorf("the second item lasts into the third: %v", err)
	}
	w.roomIs(room, "09:25-10:10 10:10-10:45 10:45-11:40")
}

// roomIs wants the room to be taken then, with buffers.
func (w *world) roomIs(room catalog.ResourceID, want string) {
	w.T.Helper()
	day, err := when.ParseISO(apptest.At("1T00:00"))
	w.Must(err)
	busy, err := w.Store.Reader(w.T.Context()).OccupiedResources([]catalog.ResourceID{room}, day, day.Add(24*time.Hour), 0)
	w.Must(err)
	var spans []string
	slices.SortFunc(busy[0], func(a, b booking.Occupation) int { return cmp.Compare(a.Start, b.Start) })
	for _, o := range busy[0] {
		spans = append(spans, when.Instant(o.Occupied.Start).Time().Format("15:04")+"-"+when.Instant(o.Occupied.End).Time().Format("15:04"))
	}
	if got := strings.Join(spans, " "); got != want {
		w.T.Errorf("the room is taken %s, want %s", got, want)
	}
}

// A visit of which one item was moved before another keeps that order when it moves as a whole, within times that it had
// itself.
func TestVisitMovesInTheOrderOfNow(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	for _, slug := range []string{"cut", "nails"} {
		w.cut(slug, 2, 30)
		w.Alter(slug, func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(room), During: catalog.DuringAll}} })
	}
	gap := 60
	in := visit("1T10:00", "Mia", "cut/1", "nails/2")
	in.MaxGap = &gap
	v := w.visited(in)
	_, err := w.Reschedule(t.Context(), w.API, v.Items[1].ID.String(), booking.RescheduleInput{Start: apptest.At("1T09:00")})
	w.Must(err)
	w.roomIs(room, "08:55-09:40 09:55-10:40")
	_, err = w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T09:30")})
	w.Must(err)
	w.roomIs(room, "09:25-10:10 10:10-10:55")
}

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
		t.Run(fmt.Sprintf("%s %d", c.order, c.seed), func(t *testing.T) { exactVisits(t, c) })
	}
}

func exactVisits(t *testing.T, c exactCase) {
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
	total, lain := 0, 0
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
	if len(want) == 0 || c.fills && lain == 0 {
		t.Error("nothing could be booked: the test shows nothing")
	}
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

// Sixty-four who want two hosts and a room in opposite orders, on two servers: nobody is in two places.
func TestContestOfVisits(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	w.colour(func(e *catalog.EventType) { e.SlotStepMinutes = 15 })
	w.cut("cut", 2, 30)
	w.Alter("cut", func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(room), During: catalog.DuringAll}} })
	errs := w.contestOf(64, func(at *apptest.Salon, i int) error {
		services := [][]string{{"colour", "cut"}, {"cut", "colour"}, {"cut/1", "cut/2"}, {"cut/2", "cut/1"}}[i%4]
		_, err := at.BookVisit(t.Context(), at.API, visit(fmt.Sprintf("1T%02d:%02d", 9+i%5, i%2*30), fmt.Sprintf("p%d", i), services...))
		return err
	})
	if done, _ := w.tally(errs, "slot_taken"); done < 2 {
		t.Errorf("only %d of 64 were booked", done)
	}
	w.nobodyTwice()
	live, err := w.Store.Reader(t.Context()).Bookings(w.Workspace.ID, booking.BookingFilter{Limit: 1000, Statuses: []booking.Status{booking.Confirmed}})
	w.Must(err)
	visits := map[booking.VisitID]int{}
	for _, b := range live {
		visits[b.Visit.ID]++
	}
	for v, n := range visits {
		if n != 2 {
			t.Errorf("%s has %d bookings", v, n)
		}
	}
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

// A no-show is marked of all of a visit that has begun, or of nothing.
func TestVisitNoShow(t *testing.T) {
	w := newWorld(t)
	w.cut("colour", 2, 90)
	w.cut("cut", 2, 60)
	v := w.visited(visit("1T09:00", "mia", "colour", "cut"))
	miss := func(want, reason string) {
		t.Helper()
		now, err := w.MarkVisitNoShow(t.Context(), w.API, v.ID.String(), "")
		if reason != "" {
			if e := fault.As(err); e == nil || e.Reason != reason {
				t.Fatalf("%v, want %s", err, reason)
			}
			now, err = w.Visit(t.Context(), w.API, v.ID.String())
		}
		w.Must(err)
		if got := statuses(now); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	miss("confirmed confirmed", "wrong_state")
	w.Clock.Set(v.Items[0].Start.Time().Add(time.Minute))
	miss("no_show confirmed", "")
	miss("no_show confirmed", "wrong_state")
	_, err := w.UndoMark(t.Context(), w.API, v.Items[0].ID.String(), "")
	w.Must(err)
	w.Clock.Set(v.Items[1].Start.Time().Add(time.Minute))
	_, err = w.MarkArrived(t.Context(), w.API, v.Items[1].ID.String())
	w.Must(err)
	miss("confirmed confirmed", "has_come")
	_, err = w.UndoMark(t.Context(), w.API, v.Items[1].ID.String(), "")
	w.Must(err)
	miss("no_show no_show", "")
	miss("no_show no_show", "wrong_state")
	h := w.historyOf(v.Items[0].ID)
	if last := h[len(h)-1]; last.Action != booking.ActNoShow || !last.WithVisit {
		t.Errorf("the history ends with %+v", last)
	}
}

// historyOf is the history of a booking.
func (w *world) historyOf(b booking.BookingID) []booking.HistoryEntry {
	w.T.Helper()
	h, err := w.History(w.T.Context(), w.Owner, b.String())
	w.Must(err)
	return h
}

func statuses(v booking.Visit) string {
	var all []string
	for i := range v.Items {
		all = append(all, string(v.Items[i].Status))
	}
	return strings.Join(all, " ")
}

// Whoever changes a visit as they know it is refused once one of its bookings has changed.
func TestVisitIfMatch(t *testing.T) {
	w := newWorld(t)
	w.cut("colour", 2, 90)
	w.cut("cut", 2, 60)
	v := w.visited(visit("1T09:00", "mia", "colour", "cut"))
	old := v.ETag()
	v, err := w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T10:00"), Match: old})
	w.Must(err)
	moved := v.ETag()
	if moved == old {
		t.Fatal("a move leaves the version as it was")
	}
	note := "beach"
	_, err = w.Edit(t.Context(), w.API, v.Items[1].ID.String(), booking.EditInput{InternalNote: &note}, "")
	w.Must(err)
	for name, do := range map[string]func(match string) error{
		"move": func(match string) error {
			_, err := w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T12:00"), Match: match})
			return err
		},
		"miss": func(match string) error {
			_, err := w.MarkVisitNoShow(t.Context(), w.API, v.ID.String(), match)
			return err
		},
		"cancel": func(match string) error {
			_, err := w.CancelVisit(t.Context(), w.API, v.ID.String(), app.CancelInput{Match: match})
			return err
		},
	} {
		if err := do(moved); !fault.Is(err, fault.PreconditionFailed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	now, err := w.Visit(t.Context(), w.API, v.ID.String())
	w.Must(err)
	if statuses(now) != "rescheduled rescheduled" || now.Start != v.Start {
		t.Errorf("it is %s at %s", statuses(now), now.Start)
	}
	_, err = w.CancelVisit(t.Context(), w.API, v.ID.String(), app.CancelInput{Match: now.ETag()})
	w.Must(err)
}
