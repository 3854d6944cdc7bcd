package caldav

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/subjects"
)

// A host's calendar on radicale, through the whole room: connected, read, written, down and back.
func TestACalendarServerOfAHost(t *testing.T) {
	p := radicale(t, nil)
	p.do("PUT", p.calendar+"dentist.ics", file(strings.ReplaceAll("BEGIN:VEVENT\nUID:dentist\nDTSTAMP:20260101T000000Z\n"+
		"DTSTART:20261201T093000Z\nDTEND:20261201T103000Z\nEND:VEVENT\n", "\n", "\r\n")), "Content-Type", "text/calendar")
	b := apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		c.Calendars = calsync.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			Sources: map[calsync.Kind]calsync.Opener{calsync.CalDAV: Open}}
	}})
	b.Offer("cut", 60, func(e *catalog.EventType) { e.Hosts = e.Hosts[:1] })
	in := calsync.Input{Host: catalog.HostID(1).String(), Kind: calsync.CalDAV, Address: "http://" + p.address, User: "ana",
		Password: "wrong"}
	_, err := b.Calendars.ConnectCalendars(t.Context(), b.Owner, in)
	b.Refused(err, fault.BadRequest, string(calsync.SignIn))
	in.Password = "right"
	c, err := b.Calendars.ConnectCalendars(t.Context(), b.Owner, in)
	b.Must(err)
	i := slices.IndexFunc(c.Calendars, func(k calsync.Calendar) bool { return k.Remote == p.calendar })
	if c.State != calsync.OK || i < 0 {
		t.Fatalf("%+v", c)
	}
	taken := func() {
		t.Helper()
		_, err := b.Book(t.Context(), b.API, apptest.Input("cut", "1T10", "Ida"))
		b.Refused(err, fault.Conflict, "slot_taken")
	}
	taken()
	b.Must(b.Calendars.ChooseCalendars(t.Context(), b.Owner, c.ID.String(),
		map[calsync.CalendarID]calsync.Choice{c.Calendars[i].ID: {Blocks: true, Target: true}}))
	written := func() {
		t.Helper()
		for more := true; more; {
			n, err := b.Calendars.QueueCopies(t.Context(), 100)
			b.Must(err)
			m, err := b.Calendars.WriteCopies(t.Context(), 10)
			b.Must(err)
			more = n+m > 0
		}
	}
	booking := b.Booked("cut", "1T12", "Ida")
	written()
	there := func() int {
		r, err := http.NewRequest("GET", "http://"+p.address+p.calendar+"daybook-"+booking.ID.String()+".ics", nil)
		b.Must(err)
		r.SetBasicAuth(p.user, p.password)
		a, err := http.DefaultClient.Do(r)
		b.Must(err)
		a.Body.Close()
		return a.StatusCode
	}
	if got := there(); got != http.StatusOK {
		t.Errorf("the booking's file: %d", got)
	}
	read := func() calsync.Connection {
		t.Helper()
		b.Clock.Advance(2 * time.Minute)
		c, err := b.Calendars.ReadCalendars(t.Context(), b.Owner, c.ID.String())
		b.Must(err)
		return c
	}
	if c := read(); c.State != calsync.OK {
		t.Errorf("%+v", c)
	}
	p.stop()
	if c := read(); c.State != calsync.Failing || c.Problem != calsync.Unreachable {
		t.Errorf("the server is down: %s %s", c.State, c.Problem)
	}
	taken() // as was known last
	_, err = b.Cancel(t.Context(), b.API, booking.ID.String(), app.CancelInput{})
	b.Must(err)
	written()
	p.start()
	b.Clock.Advance(time.Hour)
	written()
	if got := there(); got != http.StatusNotFound {
		t.Errorf("the file of the cancelled booking: %d", got)
	}
	if c := read(); c.State != calsync.OK || c.Problem != "" {
		t.Errorf("the server is back: %s %s", c.State, c.Problem)
	}
	taken()
}
