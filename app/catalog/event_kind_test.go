package catalog

import (
	"slices"
	"strings"
	"testing"
)

// The table has a row of each kind, once, with a sentence.
func TestEventTable(t *testing.T) {
	var kinds []EventKind
	for _, data := range []EventData{BookingData, NoShowData, PaymentData, CounterData, ContactData, CalendarData, ResourceCalendarData, WaitlistData} {
		for _, kind := range EventKindsOf(data) {
			if kind.Data() != data {
				t.Errorf("%s tells of %d, and is listed among those of %d", kind, kind.Data(), data)
			}
			if when := kind.When(); !strings.HasSuffix(when, ".") {
				t.Errorf("%s is sent when? %q", kind, when)
			}
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	if all := slices.Sorted(slices.Values(EventKinds)); !slices.Equal(kinds, all) || len(slices.Compact(kinds)) != len(all) {
		t.Errorf("kinds %v, want each of %v once", kinds, all)
	}
}
