package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/setup"
	"daybook/app/when"
)

// crowd adds an event type with a start a minute, and so many more hosts who are there all day. It does so behind the
// Service's back, as a server before this one may have.
func (w *world) crowd(slug string, n int, with func(*catalog.EventType)) catalog.EventType {
	w.T.Helper()
	weekly := map[string][]string{}
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"00:00-24:00"}
	}
	var refs []catalog.HostRef
	w.Must(w.Store.Write(w.T.Context(), func(tx app.Tx) error {
		for i := range n {
			h := catalog.Host{
				ID: catalog.HostID(100 + i), WorkspaceID: w.Workspace.ID, Name: slug, Email: fmt.Sprintf("h%d@crowd.example", i),
				TimeZone: "Europe/Berlin", Active: true, Hours: catalog.Hours{Weekly: weekly},
			}
			refs = append(refs, catalog.HostRef{ID: h.ID})
			if err := tx.InsertHost(&h); err != nil {
				return err
			}
		}
		return nil
	}))
	return w.offer(slug, 0, func(e *catalog.EventType) {
		e.DurationMinutes, e.SlotStepMinutes, e.Hosts, e.BookingWindowDays = 5, 1, refs, 730
		if with != nil {
			with(e)
		}
	})
}

// awayFor takes the crowd out for so many days.
func (w *world) awayFor(n, days int) {
	w.T.Helper()
	manager := app.Actor{Kind: record.ByOwner, Workspace: w.Workspace.ID, Role: app.ManagerRole}
	for i := range n {
		_, err := w.Shop.AddTimeOff(w.T.Context(), manager, catalog.HostID(100+i).String(), "2026-11-01", apptest.Monday.AddDate(0, 0, days).Format(time.DateOnly), "")
		w.Must(err)
	}
}

// A search that ends at what it may cost tells how far it came, goes on with its cursor, and finds what a search
// without an end would.
func TestAvailabilityEndsAtItsBudget(t *testing.T) {
	w := newWorld(t)
	w.crowd("x", 60, nil)
	w.awayFor(60, 100)
	days := 62
	in := availability.Input{EventType: "x", Days: &days}
	calls, last := 0, when.Instant(0)
	var first availability.Slot
	for {
		v, err := w.Availability(t.Context(), w.API, in)
		w.Must(err)
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
	w := newWorld(t)
	w.crowd("x", 60, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Availability(ctx, w.API, availability.Input{EventType: "x"}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// explain refuses too many closed times after it has seen that many, not after all of them.
func TestExplainCountsWhileItCollects(t *testing.T) {
	w := newWorld(t)
	w.crowd("x", 100, nil)
	w.awayFor(100, 100)
	days := 62
	began := time.Now()
	_, err := w.Availability(t.Context(), w.API, availability.Input{EventType: "x", Days: &days, Explain: true})
	w.Refused(err, fault.BadRequest, "invalid")
	if took := time.Since(began); took > time.Second {
		t.Errorf("took %v", took)
	}
}

// What can't be searched in good time can't be saved: by the form, by a host's hours or by a set-up file. The message
// says what to change, and doing that helps.
func TestSizeOfASearchIsBoundedWhenSaved(t *testing.T) {
	w := newWorld(t)
	old := w.crowd("x", 20, nil)
	owner := app.Actor{Kind: record.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}

	e := catalog.NewEventType()
	e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes, e.Hosts = "y", "Y", 5, 1, old.Hosts
	_, err := w.Shop.SaveEventType(t.Context(), owner, e)
	if wrong := w.Refused(err, fault.BadRequest, "invalid"); wrong.Field != "eventType.slotStepMinutes" ||
		!strings.Contains(wrong.Message, "the 20 hosts of Y have 28820 starts a day together, and 20000 is the most. Let it start every 2 minutes, or name fewer hosts") {
		t.Errorf("got %+v", wrong)
	}
	e.SlotStepMinutes = 2
	_, err = w.Shop.SaveEventType(t.Context(), owner, e)
	w.Must(err)

	old.Title = "was saved before there was a bound"
	_, err = w.Shop.SaveEventType(t.Context(), owner, old)
	w.Must(err)

	weekly := map[string][]string{}
	_, err = w.Shop.ChangeHost(t.Context(), owner, catalog.HostID(100).String(), func(h *catalog.Host) error { h.Weekly = weekly; return nil })
	w.Must(err)
	for _, day := range catalog.Weekdays {
		weekly[day] = []string{"00:00-24:00"}
	}
	_, err = w.Shop.ChangeHost(t.Context(), owner, catalog.HostID(100).String(), func(h *catalog.Host) error { h.Weekly = weekly; return nil })
	if wrong := w.Refused(err, fault.BadRequest, "invalid"); wrong.Field != "host.weekly" {
		t.Errorf("got %+v", wrong)
	}

	text := "workspace: {slug: salon}\neventTypes:\n  - {slug: z, title: Z, durationMinutes: 5, slotStepMinutes: 1, hosts: ["
	for i := range 20 {
		text += fmt.Sprintf("h%d@crowd.example, ", i)
	}
	doc, err := setup.Parse([]byte(strings.TrimSuffix(text, ", ") + "]}\n"))
	w.Must(err)
	_, err = w.SetupFile.ApplySetup(t.Context(), app.Operator(0), doc, false)
	if wrong := w.Refused(err, fault.BadRequest, "invalid"); wrong.Field != "eventTypes[0].slotStepMinutes" || wrong.Details["line"] != 3 {
		t.Errorf("got %+v", wrong)
	}
}
