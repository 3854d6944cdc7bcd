package app_test

import (
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// holdOf is the input of a hold of a visit.
func holdOf(in booking.VisitInput) app.HoldInput {
	return app.HoldInput{Items: in.Items, Start: in.Start, VisitChoice: in.VisitChoice}
}

// A visit is held as one, with each of its hosts, and booked as it was held; what the hold keeps is free again after it.
func TestVisitIsHeld(t *testing.T) {
	w := newWorld(t)
	w.colour(nil)
	w.cut("cut", 2, 30)
	hold := func(in booking.VisitInput) app.Hold {
		t.Helper()
		h, err := w.Hold(t.Context(), w.API, holdOf(in))
		w.Must(err)
		return h
	}
	book := func(h app.Hold, in booking.VisitInput) (booking.Visit, error) {
		in.Hold = h.ID.String()
		return w.BookVisit(t.Context(), w.API, in)
	}
	h := hold(visit("1T09:00", "", "colour", "cut/2"))
	if len(h.Items) != 2 || h.Items[1].Host != 2 || h.Items[1].Start != h.Items[0].End || h.End != h.Items[1].End || h.EventType != "colour" {
		t.Fatalf("the hold is %+v", h)
	}
	_, err := w.Hold(t.Context(), w.API, holdOf(visit("1T09:00", "", "colour", "cut/2")))
	w.Refused(err, fault.Conflict, "slot_taken")
	_, err = w.Book(t.Context(), w.API, withHost(apptest.Input("cut", "1T11:00", "Bo"), 2))
	w.Refused(err, fault.Conflict, "slot_taken")

	for _, in := range []booking.VisitInput{
		visit("1T09:30", "Mia", "colour", "cut/2"),
		visit("1T09:00", "Mia", "colour", "cut/1"),
		visit("1T09:00", "Mia", "cut/2"),
		visit("1T09:00", "Mia", "cut", "cut/2"),
	} {
		_, err := book(h, in)
		w.Refused(err, fault.BadRequest, "invalid")
	}
	late := visit("", "Mia", "colour/1@1T09:00", "cut/2@1T11:00")
	late.Items[1].End = apptest.At("1T12:00")
	_, err = book(h, late)
	w.Refused(err, fault.BadRequest, "invalid")
	single := apptest.Input("colour", "1T09:00", "Mia")
	single.Hold = h.ID.String()
	_, err = w.Book(t.Context(), w.API, single)
	w.Refused(err, fault.BadRequest, "invalid")

	v, err := book(h, visit("1T09:00", "Mia", "colour", "cut/2"))
	w.Must(err)
	if got, want := itinerary(v), "colour 09:00-11:00 ana, cut 11:00-11:30 bob"; got != want {
		t.Errorf("the visit is %q, want %q", got, want)
	}
	if v.Items[0].HostNamed || !v.Items[1].HostNamed {
		t.Errorf("hosts are named: %v, %v", v.Items[0].HostNamed, v.Items[1].HostNamed)
	}
	_, err = book(h, visit("1T09:00", "Mia", "colour", "cut/2"))
	w.Refused(err, fault.Conflict, "already_booked")
	_, err = book(h, visit("1T09:00", "Bo", "colour", "cut/2"))
	w.Refused(err, fault.Conflict, "hold_expired")

	// As it was shown: the items with their own starts, in whichever order; and the one service of two that names its host.
	h = hold(visit("", "", "cut/1@2T10:00", "cut/2@2T10:30"))
	v, err = book(h, visit("", "Ina", "cut/2@2T10:30", "cut/1@2T10:00"))
	w.Must(err)
	if got, want := itinerary(v), "cut 10:00-10:30 ana, cut 10:30-11:00 bob"; got != want {
		t.Errorf("the visit is %q, want %q", got, want)
	}
	h = hold(visit("2T13:00", "", "cut/1", "cut/2"))
	v, err = book(h, visit("2T13:00", "Una", "cut", "cut/1"))
	w.Must(err)
	if got, want := itinerary(v), "cut 13:00-13:30 ana, cut 13:30-14:00 bob"; got != want {
		t.Errorf("the visit is %q, want %q", got, want)
	}

	// Released and expired: nothing of it is left.
	h = hold(visit("3T09:00", "", "colour", "cut/2"))
	w.Must(w.ReleaseHold(t.Context(), w.API, h.ID.String()))
	h = hold(visit("3T09:00", "", "colour", "cut/2"))
	w.Clock.Advance(app.DefaultHoldMinutes * time.Minute)
	_, err = book(h, visit("3T09:00", "Mia", "colour", "cut/2"))
	w.Refused(err, fault.Conflict, "hold_expired")
	w.visited(visit("3T09:00", "Mia", "colour", "cut/2"))
	w.nobodyTwice()
}

func withHost(in booking.BookInput, host catalog.HostID) booking.BookInput {
	in.Host = host.String()
	return in
}

// What no hold of a visit may have is refused with the field, and nothing is held.
func TestVisitHoldsThatAreRefused(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	ok := holdOf(visit("1T09:00", "", "cut/1", "cut/2"))
	for field, change := range map[string]func(*app.HoldInput){
		"eventType": func(in *app.HoldInput) { in.EventType = "cut" },
		"host":      func(in *app.HoldInput) { in.Host = catalog.HostID(1).String() },
		"addOns":    func(in *app.HoldInput) { in.AddOns = []string{"ad_1"} },
		"seats":     func(in *app.HoldInput) { in.Seats = 2 },
		"items":     func(in *app.HoldInput) { in.Items = []booking.VisitItem{} },
		"minutes":   func(in *app.HoldInput) { in.Minutes = minutes(16) },
		"start":     func(in *app.HoldInput) { in.Start = "soon" },
		"order":     func(in *app.HoldInput) { in.Order = "best" },
		"items[1].end": func(in *app.HoldInput) {
			in.Items = visit("", "", "cut/1@1T09:00", "cut/2@1T09:30").Items
			in.Items[1].End = apptest.At("1T10:30")
			in.Start = ""
		},
		"items[1].start": func(in *app.HoldInput) {
			in.Items, in.Start = visit("", "", "cut/1@1T09:00", "cut/2@1T14:00").Items, ""
		},
	} {
		in := ok
		in.Items = slices.Clone(ok.Items)
		change(&in)
		_, err := w.Hold(t.Context(), w.API, in)
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != field {
			t.Errorf("field %q is refused as %q", field, e.Field)
		}
	}
	_, err := w.Hold(t.Context(), w.API, holdOf(visit("", "", "cut/1@1T09:00", "cut/2@1T09:15")))
	w.Refused(err, fault.Conflict, "visit_overlap")
	_, err = w.Hold(t.Context(), w.API, app.HoldInput{EventType: "cut", Start: apptest.At("1T09:00"), VisitChoice: booking.VisitChoice{MaxGap: minutes(5)}})
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "items" {
		t.Errorf("a gap without items is refused as %q", e.Field)
	}
	w.visited(visit("1T09:00", "Mia", "cut/1", "cut/2"))
}

// A visit is one hold, for a key as for a visitor; the same visit again is the same hold, and another one ends it whole.
func TestVisitHoldsAreCounted(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	hold := func(before string, in booking.VisitInput) (app.Hold, error) {
		held := holdOf(in)
		held.Visitor = &app.HoldVisitor{Address: netip.MustParseAddr("203.0.113.7"), Before: before}
		return w.Hold(t.Context(), visitor, held)
	}
	first, err := hold("", visit("", "", "cut/1@1T09:00", "cut/2@1T09:30"))
	w.Must(err)
	again, err := hold(first.ID.String(), visit("", "", "cut/1@1T09:00", "cut/2@1T09:30"))
	w.Must(err)
	if again.ID != first.ID || again.ExpiresAt != first.ExpiresAt {
		t.Errorf("the same visit is held by %s after %s", again.ID, first.ID)
	}
	other, err := hold(first.ID.String(), visit("", "", "cut/1@1T13:00", "cut/2@1T13:30"))
	w.Must(err)
	w.visited(visit("1T09:00", "Mia", "cut/1", "cut/2"))
	// With another address only visitors' share of the day stands in the way, which holds of two hosts don't reach.
	second, err := hold("", visit("", "", "cut/2@2T13:00", "cut/1@2T13:30"))
	w.Must(err)
	if _, err = hold("", visit("", "", "cut/1@3T09:00", "cut/2@3T09:30")); err == nil || fault.As(err).Reason != "too_many_holds" {
		t.Errorf("a third hold of an address: %v", err)
	}
	w.Must(w.ReleaseHold(t.Context(), visitor, other.ID.String()))
	w.Must(w.ReleaseHold(t.Context(), visitor, second.ID.String()))
	_, err = hold("", visit("", "", "cut/1@4T09:00", "cut/1@4T09:30", "cut/1@4T10:00"))
	w.Must(err)
}

// Many who book by one hold of a visit at once: one gets all of it.
func TestContestOfAVisitsHold(t *testing.T) {
	w := newWorld(t)
	w.cut("cut", 2, 30)
	h, err := w.Hold(t.Context(), w.API, holdOf(visit("1T09:00", "", "cut/1", "cut/2")))
	w.Must(err)
	var wg sync.WaitGroup
	booked := make([]int, 16)
	for i := range booked {
		wg.Go(func() {
			in := visit("1T09:00", fmt.Sprintf("P%d", i), "cut/1", "cut/2")
			in.Hold = h.ID.String()
			if _, err := w.BookVisit(t.Context(), w.API, in); err == nil {
				booked[i] = 1
			} else if e := fault.As(err); e == nil || e.Reason != "hold_expired" {
				t.Errorf("refused: %v", err)
			}
		})
	}
	wg.Wait()
	if n := slices.Index(booked, 1); n < 0 || slices.Contains(booked[n+1:], 1) {
		t.Errorf("booked: %v", booked)
	}
	w.nobodyTwice()
}

// Visitors' holds of visits leave most of a day of whoever does a part of it, and of a room; one hold is let through, however
// much of the day it is of.
func TestVisitsHeldByVisitorsLeaveMostOfADay(t *testing.T) {
	for _, c := range []struct {
		name        string
		first, then booking.VisitInput
		free        bool // the second one is held
	}{
		{"a person", visit("", "", "cut/1@1T09:00", "cut/1@1T09:30", "cut/1@1T10:00"),
			visit("", "", "cut/2@1T13:00", "cut/1@1T13:30"), false},
		{"another day", visit("", "", "cut/1@1T09:00", "cut/1@1T09:30", "cut/1@1T10:00"),
			visit("", "", "cut/2@2T13:00", "cut/1@2T13:30"), true},
		{"other people", visit("", "", "cut/1@1T09:00", "cut/1@1T09:30", "cut/1@1T10:00"),
			visit("", "", "cut/2@1T13:00", "cut/2@1T13:30"), true},
		{"a room", visit("", "", "room1/1@1T09:00", "room1/1@1T10:00"), visit("", "", "cut/2@1T13:00", "room2/2@1T13:30"), false},
		{"beside a room that is the visit's own", visit("", "", "cut/1@1T09:00", "cut/1@1T09:30", "cut/1@1T10:00"),
			visit("", "", "long/3@1T12:00", "room1/1@1T14:00"), false},
		{"beside somebody who is the visit's own", visit("", "", "cut/1@1T09:00", "cut/1@1T09:30", "cut/1@1T10:00"),
			visit("", "", "long/3@1T12:00", "two/1@1T14:00"), false},
		{"a room whose person waits, which is the visit's own", visit("", "", "cut/2@1T09:00"), visit("", "", "wait/1@1T10:00", "room1/1@1T12:00"), true},
		{"one's own day", visit("", "", "cut/2@1T09:00"),
			visit("", "", "room1/1@1T09:00", "room1/1@1T10:00", "room1/1@1T11:00", "room1/1@1T12:00", "room1/1@1T13:00", "room1/1@1T14:00"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.cut("cut", 2, 30)
			room := w.resource("Room", nil)
			w.needing("room1", 1, oneOf(room))
			w.needing("room2", 2, oneOf(room))
			w.needing("long", 3, oneOf(room))
			w.Alter("long", func(e *catalog.EventType) { e.DurationMinutes = 120 })
			w.offer("two", 1, func(e *catalog.EventType) { e.Needs = []catalog.Need{{Hosts: 2, Of: []catalog.HostID{3}}} })
			w.needing("wait", 1, oneOf(room))
			w.Alter("wait", func(e *catalog.EventType) {
				e.Parts, e.DurationMinutes = []catalog.Part{{Work: 15}, {Wait: 90}, {Work: 15}}, 120
			})
			hold := func(n byte, in booking.VisitInput) error {
				held := holdOf(in)
				held.Visitor = &app.HoldVisitor{Address: netip.AddrFrom4([4]byte{203, 0, 113, n})}
				_, err := w.Hold(t.Context(), app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}, held)
				return err
			}
			w.Must(hold(1, c.first))
			err := hold(2, c.then)
			if c.free {
				w.Must(err)
				return
			}
			w.Refused(err, fault.Conflict, "too_many_holds")
			in := c.then
			in.Invitee = apptest.Input("", "", "Mia").Invitee
			w.visited(in) // nothing of it is held
		})
	}
}
