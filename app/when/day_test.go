package when

import (
	"testing"
	"time"
	_ "time/tzdata"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := Zone(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// A day begins at midnight, or where midnight is skipped with what comes after it; where it comes twice with the first.
func TestDayStart(t *testing.T) {
	for _, c := range []struct{ zone, day, want string }{
		{"UTC", "2027-03-28", "2027-03-28T00:00:00Z"},
		{"Europe/Berlin", "2027-03-28", "2027-03-28T00:00:00+01:00"},
		{"Europe/Berlin", "2027-10-31", "2027-10-31T00:00:00+02:00"},
		{"Asia/Kolkata", "2027-10-31", "2027-10-31T00:00:00+05:30"},
		{"Atlantic/Azores", "2027-03-27", "2027-03-27T00:00:00-01:00"},
		{"Atlantic/Azores", "2027-03-28", "2027-03-28T01:00:00Z"},
		{"Atlantic/Azores", "2027-03-29", "2027-03-29T00:00:00Z"},
		{"Atlantic/Azores", "2027-10-31", "2027-10-31T00:00:00Z"}, // and an hour later again
		{"America/Santiago", "2027-09-05", "2027-09-05T01:00:00-03:00"},
		{"America/Santiago", "2027-09-06", "2027-09-06T00:00:00-03:00"},
		{"America/Santiago", "2027-04-04", "2027-04-04T00:00:00-04:00"}, // the hour before it came twice
		{"America/Havana", "2027-03-14", "2027-03-14T01:00:00-04:00"},
		{"America/Havana", "2027-11-07", "2027-11-07T00:00:00-04:00"}, // and an hour later again
		{"Africa/Cairo", "2027-04-30", "2027-04-30T01:00:00+03:00"},
		{"America/Toronto", "1919-03-31", "1919-03-31T00:30:00-04:00"}, // 23:30 to 00:30
		{"Pacific/Apia", "2011-12-30", "2011-12-31T00:00:00+14:00"},
		{"Pacific/Apia", "2011-12-31", "2011-12-31T00:00:00+14:00"}, // the 30th was left out
	} {
		got, err := ParseDay(c.day, zone(t, c.zone))
		if err != nil || got.Format(time.RFC3339) != c.want {
			t.Errorf("%s in %s begins %s instead of %s, %v", c.day, c.zone, got.Format(time.RFC3339), c.want, err)
		}
		if !DayOf(got).Equal(got) || !DayOf(got.Add(9*time.Hour)).Equal(got) {
			t.Errorf("%s in %s: its own start is %s", c.day, c.zone, DayOf(got))
		}
	}
	if _, err := ParseDay("2027-02-29", time.UTC); err == nil {
		t.Error("2027-02-29 is a day")
	}
}

// A time that the clocks skip is the instant at which they do.
func TestParseWall(t *testing.T) {
	for _, c := range []struct{ zone, text, want string }{
		{"Europe/Berlin", "2027-03-27T09:30", "2027-03-27T09:30:00+01:00"},
		{"Europe/Berlin", "2027-03-28T02:30", "2027-03-28T03:00:00+02:00"},
		{"Atlantic/Azores", "2027-03-28T00:00", "2027-03-28T01:00:00Z"},
		{"Atlantic/Azores", "2027-03-28T00:45", "2027-03-28T01:00:00Z"},
		{"America/Santiago", "2027-09-05T00:00", "2027-09-05T01:00:00-03:00"},
		{"America/Santiago", "2027-09-05T01:00", "2027-09-05T01:00:00-03:00"},
	} {
		got, err := ParseWall("2006-01-02T15:04", c.text, zone(t, c.zone))
		if err != nil || got.Format(time.RFC3339) != c.want {
			t.Errorf("%s in %s is %s instead of %s, %v", c.text, c.zone, got.Format(time.RFC3339), c.want, err)
		}
	}
}

// Counting days meets each date once, whatever the clocks do.
func TestAddDays(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "Atlantic/Azores", "America/Santiago", "America/Havana", "Africa/Cairo"} {
		z := zone(t, name)
		at, date := DayStart(2027, 1, 1, z), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		for range 400 {
			if at.Format(time.DateOnly) != date.Format(time.DateOnly) || at.Add(-time.Second).Day() == at.Day() {
				t.Fatalf("%s: %s begins %s", name, date.Format(time.DateOnly), at)
			}
			at, date = AddDays(at, 1), date.AddDate(0, 0, 1)
		}
		if back := AddDays(at, -400); !back.Equal(DayStart(2027, 1, 1, z)) {
			t.Errorf("%s: 400 days back is %s", name, back)
		}
	}
}
