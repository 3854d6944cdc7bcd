package calcom

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

const day = 24 * 60

// hours returns the hours of a schedule, without those of dates before today.
func (s *schedule) hours(today string) catalog.Hours {
	weekly, dates := [7][]slot.Range{}, map[string][]slot.Range{}
	for _, r := range s.rules {
		to := r.to
		if to == day-1 || to == 0 && r.from > 0 { // 23:59 is how the end of a day is written
			to = day
		}
		if r.date != "" {
			dates[r.date] = append(dates[r.date], slot.Range{Start: r.from, End: to})
			continue
		}
		for _, d := range r.days {
			if d >= 0 && d < 7 {
				weekly[d] = append(weekly[d], slot.Range{Start: r.from, End: to})
			}
		}
	}
	h := catalog.Hours{Weekly: map[string][]string{}}
	for d, ranges := range weekly {
		if texts := joined(ranges); len(texts) > 0 {
			h.Weekly[catalog.Weekdays[d]] = texts
		}
	}
	for date, ranges := range dates {
		if date >= today {
			h.Overrides = append(h.Overrides, catalog.Override{Date: date, Hours: joined(ranges)})
		}
	}
	slices.SortFunc(h.Overrides, func(a, b catalog.Override) int { return cmp.Compare(a.Date, b.Date) })
	return h
}

// joined returns the ranges in order, those that meet or touch as one, and without empty ones.
func joined(ranges []slot.Range) []string {
	ranges = slices.DeleteFunc(slices.Clone(ranges), func(r slot.Range) bool { return r.End <= r.Start })
	slices.SortFunc(ranges, func(a, b slot.Range) int { return a.Start - b.Start })
	texts := []string{}
	for i := 0; i < len(ranges); i++ {
		r := ranges[i]
		for i+1 < len(ranges) && ranges[i+1].Start <= r.End {
			i++
			r.End = max(r.End, ranges[i].End)
		}
		texts = append(texts, r.String())
	}
	return texts
}

// same reports whether both mean the same times from today on.
func (s *schedule) same(other *schedule, today string) bool {
	return s == other || s != nil && other != nil && s.zone == other.zone && reflect.DeepEqual(s.hours(today), other.hours(today))
}

// timesOff returns when somebody is away. Cal.com says from the beginning of a day, in UTC, to the end of another: whole days.
func timesOff(away []span, zone *time.Location, now time.Time) (all []catalog.TimeOff) {
	for _, s := range away {
		midnight := func(t time.Time, days int) when.Instant {
			y, m, d := t.UTC().Date()
			return when.At(when.Wall(time.Date(y, m, d+days, 0, 0, 0, 0, time.UTC), zone))
		}
		off := catalog.TimeOff{Start: midnight(s.from, 0), End: midnight(s.to.Add(-time.Millisecond), 1)}
		if off.End > when.At(now) && off.Start < off.End {
			all = append(all, off)
		}
	}
	slices.SortFunc(all, func(a, b catalog.TimeOff) int { return cmp.Compare(a.Start, b.Start) })
	return all
}
