package calsync_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/fault"
)

// wishes are those that are shown.
func (b *bed) wishes() []calsync.CopyWish {
	b.T.Helper()
	all, err := b.Calendars.CalendarWishes(b.T.Context(), b.Owner, 10)
	b.Must(err)
	return all
}

var errLost = errors.New("the answer is lost")

// A copy whose answer was lost stands in the calendar: if the booking is cancelled before it is tried again, it goes.
func TestLostCopyIsRemoved(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{})
	made := b.Booked("cut", "1T08", "Mo")
	b.server.with(func() { b.server.loses = errLost })
	b.write()
	b.server.with(func() { b.server.loses = nil })
	if len(b.copies()) != 1 {
		t.Fatal("nothing was written")
	}
	_, err := b.Cancel(t.Context(), b.API, made.ID.String(), app.CancelInput{})
	b.Must(err)
	b.write()
	if got := b.copies(); len(got) != 0 {
		t.Errorf("in the calendar of a cancelled booking: %v", got)
	}
}

// A change of ours whose answer was lost is no wish of somebody, and the copy goes on following its booking.
func TestLostChangeIsNoWish(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{})
	made := b.Booked("cut", "1T08", "Mo")
	b.write()
	b.read()
	move := func(start string) {
		_, err := b.Reschedule(t.Context(), b.API, made.ID.String(), booking.RescheduleInput{Start: apptest.At(start)})
		b.Must(err)
	}
	move("1T10")
	b.server.with(func() { b.server.loses = errLost })
	b.write()
	b.server.with(func() { b.server.loses = nil })
	for range 3 { // a conflict, which is read, and what is left to be written
		b.read()
		b.Clock.Advance(10 * time.Minute)
		b.write()
		if got := b.wishes(); len(got) != 0 {
			t.Fatalf("wishes that nobody has: %+v", got)
		}
	}
	move("1T13")
	b.write()
	if got := fmt.Sprint(b.copies()); got != "[Cut – Mo 13:00]" {
		t.Errorf("in the calendar: %s", got)
	}
}

// What somebody changed while a booking's other change was to be written stays, and is shown.
func TestWishAmidWritingStays(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{Notes: true})
	made := b.Booked("cut", "1T08", "Mo")
	b.write()
	b.server.with(func() {
		for key, x := range b.server.items {
			x.Start, x.End, x.ETag = ms(tuesday+"T10:00:00Z"), ms(tuesday+"T11:00:00Z"), "theirs"
			b.server.items[key] = x
		}
	})
	notes := "brings a dog"
	_, err := b.Edit(t.Context(), b.API, made.ID.String(), booking.EditInput{Notes: &notes}, "")
	b.Must(err)
	for range 3 {
		b.write()
		b.Clock.Advance(10 * time.Minute)
	}
	if got := fmt.Sprint(b.copies()); got != "[Cut – Mo 10:00]" {
		t.Errorf("the calendar was overwritten: %s", got)
	}
	if got := b.wishes(); len(got) != 1 || got[0].Wish != calsync.WishMoved {
		t.Errorf("wishes %+v", got)
	}
}

// A calendar that is chosen again while a copy is being removed from it has the copy again.
func TestCopyChosenAgainAmidRemoving(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{})
	b.Booked("cut", "1T08", "Mo")
	b.write()
	choose := func(target bool) {
		for _, k := range b.connection.Calendars {
			if k.Remote == "home" {
				b.Must(b.Calendars.ChooseCalendars(t.Context(), b.Owner, b.connection.ID.String(),
					map[calsync.CalendarID]calsync.Choice{k.ID: {Blocks: true, Target: target}}))
			}
		}
	}
	choose(false)
	goOn := make(chan struct{})
	b.server.with(func() { b.server.delays = goOn })
	var writing sync.WaitGroup
	writing.Go(func() {
		_, err := b.Calendars.WriteCopies(t.Context(), 10)
		b.Must(err)
	})
	apptest.Eventually(t, "the copy is removed", func() bool { return len(b.copies()) == 0 })
	choose(true)
	close(goOn)
	writing.Wait()
	b.server.with(func() { b.server.delays = nil })
	b.write()
	if got := fmt.Sprint(b.copies()); got != "[Cut – Mo 08:00]" || len(b.wishes()) > 0 {
		t.Errorf("in the calendar: %s, wishes %+v", got, b.wishes())
	}
}

// The invitation that a host has accepted is no copy: it is neither changed nor removed.
func TestInvitationIsNoCopy(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{})
	made := b.Booked("cut", "1T08", "Mo")
	_, err := b.Calendars.QueueCopies(t.Context(), 100)
	b.Must(err)
	b.server.with(func() {
		b.server.items["theirs"] = calsync.Item{Key: "theirs", UID: made.CalendarUID(0, "book.example"), ETag: "theirs",
			Start: int64(made.Start), End: int64(made.End)}
	})
	b.read()
	b.write()
	if got := len(b.copies()); got != 2 {
		t.Errorf("%d events in the calendar, of an invitation and a copy", got)
	}
	_, err = b.Cancel(t.Context(), b.API, made.ID.String(), app.CancelInput{})
	b.Must(err)
	b.write()
	b.server.with(func() {
		if x, there := b.server.items["theirs"]; len(b.server.items) != 1 || !there || x.ETag != "theirs" {
			t.Errorf("left in the calendar: %v", b.server.items)
		}
	})
}

// Servers list the events of a window. A copy of which that has gone on was not deleted by anybody.
func TestPastCopiesAreNotWishes(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{})
	b.Booked("cut", "1T08", "Mo")
	b.write()
	b.read()
	b.Clock.Advance(10 * 24 * time.Hour)
	b.server.with(func() { b.server.since = ms(tuesday + "T23:00:00Z") })
	b.read()
	if got := b.wishes(); len(got) != 0 {
		t.Errorf("wishes that nobody has: %+v", got)
	}
}

// What is ticked to be written is written into what stands there already, and what isn't goes.
func TestDetailsAreWrittenAgain(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{Name: true})
	b.named("1T08", "Ann Early")
	b.write()
	described := func() (text string) {
		b.server.with(func() {
			for _, e := range b.server.wrote {
				text += e.Description
			}
		})
		return text
	}
	if got := described(); got != "Ann Early" {
		t.Fatalf("written: %q", got)
	}
	b.target(calsync.Details{})
	b.write()
	if got := described(); got != "" {
		t.Errorf("written after the name was unticked: %q", got)
	}
}

// Of two calendars that are chosen at once for the bookings one gets them.
func TestOneTarget(t *testing.T) {
	b := newBed(t)
	b.server.with(func() { b.server.two = true })
	b.connect()
	chosen := map[calsync.CalendarID]calsync.Choice{}
	for _, k := range b.connection.Calendars {
		if !k.ReadOnly {
			chosen[k.ID] = calsync.Choice{Target: true}
		}
	}
	for range 2 {
		b.Must(b.Calendars.ChooseCalendars(t.Context(), b.Owner, b.connection.ID.String(), chosen))
		c, err := b.Calendars.CalendarConnection(t.Context(), b.Owner, b.connection.ID.String())
		b.Must(err)
		targets := 0
		for _, k := range c.Calendars {
			if k.Target {
				targets++
			}
		}
		if targets != 1 || len(chosen) != 2 {
			t.Errorf("%d targets of %d", targets, len(chosen))
		}
	}
}

// All calendars of a host are asked at once: a booking waits as long as for the slowest.
func TestCalendarsAreAskedTogether(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.connect()
	b.Clock.Advance(2 * time.Minute)
	hangs := make(chan struct{})
	before := 0
	b.server.with(func() { b.server.hangs, before = hangs, b.server.reads })
	ctx, leave := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	asking.Go(func() {
		_, err := b.Calendars.Ask(ctx, []availability.Asked{{Workspace: b.Owner.Workspace, CalendarOwner: catalog.CalendarOwner{Host: 1}}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("whoever left got %v", err)
		}
	})
	asked := func(n int) func() bool {
		return func() (enough bool) {
			b.server.with(func() { enough = b.server.reads >= before+n })
			return enough
		}
	}
	apptest.Eventually(t, "one is asked", asked(1))
	leave()
	asking.Wait()
	apptest.Eventually(t, "both are asked", asked(2))
	close(hangs)
}

// A calendar that can't be written is tried with one copy, and the others wait for that.
func TestCopiesWaitForTheirCalendar(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{})
	for hour := range 3 {
		b.Booked("cut", fmt.Sprintf("1T%02d", 8+hour), fmt.Sprint("Mo", hour))
	}
	for _, fails := range []error{errLost, &calsync.Later{After: time.Minute}} {
		puts := 0
		b.server.with(func() { b.server.fails, puts = fails, b.server.puts })
		b.write()
		b.server.with(func() {
			if got := b.server.puts - puts; got != 1 {
				t.Errorf("%v: written %d times", fails, got)
			}
			b.server.fails = nil
		})
		b.Clock.Advance(10 * time.Minute)
	}
	b.write()
	if got := len(b.copies()); got != 3 {
		t.Errorf("%d copies in the end", got)
	}
}

// A server that wants to be left alone for an hour is, by bookings too.
func TestQuotaIsKept(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.server.with(func() { b.server.fails = &calsync.Later{After: time.Hour} })
	b.read()
	reads := 0
	b.server.with(func() { reads = b.server.reads })
	for i := range 3 {
		b.Clock.Advance(5 * time.Minute)
		b.Booked("cut", fmt.Sprintf("1T%02d", 8+i), fmt.Sprint("Mo", i))
	}
	b.server.with(func() {
		if b.server.reads != reads {
			t.Errorf("asked %d times within the hour", b.server.reads-reads)
		}
		b.server.fails = nil
	})
	b.Clock.Advance(time.Hour)
	b.Booked("cut", "1T12", "Late")
	b.server.with(func() {
		if b.server.reads == reads {
			t.Error("not asked after the hour")
		}
	})
}

// Where nobody has connected a calendar a booking spends nothing on that.
func TestNothingConnectedCostsNothing(t *testing.T) {
	b := newBed(t)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := b.AskCalendars(t.Context(), b.API, "cut", ""); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// Of two who renew a sign-in at a time the first one's stays, and the other one sees it.
func TestRenewedTwice(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.read()
	b.read()
	b.server.with(func() {
		n := len(b.server.openings)
		one, other := b.server.openings[n-2], b.server.openings[n-1]
		b.Must(one.Save(t.Context(), calsync.Credentials{Password: "newer"}))
		b.Must(other.Save(t.Context(), calsync.Credentials{Password: "late"}))
		if got, err := other.Load(t.Context()); err != nil || got.Password != "newer" {
			t.Errorf("kept %+v, %v", got, err)
		}
	})
}

// After the clock was set back nothing is fresh that was read before.
func TestClockSetBack(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.Clock.Advance(-3 * time.Hour)
	b.server.busy("y", tuesday+"T11:00:00Z", tuesday+"T12:00:00Z")
	_, err := b.Book(t.Context(), b.API, apptest.Input("cut", "1T11", "Ida"))
	b.Refused(err, fault.Conflict, "slot_taken")
}

// A copy that somebody deleted isn't made again because its person was erased.
func TestErasedCopyStaysDeleted(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{})
	made := b.Booked("cut", "1T08", "Mo")
	other := b.Booked("cut", "1T10", "Bo")
	b.write()
	b.server.with(func() {
		for key := range b.server.items {
			if strings.Contains(key, made.ID.String()) {
				delete(b.server.items, key)
			}
		}
	})
	b.read()
	b.Clock.Advance(10 * 24 * time.Hour)
	for _, x := range []booking.Booking{made, other} {
		b.Must(b.People.DeleteContact(t.Context(), b.Owner, x.ContactID.String()))
	}
	b.write()
	if got := fmt.Sprint(b.copies()); got != "[Cut – Deleted 10:00]" {
		t.Errorf("in the calendar: %s", got)
	}
}
