package busy

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Date is when a VEVENT takes place: once, or as one of the dates on which it comes again.
type Date struct {
	Event int // the VEVENT that says what takes place, from 0 in the order of the file
	// By what a date of an event that comes again is known, also once it was moved: the day on which it lies by the rule, such as
	// 20270112, on the clock of the event, and which one of that day it is there, from 1.
	Day            string
	Nth            int
	Start, End     int64 // in ms
	Free, Canceled bool  // it keeps nobody busy; it is left out or cancelled there
}

// Dated is when the events of one UID take place. Without UID, each is on its own.
type Dated struct {
	Events []int  // the VEVENTs
	Older  []int  // those of which another one with a higher SEQUENCE is the newer version
	Again  bool   // it comes again
	Dates  []Date // by start
	Next   int64  // when the first date begins that isn't in Dates because of the bounds; 0 if there is none
	Err    error  // why it isn't known when they take place, which wraps ErrMalformed or ErrTooMuch
}

// beyond is how far beyond the window Next is looked for, in ms.
const beyond = 5 * 366 * day * 1000

// Dates returns when the events of one file take place, in its order, busy or not. Events that take place once are always returned;
// of one that comes again, those dates that reach into the window, and of those the first most that aren't cancelled. Its error is
// Read's of the file as a whole.
func Dates(r io.Reader, o Options, most int) ([]Dated, error) {
	d := dating{to: floorDiv(o.To, 1000), most: most}
	o.To += beyond
	f := newFile(o)
	if err := f.read(newLines(r)); err != nil {
		return nil, err
	}
	d.from = f.from
	var all []Dated
	for _, g := range f.groups() {
		if len(g.masters)+len(g.overrides) == 0 {
			continue
		}
		f.work.event = f.options.Work / 8
		own := d
		all = append(all, own.dates(f, g))
	}
	return all, nil
}

// dating finds the dates of one group.
type dating struct {
	from, to int64 // the window in seconds
	most     int
	masters  []*master
	found    []instance
	coming   int // of the rule that is expanded
	next     int64
}

// instance is one that a rule gives.
type instance struct {
	master *master
	rule   timing // when it takes place by the rule
	now    timing
	of     *component // that says what takes place
	gone   bool       // it is left out, or replaced
	nth    int
}

var errEnough = errors.New("enough")

// begin notes that another source of instances begins.
func (d *dating) begin() {
	if d != nil {
		d.coming = 0
	}
}

// enough returns errEnough when no later instance of a rule is needed.
func (d *dating) enough() error {
	if d != nil && d.coming > d.most {
		return errEnough
	}
	return nil
}

func (d *dating) instance(x instance) error {
	if err := x.master.work.spend(50); err != nil {
		return err
	}
	d.found = append(d.found, x)
	switch {
	case x.now.begins >= d.to:
		d.coming = d.most + 1
	case !x.gone && x.now.ends() > d.from:
		d.coming++
	}
	return nil
}

// dates returns the dates of a group.
func (d *dating) dates(f *file, g *group) (all Dated) {
	for _, c := range slices.Concat(g.masters, g.overrides) {
		all.Events = append(all.Events, c.number)
	}
	written := slices.Concat(g.masters, g.overrides)
	g.masters, g.overrides = newest(g.masters), newestOverrides(g.overrides)
	for _, c := range written {
		if !slices.Contains(g.masters, c) && !slices.Contains(g.overrides, c) {
			all.Older = append(all.Older, c.number)
		}
	}
	all.Again = len(g.overrides) > 0 || slices.ContainsFunc(g.masters, func(c *component) bool { return len(c.rules)+len(c.dates) > 0 })
	s := &series{file: f, from: f.from, to: f.to, dating: d}
	all.Dates, all.Err = s.datesOf(g, all.Again)
	all.Next = d.next * 1000
	return all
}

// datesOf returns the dates of the newest components of a group.
func (s *series) datesOf(g *group, again bool) (all []Date, err error) {
	for _, c := range slices.Concat(g.masters, g.overrides) {
		if err := s.look(c); err != nil {
			return nil, err
		}
	}
	if s.guess != "" {
		return nil, fmt.Errorf("%w: the time zone %q is unknown", ErrMalformed, short(s.guess))
	}
	for _, c := range g.masters {
		if err := s.master(c, g.overrides); err != nil {
			return nil, err
		}
	}
	onDay := s.dating.number()
	for _, c := range g.overrides {
		t, err := s.timing(c)
		if err != nil {
			return nil, err
		}
		of, nth, err := s.replaced(c, onDay)
		if err != nil {
			return nil, err
		}
		all = append(all, c.date(t, of, nth))
	}
	for _, x := range s.dating.found {
		if x.nth == 0 { // it is replaced
			continue
		}
		one := x.of.date(x.now, x.master.dayOf(x.rule), x.nth)
		master := x.master.of // what it is counts for all of its instances
		one.Canceled = one.Canceled || x.gone || master.canceled
		one.Free = !one.Canceled && (one.Free || master.free)
		if !again {
			one.Day, one.Nth = "", 0
		}
		all = append(all, one)
	}
	if again {
		all = s.dating.bound(all)
	}
	return all, nil
}

func (c *component) date(t timing, of int64, nth int) Date {
	return Date{Event: c.number, Day: time.Unix(of*day, 0).UTC().Format("20060102"), Nth: nth, Start: t.begins * 1000, End: t.ends() * 1000,
		Free: c.free && !c.canceled, Canceled: c.canceled}
}

// number puts the instances in order, leaves each of them once, and counts them on each day.
func (d *dating) number() (onDay map[int64]int) {
	slices.SortStableFunc(d.found, func(a, b instance) int {
		return cmp.Or(cmp.Compare(a.rule.begins, b.rule.begins), cmp.Compare(b.now.ends(), a.now.ends()))
	})
	type known struct {
		master *master
		begins int64
	}
	met := map[known]bool{}
	d.found = slices.DeleteFunc(d.found, func(x instance) bool {
		k := known{x.master, x.rule.begins}
		was := met[k]
		met[k] = true
		return was
	})
	onDay = map[int64]int{}
	for i := range d.found {
		x := &d.found[i]
		of := x.master.dayOf(x.rule)
		onDay[of]++
		x.nth = onDay[of]
	}
	return onDay
}

// replaced returns the day of the instance that an override replaces, and which one of that day it is; its nth is 0 from then on.
func (s *series) replaced(c *component, onDay map[int64]int) (of int64, nth int, err error) {
	if err := s.work.spend(1 + len(s.dating.found)/4); err != nil {
		return 0, 0, err
	}
	for _, m := range s.dating.masters {
		key, ofDay, err := m.keyOf(c.replaces)
		if err != nil {
			return 0, 0, err
		}
		if of = key; !m.allDay && !ofDay {
			of = floorDiv(m.zone.wall(key), day)
		}
		for i := range s.dating.found {
			x := &s.dating.found[i]
			if x.master != m || m.dayOf(x.rule) != of || !m.allDay && !ofDay && x.rule.begins != key {
				continue
			}
			if nth == 0 {
				nth = x.nth
			}
			x.nth = 0
		}
		if nth != 0 {
			return of, nth, nil
		}
	}
	if len(s.dating.masters) == 0 {
		z, err := s.zoneOf(c.replaces, s.host)
		if err != nil {
			return 0, 0, err
		}
		own, err := s.zoneOf(c.start, s.host)
		if err != nil {
			return 0, 0, err
		}
		if of = floorDiv(c.replaces.wall, day); own != z && c.replaces.kind != date {
			of = floorDiv(own.wall(z.instant(c.replaces.wall)), day)
		}
	}
	onDay[of]++ // its instance is far from the window, or in no rule
	return of, onDay[of], nil
}

// bound leaves the dates of the window, and of those the first.
func (d *dating) bound(all []Date) []Date {
	slices.SortStableFunc(all, func(a, b Date) int { return cmp.Compare(a.Start, b.Start) })
	kept, n := all[:0], 0
	for _, x := range all {
		switch live := !x.Canceled; {
		case x.Start >= d.to*1000 || live && n == d.most && x.End > d.from*1000:
			if live {
				d.next = x.Start / 1000
				return kept
			}
		case x.End > d.from*1000:
			kept = append(kept, x)
			if live {
				n++
			}
		}
	}
	return kept
}
