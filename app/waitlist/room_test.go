package waitlist_test

import (
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/shop"
	"daybook/app/waitlist"
	"daybook/app/when"
)

// rooms is a world where Ana does a spa and Bob a massage, both in the one room.
func rooms(t *testing.T) (w *world, room catalog.Resource) {
	t.Helper()
	w = opened(t)
	room, err := w.Shop.AddResource(t.Context(), w.Owner, catalog.Resource{Name: "Room 1", Active: true})
	w.Must(err)
	for i, slug := range []string{"spa", "massage"} {
		w.Offer(slug, 60, func(e *catalog.EventType) {
			e.MinimumNoticeMinutes, e.Hosts = 0, []catalog.HostRef{{ID: catalog.HostID(i + 1)}}
			e.Needs = []catalog.Need{{OneOf: []catalog.ResourceID{room.ID}}}
		})
	}
	return w, room
}

// bob is the second host.
func (w *world) bob() catalog.HostID { w.T.Helper(); return w.hosts()[1] }

// idle fails unless nothing is held, and nothing is left to be looked at.
func (w *world) idle(when string) {
	w.T.Helper()
	if w.held() != [3]int{} || w.jobs() != 0 {
		w.T.Errorf("%s %v are held, %d jobs", when, w.held(), w.jobs())
	}
}

// A room that comes free with one host is offered to whoever lacked just that for another one, and held for them meanwhile.
func TestRoomThatComesFreeServesAnotherHost(t *testing.T) {
	w, room := rooms(t)
	ctx := t.Context()
	ben := w.waits(input("massage", "ben"))
	w.Clock.Advance(time.Second)
	cem := w.waits(input("massage", "cem"))
	b := w.frees("spa", "1T09", w.ana())
	w.carries()
	if o := w.offered(ben); o == nil || o.Start != b.Start || o.Host != w.bob() {
		t.Fatalf("the room is offered %+v", o)
	}
	list, err := w.Waitlist.FreedTimes(ctx, w.Owner)
	w.Must(err)
	if len(list) != 1 || list[0].Room != room.Name || list[0].Host.Name != "Bob" || list[0].Start != b.Start {
		t.Errorf("it is shown as %+v", list)
	}
	w.Must(w.Waitlist.Refuse(ctx, w.token(ben)))
	if w.held() != [3]int{0, 0, 1} {
		t.Errorf("between two offers %v are held", w.held())
	}
	w.Refused(w.tries("massage", "1T09", "", "quick"), fault.Conflict, "slot_taken")
	w.carries()
	if o := w.offered(cem); o == nil || o.Start != b.Start || w.offered(ben) != nil {
		t.Fatalf("the next one is offered %+v", o)
	}
	taken, err := w.Waitlist.Take(ctx, w.token(cem), waitlist.TakeInput{})
	w.Must(err)
	if taken.Booking.Start != b.Start || taken.Booking.Host.ID != w.bob() || len(taken.Booking.Resources) != 1 {
		t.Errorf("booked %+v", taken.Booking)
	}
	w.carries()
	w.idle("taken,")
}

// Those whom the host's time fits are asked first, and three people at most of one time, whoever does it.
func TestHostComesBeforeRoom(t *testing.T) {
	w, _ := rooms(t)
	ctx := t.Context()
	var massages []waitlist.Entry
	for _, name := range []string{"ben", "cem", "dan"} {
		massages = append(massages, w.waits(input("massage", name)))
		w.Clock.Advance(time.Second)
	}
	spa := w.waits(input("spa", "ann"))
	b := w.frees("spa", "1T09", w.ana())
	for i, e := range append([]waitlist.Entry{spa}, massages[:2]...) {
		w.carries()
		if o := w.offered(e); o == nil || o.Start != b.Start {
			t.Fatalf("person %d is offered %+v", i, o)
		}
		w.Must(w.Waitlist.Refuse(ctx, w.token(e)))
	}
	w.carries()
	w.carries()
	if o := w.offered(massages[2]); o != nil {
		t.Errorf("a fourth person is offered %+v", o)
	}
	w.idle("open to all,")
}

// A room that the one who is offered the host's time doesn't need is offered at once.
func TestRoomThatIsLeftOfATimeIsOffered(t *testing.T) {
	w, _ := rooms(t)
	ben := w.waits(input("massage", "ben"))
	w.Clock.Advance(time.Second)
	wash := w.waits(input("wash", "eve"))
	b := w.frees("spa", "1T09", w.ana())
	w.carries()
	if o := w.offered(wash); o == nil || o.Start != b.Start || w.offered(ben) != nil {
		t.Fatalf("what needs no room is offered %+v", o)
	}
	w.carries()
	if o := w.offered(ben); o == nil || o.Start != b.Start || w.offered(wash) == nil {
		t.Errorf("the room is offered %+v", o)
	}
}

// A room that comes free while its host has nothing to do with it is found, too.
func TestRoomComesFreeAlone(t *testing.T) {
	w, _ := rooms(t)
	w.Alter("spa", func(e *catalog.EventType) {
		e.DurationMinutes, e.Parts = 90, []catalog.Part{{Work: 30}, {Wait: 30}, {Work: 30}}
	})
	w.Alter("massage", func(e *catalog.EventType) { e.DurationMinutes, e.SlotStepMinutes = 30, 30 })
	wait := wish(1, 1)
	start, err := when.ParseISO(apptest.At("1T09:30"))
	w.Must(err)
	local := start.Time().In(w.zone())
	wait.Hours = []string{local.Format("15:04-") + local.Add(time.Minute).Format("15:04")}
	e := w.waits(input("massage", "ben", wait))
	w.frees("spa", "1T09", w.ana())
	w.carries()
	if o := w.offered(e); o == nil || o.Start != start || o.Host != w.bob() {
		t.Errorf("the room is offered %+v", o)
	}
}

// Where nobody waits nothing is written, and a time for which another room was free all along isn't offered.
func TestRoomThatNobodyLackedIsNotOffered(t *testing.T) {
	w, room := rooms(t)
	w.frees("spa", "1T09", w.ana())
	w.idle("nobody waits:")
	other, err := w.Shop.AddResource(t.Context(), w.Owner, catalog.Resource{Name: "Room 2", Active: true})
	w.Must(err)
	w.Alter("massage", func(e *catalog.EventType) { e.Needs[0].OneOf = []catalog.ResourceID{room.ID, other.ID} })
	e := w.waits(input("massage", "ben"))
	w.frees("spa", "1T11", w.ana())
	w.carries()
	if o := w.offered(e); o != nil {
		t.Errorf("what could be booked all along is offered: %+v", o)
	}
	w.idle("then")
}

// A time off of a room that is removed counts as a time that comes free, of each day of it.
func TestRemovedTimeOffOfARoom(t *testing.T) {
	w, room := rooms(t)
	ctx := t.Context()
	off, err := w.Shop.GiveResourceTimeOff(ctx, w.Owner, room.ID.String(), shop.Off{Start: day(1) + "T00:00", End: day(4) + "T00:00"})
	w.Must(err)
	e := w.waits(input("massage", "ben", wish(2, 2)))
	w.carries()
	w.carries()
	if w.jobs() != 0 || w.offered(e) != nil {
		t.Fatal("something is free before anything has changed")
	}
	w.Must(w.Shop.RemoveResourceTimeOff(ctx, w.Owner, room.ID.String(), off))
	w.carries()
	list, err := w.Waitlist.FreedTimes(ctx, w.Owner)
	w.Must(err)
	if len(list) == 0 || list[0].Room != room.Name || list[0].Host.ID != 0 {
		t.Errorf("it is shown as %+v", list)
	}
	staff := w.Owner
	staff.Role, staff.Host = app.StaffRole, w.bob()
	if list, err = w.Waitlist.FreedTimes(ctx, staff); err != nil || len(list) != 0 {
		t.Errorf("staff see %+v, %v", list, err)
	}
	w.carries()
	o := w.offered(e)
	if o == nil || o.Host != w.bob() || o.Start.Time().In(w.zone()).Format(time.DateOnly) != day(2) {
		t.Fatalf("offered %+v", o)
	}
	taken, err := w.Waitlist.Take(ctx, w.token(e), waitlist.TakeInput{})
	w.Must(err)
	if taken.Booking.Status != booking.Confirmed || len(taken.Booking.Resources) != 1 || taken.Booking.Resources[0].ID != room.ID {
		t.Errorf("booked %+v", taken.Booking)
	}
	for range 3 { // what is left of the day is looked at, too
		w.carries()
	}
	w.idle("taken,")
}
