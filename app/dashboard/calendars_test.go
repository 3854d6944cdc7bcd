package dashboard

import (
	"context"
	"fmt"
	"html"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/views/dash"
)

// otherCalendars is a calendar server with one account.
type otherCalendars struct {
	mu     sync.Mutex
	items  map[string]calsync.Item // by key, of the calendar ana@work
	fails  error
	stuck  bool // nothing can be removed
	serial int
}

var _ calsync.Writer = &otherCalendars{}

func newOtherCalendars() *otherCalendars { return &otherCalendars{items: map[string]calsync.Item{}} }

func (o *otherCalendars) with(change func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change()
}

func (o *otherCalendars) Calendars(context.Context) ([]calsync.Remote, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return []calsync.Remote{{ID: "work", Name: "ana@work", Primary: true}, {ID: "club", Name: "ana@club", ReadOnly: true}}, o.fails
}

func (o *otherCalendars) Changes(_ context.Context, of calsync.Asked) (c calsync.Changes, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	c.All, c.Cursor = true, fmt.Sprint(o.serial)
	if of.Calendar == "work" {
		for _, x := range o.items {
			c.Items = append(c.Items, x)
		}
	}
	return c, o.fails
}

func (o *otherCalendars) Put(_ context.Context, _, key, etag string, e calsync.Entry) (string, string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.serial++
	x := calsync.Item{Key: e.UID, UID: e.UID, ETag: fmt.Sprint(o.serial), Start: e.Start.UnixMilli(), End: e.End.UnixMilli()}
	o.items[x.Key] = x
	return x.Key, x.ETag, o.fails
}

func (o *otherCalendars) Find(_ context.Context, _, uid string) (key, etag string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	x := o.items[uid]
	return x.Key, x.ETag, o.fails
}

func (o *otherCalendars) Remove(_ context.Context, _, key, _ string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stuck {
		return &calsync.Status{Code: 500}
	}
	delete(o.items, key)
	return o.fails
}

// busy puts somebody's event into the calendar.
func (o *otherCalendars) busy(start time.Time, d time.Duration) {
	o.with(func() {
		o.serial++
		key := fmt.Sprint("event", o.serial)
		o.items[key] = calsync.Item{Key: key, UID: key, ETag: key, Spans: []calsync.Span{{Start: start.UnixMilli(), End: start.Add(d).UnixMilli()}}}
	})
}

// connectCalendar connects the calendars of a host.
func (w *world) connectCalendar(host int) calsync.Connection {
	w.T.Helper()
	x, err := w.Calendars.ConnectCalendars(w.T.Context(), w.Owner, calsync.Input{Host: w.setup().Hosts[host].ID.String(),
		Kind: calsync.CalDAV, Address: "https://8.8.8.8/", User: "ana@salon", Password: "secret"})
	w.Must(err)
	return x
}

// Somebody connects a calendar, chooses what it is for, reads it, and disconnects it.
func TestConnectACalendar(t *testing.T) {
	w := newWorld(t)
	h := &w.setup().Hosts[0]
	b := w.asOwner()
	b.wants(b.get(dash.CalendarsPath), 200, "Connect a calendar", "No calendar is connected.", h.Name)
	b.wants(b.get(dash.NewCalendarsPath+"?host="+h.ID.String()), 200, "iCloud", "Nextcloud", "Fastmail", "mailbox.org", "place=ics")
	form := dash.NewCalendarsPath + "?place=icloud"
	b.wants(b.get(form), 200, "https://caldav.icloud.com/", "App-Specific Passwords")
	send := func(password string) response {
		return b.post(form, "host", h.ID.String(), "address", "https://8.8.8.8/", "user", "ana@salon", "password", password)
	}
	b.wants(send(""), 422, "Enter the user name and the password")
	w.other.with(func() { w.other.fails = calsync.ErrSignIn })
	b.wants(send("hunter-2"), 422, "make a new password for apps there", "ana@salon", "!hunter-2")
	w.other.with(func() { w.other.fails = nil })
	r := send("hunter-3")
	b.wants(r, 303)
	path, _, _ := strings.Cut(r.location, "?")
	b.wants(b.get(r.location), 200, "The calendar is connected.", "ana@work", "ana@club", "Up to date", "Read just now", "No calendar", "!hunter-3")

	x, err := w.Calendars.CalendarConnection(t.Context(), w.Owner, strings.TrimPrefix(path, dash.CalendarsPath+"/"))
	w.Must(err)
	of := map[string]calsync.CalendarID{}
	for _, k := range x.Calendars {
		of[k.Remote] = k.ID
	}
	b.wants(b.post(path, "target", of["club"].String()), 422, "ana@club can’t be written")
	b.wants(b.post(path, "blocks", of["club"].String(), "target", of["work"].String(), "details", "phone", "details", "link"), 303)
	x, err = w.Calendars.CalendarConnection(t.Context(), w.Owner, x.ID.String())
	w.Must(err)
	for _, k := range x.Calendars {
		work := k.Remote == "work"
		want := calsync.Details{Phone: work, Link: work}
		if k.Target != work || k.Blocks == work || k.Details != want {
			t.Errorf("%s: %+v", k.Name, k)
		}
	}
	w.other.with(func() { w.other.fails = calsync.ErrNotOne })
	w.Clock.Advance(3 * time.Minute)
	b.wants(b.get(dash.CalendarsPath), 200, "Read 3 minutes ago", "blocks: ana@club", "bookings go into ana@work")
	b.wants(b.post(path+"/read"), 303, "")
	b.wants(b.get(path+"?said=unread"), 200, "The calendar could not be read", "is not a calendar. Copy the address", "Can’t be read", "Read 3 minutes ago")
	w.other.with(func() { w.other.fails = nil })
	b.wants(b.post(path+"/read"), 303)
	b.wants(b.get(path+"?said=read"), 200, "The calendar was read", "Up to date", "!Copy the address")

	b.wants(b.post("/dashboard/integrations/calendars/unknown", "host", h.ID.String(), "whenCalendarUnknown", "refuse"), 303)
	if got := w.setup().Hosts[0].WhenCalendarUnknown; got != catalog.RefuseUnknown {
		t.Errorf("when unknown: %s", got)
	}
	b.wants(b.get(dash.HostCalendarPath(h.ID.String())), 200, `<option value="refuse" selected>`)
	b.wants(b.get(path+"/disconnect"), 200, "Also remove the bookings", "no longer block")
	b.wants(b.post(path+"/disconnect", "remove", "on"), 303)
	b.wants(b.get(dash.CalendarsPath), 200, "No calendar is connected.", "!ana@work")
	b.wants(b.get(path), 404)
}

// Staff see and change the calendars of their own host only.
func TestCalendarsOfStaff(t *testing.T) {
	w := newWorld(t)
	others, own := w.connectCalendar(0), &w.setup().Hosts[1]
	b := w.staff(own.ID)
	b.wants(b.get(dash.IntegrationsPath), 200, dash.CalendarsPath, "!"+dash.PaymentsPath)
	b.wants(b.get(dash.CalendarsPath), 200, own.Name, "!"+others.ID.String(), "!"+dash.FeedsPath)
	for _, path := range []string{"", "/read", "/disconnect"} {
		b.wants(b.post(dash.CalendarsConnectionPath(others.ID.String())+path), 404)
	}
	b.wants(b.post("/dashboard/integrations/calendars/unknown", "host", w.setup().Hosts[0].ID.String(), "whenCalendarUnknown", "refuse"), 404)
	r := b.post(dash.NewCalendarsPath+"?place=caldav", "host", w.setup().Hosts[0].ID.String(), "address", "https://8.8.8.8/", "user", "ben", "password", "secret")
	b.wants(r, 303)
	b.wants(b.get(r.location), 200, own.Name)
	b.wants(b.post("/dashboard/integrations/calendars/unknown", "host", own.ID.String(), "whenCalendarUnknown", "refuse"), 303)
}

// Today and the host's page say when a sign-in is refused, which bookings meet a busy time, and what somebody did to
// them in the calendar.
func TestCalendarNews(t *testing.T) {
	w := newWorld(t)
	x := w.connectCalendar(0)
	h := &w.setup().Hosts[0]
	for _, k := range x.Calendars {
		if k.Remote == "work" {
			w.Must(w.Calendars.ChooseCalendars(t.Context(), w.Owner, x.ID.String(), map[calsync.CalendarID]calsync.Choice{k.ID: {Blocks: true, Target: true}}))
		}
	}
	n := 100
	next, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Status: "confirmed", Host: h.ID.String(), Scope: "upcoming", Limit: &n})
	w.Must(err)
	moved, deleted, met := next.Data[0], next.Data[1], next.Data[2]
	for more := 1; more > 0; {
		more, err = w.Calendars.WriteCopies(t.Context(), 50)
		w.Must(err)
	}
	_, err = w.Calendars.ReadCalendars(t.Context(), w.Owner, x.ID.String())
	w.Must(err)
	b := w.asOwner()
	b.wants(b.get("/dashboard"), 200, "!Other calendars")

	copyOf := func(k booking.BookingID) string {
		for key := range w.other.items {
			if id, ok := booking.OfUID(key); ok && id == k {
				return key
			}
		}
		t.Fatalf("%s was not written", k)
		return ""
	}
	to := moved.Start.Add(when.Day)
	w.other.with(func() {
		key := copyOf(moved.ID)
		c := w.other.items[key]
		c.ETag, c.Start, c.End = "moved", int64(to), int64(to)+c.End-c.Start
		w.other.items[key] = c
		delete(w.other.items, copyOf(deleted.ID))
	})
	w.other.busy(met.Start.Time(), 10*time.Minute)
	_, err = w.Calendars.ReadCalendars(t.Context(), w.Owner, x.ID.String())
	w.Must(err)
	move := dash.BookingMovePath(moved.ID.String())
	for _, page := range []string{"/dashboard", hostURL(h), dash.CalendarsPath} {
		b.wants(b.get(page), 200, "A booking meets a busy time", met.Invitee.Name, "Somebody moved "+html.EscapeString(moved.Invitee.Name), move,
			"start="+strings.ReplaceAll(to.String(), ":", "%3A"), "Somebody deleted "+html.EscapeString(deleted.Invitee.Name), dash.BookingPath(deleted.ID.String()))
	}
	b.wants(b.get(hostURL(&w.setup().Hosts[1])), 200, "!Somebody moved")
	day := "?date=" + met.Start.Time().Format(time.DateOnly)
	b.wants(b.get(dash.CalendarPath+day), 200, "off-busy", "<span>Busy ")
	b.wants(b.get(dash.CalendarPath+day+"&host="+w.setup().Hosts[1].ID.String()), 200, "!off-busy")
	b.wants(b.get("/dashboard"), 200, "<span>Busy · ")
	stranger := w.staff(w.setup().Hosts[1].ID)
	stranger.wants(stranger.get("/dashboard"), 200, "!Somebody moved", "!busy time")
	stranger.wants(stranger.post(dash.CalendarsLeavePath(moved.ID.String())), 404)
	r := b.post(dash.CalendarsLeavePath(moved.ID.String()), "back", "/dashboard")
	b.wants(r, 303)
	b.wants(b.get(r.location), 200, "The booking stays as it is", "!Somebody moved", "Somebody deleted")

	w.other.with(func() { w.other.fails = calsync.ErrSignIn })
	_, err = w.Calendars.ReadCalendars(t.Context(), w.Owner, x.ID.String())
	w.Must(err)
	b.wants(b.get("/dashboard"), 200, "refuses the sign-in", dash.CalendarsConnectionPath(x.ID.String()))
	w.other.with(func() { w.other.fails = &calsync.Status{Code: 502} })
	_, err = w.Calendars.ReadCalendars(t.Context(), w.Owner, x.ID.String())
	w.Must(err)
	w.Clock.Advance(2 * time.Hour)
	b.wants(b.get("/dashboard"), 200, "The calendar server failed", "2 hours ago")
	w.other.with(func() { w.other.fails = nil; w.other.stuck = true })
	r = b.post(dash.CalendarsEndPath(x.ID.String()), "remove", "on")
	b.wants(r, 303)
	b.wants(b.get(r.location), 200, "could not be removed from the calendar")
}

// A room gets its calendar on its page: it is listed there and under Integrations, nothing is written into it, and the
// column of the room shows when it is busy. Staff see none of it.
func TestCalendarsOfRooms(t *testing.T) {
	w := newWorld(t)
	r, err := w.Shop.AddResource(t.Context(), w.Owner, catalog.Resource{Name: "Studio <3>"})
	w.Must(err)
	b := w.asOwner()
	page, add := dash.ResourcePath(r.ID.String()), dash.NewCalendarsPath+"?host="+r.ID.String()
	b.wants(b.get(page), 200, add, "!whenCalendarUnknown")
	b.wants(b.get(add), 200, "Studio &lt;3&gt;", "place=ics")
	b.wants(b.get(dash.NewCalendarsPath+"?place=caldav&host="+r.ID.String()), 200, `value="`+r.ID.String()+`" selected`)
	w.other.busy(on(quietDay, "10:00"), time.Hour)
	got := b.post(dash.NewCalendarsPath+"?place=caldav", "host", r.ID.String(), "address", "https://8.8.8.8/", "user", "ana@salon", "password", "secret")
	b.wants(got, 303)
	path, _, _ := strings.Cut(got.location, "?")
	b.wants(b.get(path), 200, "Studio &lt;3&gt;", "Events in these calendars block bookings", "!Write bookings into")
	b.wants(b.get(path+"/disconnect"), 200, "!Also remove the bookings")
	b.wants(b.get(page), 200, path, "Up to date", "whenCalendarUnknown")
	b.wants(b.get(dash.CalendarsPath), 200, path, "Studio &lt;3&gt;")
	b.wants(b.post(page, "name", "Studio <3>", "kind", "room", "always", "on", "whenCalendarUnknown", "refuse"), 303)
	if got := w.thing("Studio <3>").WhenCalendarUnknown; got != catalog.RefuseUnknown {
		t.Errorf("when unknown: %s", got)
	}
	b.wants(b.post(page, "name", "Studio <3>", "kind", "room", "always", "on", "whenCalendarUnknown", "never"), 422, "whenCalendarUnknown")
	b.wants(b.get(dash.CalendarPath+"?view=rooms&date="+quietDay), 200, "Studio &lt;3&gt;", "Busy 10\u2060–\u206011")
	b.wants(b.get(dash.CalendarPath+"?date="+quietDay), 200, "!Busy")

	w.other.with(func() { w.other.fails = calsync.ErrSignIn })
	w.Clock.Advance(3 * time.Minute)
	b.wants(b.post(path+"/read"), 303)
	b.wants(b.get(dash.CalendarsPath), 200, "Sign-in refused")
	b.wants(b.get(dash.TodayPath), 200, "Studio &lt;3&gt;", "make a new password for apps")
	own := &w.setup().Hosts[1]
	staff := w.staff(own.ID)
	staff.wants(staff.get(dash.CalendarsPath), 200, "!Studio")
	staff.wants(staff.get(path), 404)
	staff.wants(staff.get(dash.NewCalendarsPath+"?place=caldav"), 200, "!Studio")
	b.wants(b.post(path+"/disconnect"), 303)
	b.wants(b.get(page), 200, "!"+path, "!whenCalendarUnknown")
}
