package app_test

import (
	"fmt"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/subjects"
)

// world is the standard salon: ana, bob and cyd have the ids 1 to 3. Its server doesn't know its address: links are paths.
type world struct{ *apptest.Salon }

func newWorld(t testing.TB) *world {
	t.Helper()
	return &world{apptest.New(t, apptest.Options{With: func(c *subjects.Config) { c.BaseURL = nil }})}
}

// at moves the clock to a time of the tests' Monday, in UTC, or of a later day: "10:00", "+1 10:00".
func (w *world) at(text string) {
	w.T.Helper()
	var days, hour, minute int
	if _, err := fmt.Sscanf(text, "+%d %d:%d", &days, &hour, &minute); err != nil {
		if _, err := fmt.Sscanf(text, "%d:%d", &hour, &minute); err != nil {
			w.T.Fatalf("at %q: %v", text, err)
		}
	}
	w.Clock.Set(time.Date(2026, 11, 30+days, hour, minute, 0, 0, time.UTC))
}

// offer adds an event type of 60 minutes, every hour, served by the hosts 1 to n, changed by with.
func (w *world) offer(slug string, n int, with func(*catalog.EventType)) catalog.EventType {
	w.T.Helper()
	return w.Offer(slug, 60, func(e *catalog.EventType) {
		e.Hosts = nil
		for i := range n {
			e.Hosts = append(e.Hosts, catalog.HostRef{ID: catalog.HostID(i + 1)})
		}
		if with != nil {
			with(e)
		}
	})
}
