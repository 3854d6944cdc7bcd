package busy

import "slices"

// latest is the end of the year 9999, the last that can be written.
var latest = days(10000, 1, 1) * day

// earliest is the beginning of the year 1.
var earliest = days(1, 1, 1) * day

// expansion finds the instances of a rule in a range of the wall clock, in order, without DTSTART itself.
type expansion struct {
	rule   *rule
	start  int64 // DTSTART
	allDay bool
	lo, hi int64 // what is wanted, both included
	zone   *zone // of DTSTART
	host   *zone // of days
	work   *budget
	yield  func(wall int64) error

	end     int64   // no instance is later
	left    int64   // of COUNT
	days    []int64 // of the period that is looked at
	indexes []int   // of BYSETPOS in its set
	done    bool
}

// run calls yield with each instance. It fails with ErrTooMuch, or as yield does.
func (x *expansion) run() error {
	r := x.rule
	x.end, x.left = min(x.hi, latest-1), r.count-1
	if r.until.kind != 0 {
		x.end = min(x.end, r.until.wall+2*day)
	}
	if x.end < x.lo || r.count == 1 {
		return nil
	}
	if r.freq >= hourly {
		return x.clocks()
	}
	return x.periods()
}

// take hands on an instance, unless it is before what is wanted or beyond UNTIL, and counts it.
func (x *expansion) take(wall int64) error {
	if x.done || wall <= x.start {
		return nil
	}
	if wall > x.end {
		x.done = true
		return nil
	}
	if x.beyond(wall) {
		return nil
	}
	x.skip(1)
	if wall < x.lo {
		return nil
	}
	if err := x.work.spend(1); err != nil {
		return err
	}
	return x.yield(wall)
}

// skip counts n instances, and ends the search when COUNT has no more.
func (x *expansion) skip(n int64) {
	if x.rule.count > 0 {
		x.left -= n
		x.done = x.left <= 0
	}
}

// beyond reports whether an instance is later than UNTIL. A date for UNTIL means all of that day. A time for an event
// of whole days means the days until that instant, and until the date that it shows: both are written.
func (x *expansion) beyond(wall int64) bool {
	until := x.rule.until
	switch {
	case until.kind == 0:
		return false
	case until.kind == date || x.allDay && wall <= until.wall:
		return floorDiv(wall, day)*day > until.wall
	case until.kind == floating:
		return wall > until.wall
	case wall <= until.wall-2*day:
		return false
	case x.allDay:
		return x.host.instant(wall) > until.wall
	}
	return x.zone.instant(wall) > until.wall
}

// periods expands rules by years, months, weeks and days: each period is a list of days, and each day has the same
// times.
func (x *expansion) periods() error {
	r := x.rule
	times := []int32{0}
	if !x.allDay {
		times = clock(r.hours, r.minutes, r.seconds, x.start)
	}
	if err := x.work.spend(1 + len(times)/8); err != nil {
		return err
	}
	first := floorDiv(x.start, day)
	unit := x.unit(first)
	n := int64(0)
	if r.count == 0 {
		n = max(0, floorDiv(x.unit(floorDiv(x.lo, day))-unit, r.interval))
	}
	last := x.unit(floorDiv(x.end, day))
	for ; !x.done && unit+n*r.interval <= last; n++ {
		from, to := x.bounds(unit + n*r.interval)
		x.days = x.days[:0]
		looked := x.fill(unit+n*r.interval, from, to)
		if err := x.work.spend(1 + looked/4); err != nil {
			return err
		}
		var err error
		if len(r.positions) > 0 {
			err = x.chosen(from, to, times)
		} else {
			err = x.all(times)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// all takes all times of the period's days.
func (x *expansion) all(times []int32) error {
	for _, d := range x.days {
		begins := d * day
		if x.done || begins > x.end {
			return nil
		}
		if begins > x.start && begins+day <= x.lo {
			x.skip(int64(len(times)))
			continue
		}
		for _, t := range times {
			if err := x.take(begins + int64(t)); err != nil || x.done {
				return err
			}
		}
	}
	return nil
}

// chosen takes the times of the period that BYSETPOS names.
func (x *expansion) chosen(from, to int64, times []int32) error {
	if err := x.choose(len(x.days) * len(times)); err != nil {
		return err
	}
	if from*day > x.start && to*day <= x.lo {
		x.skip(int64(len(x.indexes)))
		return nil
	}
	for _, i := range x.indexes {
		if err := x.take(x.days[i/len(times)]*day + int64(times[i%len(times)])); err != nil || x.done {
			return err
		}
	}
	return nil
}

// choose makes the indexes that BYSETPOS names in a set of so many.
func (x *expansion) choose(size int) error {
	x.indexes = x.indexes[:0]
	for _, p := range x.rule.positions {
		if p < 0 {
			p += int64(size) + 1
		}
		if 1 <= p && p <= int64(size) {
			x.indexes = append(x.indexes, int(p-1))
		}
	}
	slices.Sort(x.indexes)
	x.indexes = slices.Compact(x.indexes)
	return x.work.spend(1 + len(x.rule.positions)/8)
}

// unit returns the number of the year, month, week or day in which a day is.
func (x *expansion) unit(d int64) int64 {
	switch x.rule.freq {
	case yearly:
		y, _, _ := civil(d)
		return y
	case monthly:
		y, m, _ := civil(d)
		return y*12 + m - 1
	case weekly: // 1970-01-01 was a Thursday
		return floorDiv(d+4-x.rule.weekStart, 7)
	}
	return d
}

// bounds returns the first day of a unit, and the one after its last.
func (x *expansion) bounds(unit int64) (from, to int64) {
	switch x.rule.freq {
	case yearly:
		return days(unit, 1, 1), days(unit+1, 1, 1)
	case monthly:
		return days(0, unit+1, 1), days(0, unit+2, 1)
	case weekly:
		from = unit*7 - 4 + x.rule.weekStart
		return from, from + 7
	}
	return unit, unit + 1
}

// fill lists the days of a period by the table of RFC 5545 §3.3.10, and returns how many it looked at.
func (x *expansion) fill(unit, from, to int64) (looked int) {
	r := x.rule
	_, startMonth, startDay := civil(floorDiv(x.start, day))
	noMonthDay, noWeekday := r.monthDays == 0 && r.monthDaysBack == 0, r.weekdays == 0 && len(r.nth) == 0
	switch r.freq {
	case daily:
		if x.dayMatches(from) {
			x.days = append(x.days, from)
		}
		return 1
	case weekly:
		wanted := r.weekdays
		if wanted == 0 {
			wanted = 1 << weekday(floorDiv(x.start, day))
		}
		for d := from; d < to; d++ {
			if wanted>>weekday(d)&1 == 1 && x.inMonth(d) {
				x.days = append(x.days, d)
			}
		}
		return 7
	case monthly:
		if _, m, _ := civil(from); r.months != 0 && r.months>>m&1 == 0 {
			return 1
		}
		return x.month(from, to, noMonthDay && noWeekday, startDay)
	}
	byWeek, byYearDay := r.weekNumbers != 0 || r.weekNumbersBack != 0, len(r.yearDays) > 0
	if byWeek || byYearDay || len(r.nth) > 0 && r.months == 0 {
		return x.year(unit, from, to, byWeek)
	}
	months := r.months
	if months == 0 && noMonthDay && noWeekday {
		months = 1 << startMonth
	}
	for m := int64(1); m <= 12; m++ {
		if months == 0 || months>>m&1 == 1 {
			looked += x.month(days(unit, m, 1), days(unit, m+1, 1), noMonthDay && noWeekday, startDay)
		}
	}
	return looked
}

// month adds the days of a month that BYMONTHDAY and BYDAY leave; with neither, the day of the month of DTSTART.
func (x *expansion) month(from, to int64, plain bool, startDay int64) int {
	if plain {
		if d := from + startDay - 1; d < to {
			x.days = append(x.days, d)
		}
		return 1
	}
	for d := from; d < to; d++ {
		if x.onMonthDay(d-from+1, to-d) && x.onWeekday(d, from, to) {
			x.days = append(x.days, d)
		}
	}
	return int(to - from)
}

// year adds the days of a year for rules that need all of it: with BYWEEKNO, BYYEARDAY, or days of the week that are
// numbered within the year.
func (x *expansion) year(year, from, to int64, byWeek bool) int {
	r := x.rule
	plain := byWeek && r.weekdays == 0 && len(r.yearDays) == 0 && r.monthDays == 0 && r.monthDaysBack == 0
	startWeekday := weekday(floorDiv(x.start, day))
	week, nextWeek := firstWeek(year, r.weekStart), firstWeek(year+1, r.weekStart)
	for monthFrom, m := from, int64(1); m <= 12; m++ {
		monthTo := days(year, m+1, 1)
		for d := monthFrom; d < monthTo; d++ {
			if (r.months == 0 || r.months>>m&1 == 1) && x.onMonthDay(d-monthFrom+1, monthTo-d) && x.onYearDay(d-from+1, to-d) &&
				(!byWeek || x.inWeek(d, year, week, nextWeek)) && (!plain || weekday(d) == startWeekday) &&
				x.numbered(d, from, to, monthFrom, monthTo) {
				x.days = append(x.days, d)
			}
		}
		monthFrom = monthTo
	}
	return int(to - from)
}

// numbered is onWeekday, counted within the month where BYMONTH is given, else within the year.
func (x *expansion) numbered(d, from, to, monthFrom, monthTo int64) bool {
	if x.rule.months != 0 {
		return x.onWeekday(d, monthFrom, monthTo)
	}
	return x.onWeekday(d, from, to)
}

// firstWeek returns the first day of a year's first week, the first one with four days in the year.
func firstWeek(year, weekStart int64) int64 {
	fourth := days(year, 1, 4)
	return fourth - floorMod(weekday(fourth)-weekStart, 7)
}

// inWeek reports whether a day of a calendar year is in a week of BYWEEKNO: the first and last days of the year may be
// in a week of the year beside it.
func (x *expansion) inWeek(d, year, week, nextWeek int64) bool {
	switch {
	case d < week:
		week, nextWeek = firstWeek(year-1, x.rule.weekStart), week
	case d >= nextWeek:
		week, nextWeek = nextWeek, firstWeek(year+2, x.rule.weekStart)
	}
	n, back := (d-week)/7+1, (nextWeek-1-d)/7+1
	return x.rule.weekNumbers>>n&1 == 1 || x.rule.weekNumbersBack>>back&1 == 1
}

func (x *expansion) inMonth(d int64) bool {
	_, m, _ := civil(d)
	return x.rule.months == 0 || x.rule.months>>m&1 == 1
}

func (x *expansion) onMonthDay(n, back int64) bool {
	r := x.rule
	return r.monthDays == 0 && r.monthDaysBack == 0 || r.monthDays>>n&1 == 1 || r.monthDaysBack>>back&1 == 1
}

func (x *expansion) onYearDay(n, back int64) bool {
	list := x.rule.yearDays
	if len(list) == 0 {
		return true
	}
	_, found := slices.BinarySearch(list, n)
	if !found {
		_, found = slices.BinarySearch(list, -back)
	}
	return found
}

// onWeekday asks BYDAY, with the numbers of days of the week counted from one day to another.
func (x *expansion) onWeekday(d, from, to int64) bool {
	r := x.rule
	if r.weekdays == 0 && len(r.nth) == 0 {
		return true
	}
	wd := weekday(d)
	if r.weekdays>>wd&1 == 1 {
		return true
	}
	for _, o := range r.nth {
		if o.weekday == wd && (o.n == (d-from)/7+1 || -o.n == (to-1-d)/7+1) {
			return true
		}
	}
	return false
}

// dayMatches asks the parts of a rule that only leave out days.
func (x *expansion) dayMatches(d int64) bool {
	r := x.rule
	if r.weekdays != 0 && r.weekdays>>weekday(d)&1 == 0 {
		return false
	}
	if r.months == 0 && r.monthDays == 0 && r.monthDaysBack == 0 && len(r.yearDays) == 0 {
		return true
	}
	y, m, n := civil(d)
	return (r.months == 0 || r.months>>m&1 == 1) && x.onMonthDay(n, days(y, m+1, 1)-d) &&
		(len(r.yearDays) == 0 || x.onYearDay(d-days(y, 1, 1)+1, days(y+1, 1, 1)-d))
}

// clocks expands rules by hours, minutes and seconds, day by day, so that the days which the rule leaves out cost
// nothing. They go by the wall clock, too.
func (x *expansion) clocks() error {
	r := x.rule
	var unit int64
	var offsets []int32
	filtered := r.hours != 0
	switch r.freq {
	case hourly:
		unit, offsets = 3600, clock(1, r.minutes, r.seconds, x.start)
	case minutely:
		unit, offsets, filtered = 60, clock(1, 1, r.seconds, x.start), filtered || r.minutes != 0
	default:
		unit, offsets, filtered = 1, []int32{0}, filtered || r.minutes != 0 || r.seconds != 0
	}
	origin, step := x.start-floorMod(x.start, unit), unit*r.interval
	// next is the first period at or after a time.
	next := func(wall int64) int64 { return origin + max(0, -floorDiv(origin-wall, step))*step }
	d := floorDiv(origin, day)
	if r.count == 0 {
		d = max(d, floorDiv(x.lo, day))
	}
	for !x.done && d*day <= x.end {
		if err := x.work.spend(1); err != nil {
			return err
		}
		t, midnight := next(d*day), (d+1)*day
		switch {
		case t >= midnight:
			d = floorDiv(t, day)
			continue
		case !x.dayMatches(d):
		case !filtered && len(r.positions) == 0 && d*day > x.start && midnight <= x.lo:
			x.skip(((midnight-1-t)/step + 1) * int64(len(offsets)))
		default:
			for t < midnight && t <= x.end && !x.done {
				if err := x.work.spend(1); err != nil {
					return err
				}
				if skipTo := x.closed(t); skipTo > t {
					t = next(skipTo)
					continue
				}
				if err := x.within(t, offsets); err != nil {
					return err
				}
				t += step
			}
		}
		d++
	}
	return nil
}

// closed returns when the hour, minute or second ends that the rule leaves out at a time; else the time itself.
func (x *expansion) closed(t int64) int64 {
	r := x.rule
	switch {
	case r.hours != 0 && r.hours>>(floorMod(t, day)/3600)&1 == 0:
		return (floorDiv(t, 3600) + 1) * 3600
	case r.freq > hourly && r.minutes != 0 && r.minutes>>(floorMod(t, 3600)/60)&1 == 0:
		return (floorDiv(t, 60) + 1) * 60
	case r.freq > minutely && r.seconds != 0 && r.seconds>>floorMod(t, 60)&1 == 0:
		return t + 1
	}
	return t
}

// within takes the times of an hour or a minute.
func (x *expansion) within(t int64, offsets []int32) error {
	if len(x.rule.positions) == 0 {
		for _, o := range offsets {
			if err := x.take(t + int64(o)); err != nil || x.done {
				return err
			}
		}
		return nil
	}
	if err := x.choose(len(offsets)); err != nil {
		return err
	}
	for _, i := range x.indexes {
		if err := x.take(t + int64(offsets[i])); err != nil || x.done {
			return err
		}
	}
	return nil
}
