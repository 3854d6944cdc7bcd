package slot

import (
	"cmp"
	"slices"
	"time"
)

// host is what judge needs to know of one host around some starts: the grid, and the lists that take time, each sorted,
// with a cursor that follows the starts.
type host struct {
	*limits
	grid    grid
	open    []Span  // when the host works, merged; with works
	booked  []block // by the start of their reach
	timeOff []Span  // merged
	busy    []Span  // merged
	quota   *quota  // nil without a cap
	full    []Span  // Host.Full
	capped  bool    // weeks may be full
	longest int64   // the longest reach of booked
	lead    int64   // the most time before its start that a booking can begin to occupy
	joining Joins   // Host.Joins
	joined  []Work  // room for the works of a session that joins
}

// block is a booking whose occupied span always includes its own span, whatever the data says: a time that a booking
// takes is never offered. No booking of the event type may enter the way, in milliseconds, before and behind its own
// span.
type block struct {
	occupied, own Span
	way           int64
	same, held    bool
	offered       bool
	seats         int32
}

// spans returns the booking's own span and what it occupies, as in a block.
func (b *Booking) spans() (own, occupied Span) {
	own = Span{b.Start, max(b.End, b.Start+1)}
	if b.Occupied.Start >= b.Occupied.End {
		return own, own
	}
	return own, Span{min(own.Start, b.Occupied.Start), max(own.End, b.Occupied.End)}
}

// clearOf reports whether the booking, with a way around it, certainly lies outside near: what most of them are told
// by, without their spans.
func (b *Booking) clearOf(near Span, way int64) bool {
	return b.Start-way >= near.End && b.Occupied.Start-way >= near.End ||
		b.End+way < near.Start && b.Occupied.End+way < near.Start && b.Start+way+1 < near.Start
}

// reach returns what the block occupies, with the way.
func (b *block) reach() Span {
	return Span{min(b.own.Start-b.way, b.occupied.Start), max(b.own.End+b.way, b.occupied.End)}
}

// away returns the block's own span with the way.
func (b *block) away() Span { return Span{b.own.Start - b.way, b.own.End + b.way} }

// way returns how long the host needs between the booking and one that the limits are of.
func (l *limits) way(b *Booking) int64 {
	if l.place == 0 || b.Place == 0 || b.Place == l.place {
		return 0
	}
	return l.longer(b.Travel)
}

func (l *limits) longer(travel time.Duration) int64 { return max(l.travel, travel.Milliseconds()) }

// newHost prepares the judging of starts in [lo, hi).
func newHost(l *limits, h *Host, lo, hi int64) *host {
	v := &host{limits: l, lead: l.before}
	reach, tail := l.duration, l.duration+l.after
	if l.seats > 1 {
		for i := range h.Booked {
			if b := &h.Booked[i]; b.Same {
				own, occupied := b.spans()
				reach = max(reach, own.End-own.Start)
				tail = max(tail, occupied.End-own.Start)
				v.lead = max(v.lead, own.Start-occupied.Start)
			}
		}
	}
	c := newClock(h.zone(), lo-v.lead-clockMargin, hi+reach+clockMargin)
	v.grid = newGrid(l, h.Schedule, c, lo, hi, reach)
	if l.works != nil {
		v.open = Merge(slices.Clone(v.grid.spans))
	}
	near := Span{lo - v.lead, hi + tail}
	v.block(h.Booked, near)
	v.timeOff = Merge(h.appendTimeOff(nil, near))
	v.busy = Merge(appendNear(nil, h.Busy, near))
	v.quota, v.full = newQuota(l, h.Booked, c), h.Full
	v.capped = len(h.Full)+len(l.full) > 0
	return v
}

// block keeps the bookings that may matter near, sorted.
func (v *host) block(booked []Booking, near Span) {
	for i := range booked {
		b := &booked[i]
		way := v.way(b)
		if b.clearOf(near, way) {
			continue
		}
		own, occupied := b.spans()
		one := block{own: own, occupied: occupied, way: way}
		reach := one.reach()
		if reach.End < near.Start || reach.Start >= near.End {
			continue
		}
		one.same, one.held, one.seats = b.Same && !b.Alone, b.Held, int32(max(1, b.Seats))
		one.offered = b.Offered
		v.booked = append(v.booked, one)
		v.longest = max(v.longest, reach.End-reach.Start)
	}
	byStart := func(a, b block) int { return cmp.Compare(a.reach().Start, b.reach().Start) }
	if !slices.IsSortedFunc(v.booked, byStart) {
		slices.SortFunc(v.booked, byStart)
	}
}

// seek moves the cursors to start: what lies before them can't matter to this start or a later one.
func (v *host) seek(start int64) {
	from := start - v.lead
	for len(v.booked) > 0 && v.booked[0].reach().Start < from-v.longest {
		v.booked = v.booked[1:]
	}
	for len(v.timeOff) > 0 && v.timeOff[0].End <= from {
		v.timeOff = v.timeOff[1:]
	}
	for len(v.busy) > 0 && v.busy[0].End <= from {
		v.busy = v.busy[1:]
	}
}

// zone returns the zone of the schedule, or UTC without one.
func (h *Host) zone() *time.Location {
	if h.Schedule == nil || h.Schedule.Zone == nil {
		return time.UTC
	}
	return h.Schedule.Zone
}

// appendTimeOff appends to buf the times off that meet near, of all three kinds.
func (h *Host) appendTimeOff(buf []Span, near Span) []Span {
	buf = appendNear(buf, h.TimeOff, near)
	i, _ := slices.BinarySearchFunc(h.Holidays, near.Start, func(s Span, at int64) int { return cmp.Compare(s.End, at+1) })
	for ; i < len(h.Holidays) && h.Holidays[i].Start < near.End; i++ {
		buf = append(buf, h.Holidays[i])
	}
	return appendAbsences(buf, h.Absences, h.zone(), near)
}

// appendNear appends to buf the spans that meet near.
func appendNear(buf, spans []Span, near Span) []Span {
	for _, s := range spans {
		if s.Meets(near) {
			buf = append(buf, s)
		}
	}
	return buf
}
