package catalog_test

import (
	"testing"
	"time"

	"daybook/app/catalog"
)

// A consent meets a requirement on the day of the start by the clock of the business: it has begun, hasn't ended, of which the
// last day counts, and was given at most so many days before.
func TestRequirementIsMet(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	night := time.Date(2026, 12, 10, 0, 30, 0, 0, zone) // the day before in UTC
	for _, x := range []struct {
		within      int
		given, ends string
		at          time.Time
		met         bool
	}{
		{0, "", "", night, false},
		{0, "2020-01-01", "", night, true},
		{0, "2026-12-10", "", night, true},
		{0, "2026-12-11", "", night, false},
		{0, "2026-12-01", "2026-12-10", night, true},
		{0, "2026-12-01", "2026-12-09", night, false},
		{10, "2026-11-30", "", night, true},
		{10, "2026-11-29", "", night, false},
		{10, "2026-11-29", "", night.Add(-time.Hour), true},
		{10, "2026-11-30", "2026-12-05", night, false},
		{180, "2026-10-01", "", time.Date(2027, 3, 30, 23, 59, 0, 0, zone), true}, // over the change of the clocks
		{180, "2026-10-01", "", time.Date(2027, 3, 31, 0, 0, 0, 0, zone), false},
	} {
		r := catalog.Requirement{Consent: "patch-test", Within: x.within}
		if met := r.Met(x.given, x.ends, x.at, zone); met != x.met {
			t.Errorf("%+v: %t", x, met)
		}
	}
}
