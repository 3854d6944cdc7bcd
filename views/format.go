package views

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Spaces that typography asks for.
const (
	nbsp  = "\u00a0" // never breaks the line
	nnbsp = "\u202f" // narrow, never breaks the line
)

// forms are how one locale writes dates, times and numbers.
type forms struct {
	months, weekdays, shortMonths, shortWeekdays []string

	firstDay time.Weekday
	clock24  bool
	am, pm   string

	// Dates as templates: {weekday}, {wday} (short), {day}, {month}, {mon} (short) and {year} among the words between.
	fullDate, dayDate, shortDate, monthYear string
	ordinalFirst                            bool // "1er", French

	decimal, group string
	groupFrom      int // digits from which thousands are set apart
	symbolBefore   bool

	colonSpace string // before a colon
}

// Date is "Tuesday, December 1, 2026".
func (l *Locale) Date(t time.Time) string { return l.date(l.forms.fullDate, t) }

// Day is "Tuesday, December 1".
func (l *Locale) Day(t time.Time) string { return l.date(l.forms.dayDate, t) }

// ShortDay is "Tue, Dec 1".
func (l *Locale) ShortDay(t time.Time) string { return l.date(l.forms.shortDate, t) }

// Weekday is "Tue".
func (l *Locale) Weekday(t time.Time) string { return l.date("{wday}", t) }

// WeekdayName is "Tuesday".
func (l *Locale) WeekdayName(t time.Time) string { return l.date("{weekday}", t) }

// Month is "December 2026".
func (l *Locale) Month(t time.Time) string { return l.date(l.forms.monthYear, t) }

// DayOfMonth is "Dec 1".
func (l *Locale) DayOfMonth(t time.Time) string {
	return l.date(strings.TrimLeft(strings.TrimPrefix(l.forms.shortDate, "{wday}"), ", "), t)
}

// ShortMonth is "Dec 26".
func (l *Locale) ShortMonth(t time.Time) string { return l.date("{mon} ", t) + t.Format("06") }

// MonthName is "December".
func (l *Locale) MonthName(t time.Time) string { return l.date("{month}", t) }

// date fills in a template of forms.
func (l *Locale) date(template string, t time.Time) string {
	var b strings.Builder
	for {
		words, rest, more := strings.Cut(template, "{")
		b.WriteString(words)
		if !more {
			return b.String()
		}
		var name string
		name, template, _ = strings.Cut(rest, "}")
		b.WriteString(l.forms.part(name, t))
	}
}

func (f *forms) part(name string, t time.Time) string {
	switch name {
	case "weekday":
		return f.weekdays[t.Weekday()]
	case "wday":
		return f.shortWeekdays[t.Weekday()]
	case "month":
		return f.months[t.Month()-1]
	case "mon":
		return f.shortMonths[t.Month()-1]
	case "year":
		return strconv.Itoa(t.Year())
	case "day":
		if t.Day() == 1 && f.ordinalFirst {
			return "1er"
		}
		return strconv.Itoa(t.Day())
	}
	return "{" + name + "}"
}

// Clock is how a visitor wants to read times; the zero value leaves it to the locale.
type Clock string

// The two clocks, as they stand in an address (`?clock=24`).
const (
	Clock12 Clock = "12"
	Clock24 Clock = "24"
)

// Clock returns the asked one, or the locale's own.
func (l *Locale) Clock(asked Clock) Clock {
	switch {
	case asked == Clock12 || asked == Clock24:
		return asked
	case l.forms.clock24:
		return Clock24
	}
	return Clock12
}

// Time is "14:30" or "2:30 PM", in the zone that t has.
func (l *Locale) Time(t time.Time, clock Clock) string {
	if l.Clock(clock) == Clock24 {
		return t.Format("15:04")
	}
	half := l.forms.am
	if t.Hour() >= 12 {
		half = l.forms.pm
	}
	return t.Format("3:04") + nnbsp + half
}

// Span is "2:30 – 3:15 PM", with the day of the end when it is another one.
func (l *Locale) Span(start, end time.Time, clock Clock) string {
	from, to := l.Time(start, clock), l.Time(end, clock)
	sameDay := start.YearDay() == end.YearDay() && start.Year() == end.Year()
	if !sameDay {
		return from + " – " + l.ShortDay(end) + ", " + to
	}
	if l.Clock(clock) == Clock12 && (start.Hour() < 12) == (end.Hour() < 12) {
		from, _, _ = strings.Cut(from, nnbsp)
	}
	return from + "–" + to
}

// Offset is "GMT+1" or "GMT+5:30".
func Offset(t time.Time) string {
	_, seconds := t.Zone()
	sign := "+"
	if seconds < 0 {
		sign, seconds = "−", -seconds
	}
	if seconds == 0 {
		return "GMT"
	}
	s := "GMT" + sign + strconv.Itoa(seconds/3600)
	if m := seconds % 3600 / 60; m > 0 {
		s += ":" + time.Unix(0, 0).UTC().Add(time.Duration(m)*time.Minute).Format("04")
	}
	return s
}

// Duration is "45 min" or "1 h 30 min".
func (l *Locale) Duration(d time.Duration) string {
	hours, minutes := int(d/time.Hour), int(d%time.Hour/time.Minute)
	var parts []string
	if hours > 0 {
		parts = append(parts, l.T("duration_hours", "Count", hours))
	}
	if minutes > 0 || hours == 0 {
		parts = append(parts, l.T("duration_minutes", "Count", minutes))
	}
	return strings.Join(parts, " ")
}

// Labelled is "Reason: too long", with the space that French has before a colon.
func (l *Locale) Labelled(label, text string) string { return label + l.forms.colonSpace + ": " + text }

// unbroken keeps a date on one line.
func unbroken(s string) string { return strings.ReplaceAll(s, " ", nbsp) }

// weekdayOrder returns the seven days from the locale's first one.
func (l *Locale) weekdayOrder() []time.Weekday {
	days := make([]time.Weekday, 7)
	for i := range days {
		days[i] = (l.forms.firstDay + time.Weekday(i)) % 7
	}
	return days
}

// ISO returns a moment as the API writes it: "2026-12-01T09:00:00Z".
func ISO(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// ISODay is "2026-12-01", in the zone that t has.
func ISODay(t time.Time) string { return t.Format(time.DateOnly) }

// Counted lists titles, each once, with how often it comes: "4 × Cut, Dry".
func Counted(titles []string) string {
	var all []string
	for i, title := range titles {
		if slices.Contains(titles[:i], title) {
			continue
		}
		n := 0
		for _, other := range titles {
			if other == title {
				n++
			}
		}
		if n > 1 {
			title = strconv.Itoa(n) + nbsp + "×" + nbsp + title
		}
		all = append(all, title)
	}
	return strings.Join(all, ", ")
}
