package busy

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"daybook/app/when"
)

// zone puts wall clock times on the time line. The last stretch of time that was asked for is remembered.
type zone struct {
	location *time.Location // nil: steps say what holds
	steps    []step
	before   int64 // the offset before the first step
	lo, hi   int64 // walls that are known to be once on the clock, at offset
	offset   int64
	unknown  bool // a stand-in for a TZID that says nothing to us
}

// step says that an offset holds from an instant on, in seconds since 1970.
type step struct{ at, offset int64 }

const (
	farPast   = math.MinInt64 / 4
	farFuture = math.MaxInt64 / 4
)

// stretch returns the time around an instant in which one offset holds.
func (z *zone) stretch(at int64) (from, to, offset int64) {
	if z.location == nil {
		n := sort.Search(len(z.steps), func(n int) bool { return z.steps[n].at > at })
		from, to, offset = farPast, farFuture, z.before
		if n > 0 {
			from, offset = z.steps[n-1].at, z.steps[n-1].offset
		}
		if n < len(z.steps) {
			to = z.steps[n].at
		}
		return from, to, offset
	}
	t := time.Unix(at, 0).In(z.location)
	_, seconds := t.Zone()
	start, end := t.ZoneBounds()
	from, to = farPast, farFuture
	if !start.IsZero() {
		from = start.Unix()
	}
	if !end.IsZero() {
		to = end.Unix()
	}
	return from, to, int64(seconds)
}

// instant returns when the clocks show a time: the first of two, and for a time that they skip, what the offset before
// the skip makes of it (RFC 5545 §3.3.5).
func (z *zone) instant(wall int64) int64 {
	if z.lo <= wall && wall < z.hi {
		return wall - z.offset
	}
	from, to, offset := z.stretch(wall - 2*day)
	last := offset
	for to != farFuture && wall-offset >= to {
		last = offset
		from, to, offset = z.stretch(to)
	}
	if from != farPast && wall-offset < from {
		return wall - last
	}
	z.lo, z.hi, z.offset = from+max(offset, last), to+offset, offset
	return wall - offset
}

// wall returns what the clocks show at an instant.
func (z *zone) wall(at int64) int64 {
	_, _, offset := z.stretch(at)
	return at + offset
}

// zoneDefinition is a VTIMEZONE as it is written.
type zoneDefinition struct {
	observances []observance
	err         error
}

// observance is STANDARD or DAYLIGHT: from is the offset before each onset, to the one after it.
type observance struct {
	start    moment
	from, to int64
	offsets  int // how many of the two were given
	rules    []*rule
	dates    []moment
}

// zone of a TZID, for times until the horizon, a wall time. Names count more than the file's own definition, because
// programs write those for one year only, and because our table is newer.
func (f *file) zone(tzid int32, horizon int64) (*zone, error) {
	if z := f.zones[tzid]; z != nil && (z.location != nil || horizon <= f.horizons[tzid]) {
		return z, nil
	}
	name := f.tzids[tzid]
	if err := f.work.spend(500); err != nil {
		return nil, err
	}
	z := &zone{location: named(name)}
	if z.location == nil {
		d := f.definitions[name]
		if d == nil {
			z = &zone{location: time.UTC, unknown: true}
		} else {
			if horizon > f.horizon {
				horizon = latest
			} else {
				horizon = f.horizon
			}
			var err error
			if z, err = d.zone(horizon, f.work); err != nil {
				return nil, fmt.Errorf("the time zone %q: %w", short(name), err)
			}
		}
	}
	f.zones[tzid], f.horizons[tzid] = z, horizon
	return z, nil
}

// named returns the location that a TZID names, or nil.
func named(tzid string) *time.Location {
	if z := iana(tzid); z != nil {
		return z
	}
	lower := strings.ToLower(tzid)
	if name := windowsZone()[lower]; name != "" {
		return iana(name)
	}
	if lower == "tzone://microsoft/utc" {
		return time.UTC
	}
	// A prefix such as /mozilla.org/20050126_1/ before an IANA name of one to three parts.
	parts := strings.Split(strings.Trim(tzid, "/"), "/")
	for n := min(3, len(parts)-1); n >= 1; n-- {
		if n == 1 && !strings.HasPrefix(tzid, "/") {
			break
		}
		if z := iana(strings.Join(parts[len(parts)-n:], "/")); z != nil {
			return z
		}
	}
	return nil
}

func iana(name string) *time.Location {
	switch {
	case name == "" || len(name) > 64 || strings.EqualFold(name, "local"):
		return nil
	case strings.EqualFold(name, "utc") || strings.EqualFold(name, "gmt") || strings.EqualFold(name, "z"):
		return time.UTC
	}
	if z, err := when.Zone(name); err == nil {
		return z
	}
	return nil
}

// zone makes the definition's onsets until the horizon.
func (d *zoneDefinition) zone(horizon int64, work *budget) (*zone, error) {
	if d.err != nil {
		return nil, d.err
	}
	z := &zone{}
	first := int64(farFuture)
	for _, o := range d.observances {
		if o.start.kind == 0 || o.offsets != 2 {
			return nil, fmt.Errorf("%w: a part of it lacks DTSTART, TZOFFSETFROM or TZOFFSETTO", ErrMalformed)
		}
		add := func(wall int64) error {
			at := wall - o.from
			if at < first {
				first, z.before = at, o.from
			}
			z.steps = append(z.steps, step{at, o.to})
			return work.spend(1)
		}
		if err := add(o.start.wall); err != nil {
			return nil, err
		}
		local := &zone{lo: farPast, hi: farFuture, offset: o.from}
		for _, r := range o.rules {
			x := expansion{
				rule: r, start: o.start.wall, lo: o.start.wall, hi: horizon, zone: local, host: local, work: work, yield: add,
			}
			if err := x.run(); err != nil {
				return nil, err
			}
		}
		for _, m := range o.dates {
			wall := m.wall
			if m.kind == utc {
				wall += o.from
			}
			if err := add(wall); err != nil {
				return nil, err
			}
		}
	}
	if len(z.steps) == 0 {
		return nil, fmt.Errorf("%w: it has neither STANDARD nor DAYLIGHT", ErrMalformed)
	}
	slices.SortStableFunc(z.steps, func(a, b step) int { return int(min(1, max(-1, a.at-b.at))) })
	return z, nil
}
