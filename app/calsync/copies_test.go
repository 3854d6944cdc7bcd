package calsync_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/movein"
)

// copies are the starts of what stands in the calendar, by title.
func (b *bed) copies() (all []string) {
	b.server.mu.Lock()
	defer b.server.mu.Unlock()
	for key, x := range b.server.items {
		e := b.server.wrote[key]
		all = append(all, e.Title+" "+time.UnixMilli(x.Start).UTC().Format("15:04"))
	}
	slices.Sort(all)
	return all
}

// named books for somebody with two names.
func (b *bed) named(start, name string) booking.Booking {
	b.T.Helper()
	in := apptest.Input("cut", start, "ida")
	in.Invitee.Name = name
	made, err := b.Book(b.T.Context(), b.API, in)
	b.Must(err)
	return made
}

// What an import of appointments wrote into a calendar is removed from there when the import is undone, although the booking is
// gone.
func TestCopiesOfAnUndoneImportAreRemoved(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{})
	file := movein.Input{Calendar: true, File: []byte("Start,Duration,Service,Provider,Name,E-mail\n2026-12-01T12:00:00Z,60,Cut,Ana,Ida Late,ida@mail.example\n")}
	undo := func(p movein.Preview) {
		t.Helper()
		im, err := b.People.UndoImport(t.Context(), b.Owner, p.ID.String())
		if b.Must(err); im.Undone != 2 {
			t.Errorf("undone: %+v", im)
		}
		b.write()
		if got := b.copies(); len(got) != 0 {
			t.Errorf("left there: %s", got)
		}
		if copies, err := b.Store.Reader(t.Context()).(calsync.Reader).CalendarCopiesIn(b.connection.Calendars[0].ID, 0, 9); err != nil || len(copies) != 0 {
			t.Errorf("left here: %+v, %v", copies, err)
		}
		if open, _ := b.starts(tuesday); !slices.Contains(open, "12:00") {
			t.Errorf("open at %v", open)
		}
	}
	p, err := b.MoveIn.ImportAppointments(t.Context(), b.Owner, file)
	b.Must(err)
	b.write()
	if got := fmt.Sprint(b.copies()); p.Upcoming != 1 || got != "[Cut – Ida 12:00]" {
		t.Fatalf("written: %s, %+v", got, p)
	}
	undo(p)
	p, err = b.MoveIn.ImportAppointments(t.Context(), b.Owner, file) // not written yet
	b.Must(err)
	undo(p)
}

func TestCopiesFollowBookings(t *testing.T) {
	b := newBed(t)
	b.connect()
	early := b.named("1T08", "Ann Early")
	b.target(calsync.Details{Phone: true})
	b.write()
	late := b.named("1T12", "Ida Late")
	b.write()
	if got := fmt.Sprint(b.copies()); got != "[Cut – Ann 08:00 Cut – Ida 12:00]" {
		t.Errorf("written: %s", got)
	}
	for _, e := range b.server.wrote {
		if strings.Contains(e.Description, "Late") || strings.Contains(e.Description, "@") {
			t.Errorf("more was written than was ticked: %+v", e)
		}
	}
	b.read() // what was written is not busy
	if open, _ := b.starts(tuesday); slices.Contains(open, "12:00") || !slices.Contains(open, "13:00") {
		t.Errorf("open at %v", open)
	}
	_, err := b.Reschedule(t.Context(), b.API, late.ID.String(), booking.RescheduleInput{Start: apptest.At("1T14")})
	b.Must(err)
	_, err = b.Cancel(t.Context(), b.API, early.ID.String(), app.CancelInput{})
	b.Must(err)
	b.write()
	if got := fmt.Sprint(b.copies()); got != "[Cut – Ida 14:00]" {
		t.Errorf("after the move and the cancellation: %s", got)
	}
	if open, _ := b.starts(tuesday); !slices.Contains(open, "12:00") {
		t.Errorf("the old time is closed: open at %v", open)
	}
	left, err := b.Calendars.DisconnectCalendars(t.Context(), b.Owner, b.connection.ID.String(), true)
	if b.Must(err); left != 0 || len(b.copies()) != 0 {
		t.Errorf("left after disconnecting: %d, %v", left, b.copies())
	}
}

// What a person does to a copy is a wish: shown, neither taken over nor overwritten, and a deleted one isn't made again.
func TestWishes(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{})
	moved, gone := b.Booked("cut", "1T08", "Mo"), b.Booked("cut", "1T12", "Go")
	b.write() // and nothing is read before somebody changes it
	b.server.with(func() {
		for key, x := range b.server.items {
			if strings.Contains(key, gone.ID.String()) {
				delete(b.server.items, key)
				continue
			}
			x.Start, x.End, x.ETag = ms(tuesday+"T10:00:00Z"), ms(tuesday+"T11:00:00Z"), "theirs"
			b.server.items[key] = x
		}
	})
	b.read()
	b.write()
	wishes, err := b.Calendars.CalendarWishes(t.Context(), b.Owner, 10)
	b.Must(err)
	got := map[booking.BookingID]calsync.Wish{}
	for _, w := range wishes {
		got[w.Booking] = w.Wish
	}
	if len(got) != 2 || got[moved.ID] != calsync.WishMoved || got[gone.ID] != calsync.WishDeleted {
		t.Errorf("wishes %v", got)
	}
	if now := b.Again(moved); now.Start != moved.Start {
		t.Errorf("the booking was moved to %s", now.Start)
	}
	if got := fmt.Sprint(b.copies()); got != "[Cut – Mo 10:00]" {
		t.Errorf("the calendar was overwritten: %s", got)
	}
	b.Must(b.Calendars.DropCalendarWish(t.Context(), b.Owner, moved.ID.String()))
	b.Must(b.Calendars.DropCalendarWish(t.Context(), b.Owner, gone.ID.String()))
	b.write()
	if got := fmt.Sprint(b.copies()); got != "[Cut – Go 12:00 Cut – Mo 08:00]" {
		t.Errorf("after the wishes were dropped: %s", got)
	}
}

// A reading that was asked for before a copy was written knows nothing of it, and takes nothing from it.
func TestReadingAmidWriting(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{})
	made := b.Booked("cut", "1T08", "Mo")
	b.write()
	b.read()
	goOn := make(chan struct{})
	told := 0
	b.server.with(func() { b.server.late, told = goOn, b.server.told })
	var reading sync.WaitGroup
	reading.Go(func() {
		_, err := b.Calendars.ReadCalendars(t.Context(), b.Owner, b.connection.ID.String())
		b.Must(err)
	})
	apptest.Eventually(t, "the calendar is asked", func() (asked bool) {
		b.server.with(func() { asked = b.server.told > told })
		return asked
	})
	_, err := b.Reschedule(t.Context(), b.API, made.ID.String(), booking.RescheduleInput{Start: apptest.At("1T14")})
	b.Must(err)
	other := b.Booked("cut", "1T10", "New")
	b.write()
	close(goOn)
	reading.Wait()
	b.server.with(func() { b.server.late = nil })
	for n := range 2 {
		wishes, err := b.Calendars.CalendarWishes(t.Context(), b.Owner, 10)
		if b.Must(err); len(wishes) > 0 {
			t.Errorf("reading %d makes wishes %+v of %s and %s", n, wishes, made.ID, other.ID)
		}
		b.read()
	}
}

// Whoever does a booking beside its host has it in their calendar while they do it, and is taken for it only while their
// calendar leaves them free.
func TestCopiesOfSecondPersons(t *testing.T) {
	b := newBed(t)
	b.Offer("massage", 60, func(e *catalog.EventType) {
		e.Hosts, e.Needs = []catalog.HostRef{{ID: 2}}, []catalog.Need{{Hosts: 2, Of: []catalog.HostID{1, 3}}}
	})
	b.connect()
	b.target(calsync.Details{})
	b.Booked("massage", "1T08", "Mia")
	b.write()
	if got := fmt.Sprint(b.copies()); got != "[Massage – Mia 08:00]" {
		t.Errorf("written: %s", got)
	}
	b.server.with(func() {
		b.server.items["theirs"] = calsync.Item{Key: "theirs", ETag: "1", UID: "theirs", Start: ms(tuesday + "T12:00:00Z"), End: ms(tuesday + "T13:00:00Z"),
			Spans: []calsync.Span{{Start: ms(tuesday + "T12:00:00Z"), End: ms(tuesday + "T13:00:00Z")}}}
	})
	b.read()
	if made := b.Booked("massage", "1T12", "Bo"); len(made.Hosts) != 2 || made.Hosts[1].ID != 3 {
		t.Errorf("at noon it is done by %v", made.Hosts)
	}
}

// Of a visit each host's calendar has their own part, which follows the visit wherever it goes and ends with its booking.
func TestCopiesOfVisits(t *testing.T) {
	b := newBed(t)
	b.Offer("colour", 120, func(e *catalog.EventType) {
		e.Hosts = []catalog.HostRef{{ID: 1}}
		e.SlotStepMinutes, e.Parts = 30, []catalog.Part{{Work: 45}, {Wait: 40}, {Work: 35}}
	})
	b.Offer("dry", 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 2}} })
	b.Offer("trim", 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}} })
	b.connect()
	b.target(calsync.Details{})
	want := func(when string, want ...string) {
		t.Helper()
		b.write()
		if got := b.copies(); !slices.Equal(got, want) {
			t.Errorf("%s the calendar has %q, want %q", when, got, want)
		}
	}
	in := booking.VisitInput{Invitee: apptest.Input("", "", "Mia").Invitee, Start: apptest.At("1T09")}
	for _, slug := range []string{"colour", "dry", "trim"} {
		in.Items = append(in.Items, booking.VisitItem{EventType: slug})
	}
	v, err := b.BookVisit(t.Context(), b.API, in)
	b.Must(err)
	want("once it is booked", "Colour – Mia 09:00", "Trim – Mia 11:30")
	v, err = b.MoveVisit(t.Context(), b.API, v.ID.String(), booking.VisitMoveInput{Start: apptest.At("1T13")})
	b.Must(err)
	want("once it has moved", "Colour – Mia 13:00", "Trim – Mia 15:30")
	_, err = b.Cancel(t.Context(), b.API, v.Items[2].ID.String(), app.CancelInput{})
	b.Must(err)
	want("without its last booking", "Colour – Mia 13:00")
	_, err = b.CancelVisit(t.Context(), b.API, v.ID.String(), app.CancelInput{})
	b.Must(err)
	want("once it is cancelled")
}
