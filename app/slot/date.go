package slot

import (
	"fmt"
	"time"

	"daybook/app/fault"
)

// Date is a wall-clock day in no particular zone. It is comparable, and so can be a map key.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// ParseDate reads "2026-12-24". The error says what was expected.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fault.Errorf("%q is not a date like 2026-12-24", s)
	}
	return dateOf(t), nil
}

// String writes the date as ParseDate reads it.
func (d Date) String() string {
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day)
}

func dateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// A day number counts wall-clock days from 1970-01-01, a Thursday.

func dateOfDay(day int64) Date { return dateOf(time.Unix(day*86400, 0).UTC()) }

func weekdayOf(day int64) time.Weekday { return time.Weekday(((day+4)%7 + 7) % 7) }
