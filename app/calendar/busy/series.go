package busy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// overrides leaves the newest override of each instance, and takes when those are busy. One whose instance isn't in the
// series is busy all the same: servers send single instances of a series to those who were invited to no more.
func (s *series) overrides(g *group) error {
	if len(g.overrides) == 0 {
		return nil
	}
	g.overrides = newestOverrides(g.overrides)
	for _, c := range g.overrides {
		if c.free {
			continue
		}
		t, err := s.timing(c)
		if err != nil {
			return err
		}
		if err := s.add(t.begins, t.ends()); err != nil {
			return err
		}
	}
	return nil
}

// newestOverrides leaves those with the highest SEQUENCE of each instance.
func newestOverrides(list []*component) []*component {
	newest := map[moment]int{}
	for _, c := range list {
		newest[c.replaces] = max(newest[c.replaces], c.seq)
	}
	return slices.DeleteFunc(list, func(c *component) bool { return c.seq < newest[c.replaces] })
}

// master is a component that may recur, while it is expanded.
type master struct {
	*series
	timing
	allDay   bool
	gone     map[int64]bool // the instances that are left out or replaced, by key
	goneDays map[int64]bool // the same by day, where only a date is written
	futures  []future
	of       *component
}

// future is an override with RANGE=THISANDFUTURE: the instances from its own on are moved as far as it is, and last as
// long (RFC 5545 §3.2.13).
type future struct {
	timing
	key   int64
	moved int64 // seconds of the wall clock
	of    *component
}

// master takes the instances of a component, without those that overrides replace.
func (s *series) master(c *component, overrides []*component) error {
	if c.free && s.dating == nil {
		return nil
	}
	t, err := s.timing(c)
	if err != nil {
		return err
	}
	m := &master{series: s, timing: t, allDay: c.start.kind == date, of: c}
	if s.dating != nil {
		s.dating.masters = append(s.dating.masters, m)
	}
	if len(c.except)+len(overrides)+len(c.without) > 0 && s.guess == "" {
		m.gone, m.goneDays = map[int64]bool{}, map[int64]bool{}
		if err := m.leaveOut(c, overrides); err != nil {
			return err
		}
	}
	// What reaches into the window, with room for all offsets from UTC.
	longest := m.longest(m.length)
	lo, hi := s.from-2*day, s.to+2*day
	for _, f := range m.futures {
		lo, hi = min(lo, s.from-4*day-f.moved), max(hi, s.to+4*day-f.moved)
		longest = max(longest, m.longest(f.length))
	}
	lo -= longest
	if m.dating == nil && longest == 0 && !slices.ContainsFunc(c.dates, func(p period) bool { return p.own }) {
		return nil // without length, nothing is busy
	}
	for _, r := range c.without {
		if err := m.expand(r, lo, hi, func(wall int64) error { m.gone[m.key(wall)] = true; return nil }); err != nil {
			return err
		}
	}
	usual := func(wall int64) error { return m.instance(timing{m.zone, wall, m.zone.instant(wall), m.length}) }
	if err := usual(m.wall); err != nil {
		return err
	}
	for _, r := range c.rules {
		s.dating.begin()
		err := m.expand(r, lo, hi, func(wall int64) error { return cmp.Or(usual(wall), s.dating.enough()) })
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
	}
	for _, p := range c.dates {
		if (p.start.kind == date) != m.allDay {
			return fmt.Errorf("%w: RDATE and DTSTART aren't both dates or both times", ErrMalformed)
		}
		t, err := s.period(p, m.zone, m.length)
		if err != nil {
			return err
		}
		if err := cmp.Or(s.work.spend(1), m.instance(t)); err != nil {
			return err
		}
	}
	return nil
}

func (m *master) longest(l length) int64 { return l.days*day + l.seconds }

func (m *master) expand(r *rule, lo, hi int64, yield func(wall int64) error) error {
	if m.allDay && r.freq >= hourly {
		return fmt.Errorf("%w: a rule by the clock for whole days", ErrMalformed)
	}
	x := expansion{
		rule: r, start: m.wall, allDay: m.allDay, lo: lo, hi: hi, zone: m.zone, host: m.host, work: m.work, yield: yield,
	}
	return x.run()
}

// key returns what an instance is known by: its day, or its instant.
func (m *master) key(wall int64) int64 {
	if m.allDay {
		return floorDiv(wall, day)
	}
	return m.zone.instant(wall)
}

// keyOf returns the key of the instance that a moment names, or the day, where it names all instances of a day of the
// master's zone.
func (m *master) keyOf(at moment) (key int64, ofDay bool, err error) {
	switch {
	case m.allDay && at.kind == utc:
		return floorDiv(m.host.wall(at.wall), day), false, nil
	case m.allDay:
		return floorDiv(at.wall, day), false, nil
	case at.kind == date:
		return floorDiv(at.wall, day), true, nil
	}
	z, err := m.zoneOf(at, m.zone)
	if err != nil {
		return 0, false, err
	}
	return z.instant(at.wall), false, nil
}

// leaveOut notes which instances EXDATE and overrides take away, and what overrides say of the future.
func (m *master) leaveOut(c *component, overrides []*component) error {
	note := func(at moment) (int64, error) {
		key, ofDay, err := m.keyOf(at)
		if ofDay {
			m.goneDays[key] = true
			key = m.zone.instant(key * day)
		} else {
			m.gone[key] = true
		}
		return key, err
	}
	for _, at := range c.except {
		if _, err := note(at); err != nil {
			return err
		}
	}
	for _, o := range overrides {
		key, err := note(o.replaces)
		if err != nil {
			return err
		}
		if !o.future {
			continue
		}
		f := future{key: key, of: o}
		if !o.free || m.dating != nil && !o.canceled {
			if f.timing, err = m.series.timing(o); err != nil {
				return err
			}
			f.moved = f.wall - m.shown(f.zone, o.replaces.wall, key, o.replaces)
		}
		m.futures = append(m.futures, f)
	}
	slices.SortStableFunc(m.futures, func(a, b future) int { return cmp.Compare(a.key, b.key) })
	return nil
}

// shown returns the wall clock of another zone at the instance that a RECURRENCE-ID names.
func (m *master) shown(z *zone, wall, at int64, replaces moment) int64 {
	if own, err := m.zoneOf(replaces, m.zone); err != nil || own == z || m.allDay || replaces.kind == date {
		return wall
	}
	return z.wall(at)
}

// instance takes one instance of the series, unless it is left out or replaced.
func (m *master) instance(t timing) error {
	now, of, takesPlace := m.current(t)
	switch {
	case m.dating != nil:
		return m.dating.instance(instance{master: m, rule: t, now: now, of: of, gone: !takesPlace})
	case !takesPlace:
		return nil
	}
	return m.add(now.begins, now.ends())
}

// current returns when an instance takes place by overrides of the future, the component that says so, and whether it does: it may
// be left out, or replaced.
func (m *master) current(t timing) (now timing, of *component, takesPlace bool) {
	key := t.begins
	if m.allDay {
		key = floorDiv(t.wall, day)
	}
	if m.gone[key] {
		return t, m.of, false
	}
	if len(m.goneDays) > 0 && m.goneDays[m.dayOf(t)] {
		return t, m.of, false
	}
	of = m.of
	if len(m.futures) > 0 {
		n, found := slices.BinarySearchFunc(m.futures, key, func(f future, key int64) int { return cmp.Compare(f.key, key) })
		if found || n > 0 {
			if !found {
				n--
			}
			f := m.futures[n]
			if f.of.free && (m.dating == nil || f.of.canceled) {
				return t, m.of, false
			}
			wall := t.wall
			if t.zone != f.zone && !m.allDay {
				wall = f.zone.wall(t.begins)
			}
			of, t = f.of, timing{zone: f.zone, wall: wall + f.moved, length: f.length}
			t.begins = t.zone.instant(t.wall)
		}
	}
	return t, of, true
}

// dayOf returns the day of an instance, in the zone of DTSTART.
func (m *master) dayOf(t timing) int64 {
	if t.zone != m.zone {
		return floorDiv(m.zone.wall(t.begins), day)
	}
	return floorDiv(t.wall, day)
}
