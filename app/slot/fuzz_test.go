package slot

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// FuzzFind compares Find, Explain and Check with the oracle on requests read from
// bytes: hosts, hours, bookings and rules around some clock change, also such that
// break the rules of the data (ranges or bookings that overlap).
func FuzzFind(f *testing.F) {
	random := rand.New(rand.NewPCG(2026, 11))
	for range 500 {
		seed := make([]byte, 40+random.IntN(120))
		for i := range seed {
			seed[i] = byte(random.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		agree(t, (&dice{data}).request(), 30)
	})
}

// dice reads choices from bytes; without bytes they are all 0.
type dice struct{ data []byte }

// below returns a number in [0, n), n <= 65536.
func (d *dice) below(n int) int64 {
	if len(d.data) == 0 {
		return 0
	}
	v := int(d.data[0])
	d.data = d.data[1:]
	if n > 256 && len(d.data) > 0 {
		v = v<<8 | int(d.data[0])
		d.data = d.data[1:]
	}
	return int64(v % n)
}

func (d *dice) minutes(n, of int) time.Duration {
	return time.Duration(d.below(n)) * time.Duration(of) * time.Minute
}

func (d *dice) request() *Request {
	c := changes()[d.below(len(changes()))]
	near := c.at/60*60_000 - 36*60*minuteMs
	r := &Request{From: near + d.below(1440)*minuteMs}
	r.To = r.From + d.below(36*60)*minuteMs
	r.Rules = d.rules()
	var parts []int64
	margin := int64(0)
	switch d.below(8) {
	case 7:
		r.Rules.Dates = d.dates(near)
	case 6, 5:
		if d.below(8) == 0 {
			r.Rules.Dates = d.dates(near)
		}
		parts, margin = d.parts(), d.below(5)*5
		r.Rules.Duration, r.Rules.Works = divided(parts, &r.Rules, margin)
	}
	r.Now = r.From - 600*minuteMs + d.below(720)*minuteMs
	if d.below(3) == 2 {
		d.needs(r, c, near)
	}
	for range 1 + d.below(3) {
		r.Hosts = append(r.Hosts, d.host(c, near))
	}
	if d.below(4) == 3 {
		r.Full = d.spans(near)
	}
	if d.below(3) == 2 {
		d.others(r, c, near)
	}
	for i := range r.Hosts {
		if h := &r.Hosts[i]; h.Duration > 0 && parts != nil {
			own := slices.Clone(parts)
			own[0] = int64(h.Duration/time.Minute)%60 + 5
			h.Duration, h.Works = divided(own, &r.Rules, margin)
		}
	}
	return r
}

// parts are the minutes of works and the waits between them, in turn.
func (d *dice) parts() (minutes []int64) {
	for range 1 + 2*d.below(3) {
		minutes = append(minutes, 5+5*d.below(12))
	}
	return minutes
}

// divided lays parts one after the other, with the buffers at the ends and the margin around the works between.
func divided(parts []int64, r *Rules, margin int64) (total time.Duration, works []Work) {
	at := int64(0)
	for i, n := range parts {
		if i%2 == 0 {
			w := Work{Own: Span{at * minuteMs, (at + n) * minuteMs}}
			w.Occupied = Span{w.Own.Start - margin*minuteMs, w.Own.End + margin*minuteMs}
			if i == 0 {
				w.Occupied.Start = -r.BufferBefore.Milliseconds()
			} else {
				w.Occupied.Start = max(w.Occupied.Start, works[len(works)-1].Occupied.End)
			}
			if i == len(parts)-1 {
				w.Occupied.End = w.Own.End + r.BufferAfter.Milliseconds()
			} else {
				w.Occupied.End = min(w.Occupied.End, (at+n+parts[i+1])*minuteMs)
			}
			works = append(works, w)
		}
		at += n
	}
	return time.Duration(at) * time.Minute, works
}

// needs adds some resources, and needs of them that may compete.
func (d *dice) needs(r *Request, c change, near int64) {
	for range 1 + d.below(4) {
		h := d.host(c, near)
		one := Resource{Booked: h.Booked, TimeOff: h.TimeOff, Busy: h.Busy}
		if d.below(3) == 2 {
			one.Schedule = h.Schedule
		}
		r.Resources = append(r.Resources, one)
	}
	for range 1 + d.below(3) {
		var need Need
		for range 1 + d.below(3) {
			if i := int(d.below(len(r.Resources))); !slices.Contains(need.OneOf, i) {
				need.OneOf = append(need.OneOf, i)
			}
		}
		need.Work = d.below(2) == 1
		r.Needs = append(r.Needs, need)
	}
}

// others adds some people who are taken beside the hosts, of whom some are these hosts.
func (d *dice) others(r *Request, c change, near int64) {
	r.Beside = 1 + int(d.below(2))
	for range 1 + d.below(4) {
		if i := int(d.below(2 * len(r.Hosts))); i < len(r.Hosts) && r.Hosts[i].Other == 0 {
			r.Others = append(r.Others, r.Hosts[i])
			r.Hosts[i].Other = len(r.Others)
			continue
		}
		r.Others = append(r.Others, d.host(c, near))
	}
}

func (d *dice) rules() Rules {
	r := Rules{
		Duration:  5*time.Minute + d.minutes(40, 5),
		Step:      d.minutes(14, 5),
		MaxPerDay: int(d.below(4)),
		Seats:     1 + int(d.below(5)),
		Party:     int(d.below(4)),
		Inactive:  d.below(256) == 255,
		Window:    240 * time.Hour,
	}
	if d.below(16) == 1 {
		r.Duration *= 9
	}
	if d.below(2) == 1 {
		r.BufferBefore, r.BufferAfter = d.minutes(9, 5), d.minutes(9, 5)
	}
	if d.below(2) == 1 {
		r.Place, r.Travel = Place(d.below(4)), d.minutes(14, 5)
	}
	if d.below(3) == 1 {
		r.MinimumNotice, r.Window = d.minutes(200, 5), d.minutes(1000, 5)
	}
	return r
}

// dates are a few starts around the request.
func (d *dice) dates(near int64) []int64 {
	dates := []int64{}
	for range 1 + d.below(6) {
		dates = append(dates, near+d.below(60*60)*minuteMs)
	}
	slices.Sort(dates)
	return slices.Compact(dates)
}

func (d *dice) host(c change, near int64) Host {
	zone := c.zone
	if d.below(4) == 3 {
		zone = changes()[d.below(len(changes()))].zone
	}
	h := Host{Schedule: d.schedule(zone, near)}
	for range d.below(7) {
		start := near + d.below(60*12)*5*minuteMs
		length := 5 + 5*d.below(30)
		before, after := 5*d.below(5), 5*d.below(5)
		b := Booking{Occupied: Span{start - before*minuteMs, start + (length+after)*minuteMs}, Start: start,
			End: start + length*minuteMs, Same: d.below(3) > 0, Alone: d.below(6) == 5, Seats: int(d.below(3))}
		if d.below(3) == 1 {
			b.Place, b.Travel = Place(d.below(4)), d.minutes(14, 5)
		}
		for range 1 + d.below(3) {
			h.Booked = append(h.Booked, b)
			if d.below(8) == 7 {
				b.End, b.Occupied.End = b.End+10*minuteMs, b.Occupied.End+10*minuteMs
			}
		}
	}
	h.TimeOff, h.Busy = d.spans(near), d.spans(near)
	if d.below(4) == 3 {
		h.Duration = 5*time.Minute + d.minutes(60, 5)
	}
	if d.below(3) == 2 {
		h.Full = d.spans(near)
	}
	return h
}

func (d *dice) spans(near int64) (spans []Span) {
	for range d.below(4) {
		start := near + d.below(60*60)*minuteMs
		spans = append(spans, Span{start, start + d.below(300)*minuteMs})
	}
	return spans
}

func (d *dice) schedule(zone *time.Location, near int64) *Schedule {
	s := &Schedule{Zone: zone, Overrides: map[Date][]Range{}}
	first := time.UnixMilli(near).In(zone)
	for range 1 + d.below(8) {
		day := first.AddDate(0, 0, int(d.below(5))-1)
		start := int(d.below(96)) * 15
		r := Range{start, start + 15*int(1+d.below(96))}
		switch d.below(4) {
		case 0:
			s.Overrides[dateOf(day)] = append(s.Overrides[dateOf(day)], r)
		case 1:
			s.Overrides[dateOf(day)] = nil
		default:
			s.Weekly[day.Weekday()] = append(s.Weekly[day.Weekday()], r)
		}
	}
	return s
}
