package calendar

import (
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// span is a part of a day in minutes of its wall clock, from midnight to 1440.
type span struct{ from, to int }

const dayMinutes = 24 * 60

// spanOn returns the part of [from, to) that lies on the day, which is a midnight; ok is false if none does. A time
// that the clocks skip or repeat stands where the wall clock has it, and takes a minute at least.
func spanOn(day, from, to time.Time) (s span, ok bool) {
	next := when.AddDays(day, 1)
	if !from.Before(next) || !to.After(day) {
		return s, false
	}
	s.to = dayMinutes
	if from = from.In(day.Location()); from.After(day) {
		s.from = from.Hour()*60 + from.Minute()
	}
	if to = to.In(day.Location()); to.Before(next) {
		s.to = to.Hour()*60 + to.Minute()
		if to.Second() > 0 {
			s.to++
		}
	}
	s.to = max(s.to, s.from+1)
	return s, true
}

// wall returns a minute of a day's wall clock.
func wall(day time.Time, minute int) time.Time {
	return when.Wall(time.Date(day.Year(), day.Month(), day.Day(), 0, minute, 0, 0, time.UTC), day.Location())
}

// place is which of several lanes of its column something has, counted from 0.
type place struct{ lane, of int }

// lanes gives what overlaps, directly or through others, lanes beside each other. The spans come by their start. What
// only touches does not overlap: it has the whole width.
func lanes(all []span) []place {
	places := make([]place, len(all))
	var ends []int // where each lane is free again
	first, end := 0, -1
	share := func(until int) {
		for i := first; i < until; i++ {
			places[i].of = len(ends)
		}
		first, ends = until, ends[:0]
	}
	for i, s := range all {
		if s.from >= end {
			share(i)
		}
		lane := slices.IndexFunc(ends, func(free int) bool { return free <= s.from })
		if lane < 0 {
			lane = len(ends)
			ends = append(ends, 0)
		}
		ends[lane], end = s.to, max(end, s.to)
		places[i].lane = lane
	}
	share(len(all))
	return places
}

// less returns what of within no other span covers: the gaps between the spans, which come by their start.
func less(within span, taken []span) (gaps []span) {
	at := within.from
	for _, s := range taken {
		if s.from > at {
			gaps = append(gaps, span{at, min(s.from, within.to)})
		}
		at = max(at, s.to)
	}
	if at < within.to {
		gaps = append(gaps, span{at, within.to})
	}
	return gaps
}

// openOn returns the host's hours on a day of the calendar.
func openOn(h *catalog.Host, day time.Time) (open []span) {
	for _, x := range h.OpenBetween(day, when.AddDays(day, 1)) {
		if s, on := spanOn(day, x.From, x.To); on {
			open = append(open, s)
		}
	}
	return open
}

// item is what stands in a column: a booking, or those of one session of an event type with several seats.
type item struct {
	span
	all  []*booking.Booking
	ends bool // on that day, so that its end is seen
	part int  // of a booking in parts: the one that it is, counted from 1
	more bool // of a booking in parts: not the first of that day
}

// itemsOn returns the bookings that meet a day, those of one session together, by start.
func itemsOn(setup *catalog.Setup, found []*booking.Booking, day time.Time) []item {
	type session struct {
		host  catalog.HostID
		event catalog.EventTypeID
		start int64
	}
	var items []item
	sessions := map[session]int{}
	end := when.AddDays(day, 1)
	from, until := when.At(day), when.At(end)
	for _, b := range found {
		if b.Start >= until || b.End < from { // cheaper than spanOn, which decides: most are of other days
			continue
		}
		s, on := spanOn(day, b.Start.Time(), b.End.Time())
		if !on {
			continue
		}
		if e := setup.EventTypeByID(b.EventTypeID); e != nil && e.Seats > 1 {
			key := session{b.Host.ID, b.EventTypeID, int64(b.Start)}
			if at, begun := sessions[key]; begun {
				items[at].all = append(items[at].all, b)
				items[at].to = max(items[at].to, s.to)
				continue
			}
			sessions[key] = len(items)
		}
		items = append(items, item{s, []*booking.Booking{b}, !b.End.Time().After(end), 0, false})
	}
	slices.SortStableFunc(items, func(a, b item) int { return a.from - b.from })
	return items
}

// inParts divides bookings in parts into the work that meets the day, in place of the whole.
func inParts(items []item, day time.Time) []item {
	var divided []item
	for _, i := range items {
		k := i.all[0]
		if len(k.Parts) == 0 {
			divided = append(divided, i)
			continue
		}
		more := false
		for n, p := range k.Parts {
			if s, on := spanOn(day, p.Start.Time(), p.End.Time()); on && p.Kind == booking.Work {
				divided = append(divided, item{s, i.all, i.ends, n + 1, more})
				more = true
			}
		}
	}
	slices.SortStableFunc(divided, func(a, b item) int { return a.from - b.from })
	return divided
}

// hoursShown returns the whole hours that hold all spans and an hour around them, for a usual day when there are none.
func hoursShown(all []span) (from, till int) {
	if len(all) == 0 {
		return 8, 18
	}
	first, last := dayMinutes, 0
	for _, s := range all {
		first, last = min(first, s.from), max(last, s.to)
	}
	return max(0, first/60-1), min(24, (last+59)/60+1)
}

// The zooms of a calendar: how high an hour is, so that its shortest booking has room for a line.
const (
	zoomUsual = "zoom-1" // for a quarter of an hour
	zoomShort = "zoom-2" // for ten minutes
	zoomTiny  = "zoom-3" // for five minutes
)

func zoomFor(shortest int) string {
	switch {
	case shortest >= 15:
		return zoomUsual
	case shortest >= 10:
		return zoomShort
	}
	return zoomTiny
}
