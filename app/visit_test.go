package app_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
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
	found, err := w.People.Contacts(t.Context(), w.Owner, contact.Filter{}, nil, "")
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
	v := w.visited(visit("1T09:00", "Mia", "wash/1", "cut/2", "brow/2"))
	if got, want := itinerary(v), "wash 09:00-09:30 ana, cut 09:30-10:00 bob, brow 10:00-10:30 bob"; got != want {
		t.Fatalf("the visit is %q, want %q", got, want)
	}
	w.roomIs(room, "08:55-09:30 09:30-10:00 10:00-10:40")
	w.margins("ana, who goes", &v.Items[0], 5, 10)
	w.margins("bob, who goes on", &v.Items[1], 5, 0)
	w.margins("bob, at the end", &v.Items[2], 0, 10)
	moved, err := w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T09:30")})
	w.Must(err)
	if got, want := itinerary(moved), "wash 09:30-10:00 ana, cut 10:00-10:30 bob, brow 10:30-11:00 bob"; got != want {
		t.Errorf("the visit is %q, want %q", got, want)
	}
	w.roomIs(room, "09:25-10:00 10:00-10:30 10:30-11:10")
	third := catalog.HostID(3).String()
	moved.Items[1], err = w.Edit(t.Context(), w.API, moved.Items[1].ID.String(), booking.EditInput{Host: &third}, "")
	w.Must(err)
	w.roomIs(room, "09:25-10:00 10:00-10:30 10:30-11:10") // whoever does it, the room goes on
	w.margins("the third host", &moved.Items[1], 5, 10)
	end := moved.Items[2].End.Add(15 * time.Minute).String()
	if _, err := w.Edit(t.Context(), w.API, moved.Items[2].ID.String(), booking.EditInput{End: &end}, ""); err != nil {
		t.Errorf("the last item can't last longer: %v", err)
	}
	end = moved.Items[1].End.Add(5 * time.Minute).String()
	if _, err := w.Edit(t.Context(), w.API, moved.Items[1].ID.String(), booking.EditInput{End: &end}, ""); fault.As(err) == nil {
		t.Errorf("the second item lasts into the third: %v", err)
	}
	w.roomIs(room, "09:25-10:00 10:00-10:30 10:30-11:25")
	_, err = w.Cancel(t.Context(), w.API, moved.Items[1].ID.String(), booking.CancelInput{})
	w.Must(err)
	w.roomIs(room, "09:25-10:00 10:30-11:25") // the two that stay are neighbours now
	_, err = w.Cancel(t.Context(), w.API, moved.Items[2].ID.String(), booking.CancelInput{})
	w.Must(err)
	w.roomIs(room, "09:25-10:10")
	w.nothingShared()
}

// A room that only one of two services needs has its buffers, whoever does the next: somebody airs it.
func TestVisitLeavesARoom(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	w.cut("massage", 2, 60)
	w.cut("cut", 2, 30)
	w.Alter("massage", func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(room), During: catalog.DuringAll}} })
	v := w.visited(visit("1T09:00", "Mia", "massage/1", "cut/1"))
	w.roomIs(room, "08:55-10:10")
	w.margins("ana goes on", &v.Items[0], 5, 0)
	w.margins("with a cut", &v.Items[1], 0, 10)
	_, err := w.BookVisit(t.Context(), w.API, visit("1T10:00", "Bo", "massage/2", "cut/2"))
	w.Refused(err, fault.Conflict, "slot_taken")
	end := v.Items[0].End.Add(5 * time.Minute).String()
	if _, err := w.Edit(t.Context(), w.API, v.Items[0].ID.String(), booking.EditInput{End: &end}, ""); fault.As(err) == nil {
		t.Errorf("it lasts into the next: %v", err)
	}
	notes := "strong"
	if _, err := w.Edit(t.Context(), w.API, v.Items[0].ID.String(), booking.EditInput{Notes: &notes}, ""); err != nil {
		t.Error(err)
	}
	w.roomIs(room, "08:55-10:10")
	held, err := w.Hold(t.Context(), w.API, app.HoldInput{Items: visit("", "Mia", "massage/2", "massage/1", "cut/1").Items,
		Start: apptest.At("1T11:00")})
	w.Must(err)
	w.roomIs(room, "08:55-10:10 10:55-12:00 12:00-13:10")
	in := visit("1T11:00", "Mia", "massage/2", "massage/1", "cut/1")
	in.Hold = held.ID.String()
	w.visited(in)
	w.roomIs(room, "08:55-10:10 10:55-12:00 12:00-13:10")
	w.nothingShared()
}

// What a visit's session takes is the same for all its seats, also where it got seats after it was booked.
func TestVisitOfASession(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	for _, slug := range []string{"class", "wash"} {
		w.cut(slug, 3, 30)
		w.Alter(slug, func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(room), During: catalog.DuringAll}} })
	}
	w.visited(visit("1T09:00", "Mia", "class/1", "wash/2"))
	w.Alter("class", func(e *catalog.EventType) { e.Seats = 3 })
	joins := func(start, person string, host int) {
		t.Helper()
		in := apptest.Input("class", start, person)
		in.Host, in.Override = catalog.HostID(host).String(), []string{"off_grid"}
		_, err := w.Book(t.Context(), w.Owner, in)
		w.Must(err)
	}
	joins("1T09:00", "Bo", 1)
	w.roomIs(room, "08:55-09:30 08:55-09:30 09:30-10:10")
	_, err := w.BookVisit(t.Context(), w.API, visit("2T09:00", "Mia", "wash/1", "class/2"))
	w.Refused(err, fault.Conflict, "slot_taken")
	gap := 60
	in := visit("2T09:00", "Mia", "wash/1", "class/2")
	in.MaxGap = &gap
	v := w.visited(in)
	joins("2T"+v.Items[1].Start.Time().Format("15:04"), "Bo", 2)
	w.spansApart()
}

// Where the bookings of a visit are moved one after the other, each sees those that were moved before it.
func TestVisitMovesPastItself(t *testing.T) {
	w := newWorld(t)
	room, second := w.resource("Room", nil), w.resource("Second room", nil)
	for slug, with := range map[string]func(*catalog.EventType){
		"aa": func(e *catalog.EventType) { e.BufferAfterMinutes, e.Needs = 60, []catalog.Need{{OneOf: oneOf(room)}} },
		"bb": func(e *catalog.EventType) { e.DurationMinutes = 15 },
		"cc": func(e *catalog.EventType) {
			e.BufferBeforeMinutes, e.Needs = 20, []catalog.Need{{OneOf: oneOf(room, second)}}
		},
		"dd": func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(second)}} },
		"ee": func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(second)}} },
	} {
		w.offer(slug, 3, func(e *catalog.EventType) {
			e.DurationMinutes, e.SlotStepMinutes = 30, 5
			with(e)
			for i := range e.Needs {
				e.Needs[i].During = catalog.DuringAll
			}
		})
	}
	in := visit("", "Mia", "aa/1@1T09:00", "bb/2@1T09:30", "cc/3@1T10:50")
	v := w.visited(in)
	if v.Items[2].Resources[0].ID != room {
		t.Fatalf("the last is in %+v: the test shows nothing", v.Items[2].Resources)
	}
	moved, err := w.MoveVisit(t.Context(), w.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T10:10")})
	w.Must(err)
	if moved.Items[2].Resources[0].ID != second {
		t.Errorf("the last moves to %s in %+v", moved.Items[2].Start, moved.Items[2].Resources)
	}
	w.spansApart()
}

// roomIs wants the room to be taken then, with buffers.
func (w *world) roomIs(room catalog.ResourceID, want string) {
	w.T.Helper()
	day, err := when.ParseISO(apptest.At("1T00:00"))
	w.Must(err)
	busy, err := w.Store.Reader(w.T.Context()).OccupiedThings([]catalog.Subject{catalog.OfResource(room)}, day, day.Add(24*time.Hour), when.At(w.Clock.Now()))
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
	w.roomIs(room, "09:25-10:00 10:00-10:40")
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
