package busy

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// group is what a file says under one UID.
type group struct {
	uid                          string
	masters, overrides, freeBusy []*component
}

// groups gathers the components, in the order of the file.
func (f *file) groups() []*group {
	var all []*group
	of := map[string]*group{}
	for _, c := range f.components {
		g := of[c.uid]
		if g == nil || c.uid == "" {
			g = &group{uid: c.uid}
			all = append(all, g)
			of[c.uid] = g
		}
		switch {
		case c.freeBusy:
			g.freeBusy = append(g.freeBusy, c)
		case c.replaces.kind != 0:
			g.overrides = append(g.overrides, c)
		default:
			g.masters = append(g.masters, c)
		}
	}
	f.components = nil
	return all
}

// events makes each group an event.
func (f *file) events() ([]Event, error) {
	all := f.groups()
	events := make([]Event, 0, len(all))
	var bad problems
	for _, g := range all {
		f.work.event, f.work.ownSpans = f.options.Work/8, maxOwnSpans
		e, err := f.event(g)
		if err != nil {
			if bad.add(g.uid, err); f.work.spent() {
				break
			}
			continue
		}
		events = append(events, e)
	}
	return events, bad.err()
}

// series finds the busy times of one group.
type series struct {
	*file
	from, to int64
	spans    []Span
	guess    string  // the TZID that says nothing to us, of a group that has one
	dating   *dating // nil where only spans are wanted
}

func (f *file) event(g *group) (Event, error) {
	e := Event{UID: g.uid}
	s := &series{file: f, from: f.from, to: f.to}
	g.masters = newest(g.masters)
	for _, list := range [][]*component{g.masters, g.overrides, g.freeBusy} {
		for _, c := range list {
			if err := s.look(c); err != nil {
				return e, err
			}
		}
	}
	if s.guess != "" { // what is far from the window can't matter, wherever the zone may be
		s.from, s.to = s.from-2*day, s.to+2*day
	}
	if main := slices.Concat(g.masters, g.overrides); len(main) > 0 {
		e.Seq, e.Stamp = main[0].seq, cmp.Or(main[0].changed, main[0].made)
		if t, err := f.timing(main[0]); err == nil && !t.zone.unknown {
			e.Start, e.End = t.begins*1000, t.ends()*1000
		}
	}
	if err := s.overrides(g); err != nil {
		return e, err
	}
	for _, c := range g.masters {
		if err := s.master(c, g.overrides); err != nil {
			return e, err
		}
	}
	for _, c := range g.freeBusy {
		if err := s.periods(c); err != nil {
			return e, err
		}
	}
	future := slices.ContainsFunc(g.overrides, func(c *component) bool { return c.future })
	if s.guess != "" && (future || len(s.spans) > 0) {
		return e, fmt.Errorf("%w: the time zone %q is unknown", ErrMalformed, short(s.guess))
	}
	e.Spans = tidy(s.spans)
	return e, nil
}

// newest leaves those with the highest SEQUENCE: the others are what the event was before (RFC 5546 §2.1.4). Several of
// the same number are different events of a program that gives a UID twice, and all count.
func newest(list []*component) []*component {
	if len(list) < 2 {
		return list
	}
	highest := slices.MaxFunc(list, func(a, b *component) int { return a.seq - b.seq }).seq
	return slices.DeleteFunc(list, func(c *component) bool { return c.seq < highest })
}

// look fails for a component that isn't understood and may be busy, and finds TZIDs that say nothing.
func (s *series) look(c *component) error {
	switch {
	case c.free && c.replaces.kind == 0 && s.dating == nil:
		c.rules, c.dates = nil, nil // nobody asks for them
		return nil
	case c.err != nil:
		return c.err
	case c.replaces.kind != 0 && len(c.rules)+len(c.dates)+len(c.without) > 0 && !c.free:
		return fmt.Errorf("%w: an override has a rule of its own", ErrMalformed)
	}
	check := func(m moment) error {
		if m.kind == zoned && s.guess == "" {
			if z, err := s.zone(m.tzid, m.wall); err != nil {
				return err
			} else if z.unknown {
				s.guess = s.tzids[m.tzid]
			}
		}
		return nil
	}
	for _, m := range []moment{c.start, c.end, c.replaces} {
		if err := check(m); err != nil {
			return err
		}
	}
	for _, m := range c.except {
		if err := check(m); err != nil {
			return err
		}
	}
	for _, p := range c.dates {
		if err := cmp.Or(check(p.start), check(p.end)); err != nil {
			return err
		}
	}
	return nil
}

var utcZone = &zone{location: time.UTC, lo: farPast, hi: farFuture}

// zoneOf returns the zone in which a moment is written; floating ones are in the zone that is handed in.
func (f *file) zoneOf(m moment, local *zone) (*zone, error) {
	switch m.kind {
	case utc:
		return utcZone, nil
	case zoned:
		return f.zone(m.tzid, m.wall)
	case floating:
		return local, nil
	}
	return f.host, nil
}

// timing is when a component begins, and how long it takes.
type timing struct {
	zone   *zone
	wall   int64 // its start
	begins int64 // as an instant, in seconds
	length length
}

// ends returns the instant at which it ends.
func (t timing) ends() int64 { return after(t.zone, t.wall, t.length) }

// after returns when something ends that begins at a time of a zone: its days are those of the clock, the rest is
// exact.
func after(z *zone, wall int64, l length) int64 { return z.instant(wall+l.days*day) + l.seconds }

func (f *file) timing(c *component) (t timing, err error) {
	if c.start.kind == 0 {
		return t, fmt.Errorf("%w: it has no DTSTART", ErrMalformed)
	}
	if t.zone, err = f.zoneOf(c.start, f.host); err != nil {
		return t, err
	}
	t.wall, t.begins = c.start.wall, t.zone.instant(c.start.wall)
	switch {
	case c.end.kind == 0:
		t.length = c.length
	case c.end.kind == date && c.start.kind == date:
		t.length.days = (c.end.wall - c.start.wall) / day
	default:
		z, err := f.zoneOf(c.end, f.host)
		if err != nil {
			return t, err
		}
		t.length.seconds = z.instant(c.end.wall) - t.begins
		if shown := c.end.wall - c.start.wall; t.length.seconds <= 0 && z == t.zone {
			t.length.seconds = shown // it begins while the clocks skip an hour, and ends right after
		}
	}
	if t.length.days < 0 || t.length.seconds < 0 {
		return t, fmt.Errorf("%w: it ends before it begins", ErrMalformed)
	}
	if c.start.kind == date && t.length == (length{}) {
		t.length.days = 1 // also where DTEND is the same day, which some programs write
	}
	return t, nil
}

// add takes a busy time, if it reaches into the window.
func (s *series) add(begins, ends int64) error {
	if ends <= begins || begins >= s.to || ends <= s.from {
		return nil
	}
	if s.guess == "" && (begins*1000 >= s.options.To || ends*1000 <= s.options.From) {
		return nil
	}
	if err := s.work.span(); err != nil {
		return err
	}
	s.spans = append(s.spans, Span{Start: begins * 1000, End: ends * 1000})
	return nil
}

// tidy sorts spans and leaves out those within another.
func tidy(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	kept := spans[:0]
	for _, one := range spans {
		if len(kept) == 0 || one.End > kept[len(kept)-1].End {
			kept = append(kept, one)
		}
	}
	return slices.Clip(kept)
}

// periods takes what a VFREEBUSY says.
func (s *series) periods(c *component) error {
	for _, p := range c.dates {
		if !p.own || p.start.kind == date {
			return fmt.Errorf("%w: a FREEBUSY without an end", ErrMalformed)
		}
		t, err := s.period(p, s.host, length{})
		if err != nil {
			return err
		}
		if err := s.add(t.begins, t.ends()); err != nil {
			return err
		}
	}
	return nil
}

// period returns the timing of a date of a list; what has neither end nor length lasts as long as usual.
func (s *series) period(p period, local *zone, usual length) (t timing, err error) {
	if t.zone, err = s.zoneOf(p.start, local); err != nil {
		return t, err
	}
	t.wall, t.begins, t.length = p.start.wall, t.zone.instant(p.start.wall), usual
	switch {
	case p.own && p.end.kind != 0:
		z, err := s.zoneOf(p.end, local)
		if err != nil {
			return t, err
		}
		if t.length = (length{seconds: z.instant(p.end.wall) - t.begins}); t.length.seconds < 0 {
			return t, fmt.Errorf("%w: a period ends before it begins", ErrMalformed)
		}
	case p.own:
		t.length = p.length
	}
	return t, nil
}
