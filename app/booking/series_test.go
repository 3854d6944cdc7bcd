package booking

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

// zonesOfSeries are sixteen whose clocks change in different ways: by an hour, by half an hour, at midnight, in no order of
// the year, over the date line, and never.
var zonesOfSeries = []string{"Europe/Berlin", "Europe/London", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe",
	"Australia/Sydney", "Asia/Kolkata", "Asia/Tehran", "Africa/Cairo", "Africa/Casablanca", "America/Santiago",
	"Pacific/Apia", "Atlantic/Azores", "Asia/Gaza", "America/Havana", "UTC"}

// The dates of a series are those that somebody finds who walks through all days and minutes.
func TestDatesOfSeries(t *testing.T) {
	random := rand.New(rand.NewPCG(37, 1))
	skipped, twice := 0, 0 // dates at an hour that doesn't exist, and that there is twice
	for _, name := range zonesOfSeries {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		changes := changesOf(zone)
		for range 60 {
			first := when.At(time.Date(2026, 1, 1+random.IntN(700), 0, random.IntN(24*60), 0, 0, zone))
			r := SeriesRepeat{Every: 1 + random.IntN(3), Unit: []SeriesUnit{SeriesDay, SeriesWeek, SeriesMonth}[random.IntN(3)]}
			if len(changes) > 0 && random.IntN(2) == 0 {
				first, r.Every, r.Unit = beforeAChange(changes[random.IntN(len(changes))], zone, random), 1, SeriesDay
			}
			local := first.Time().In(zone)
			noon := time.Date(local.Year(), local.Month(), local.Day(), 12, 0, 0, 0, time.UTC) // of that day, which all days have
			if r.Unit == SeriesWeek && random.IntN(2) == 0 {
				for i, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
					if (i+1)%7 == int(local.Weekday()) || random.IntN(4) == 0 {
						r.Days = append(r.Days, day)
					}
				}
			}
			for range random.IntN(3) {
				r.Except = append(r.Except, noon.AddDate(0, 0, 1+random.IntN(60)).Format(time.DateOnly))
			}
			if random.IntN(2) == 0 {
				r.Count = 1 + random.IntN(map[SeriesUnit]int{SeriesDay: 15, SeriesWeek: 15, SeriesMonth: 4}[r.Unit])
			} else {
				r.Until = noon.AddDate(0, 0, random.IntN(50)).Format(time.DateOnly)
			}
			starts, left, err := r.Dates(first, zone)
			if err != nil {
				t.Fatalf("%s %s %+v: %v", name, local, r, err)
			}
			wantStarts, wantLeft := walked(r, first, zone)
			if !slices.Equal(starts, wantStarts) || !slices.Equal(left, wantLeft) {
				t.Fatalf("%s %s %+v:\n%v %v\n%v %v", name, local, r, starts, left, wantStarts, wantLeft)
			}
			for _, at := range starts[1:] {
				switch shows := func(at when.Instant) string { return at.Time().In(zone).Format("15:04") }; {
				case shows(at) != local.Format("15:04"):
					skipped++
				case shows(at.Add(time.Hour)) == shows(at), shows(at.Add(30*time.Minute)) == shows(at):
					twice++
				}
			}
		}
	}
	if t.Logf("%d dates at an hour that doesn't exist, %d at one that there is twice", skipped, twice); skipped < 5 || twice < 5 {
		t.Errorf("%d dates at an hour that doesn't exist, %d at one that there is twice", skipped, twice)
	}
}

// walked finds the dates of a repetition by looking at each day.
func walked(r SeriesRepeat, first when.Instant, zone *time.Location) (starts []when.Instant, left []bool) {
	local := first.Time().In(zone)
	noon := time.Date(local.Year(), local.Month(), local.Day(), 12, 0, 0, 0, time.UTC)
	monday := noon.AddDate(0, 0, -(int(noon.Weekday())+6)%7)
	for day := noon; len(starts) < max(r.Count, MaxSeries) && day.Before(noon.AddDate(2, 0, 1)); day = day.AddDate(0, 0, 1) {
		if r.Count > 0 && len(starts) == r.Count || r.Until != "" && day.Format(time.DateOnly) > r.Until {
			break
		}
		days := int(day.Sub(noon).Hours() / 24)
		var is bool
		switch r.Unit {
		case SeriesDay:
			is = days%r.Every == 0
		case SeriesWeek:
			weeks := int(day.Sub(monday).Hours() / 24 / 7)
			named := slices.Contains(r.Days, [7]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}[day.Weekday()])
			is = weeks%r.Every == 0 && (named || len(r.Days) == 0 && day.Weekday() == noon.Weekday())
		case SeriesMonth:
			months := (day.Year()-noon.Year())*12 + int(day.Month()) - int(noon.Month())
			is = months%r.Every == 0 && day.Day() == noon.Day()
		}
		if !is {
			continue
		}
		start := first
		if days > 0 {
			start = firstShowing(day, local.Format("15:04"), zone)
		}
		starts, left = append(starts, start), append(left, slices.Contains(r.Except, day.Format(time.DateOnly)))
	}
	return starts, left
}

// changesOf returns when the clock of a zone changes within two years.
func changesOf(zone *time.Location) (all []time.Time) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	_, ahead := at.In(zone).Zone()
	for end := at.AddDate(2, 0, 0); at.Before(end); at = at.Add(30 * time.Minute) {
		if _, now := at.In(zone).Zone(); now != ahead {
			all, ahead = append(all, at), now
		}
	}
	return all
}

// beforeAChange returns a time some days before a change of the zone's clock, at an hour that the clock skips on that day, or
// shows twice.
func beforeAChange(change time.Time, zone *time.Location, random *rand.Rand) when.Instant {
	_, before := change.Add(-time.Minute).In(zone).Zone()
	_, after := change.In(zone).Zone()
	clock := change.Add(time.Duration(min(before, after)) * time.Second).Add(time.Duration(random.IntN(30)) * time.Minute)
	day := clock.AddDate(0, 0, -1-random.IntN(6))
	return when.At(time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), 0, 0, zone))
}

// firstShowing returns the first minute at which clocks show that day and time, or a later one.
func firstShowing(day time.Time, clock string, zone *time.Location) when.Instant {
	wanted := day.Format(time.DateOnly) + " " + clock
	for at := day.Add(-40 * time.Hour); ; at = at.Add(time.Minute) {
		if at.In(zone).Format("2006-01-02 15:04") >= wanted {
			return when.At(at)
		}
	}
}

// What makes no series is refused, field by field.
func TestWrongSeries(t *testing.T) {
	first := when.At(time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)) // a Tuesday
	for _, one := range []struct {
		r     SeriesRepeat
		field string
	}{
		{SeriesRepeat{Every: 1, Unit: "year", Count: 2}, "repeat.unit"},
		{SeriesRepeat{Unit: SeriesDay, Count: 2}, "repeat.every"},
		{SeriesRepeat{Every: 53, Unit: SeriesWeek, Count: 2}, "repeat.every"},
		{SeriesRepeat{Every: 1, Unit: SeriesDay}, "repeat.count"},
		{SeriesRepeat{Every: 1, Unit: SeriesDay, Count: 2, Until: "2026-12-05"}, "repeat.count"},
		{SeriesRepeat{Every: 1, Unit: SeriesDay, Count: 54}, "repeat.count"},
		{SeriesRepeat{Every: 52, Unit: SeriesWeek, Count: 4}, "repeat.count"},
		{SeriesRepeat{Every: 1, Unit: SeriesDay, Count: -1}, "repeat.count"},
		{SeriesRepeat{Every: 1, Unit: SeriesDay, Until: "2027-03-31"}, "repeat.until"},
		{SeriesRepeat{Every: 1, Unit: SeriesDay, Until: "2026-11-30"}, "repeat.until"},
		{SeriesRepeat{Every: 1, Unit: SeriesMonth, Until: "2028-12-02"}, "repeat.until"},
		{SeriesRepeat{Every: 1, Unit: SeriesDay, Until: "soon"}, "repeat.until"},
		{SeriesRepeat{Every: 1, Unit: SeriesDay, Count: 2, Days: []string{"tue"}}, "repeat.days"},
		{SeriesRepeat{Every: 1, Unit: SeriesWeek, Count: 2, Days: []string{"tuesday"}}, "repeat.days"},
		{SeriesRepeat{Every: 1, Unit: SeriesWeek, Count: 2, Days: []string{"mon"}}, "start"},
		{SeriesRepeat{Every: 1, Unit: SeriesDay, Count: 2, Except: []string{"2026-12-01"}}, "repeat.except"},
		{SeriesRepeat{Every: 1, Unit: SeriesDay, Count: 2, Except: []string{"01.12.2026"}}, "repeat.except"},
	} {
		_, _, err := one.r.Dates(first, time.UTC)
		if e := fault.As(err); e == nil || e.Field != one.field {
			t.Errorf("%+v: %v", one.r, err)
		}
	}
	fine := SeriesRepeat{Every: 1, Unit: SeriesDay, Count: MaxSeries}
	if starts, _, err := fine.Dates(first, time.UTC); err != nil || len(starts) != MaxSeries {
		t.Errorf("%d dates: %v", len(starts), err)
	}
	months := SeriesRepeat{Every: 1, Unit: SeriesMonth, Count: 4}
	starts, _, err := months.Dates(when.At(time.Date(2027, 1, 31, 9, 0, 0, 0, time.UTC)), time.UTC)
	if got := fmt.Sprint(starts); err != nil || got != "[2027-01-31T09:00:00Z 2027-03-31T09:00:00Z 2027-05-31T09:00:00Z 2027-07-31T09:00:00Z]" {
		t.Errorf("%s %v", got, err)
	}
}
