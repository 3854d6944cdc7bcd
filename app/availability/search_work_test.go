package availability_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/setup"
	"daybook/app/when"
)

// salon is the standard one, with event types that are costly to search.
type salon struct{ *apptest.Salon }

func newSalon(t *testing.T) *salon { return &salon{apptest.New(t, apptest.Options{})} }

// crowd adds an event type with a start every minute and n more hosts, who work all day. It writes to the store, as an
// older server that knew no bound may have.
func (s *salon) crowd(slug string, n int, with func(*catalog.EventType)) catalog.EventType {
	s.T.Helper()
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"00:00-24:00"}
	}
	var refs []catalog.HostRef
	s.Must(s.Store.Write(s.T.Context(), func(tx app.Tx) error {
		for i := range n {
			h := catalog.Host{
				ID: catalog.HostID(100 + i), WorkspaceID: s.Workspace.ID, Name: slug, Email: fmt.Sprintf("h%d@crowd.example", i),
				TimeZone: "Europe/Berlin", Active: true, Hours: catalog.Hours{Weekly: weekly},
			}
			refs = append(refs, catalog.HostRef{ID: h.ID})
			if err := tx.InsertHost(&h); err != nil {
				return err
			}
		}
		return nil
	}))
	return s.Offer(slug, 60, func(e *catalog.EventType) {
		e.DurationMinutes, e.SlotStepMinutes, e.Hosts, e.BookingWindowDays = 5, 1, refs, 730
		if with != nil {
			with(e)
		}
	})
}

// awayFor gives the n hosts of crowd time off from November to that many days after Monday.
func (s *salon) awayFor(n, days int) {
	s.T.Helper()
	manager := app.Actor{Kind: booking.ByOwner, Workspace: s.Workspace.ID, Role: app.ManagerRole}
	for i := range n {
		_, err := s.Shop.AddTimeOff(s.T.Context(), manager, catalog.HostID(100+i).String(), "2026-11-01", apptest.Monday.AddDate(0, 0, days).Format(time.DateOnly), "")
		s.Must(err)
	}
}

// A search that reaches its budget says how far it got, goes on with its cursor, and finds what one without a budget
// would find.
func TestAvailabilityEndsAtItsBudget(t *testing.T) {
	s := newSalon(t)
	s.crowd("x", 60, nil)
	s.awayFor(60, 100)
	days := 62
	in := availability.Input{EventType: "x", Days: &days}
	calls, last := 0, when.Instant(0)
	var first availability.Slot
	for {
		v, err := s.Availability(t.Context(), s.API, in)
		s.Must(err)
		if calls++; calls > 50 {
			t.Fatal("no end")
		}
		if v.Len() > 0 {
			first = v.Slots()[0]
			break
		}
		if v.SearchedUntil == 0 && v.NextAvailable == 0 || v.NextCursor != "" && v.SearchedUntil <= last {
			t.Fatalf("nothing found, searched until %v, next %v", v.SearchedUntil, v.NextAvailable)
		}
		if text := string(v.AppendJSON(nil)); (v.SearchedUntil != 0) != strings.Contains(text, `"searchedUntil":"`+v.SearchedUntil.String()) {
			t.Fatalf("%v is not in %s", v.SearchedUntil, text)
		}
		last = v.SearchedUntil
		if in.Cursor = v.NextCursor; in.Cursor == "" {
			if last = v.NextAvailable; last == 0 {
				last = v.SearchedUntil
			}
			in.From = last.String()
		}
	}
	if want := time.Date(2027, 3, 10, 23, 0, 0, 0, time.UTC); !first.Start.Time().Equal(want) || calls < 3 {
		t.Errorf("after %d calls the first is %v, want %v", calls, first.Start, want)
	}
}

func TestSearchEndsWithItsCaller(t *testing.T) {
	s := newSalon(t)
	s.crowd("x", 60, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Availability(ctx, s.API, availability.Input{EventType: "x"}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// explain refuses too many closed times as soon as it has seen that many: it doesn't collect all of them first.
func TestExplainCountsWhileItCollects(t *testing.T) {
	s := newSalon(t)
	s.crowd("x", 100, nil)
	s.awayFor(100, 100)
	days := 62
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := s.Availability(t.Context(), s.API, availability.Input{EventType: "x", Days: &days, Explain: true})
	runtime.ReadMemStats(&after)
	s.Refused(err, fault.BadRequest, "invalid")
	if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
		t.Errorf("took %d MB of memory", took>>20)
	}
}

func TestExplainIsBounded(t *testing.T) {
	s := newSalon(t)
	s.Offer("every-minute", 480, func(e *catalog.EventType) {
		e.Hosts, e.SlotStepMinutes, e.BookingWindowDays = []catalog.HostRef{{ID: 1}, {ID: 2}, {ID: 3}}, 1, 1
	})
	ask := availability.Input{EventType: "every-minute", Days: new(62), Explain: true}
	_, err := s.Availability(t.Context(), s.API, ask)
	if e := s.Refused(err, fault.BadRequest, "invalid"); e.Field != "explain" {
		t.Errorf("field %q", e.Field)
	}
	ask.Days = new(5)
	v, err := s.Availability(t.Context(), s.API, ask)
	s.Must(err)
	if len(v.Closed()) < 1000 {
		t.Errorf("%d closed", len(v.Closed()))
	}
}

// What takes too long to search can't be saved, by the form, by a host's hours or by a set-up file. The message says what
// to change, and a change as it says is saved.
func TestSizeOfASearchIsBoundedWhenSaved(t *testing.T) {
	s := newSalon(t)
	old := s.crowd("x", 20, nil)
	owner := app.Actor{Kind: booking.ByOwner, Workspace: s.Workspace.ID, Role: app.OwnerRole}

	e := catalog.NewEventType()
	e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes, e.Hosts = "y", "Y", 5, 1, old.Hosts
	_, err := s.Shop.SaveEventType(t.Context(), owner, e)
	if wrong := s.Refused(err, fault.BadRequest, "invalid"); wrong.Field != "eventType.slotStepMinutes" ||
		!strings.Contains(wrong.Error(), "the 20 hosts of Y have 28820 starts a day together, and 20000 is the most. Let it start every 2 minutes, or name fewer hosts") {
		t.Errorf("got %+v", wrong)
	}
	e.SlotStepMinutes = 2
	_, err = s.Shop.SaveEventType(t.Context(), owner, e)
	s.Must(err)

	old.Title = "was saved before there was a bound"
	_, err = s.Shop.SaveEventType(t.Context(), owner, old)
	s.Must(err)

	weekly := map[string][]string{}
	_, err = s.Shop.ChangeHost(t.Context(), owner, catalog.HostID(100).String(), func(h *catalog.Host) error { h.Weekly = weekly; return nil })
	s.Must(err)
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"00:00-24:00"}
	}
	_, err = s.Shop.ChangeHost(t.Context(), owner, catalog.HostID(100).String(), func(h *catalog.Host) error { h.Weekly = weekly; return nil })
	if wrong := s.Refused(err, fault.BadRequest, "invalid"); wrong.Field != "host.weekly" {
		t.Errorf("got %+v", wrong)
	}

	text := "workspace: {slug: salon}\neventTypes:\n  - {slug: z, title: Z, durationMinutes: 5, slotStepMinutes: 1, hosts: ["
	for i := range 20 {
		text += fmt.Sprintf("h%d@crowd.example, ", i)
	}
	doc, err := setup.Parse([]byte(strings.TrimSuffix(text, ", ") + "]}\n"))
	s.Must(err)
	_, err = s.SetupFile.ApplySetup(t.Context(), app.Operator(0), doc, false)
	if wrong := s.Refused(err, fault.BadRequest, "invalid"); wrong.Field != "eventTypes[0].slotStepMinutes" || wrong.Details["line"] != 3 {
		t.Errorf("got %+v", wrong)
	}
}
