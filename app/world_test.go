package app_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/rooms"
	"daybook/store"
	"daybook/store/enginetest"
)

// world is a Service on a real file with a clock that stands still until it is moved.
type world struct {
	*rooms.Set
	t     testing.TB
	store *store.Store
	ws    catalog.Workspace
	api   app.Actor

	mu  sync.Mutex
	now time.Time
}

// monday is the start of the tests: 2026-11-30 08:00 in Berlin, an hour before work.
var monday = time.Date(2026, 11, 30, 7, 0, 0, 0, time.UTC)

// newWorld has the hosts ana, bob and cyd (by id in that order) who work in Berlin every day from 09:00 to 17:00.
func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, store: store.New(enginetest.Open(t)), now: monday}
	w.Set = rooms.New(rooms.Config{Config: app.Config{Store: w.store, Clock: w.clock}})
	var err error
	w.ws, err = w.CreateWorkspace(t.Context(), app.Operator(0), app.WorkspaceInput{Slug: "salon", Name: "Salon", TimeZone: "Europe/Berlin"})
	w.must(err)
	w.api = app.Actor{Kind: record.ByAPI, Workspace: w.ws.ID}
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"09:00-17:00"}
	}
	w.must(w.store.Write(t.Context(), func(tx app.Tx) error {
		for i, name := range []string{"ana", "bob", "cyd"} {
			h := catalog.Host{
				ID: catalog.HostID(i + 1), WorkspaceID: w.ws.ID, Name: name, Email: name + "@salon.example",
				TimeZone: "Europe/Berlin", Active: true, Hours: catalog.Hours{Weekly: weekly},
			}
			if err := tx.InsertHost(&h); err != nil {
				return err
			}
		}
		return nil
	}))
	return w
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// at moves the clock to a time of the tests' Monday, in UTC, or of a later day: "10:00", "+1 10:00".
func (w *world) at(text string) {
	w.t.Helper()
	var days, hour, minute int
	if _, err := fmt.Sscanf(text, "+%d %d:%d", &days, &hour, &minute); err != nil {
		if _, err := fmt.Sscanf(text, "%d:%d", &hour, &minute); err != nil {
			w.t.Fatalf("at %q: %v", text, err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = time.Date(2026, 11, 30+days, hour, minute, 0, 0, time.UTC)
}

// offer adds an event type of 60 minutes, every hour, served by the hosts 1 to n, changed by with.
func (w *world) offer(slug string, n int, with func(*catalog.EventType)) catalog.EventType {
	w.t.Helper()
	e := catalog.NewEventType()
	e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes = catalog.EventTypeID(time.Now().UnixNano()&0xffffffff), w.ws.ID, slug, slug, 60, 60
	for i := range n {
		e.Hosts = append(e.Hosts, catalog.HostRef{ID: catalog.HostID(i + 1)})
	}
	if with != nil {
		with(&e)
	}
	w.must(w.store.Write(w.t.Context(), func(tx app.Tx) error { return tx.InsertEventType(&e) }))
	return e
}

// input is a booking of slug at start ("1T09" is 09:00 UTC on the day after Monday) by the person.
func input(slug, start, person string) record.BookInput {
	return record.BookInput{EventType: slug, Start: instant(start), Invitee: record.Invitee{Name: person, Email: person + "@mail.example"}}
}

func instant(start string) string {
	var day, hour, minute int
	if n, _ := fmt.Sscanf(start, "%dT%d:%d", &day, &hour, &minute); n < 2 {
		return start
	}
	return time.Date(2026, 11, 30+day, hour, minute, 0, 0, time.UTC).Format(time.RFC3339)
}

func (w *world) book(slug, start, person string) record.Booking {
	w.t.Helper()
	b, err := w.Book(w.t.Context(), w.api, input(slug, start, person))
	w.must(err)
	return b
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// refused wants err to be an *fault.Error of that code and reason, and returns it.
func (w *world) refused(err error, code fault.Code, reason string) *fault.Error {
	w.t.Helper()
	e := fault.As(err)
	if e == nil || e.Code != code || e.Reason != reason {
		w.t.Fatalf("got %#v, want %s/%s", err, code, reason)
	}
	return e
}

// events are the kinds of all events so far, the oldest first.
func (w *world) events() (kinds []catalog.EventKind) {
	w.t.Helper()
	all, err := w.store.EventsAfter(w.ws.ID, 0, 1000)
	w.must(err)
	for _, e := range all {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// sql runs a statement on the database from outside, as another program would.
func (w *world) sql(query string) error {
	_, err := enginetest.Raw(w.t, w.store.Engine).Exec(query)
	return err
}
