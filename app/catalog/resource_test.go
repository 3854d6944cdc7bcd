package catalog

import (
	"testing"
	"time"
)

// A resource whose days are all empty, as an exported set-up has them, can be used at any time; with other hours on one
// day it is closed on that day alone.
func TestResourceWithoutHours(t *testing.T) {
	week := map[string][]string{}
	for _, day := range Weekdays {
		week[day] = []string{}
	}
	for name, weekly := range map[string]map[string][]string{"none": nil, "empty days": week} {
		r := Resource{Name: "Room", Weekly: weekly, TimeZone: "Europe/Berlin"}
		if err := r.Check("resource", time.UTC); err != nil || !r.Always() || r.Calendar().Schedule != nil {
			t.Errorf("%s: %v, always %t, %+v", name, err, r.Always(), r.Calendar().Schedule)
		}
		r.Overrides = []Override{{Date: "2026-12-24", Hours: []string{}}}
		if err := r.Check("resource", time.UTC); err != nil {
			t.Error(err)
		}
		from := time.Date(2026, 12, 22, 23, 0, 0, 0, time.UTC)
		open := r.OpenBetween(from, from.AddDate(0, 0, 3))
		if len(open) != 2 || open[0].To.Sub(open[0].From) != 24*time.Hour || open[1].To.Sub(open[1].From) != 24*time.Hour {
			t.Errorf("%s: open %v", name, open)
		}
	}
}
