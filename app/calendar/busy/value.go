package busy

import (
	"fmt"
	"strings"
)

const day = 24 * 60 * 60 // seconds

// kind is what a written time refers to.
type kind uint8

const (
	date     kind = iota + 1 // a day, which begins at midnight in the zone of the options
	floating                 // a time in the zone of the options
	utc
	zoned // a time in the zone of its TZID
)

// moment is a time as it is written.
type moment struct {
	wall int64 // seconds of the wall clock since 1970-01-01 00:00
	kind kind  // 0: there is none
	tzid int32 // of the file's TZIDs, for zoned
}

// length is a duration: days are nominal, seconds exact.
type length struct{ days, seconds int64 }

// period is a moment of RDATE or FREEBUSY with an end of its own, or without one.
type period struct {
	start, end moment
	length     length
	own        bool // it has an end or a length
}

// days counts from 1970-01-01 in the Gregorian calendar; the month may be out of its range.
func days(year, month, dayOfMonth int64) int64 {
	year += floorDiv(month-1, 12)
	month = floorMod(month-1, 12) + 1
	if month <= 2 {
		year, month = year-1, month+12
	}
	leap := floorDiv(year, 4) - floorDiv(year, 100) + floorDiv(year, 400)
	return 365*year + leap + (153*(month-3)+2)/5 + dayOfMonth - 719469
}

// civil returns the date of a day since 1970-01-01.
func civil(n int64) (year, month, dayOfMonth int64) {
	n += 719468
	era := floorDiv(n, 146097)
	n -= era * 146097
	y := (n - n/1460 + n/36524 - n/146096) / 365
	n -= 365*y + y/4 - y/100
	m := (5*n + 2) / 153
	dayOfMonth = n - (153*m+2)/5 + 1
	year, month = era*400+y, m+3
	if month > 12 {
		year, month = year+1, month-12
	}
	return year, month, dayOfMonth
}

// weekday of a day since 1970-01-01, 0 is Sunday.
func weekday(n int64) int64 { return floorMod(n+4, 7) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }

// parseMoment reads a DATE or DATE-TIME (RFC 5545 §3.3.4, §3.3.5). What it is shows in its form, so that VALUE isn't
// asked; a second of 60 is read as 59 (§3.3.12).
func parseMoment(text string, tzid int32) (moment, error) {
	bad := fmt.Errorf("%w: %q is no date or time", ErrMalformed, short(text))
	if len(text) < 8 {
		return moment{}, bad
	}
	year, ok1 := digits(text[:4])
	month, ok2 := digits(text[4:6])
	d, ok3 := digits(text[6:8])
	if !ok1 || !ok2 || !ok3 || year < 1 || month < 1 || month > 12 || d < 1 ||
		d > days(year, month+1, 1)-days(year, month, 1) {
		return moment{}, bad
	}
	m := moment{wall: days(year, month, d) * day, kind: date}
	if len(text) == 8 {
		return m, nil
	}
	clock, isUTC := strings.CutSuffix(strings.ToUpper(text[8:]), "Z")
	if len(clock) != 7 || clock[0] != 'T' {
		return moment{}, bad
	}
	hour, ok1 := digits(clock[1:3])
	minute, ok2 := digits(clock[3:5])
	second, ok3 := digits(clock[5:7])
	if !ok1 || !ok2 || !ok3 || hour > 23 || minute > 59 || second > 60 {
		return moment{}, bad
	}
	m.wall += hour*3600 + minute*60 + min(second, 59)
	switch {
	case isUTC:
		m.kind = utc
	case tzid >= 0:
		m.kind, m.tzid = zoned, tzid
	default:
		m.kind = floating
	}
	return m, nil
}

func digits(text string) (n int64, ok bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(text[i]-'0')
	}
	return n, len(text) > 0
}

// parseLength reads a DURATION that isn't negative (RFC 5545 §3.3.6).
func parseLength(text string) (l length, err error) {
	bad := fmt.Errorf("%w: %q is no duration", ErrMalformed, short(text))
	rest := strings.ToUpper(strings.TrimPrefix(text, "+"))
	negative := strings.HasPrefix(rest, "-")
	rest, ok := strings.CutPrefix(strings.TrimPrefix(rest, "-"), "P")
	if !ok || rest == "" || rest == "T" {
		return l, bad
	}
	clock := false
	for rest != "" {
		if rest[0] == 'T' && !clock {
			clock, rest = true, rest[1:]
			continue
		}
		end := 0
		for end < len(rest) && '0' <= rest[end] && rest[end] <= '9' {
			end++
		}
		if end == 0 || end > 10 || end == len(rest) {
			return l, bad
		}
		n, _ := digits(rest[:end])
		switch unit := rest[end]; {
		case unit == 'W' && !clock:
			l.days += 7 * n
		case unit == 'D' && !clock:
			l.days += n
		case unit == 'H' && clock:
			l.seconds += 3600 * n
		case unit == 'M' && clock:
			l.seconds += 60 * n
		case unit == 'S' && clock:
			l.seconds += n
		default:
			return l, bad
		}
		rest = rest[end+1:]
		if l.days > maxDays || l.seconds > maxDays*day {
			return l, bad
		}
	}
	if negative && (l.days > 0 || l.seconds > 0) {
		return l, fmt.Errorf("%w: the duration %q is negative", ErrMalformed, short(text))
	}
	return l, nil
}

// maxDays is more than all the years that can be written.
const maxDays = 10000 * 366

// parsePeriod reads a date, a time, or a period with an end or a length (RFC 5545 §3.3.9).
func parsePeriod(text string, tzid int32) (p period, err error) {
	first, second, two := strings.Cut(text, "/")
	if p.start, err = parseMoment(first, tzid); err != nil || !two {
		return p, err
	}
	p.own = true
	if strings.HasPrefix(second, "P") || strings.HasPrefix(second, "p") || strings.HasPrefix(second, "+") {
		p.length, err = parseLength(second)
	} else {
		p.end, err = parseMoment(second, tzid)
	}
	return p, err
}

// parseOffset reads a UTC offset in seconds (RFC 5545 §3.3.14).
func parseOffset(text string) (int64, error) {
	if len(text) == 5 || len(text) == 7 {
		n, ok := digits((text[1:] + "00")[:6])
		hours, minutes, seconds := n/10000, n/100%100, n%100
		if ok && (text[0] == '+' || text[0] == '-') && hours < 24 && minutes < 60 && seconds < 60 {
			seconds += hours*3600 + minutes*60
			if text[0] == '-' {
				seconds = -seconds
			}
			return seconds, nil
		}
	}
	return 0, fmt.Errorf("%w: %q is no offset from UTC", ErrMalformed, short(text))
}

// short is text that fits into a message.
func short(text string) string {
	if len(text) > 40 {
		return strings.ToValidUTF8(text[:37], "") + "…"
	}
	return text
}
