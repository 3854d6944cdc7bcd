package app_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// margins wants the booking to keep these minutes free before and after it.
func (w *world) margins(what string, b *booking.Booking, before, after int) {
	w.T.Helper()
	now, err := w.Booking(w.T.Context(), w.API, b.ID.String())
	w.Must(err)
	if now.BusyStart != now.Start.Add(-time.Duration(before)*time.Minute) || now.BusyEnd != now.End.Add(time.Duration(after)*time.Minute) {
		w.T.Errorf("%s: %s to %s takes its host %s to %s, want %d and %d minutes more", what, now.Start, now.End, now.BusyStart,
			now.BusyEnd, before, after)
	}
	if now.UpdatedAt != b.UpdatedAt {
		w.T.Errorf("%s: it says that it was changed", what)
	}
}

// An item that leaves its visit gives those beside it their buffers back, where that time is free.
func TestVisitGivesBuffersBack(t *testing.T) {
	w := newWorld(t)
	w.colour(func(e *catalog.EventType) { e.BufferBeforeMinutes, e.BufferAfterMinutes = 5, 10 })
	w.cut("cut", 2, 30)
	w.cut("trim2", 2, 15)
	cancel := func(b *booking.Booking) {
		t.Helper()
		_, err := w.Cancel(t.Context(), w.API, b.ID.String(), booking.CancelInput{})
		w.Must(err)
	}
	v := w.visited(visit("1T09:00", "Mia", "cut/1", "colour/1", "cut/1")).Items
	w.margins("the first of three", &v[0], 5, 0)
	cancel(&v[1])
	w.margins("the first, with the last", &v[0], 5, 0)
	w.margins("the last, with the first", &v[2], 0, 10)
	cancel(&v[0])
	w.margins("the last alone", &v[2], 5, 10)

	v = w.visited(visit("2T09:00", "Mia", "colour/1", "cut/1")).Items
	moved, err := w.Reschedule(t.Context(), w.API, v[1].ID.String(), booking.RescheduleInput{Start: apptest.At("2T14:00")})
	w.Must(err)
	w.margins("a colour whose cut has moved", &v[0], 5, 10)
	w.margins("the cut", &moved, 5, 10)
	v[0], err = w.Reschedule(t.Context(), w.API, v[0].ID.String(), booking.RescheduleInput{Start: apptest.At("2T11:00")})
	w.Must(err)
	w.margins("the cut, hours after the colour", &moved, 5, 10)
	w.margins("the colour", &v[0], 5, 10)

	// What somebody else has stays theirs, whoever has waived a buffer for it goes on without, and a mark moves nobody.
	gap := 60
	in := visit("3T09:00", "Mia", "cut/1", "cut/1@3T10:00")
	in.Start, in.MaxGap, in.Items[0].Start = "", &gap, apptest.At("3T09:00")
	v = w.visited(in).Items
	between := apptest.Input("trim2", "3T09:35", "Bo")
	between.Host, between.Override = catalog.HostID(1).String(), []string{"buffer", "off_grid"}
	bo, err := w.Book(t.Context(), w.Owner, between)
	w.Must(err)
	w.margins("between them", &bo, 0, 0)
	cancel(&v[1])
	w.margins("the first beside another", &v[0], 5, 0)
	w.margins("the other", &bo, 0, 0)
	w.nobodyTwice()
}

// Who stays beside another gets the buffers back of what that other doesn't have, whatever those after it have.
func TestVisitGivesARoomBack(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	for _, slug := range []string{"aa", "bb", "dd"} {
		w.cut(slug, 2, 30)
		w.Alter(slug, func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(room), During: catalog.DuringAll}} })
	}
	w.cut("cc", 2, 30)
	v := w.visited(visit("1T09:00", "Mia", "aa/1", "bb/1", "cc/2", "dd/2"))
	w.roomIs(room, "08:55-09:30 09:30-10:10 10:25-11:10")
	_, err := w.Cancel(t.Context(), w.API, v.Items[1].ID.String(), booking.CancelInput{})
	w.Must(err)
	w.roomIs(room, "08:55-09:40 10:25-11:10")
}

// A booking that gets another service where it is gives those beside it the buffers back of what it doesn't take any more.
func TestVisitGivesBackWhatAnotherServiceLeaves(t *testing.T) {
	w := newWorld(t)
	room := w.resource("Room", nil)
	for _, slug := range []string{"aa", "bb"} {
		w.cut(slug, 2, 30)
		w.Alter(slug, func(e *catalog.EventType) { e.Needs = []catalog.Need{{OneOf: oneOf(room), During: catalog.DuringAll}} })
	}
	w.cut("cc", 2, 30)
	v := w.visited(visit("1T09:00", "Mia", "aa/1", "bb/1"))
	w.roomIs(room, "08:55-09:30 09:30-10:10")
	other := "cc"
	_, err := w.Edit(t.Context(), w.Owner, v.Items[1].ID.String(), booking.EditInput{EventType: &other}, "")
	w.Must(err)
	w.roomIs(room, "08:55-09:40")
	w.margins("the first, whose host goes on", &v.Items[0], 5, 0)
}

// A booking that another host gets where it is has no buffer beside what that host does next to it, and neither has that.
func TestVisitIsJoinedWhereItIs(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	bob, ana := catalog.HostID(2).String(), catalog.HostID(1).String()
	v := w.visited(visit("1T09:00", "Mia", "cut/1", "cut/2", "cut/1")).Items
	w.margins("the first", &v[0], 5, 10)
	_, err := w.Reschedule(t.Context(), w.API, v[1].ID.String(), booking.RescheduleInput{Start: v[1].Start.String(), Host: ana})
	w.Must(err)
	w.margins("the first, whose host goes on", &v[0], 5, 0)
	w.margins("the last, whose host came from there", &v[2], 0, 10)
	_, err = w.Edit(t.Context(), w.Owner, v[1].ID.String(), booking.EditInput{Host: &bob}, "")
	w.Must(err)
	w.margins("the first, whose host goes on no more", &v[0], 5, 10)
	w.margins("the last again", &v[2], 5, 10)
	w.nobodyTwice()
}

// A booking that becomes shorter where it is stays a neighbour: whose host goes on after a gap has no buffer in it.
func TestVisitStaysJoinedAfterAGap(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	w.cut("brow", 2, 15)
	v := w.visited(visit("1T09:00", "Mia", "cut/2", "cut/1", "cut/1")).Items
	brow := "brow"
	_, err := w.Edit(t.Context(), w.Owner, v[1].ID.String(), booking.EditInput{EventType: &brow}, "")
	w.Must(err)
	w.margins("the last, whose host did the shorter one", &v[2], 0, 10)
	end := v[1].Start.Add(10 * time.Minute).String()
	_, err = w.Edit(t.Context(), w.Owner, v[1].ID.String(), booking.EditInput{End: &end}, "")
	w.Must(err)
	w.margins("the last, whose host ended sooner", &v[2], 0, 10)
	w.nobodyTwice()
}

// A refusal of another host where the booking is names only others who could take it: what somebody keeps free depends
// on whether they do what comes before.
func TestOtherHostsOfAPlaceInAVisit(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 3, 30)
	w.offer("brow", 3, func(e *catalog.EventType) { e.DurationMinutes, e.SlotStepMinutes = 10, 10 })
	v := w.visited(visit("1T09:00", "Mia", "cut/2", "cut/1")).Items
	for host, start := range map[int]string{2: "1T09:40", 3: "1T09:20"} {
		in := apptest.Input("brow", start, "Bo")
		in.Host = catalog.HostID(host).String()
		_, err := w.Book(t.Context(), w.API, in)
		w.Must(err)
	}
	bob := catalog.HostID(2).String()
	_, err := w.Reschedule(t.Context(), w.API, v[1].ID.String(), booking.RescheduleInput{Start: v[1].Start.String(), Host: bob})
	refused := fault.As(err)
	if refused == nil || refused.Reason != "slot_taken" {
		t.Fatalf("%v", err)
	}
	var named []string
	for _, h := range refused.Details["otherHosts"].([]catalog.HostRef) {
		named = append(named, h.Name)
	}
	if got := strings.Join(named, " "); got != "ana" {
		t.Errorf("named are %q", got)
	}
}
