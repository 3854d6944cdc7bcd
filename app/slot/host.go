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
	booked  []block // by occupied.Start
	timeOff []Span  // merged
	busy    []Span  // merged
	quota   *quota  // nil without a cap
	longest int64   // the longest occupied span of booked
	lead    int64   // the most time before its start that a booking can begin to occupy
}

// block is a booking whose occupied span always includes its own span, whatever the data says: a time that a booking
// takes is never offered.
type block struct {
	occupied, own Span
	same          bool
}

func blockOf(b *Booking) block {
	own, occupied := Span{b.Start, max(b.End, b.Start+1)}, b.Occupied
	if occupied.Start >= occupied.End {
		occupied = own
	}
	return block{own: own, same: b.Same,
		occupied: Span{min(own.Start, occupied.Start), max(own.End, occupied.End)}}
}

// newHost prepares the judging of starts in [lo, hi).
func newHost(l *limits, h *Host, lo, hi int64) *host {
	v := &host{limits: l, lead: l.before}
	reach, tail := l.duration, l.duration+l.after
	if l.seats > 1 {
		for i := range h.Booked {
			if b := blockOf(&h.Booked[i]); b.same {
				reach = max(reach, b.own.End-b.own.Start)
				tail = max(tail, b.occupied.End-b.own.Start)
				v.lead = max(v.lead, b.own.Start-b.occupied.Start)
			}
		}
	}
	c := newClock(h.zone(), lo-v.lead-clockMargin, hi+reach+clockMargin)
	v.grid = newGrid(l, h.Schedule, c, lo, hi, reach)
	near := Span{lo - v.lead, hi + tail}
	v.block(h.Booked, near)
	v.timeOff = merge(h.appendTimeOff(nil, near))
	v.busy = merge(appendNear(nil, h.Busy, near))
	v.quota = newQuota(l, h.Booked, c)
	return v
}

// block keeps the bookings that may matter near, sorted.
func (v *host) block(booked []Booking, near Span) {
	for i := range booked {
		b := blockOf(&booked[i])
		if b.occupied.End < near.Start || b.occupied.Start >= near.End {
			continue
		}
		v.booked = append(v.booked, b)
		v.longest = max(v.longest, b.occupied.End-b.occupied.Start)
	}
	byStart := func(a, b block) int { return cmp.Compare(a.occupied.Start, b.occupied.Start) }
	if !slices.IsSortedFunc(v.booked, byStart) {
		slices.SortFunc(v.booked, byStart)
	}
}

// seek moves the cursors to start: what lies before them can't matter to this start or a later one.
func (v *host) seek(start int64) {
	from := start - v.lead
	for len(v.booked) > 0 && v.booked[0].occupied.Start < from-v.longest {
		v.booked = v.booked[1:]
	}
	for len(v.timeOff) > 0 && v.timeOff[0].End <= from {
		v.timeOff = v.timeOff[1:]
	}
	for len(v.busy) > 0 && v.busy[0].End <= from {
		v.busy = v.busy[1:]
	}
}

// zone is the zone of the schedule, or UTC without one.
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
