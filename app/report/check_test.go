package report_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"daybook/app/report"
	"daybook/store/enginetest"
)

// Sums that are not those of their bookings are found and named; days that are marked as changed, and sums of another
// version, are not used and not looked at. Nothing is changed, and without wrong ones figures are exact again.
func TestWrongSumsAreFound(t *testing.T) {
	s := salon(t)
	for day := 1; day < 9; day++ {
		s.Booked("cut", fmt.Sprintf("%dT09", day), "eva")
		s.Booked("talk", fmt.Sprintf("%dT10", day), "bob")
	}
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	raw := enginetest.Raw(t, s.Store.Engine)
	check := func(wrong int, names ...string) report.SumsFound {
		t.Helper()
		before := enginetest.Dump(t, raw)
		found, err := s.Report.CheckSums(t.Context(), s.Workspace.ID)
		s.Must(err)
		if found.Wrong != wrong || !slices.Equal(found.Names, names) || !found.Whole {
			t.Errorf("%+v, want %v", found, names)
		}
		if changed := enginetest.Differences(before, enginetest.Dump(t, raw)); changed != "" {
			t.Error(changed)
		}
		return found
	}
	days, _ := kept(t, s)
	if found := check(0); found.Days != days || days < 8 {
		t.Errorf("%+v of %d days", found, days)
	}
	s.Booked("export", "3T12", "kim") // marked, so not exact and not wrong: one day of UTC, in two of Berlin
	if found := check(0); found.Days >= days {
		t.Errorf("%+v of %d days", found, days)
	}
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	// The marks are lost of one change; of another day the sums are another day's; those of a third can't be read.
	s.Booked("export", "2T12", "kim")
	s.Must(s.SQL(`DELETE FROM day_marks`))
	at := func(day int) string {
		return fmt.Sprintf(`WHERE from_ms = (SELECT MAX(from_ms) FROM day_sums WHERE from_ms <= (SELECT MIN(start_ms) FROM bookings
			WHERE event_type_id = (SELECT id FROM event_types WHERE slug = 'talk')) + %d * 86400000)`, day-1)
	}
	s.Must(s.SQL(`UPDATE day_sums SET sums = (SELECT o.sums FROM day_sums o ` + at(3) + `) ` + at(5)))
	s.Must(s.SQL(`UPDATE day_sums SET sums = substr(sums, 1, length(sums) - 1) ` + at(7)))
	check(3, "2026-12-02", "2026-12-05", "2026-12-07")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := s.Report.CheckSums(ended, s.Workspace.ID); err != nil || found.Whole || found.Days != 0 {
		t.Errorf("%+v, %v", found, err)
	}
	s.Must(s.SQL(fmt.Sprintf(`DELETE FROM day_sums WHERE workspace_id = %d`, int64(s.Workspace.ID))))
	check(0)
	exactly(t, s, "without the wrong sums")
	s.Must(s.Report.SumDays(t.Context(), s.Workspace.ID))
	check(0)
	exactly(t, s, "made anew")
}
