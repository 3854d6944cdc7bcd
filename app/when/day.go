package when

import "time"

// DayStart returns the first instant of a date in a zone: midnight, or, if the clocks skip it, the time that they show
// instead; of two midnights the first. A day outside the month counts on, as with time.Date; one that the zone left out
// altogether is the day beside it.
//
// time.Date gives 23:00 of the day before for a midnight that is skipped west of Greenwich, and so does adding a day to
// a midnight with AddDate: count days here, and by AddDays.
func DayStart(year int, month time.Month, day int, zone *time.Location) time.Time {
	t := time.Date(year, month, day, 12, 0, 0, 0, zone)
	year, month, day = t.Date()
	for {
		h, m, s := t.Clock()
		midnight := t.Add(-time.Duration(h*3600+m*60+s) * time.Second)
		since, _ := t.ZoneBounds()
		if since.IsZero() || midnight.After(since) {
			return midnight
		}
		before := since.Add(-time.Second)
		if y, m, d := before.Date(); y != year || m != month || d != day {
			return since
		}
		t = before
	}
}

// DayOf returns the first instant of t's date, in t's zone.
func DayOf(t time.Time) time.Time { return AddDays(t, 0) }

// AddDays returns the first instant of the date that is so many days after t's, in t's zone.
func AddDays(t time.Time, days int) time.Time {
	y, m, d := t.Date()
	return DayStart(y, m, d+days, t.Location())
}

// Wall returns when the clocks of a zone show what t shows, in whatever zone t is: where they skip it, the instant of
// the skip, and where they show it twice, the first time.
func Wall(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.Date()
	hour, minute, second := t.Clock()
	w := time.Date(y, m, d, hour, minute, second, 0, zone)
	since, until := w.ZoneBounds()
	switch shown, asked := onClock(w), onClock(t); {
	case shown < asked:
		return until
	case shown > asked:
		return since
	}
	if !since.IsZero() {
		_, now := w.Zone()
		_, before := since.Add(-time.Second).Zone()
		if first := w.Add(time.Duration(now-before) * time.Second); first.Before(since) && onClock(first) == onClock(w) {
			return first
		}
	}
	return w
}

// onClock orders times by what the clock shows.
func onClock(t time.Time) int64 {
	y, m, d := t.Date()
	hour, minute, second := t.Clock()
	return time.Date(y, m, d, hour, minute, second, 0, time.UTC).Unix()
}

// ParseWall reads a time without a zone by a layout of package time, as Wall does.
func ParseWall(layout, text string, zone *time.Location) (time.Time, error) {
	t, err := time.Parse(layout, text)
	if err != nil {
		return time.Time{}, err
	}
	return Wall(t, zone), nil
}

// ParseDay reads a date such as 2026-12-24 and returns its first instant in the zone.
func ParseDay(text string, zone *time.Location) (time.Time, error) {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, err
	}
	return DayStart(d.Year(), d.Month(), d.Day(), zone), nil
}
