package busy

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

type frequency uint8

const (
	yearly frequency = iota + 1
	monthly
	weekly
	daily
	hourly
	minutely
	secondly
)

var frequencies = map[string]frequency{
	"YEARLY": yearly, "MONTHLY": monthly, "WEEKLY": weekly, "DAILY": daily, "HOURLY": hourly, "MINUTELY": minutely,
	"SECONDLY": secondly,
}

// rule is an RRULE (RFC 5545 §3.3.10). Lists of small numbers are sets of bits; an empty one isn't given.
type rule struct {
	freq                         frequency
	interval, count              int64 // count 0: none is given
	until                        moment
	months                       uint32    // 1 to 12
	monthDays, monthDaysBack     uint32    // 1 to 31, from the beginning and from the end
	weekdays                     uint32    // 0 is Sunday
	nth                          []ordinal // days of the week with a number
	weekNumbers, weekNumbersBack uint64    // 1 to 53
	yearDays                     []int64   // -366 to 366
	hours                        uint32
	minutes, seconds             uint64
	positions                    []int64 // BYSETPOS, -366 to 366
	weekStart                    int64
}

// ordinal is a numbered day of the week, such as -1SU.
type ordinal struct{ n, weekday int64 }

func parseRule(text string) (*rule, error) {
	r := &rule{interval: 1, weekStart: 1}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, _ := strings.Cut(strings.ToUpper(part), "=")
		if seen[name] {
			return nil, fmt.Errorf("%w: the rule has %s twice", ErrMalformed, short(name))
		}
		seen[name] = true
		if err := r.set(name, value); err != nil {
			return nil, fmt.Errorf("%w: the rule's part %q", err, short(part))
		}
	}
	return r, r.check(seen)
}

// set takes one part of the rule.
func (r *rule) set(name, value string) (err error) {
	var set, back uint64
	switch name {
	case "FREQ":
		if r.freq = frequencies[value]; r.freq == 0 {
			return ErrMalformed
		}
	case "INTERVAL":
		r.interval, err = number(value, 1, 1<<40)
	case "COUNT":
		r.count, err = number(value, 1, 1<<40)
	case "UNTIL":
		r.until, err = parseMoment(value, -1)
	case "WKST":
		n := slices.Index(weekdayNames, value)
		if n < 0 {
			return ErrMalformed
		}
		r.weekStart = int64(n)
	case "BYSECOND":
		if set, _, err = numbers(value, 0, 60, false); set>>60&1 == 1 {
			set = set&^(1<<60) | 1<<59 // a leap second is the second before it
		}
		r.seconds = set
	case "BYMINUTE":
		r.minutes, _, err = numbers(value, 0, 59, false)
	case "BYHOUR":
		set, _, err = numbers(value, 0, 23, false)
		r.hours = uint32(set)
	case "BYDAY":
		err = r.setDays(value)
	case "BYMONTHDAY":
		set, back, err = numbers(value, 1, 31, true)
		r.monthDays, r.monthDaysBack = uint32(set), uint32(back)
	case "BYYEARDAY":
		r.yearDays, err = sorted(value)
	case "BYWEEKNO":
		r.weekNumbers, r.weekNumbersBack, err = numbers(value, 1, 53, true)
	case "BYMONTH":
		set, _, err = numbers(value, 1, 12, false)
		r.months = uint32(set)
	case "BYSETPOS":
		r.positions, err = sorted(value)
	case "RSCALE": // RFC 7529
		if value != "GREGORIAN" {
			return ErrMalformed
		}
	case "SKIP":
		if value != "OMIT" {
			return ErrMalformed
		}
	default:
		if !strings.HasPrefix(name, "X-") {
			return ErrMalformed
		}
	}
	return err
}

// check refuses the parts that a frequency doesn't have.
func (r *rule) check(seen map[string]bool) error {
	not := func(name string) error {
		return fmt.Errorf("%w: the rule can't have %s with its FREQ", ErrMalformed, name)
	}
	switch {
	case r.freq == 0:
		return fmt.Errorf("%w: the rule has no FREQ", ErrMalformed)
	case seen["BYWEEKNO"] && r.freq != yearly:
		return not("BYWEEKNO")
	case seen["BYYEARDAY"] && (r.freq == monthly || r.freq == weekly || r.freq == daily):
		return not("BYYEARDAY")
	case seen["BYMONTHDAY"] && r.freq == weekly:
		return not("BYMONTHDAY")
	case len(r.nth) > 0 && (r.freq > monthly || seen["BYWEEKNO"]):
		return not("a numbered BYDAY")
	}
	return nil
}

var weekdayNames = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

func (r *rule) setDays(value string) error {
	for one := range strings.SplitSeq(value, ",") {
		one = strings.TrimSpace(one)
		if len(one) < 2 {
			return ErrMalformed
		}
		wd := slices.Index(weekdayNames, one[len(one)-2:])
		if wd < 0 {
			return ErrMalformed
		}
		if one = one[:len(one)-2]; one == "" {
			r.weekdays |= 1 << wd
			continue
		}
		n, err := number(strings.TrimPrefix(one, "+"), -53, 53)
		if err != nil || n == 0 {
			return ErrMalformed
		}
		if o := (ordinal{n, int64(wd)}); !slices.Contains(r.nth, o) {
			r.nth = append(r.nth, o)
		}
	}
	return nil
}

func number(text string, least, most int64) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < least || n > most {
		return 0, ErrMalformed
	}
	return n, nil
}

// numbers reads a list as sets of bits, of the numbers counted from the beginning, and with signed, from the end.
func numbers(text string, least, most int64, signed bool) (set, back uint64, err error) {
	for one := range strings.SplitSeq(text, ",") {
		n, err := number(strings.TrimPrefix(strings.TrimSpace(one), "+"), -most, most)
		switch {
		case err != nil || n < 0 && !signed || max(n, -n) < least:
			return 0, 0, ErrMalformed
		case n < 0:
			back |= 1 << -n
		default:
			set |= 1 << n
		}
	}
	return set, back, nil
}

// sorted reads a list of -366 to 366 without 0, each once.
func sorted(text string) ([]int64, error) {
	var given [2*366 + 1]bool
	for one := range strings.SplitSeq(text, ",") {
		n, err := number(strings.TrimPrefix(strings.TrimSpace(one), "+"), -366, 366)
		if err != nil || n == 0 {
			return nil, ErrMalformed
		}
		given[n+366] = true
	}
	var list []int64
	for n, yes := range given {
		if yes {
			list = append(list, int64(n)-366)
		}
	}
	return list, nil
}

// clock lists the times of a day, in seconds, of sets of hours, minutes and seconds; an empty set is what start has.
func clock(hours uint32, minutes, seconds uint64, start int64) []int32 {
	if hours == 0 {
		hours = 1 << (floorMod(start, day) / 3600)
	}
	if minutes == 0 {
		minutes = 1 << (floorMod(start, 3600) / 60)
	}
	if seconds == 0 {
		seconds = 1 << floorMod(start, 60)
	}
	list := make([]int32, 0, bits.OnesCount32(hours)*bits.OnesCount64(minutes)*bits.OnesCount64(seconds))
	for h := hours; h != 0; h &= h - 1 {
		for m := minutes; m != 0; m &= m - 1 {
			for s := seconds; s != 0; s &= s - 1 {
				list = append(list, int32(bits.TrailingZeros32(h)*3600+bits.TrailingZeros64(m)*60+bits.TrailingZeros64(s)))
			}
		}
	}
	return list
}
