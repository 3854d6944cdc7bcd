package catalog

import (
	"cmp"
	"slices"
	"time"

	"daybook/app/slot"
)

const minutesPerDay = 24 * 60

// Opening holds the opening hours of a business: the ranges of each day of the week, in minutes since midnight on the
// workspace's clock. An end beyond 24 hours is on the next day.
type Opening [7][]slot.Range

// None reports whether the business is never open.
func (o *Opening) None() bool {
	return !slices.ContainsFunc(o[:], func(day []slot.Range) bool { return len(day) > 0 })
}

// OpeningHours returns the hours of the week in which any active host works. Hours of a host in another zone are
// converted to the workspace's clock by the offsets of both zones at now. Time off and overrides are ignored: see
// ClosedAll.
func (s *Setup) OpeningHours(now time.Time) (o Opening) {
	for i := range s.Hosts {
		h := &s.Hosts[i]
		if !h.Active {
			continue
		}
		ahead := (offset(s.Zone, now) - offset(h.Location(), now)) / 60
		for day, ranges := range h.schedule.Weekly {
			for _, r := range ranges {
				start := day*minutesPerDay + r.Start + ahead
				on := (start + 7*minutesPerDay) % (7 * minutesPerDay)
				from := on % minutesPerDay
				o[on/minutesPerDay] = append(o[on/minutesPerDay], slot.Range{Start: from, End: from + r.End - r.Start})
			}
		}
	}
	for day := range o {
		o[day] = joined(o[day])
	}
	return o
}

// ClosedAll returns why nobody works between two moments of one day: a public holiday or a time off for everybody. It
// returns nil in the cases in which ClosedOn does, and if no host has hours then.
func (s *Setup) ClosedAll(from, to time.Time) *ClosedDay {
	everybody := EventType{Hosts: make([]HostRef, 0, len(s.Hosts))}
	for i := range s.Hosts {
		everybody.Hosts = append(everybody.Hosts, HostRef{ID: s.Hosts[i].ID})
	}
	return s.ClosedOn(&everybody, from, to)
}

// offset returns how many seconds a zone is ahead of UTC.
func offset(zone *time.Location, at time.Time) int {
	_, seconds := at.In(zone).Zone()
	return seconds
}

// joined sorts ranges, and makes one of those that meet.
func joined(all []slot.Range) []slot.Range {
	slices.SortFunc(all, func(a, b slot.Range) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	var kept []slot.Range
	for _, r := range all {
		if n := len(kept); n > 0 && r.Start <= kept[n-1].End {
			kept[n-1].End = max(kept[n-1].End, r.End)
		} else {
			kept = append(kept, r)
		}
	}
	return kept
}
