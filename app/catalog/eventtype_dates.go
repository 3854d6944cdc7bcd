package catalog

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

const (
	maxDates = 500 // of an event type
	dateForm = "2006-01-02T15:04"
)

// CheckDates returns the dates normalised: in order, each once. at is their place in the input.
func CheckDates(at string, given []string) ([]string, error) {
	if len(given) > maxDates {
		return given, fault.Invalid(at, "at most %d", maxDates)
	}
	dates := make([]string, 0, len(given))
	for i, text := range given {
		t, err := time.Parse(dateForm, strings.Replace(strings.TrimSpace(text), " ", "T", 1))
		if err != nil {
			return given, fault.Invalid(fmt.Sprintf("%s[%d]", at, i), "%q is not a date and time like 2026-12-03T18:00", text)
		}
		dates = append(dates, t.Format(dateForm))
	}
	slices.Sort(dates)
	return slices.Compact(dates), nil
}

// StartsOn returns the instants of the dates in the zone, ascending; nil if there are no dates. A time that the clock
// skips becomes the end of the gap.
func StartsOn(dates []string, zone *time.Location) (starts []int64) {
	for _, text := range dates {
		if t, err := time.Parse(dateForm, text); err == nil { // they were checked
			starts = append(starts, when.Wall(t, zone).UnixMilli())
		}
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}
