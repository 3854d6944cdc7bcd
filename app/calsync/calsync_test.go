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
	"daybook/app/fault"
	"daybook/app/subjects"
)

const tuesday = "2026-12-01"

func TestBusyTimesCloseStarts(t *testing.T) {
	b := newBed(t)
	b.server.busy("x", tuesday+"T09:30:00Z", tuesday+"T10:30:00Z")
	b.connect()
	open, reasons := b.starts(tuesday)
	if slices.Contains(open, "09:00") || slices.Contains(open, "10:00") || !slices.Contains(open, "08:00") || !slices.Contains(open, "11:00") {
		t.Errorf("open at %v", open)
	}
	if reasons["09:00"] != "busy" || reasons["10:00"] != "busy" {
		t.Errorf("closed for %v", reasons)
	}
	_, err := b.Book(t.Context(), b.API, booking.BookInput{EventType: "cut", Start: tuesday + "T10:00:00Z",
		Invitee: booking.Invitee{Name: "Ida", Email: "ida@x.example"}})
	b.Refused(err, fault.Conflict, "slot_taken")
	b.server.with(func() { delete(b.server.items, "x") })
	b.read()
	if open, _ := b.starts(tuesday); !slices.Contains(open, "10:00") {
		t.Errorf("after the event was deleted open at %v", open)
	}
}

// A booking asks for what is older than a minute; while nobody knows the host's policy decides.
func TestUnknownCalendars(t *testing.T) {
	b := newBed(t)
	b.connect()
	book := func(hour string) error {
		_, err := b.Book(t.Context(), b.API, booking.BookInput{EventType: "cut", Start: tuesday + "T" + hour + ":00:00Z",
			Invitee: booking.Invitee{Name: "Ida", Email: "ida" + hour + "@x.example"}})
		return err
	}
	reads := b.server.reads
	b.Must(book("08"))
	if b.server.reads != reads {
		t.Error("what was read just now was asked for again")
	}
	b.Clock.Advance(2 * time.Minute)
	b.server.busy("y", tuesday+"T11:00:00Z", tuesday+"T12:00:00Z")
	b.Refused(book("11"), fault.Conflict, "slot_taken")
	b.Clock.Advance(2 * time.Minute)
	b.server.with(func() { b.server.fails = calsync.ErrSignIn })
	b.Must(book("09")) // the default: book, and show a clash later
	b.refuseUnknown()
	b.Clock.Advance(2 * time.Minute)
	b.Refused(book("13"), fault.Conflict, "calendar_unknown")
	_, err := b.Book(t.Context(), b.API, booking.BookInput{EventType: "cut", Start: tuesday + "T13:00:00Z", Override: []string{"busy"},
		Invitee: booking.Invitee{Name: "Ida", Email: "owner@x.example"}})
	b.Must(err) // the business may set it aside
	b.server.with(func() { b.server.fails = nil })
	b.Refused(book("14"), fault.Conflict, "calendar_unknown") // one call a minute
	b.Clock.Advance(2 * time.Minute)
	b.Must(book("14"))
	if c, err := b.Calendars.CalendarConnection(t.Context(), b.Owner, b.connection.ID.String()); err != nil || c.State != calsync.OK {
		t.Errorf("after it was read again: %s, %v", c.State, err)
	}
}

// A host who takes no bookings while nobody knows leaves them to the others.
func TestUnknownHostIsLeftOut(t *testing.T) {
	b := newBed(t)
	b.Alter("cut", func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}} })
	b.connect()
	b.refuseUnknown()
	b.server.with(func() { b.server.fails = calsync.ErrSignIn })
	b.Clock.Advance(2 * time.Minute)
	for i, want := range []fault.Code{"", fault.Conflict} {
		got, err := b.Book(t.Context(), b.API, apptest.Input("cut", "1T09", fmt.Sprint("Ida", i)))
		if want != "" {
			b.Refused(err, want, "slot_taken")
		} else if b.Must(err); got.Host.ID != 2 {
			t.Errorf("booked with %s", got.Host.Name)
		}
	}
	in := apptest.Input("cut", "1T10", "Bo")
	in.Host = catalog.HostID(1).String()
	_, err := b.Book(t.Context(), b.API, in)
	b.Refused(err, fault.Conflict, "calendar_unknown")
}

// A move of a series asks for what is older than a minute, as one of a booking does, and while nobody knows it is refused.
func TestSeriesMovesAskCalendars(t *testing.T) {
	b := newBed(t)
	b.connect()
	one := apptest.Input("cut", "1T09", "Bo")
	made, err := b.BookSeries(t.Context(), b.API, booking.SeriesInput{EventType: one.EventType, Start: one.Start, Invitee: one.Invitee,
		Repeat: booking.SeriesRepeat{Every: 1, Unit: booking.SeriesWeek, Count: 3}})
	b.Must(err)
	move := func(scope booking.SeriesScope, to string) error {
		_, err := b.MoveSeries(t.Context(), b.API, made.ID.String(), booking.SeriesMoveInput{From: made.Bookings[0].ID.String(),
			Scope: scope, Start: apptest.At(to)})
		return err
	}
	b.server.busy("x", "2026-12-15T10:00:00Z", "2026-12-15T11:00:00Z")
	b.Clock.Advance(2 * time.Minute)
	b.Refused(move(booking.SeriesAll, "1T10"), fault.Conflict, "series_conflict")
	b.refuseUnknown()
	b.server.with(func() { b.server.fails = calsync.ErrSignIn })
	for _, scope := range booking.Scopes {
		b.Clock.Advance(2 * time.Minute)
		if err := move(scope, "1T11"); fault.Refusal(err) == nil || fault.Refusal(err).Reason != "calendar_unknown" {
			t.Errorf("%s: %v", scope, err)
		}
	}
	b.server.with(func() { b.server.fails = nil })
	b.Clock.Advance(2 * time.Minute)
	b.Must(move(booking.SeriesAll, "1T11"))
}

// A server that hangs is waited for two seconds, by all together.
func TestSlowCalendar(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.refuseUnknown()
	b.Clock.Advance(2 * time.Minute)
	goOn := make(chan struct{})
	reads := 0
	b.server.with(func() { b.server.hangs, reads = goOn, b.server.reads })
	began := time.Now()
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			_, err := b.Book(t.Context(), b.API, apptest.Input("cut", "1T09", fmt.Sprint("Ida", i)))
			if e := fault.As(err); e == nil || e.Reason != "calendar_unknown" {
				t.Errorf("booked while nobody knows: %v", err)
			}
		})
	}
	clients.Wait()
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("they waited %s", took)
	}
	b.server.with(func() {
		if got := b.server.reads - reads; got != 1 {
			t.Errorf("it was asked %d times", got)
		}
	})
	close(goOn)
}

func (b *bed) refuseUnknown() {
	b.T.Helper()
	_, err := b.Shop.ChangeHost(b.T.Context(), b.Owner, catalog.HostID(1).String(), func(h *catalog.Host) error {
		h.WhenCalendarUnknown = catalog.RefuseUnknown
		return nil
	})
	b.Must(err)
}

// A busy time arrives while 64 clients book it: what was confirmed before stays and is a clash, nothing is booked after.
func TestContestOfABusyTime(t *testing.T) {
	b := newBed(t)
	b.Alter("cut", func(e *catalog.EventType) { e.DurationMinutes, e.SlotStepMinutes = 15, 15 })
	b.connect()
	b.server.busy("z", tuesday+"T08:00:00Z", tuesday+"T16:00:00Z")
	var mu sync.Mutex
	var booked []booking.BookingID
	var clients sync.WaitGroup
	var after sync.WaitGroup
	for i := range 64 {
		clients.Go(func() {
			start := time.UnixMilli(ms(tuesday + "T08:00:00Z")).Add(time.Duration(i%32) * 15 * time.Minute).UTC().Format(time.RFC3339)
			x, err := b.Book(t.Context(), b.API, apptest.Input("cut", start, fmt.Sprint("C", i)))
			if err == nil {
				mu.Lock()
				booked = append(booked, x.ID)
				mu.Unlock()
			} else if e := fault.As(err); e == nil || e.Code != fault.Conflict {
				t.Error(err)
			}
		})
	}
	after.Go(func() { b.read() })
	clients.Wait()
	after.Wait()
	clashes, err := b.Calendars.CalendarClashes(t.Context(), b.Owner, 100)
	b.Must(err)
	slices.Sort(booked)
	slices.Sort(clashes)
	if !slices.Equal(booked, clashes) {
		t.Errorf("%d booked, %d clashes", len(booked), len(clashes))
	}
	for i := range 32 {
		start := time.UnixMilli(ms(tuesday + "T08:00:00Z")).Add(time.Duration(i) * 15 * time.Minute).UTC().Format(time.RFC3339)
		_, err := b.Book(t.Context(), b.API, apptest.Input("cut", start, fmt.Sprint("D", i)))
		b.Refused(err, fault.Conflict, "slot_taken")
	}
}

// Two servers of a database ask a calendar once, and wait for each other.
func TestTwoServersAskOnce(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.refuseUnknown()
	other := b.Another()
	b.Clock.Advance(2 * time.Minute)
	goOn := make(chan struct{})
	reads := 0
	b.server.with(func() { b.server.hangs, reads = goOn, b.server.reads })
	var clients sync.WaitGroup
	for i, s := range []*apptest.Salon{b.Salon, other} {
		clients.Go(func() {
			_, err := s.Book(t.Context(), b.API, apptest.Input("cut", fmt.Sprintf("1T%02d", 8+i), fmt.Sprint("Ida", i)))
			b.Must(err)
		})
	}
	apptest.Eventually(t, "the calendar is asked", func() (asked bool) {
		b.server.with(func() { asked = b.server.reads > reads })
		return asked
	})
	close(goOn)
	clients.Wait()
	b.server.with(func() {
		if got := b.server.reads - reads; got != 1 {
			t.Errorf("it was read %d times", got)
		}
	})
}

// Whoever is erased is taken out of what was written into calendars.
func TestErasedPeopleLeaveCalendars(t *testing.T) {
	b := newBed(t)
	b.connect()
	b.target(calsync.Details{Name: true, Phone: true, Notes: true})
	made := b.named("1T08", "Ida Marker")
	b.write()
	b.Clock.Advance(48 * time.Hour)
	b.Must(b.People.DeleteContact(t.Context(), b.Owner, made.ContactID.String()))
	for more := true; more; {
		b.Must(b.Store.Write(t.Context(), func(tx app.Tx) (err error) {
			more, err = tx.(interface{ SweepErasure(int) (bool, error) }).SweepErasure(10)
			return err
		}))
	}
	b.write()
	b.server.with(func() {
		for key := range b.server.items {
			if e := b.server.wrote[key]; strings.Contains(fmt.Sprint(e), "Marker") || strings.Contains(fmt.Sprint(e), "Ida") {
				t.Errorf("the calendar still has %+v", e)
			}
		}
	})
}

// Staff connect the calendars of their own host, and see no others.
func TestStaffConnectTheirOwn(t *testing.T) {
	b := newBed(t)
	b.connect()
	other := app.Actor{Kind: booking.ByOwner, Workspace: b.Workspace.ID, User: 9, Role: app.StaffRole, Host: 2}
	all, err := b.Calendars.CalendarConnections(t.Context(), other)
	if b.Must(err); len(all) != 0 {
		t.Errorf("they see %d connections", len(all))
	}
	_, err = b.Calendars.ReadCalendars(t.Context(), other, b.connection.ID.String())
	b.Refused(err, fault.NotFound, "")
	own, err := b.Calendars.ConnectCalendars(t.Context(), other, calsync.Input{Host: catalog.HostID(1).String(), Kind: calsync.CalDAV,
		Address: "https://8.8.8.8/dav", User: "bob", Password: "secret"})
	if b.Must(err); own.Host != 2 {
		t.Errorf("connected for the host %s", own.Host)
	}
}

// A server that lists its calendars and then sends their events too slowly is connected, with that as its problem, as soon
// as the patience of whoever waits ends. So it is when it is read again.
func TestServersThatDrip(t *testing.T) {
	b := newBed(t, func(c *subjects.Config) { c.Calendars.Patience = 200 * time.Millisecond })
	b.server.with(func() { b.server.hangs = make(chan struct{}) })
	b.connect()
	if b.connection.Problem != calsync.Unreachable {
		t.Errorf("the problem is %q", b.connection.Problem)
	}
	b.read()
	if b.connection.Problem != calsync.Unreachable {
		t.Errorf("read again, the problem is %q", b.connection.Problem)
	}
	b.server.with(func() { b.server.hangs = nil })
	b.read()
	if b.connection.Problem != "" {
		t.Errorf("the problem is %q once it answers", b.connection.Problem)
	}
}

func TestMerged(t *testing.T) {
	for _, c := range [][2]string{
		{"[]", "[]"},
		{"[{5 9} {1 3} {3 4} {2 2}]", "[{1 4} {5 9}]"},
		{"[{1 9} {2 3} {8 12}]", "[{1 12}]"},
	} {
		var in []calsync.Span
		for _, f := range strings.FieldsFunc(c[0], func(r rune) bool { return strings.ContainsRune("[]{}", r) }) {
			var s calsync.Span
			if n, _ := fmt.Sscan(f, &s.Start, &s.End); n == 2 {
				in = append(in, s)
			}
		}
		if got := fmt.Sprint(calsync.Merged(in)); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}
