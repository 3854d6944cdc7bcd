package slot

import (
	"math"
	"time"
)

const (
	minuteMs = int64(60_000)
	dayMs    = 24 * 60 * minuteMs
)

// clock is a zone's wall clock around a request: eras in order, each with another offset than the one before. The first
// and the last have no end. Wall times are written as the Unix milliseconds they would be in UTC.
type clock []era

// era is a time with a constant offset: wall = instant + offset, all in milliseconds.
type era struct{ from, to, offset int64 }

// newClock returns the eras of zone that meet [lo, hi].
func newClock(zone *time.Location, lo, hi int64) clock {
	sec, end := floorDiv(lo, 1000), floorDiv(hi, 1000)
	next, offset := eraAt(zone, sec)
	c := append(make(clock, 0, 3), era{math.MinInt64, math.MaxInt64, offset})
	for next <= end {
		sec = next
		next, offset = eraAt(zone, sec)
		if last := &c[len(c)-1]; offset != last.offset {
			last.to = sec * 1000
			c = append(c, era{sec * 1000, math.MaxInt64, offset})
		}
	}
	return c
}

// eraAt returns the offset at sec in milliseconds and a later second until which it holds. That is not always the end
// of the era, because package time splits eras at the turn of the year.
func eraAt(zone *time.Location, sec int64) (next, offset int64) {
	t := time.Unix(sec, 0).In(zone)
	_, seconds := t.Zone()
	_, end := t.ZoneBounds()
	next = math.MaxInt64
	if !end.IsZero() {
		next = end.Unix()
	}
	// Package time ends every year of a rule after 365 days, so on 31 December of a leap year the end has already passed.
	// The correct end is a day later.
	if next <= sec {
		next += 86400
	}
	return max(next, sec+1), int64(seconds) * 1000
}

// instants returns the first and the last instant at which the clock shows wall. In a gap, where no instant does, both
// are the end of the gap.
func (c clock) instants(wall int64) (first, last int64) {
	shown := false
	for i := range c {
		u := wall - c[i].offset
		if u < c[i].from || u >= c[i].to {
			continue
		}
		if !shown {
			first, shown = u, true
		}
		last = u
	}
	if !shown {
		first = c.gapEnd(wall)
		last = first
	}
	return first, last
}

// gapEnd returns the end of the gap that holds wall: the start of the first era that begins later on the clock than the
// era before it ends.
func (c clock) gapEnd(wall int64) int64 {
	i := 1
	for wall-c[i-1].offset < c[i-1].to || wall-c[i].offset >= c[i].from {
		i++
	}
	return c[i].from
}

// day returns the day number the clock shows at an instant.
func (c clock) day(instant int64) int64 {
	i := 0
	for instant >= c[i].to {
		i++
	}
	return floorDiv(instant+c[i].offset, dayMs)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
