package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// longWord reports whether a title has a word that is too wide for the column beside the calendar at its usual size.
func longWord(title string) bool {
	return slices.ContainsFunc(strings.Fields(title), func(w string) bool { return utf8.RuneCountInString(w) > 13 })
}

// weeks lays a month out in rows of seven, from the locale's first day of the week;
// the days of other months are zero.
func (v EventPage) weeks() [][]Day {
	if len(v.Month.Days) == 0 {
		return nil
	}
	skip := (int(v.Month.Days[0].Date.Weekday()) - int(v.forms.firstDay) + 7) % 7
	cells := make([]Day, skip, 42)
	cells = append(cells, v.Month.Days...)
	for len(cells)%7 != 0 {
		cells = append(cells, Day{})
	}
	var weeks [][]Day
	for ; len(cells) > 0; cells = cells[7:] {
		weeks = append(weeks, cells[:7])
	}
	return weeks
}

// fortnight lays the near days out in rows of seven.
func (v EventPage) fortnight() [][]Day { return slices.Collect(slices.Chunk(v.Near.Days, 7)) }

func (v *EventPage) dayLabel(d Day) string {
	// The name has the digits that are seen, so that it can be spoken to voice control.
	label := strings.Replace(v.Locale.Day(d.Date), "1er ", "1 ", 1) + ", "
	if d.Today {
		label += v.T("today") + ", "
	}
	if d.Open == 0 {
		return label + cmp.Or(d.Closed, v.T("no_times"))
	}
	return label + v.T("times_count", "Count", d.Open)
}

func current(is bool) templ.OrderedAttributes {
	if !is {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-current", Value: "true"}}
}

// own returns what a person takes, after how long they do.
func (v EventPage) own(p Person) string {
	if p.Price == nil {
		return ""
	}
	return " · " + v.Money(*p.Price)
}

func personID(i int) string { return "person-" + strconv.Itoa(i) }

func (v EventPage) timesTitle() string {
	if v.Day.IsZero() {
		return v.T("pick_a_time")
	}
	return Capital(v.Locale.Day(v.Day))
}

func (v EventPage) noTimesText() string {
	switch {
	case !v.LookedTo.IsZero() && openOf(v.Month.Days) == 0:
		return v.notLooked()
	case v.closed() != "":
		return v.closed()
	case !v.Day.IsZero():
		return v.T("no_times_day")
	case openOf(v.Month.Days) == 0:
		return v.T("no_times_month", "Month", v.MonthName(v.Month.First))
	}
	return v.T("pick_a_day")
}

// closed returns why the picked day is one on which the business is closed, or "".
func (v EventPage) closed() string {
	for _, d := range v.Month.Days {
		if d.Picked && d.Open == 0 && d.Closed != "" {
			return d.Closed + "."
		}
	}
	return ""
}

// notLooked says how far the search for open times came.
func (v EventPage) notLooked() string { return v.T("not_looked", "Day", v.Locale.Day(v.LookedTo)) }

// openOf counts the days with free times.
func openOf(days []Day) (n int) {
	for _, d := range days {
		if d.Open > 0 {
			n++
		}
	}
	return n
}

// say returns what a screen reader hears when the month changed.
func (v EventPage) say() string {
	return v.Labelled(v.Locale.Month(v.Month.First), v.T("days_count", "Count", openOf(v.Month.Days)))
}

// sayNear returns what a screen reader hears when the fortnight of a narrow screen changed; "" where there is none.
func (v EventPage) sayNear() string {
	if len(v.Near.Days) == 0 {
		return ""
	}
	first, last := v.Near.Days[0].Date, v.Near.Days[len(v.Near.Days)-1].Date
	return v.Labelled(v.Locale.Day(first)+" – "+v.Locale.Day(last), v.T("days_count", "Count", openOf(v.Near.Days)))
}

// dayPart is a stretch of the day that people look for: the morning, the afternoon.
type dayPart struct {
	Key   string
	Times []Time
}

func partsOfDay(times []Time) []dayPart {
	var parts []dayPart
	for _, t := range times {
		key := partOfDay(t.Start)
		if n := len(parts); n == 0 || parts[n-1].Key != key {
			parts = append(parts, dayPart{Key: key})
		}
		last := &parts[len(parts)-1]
		last.Times = append(last.Times, t)
	}
	return parts
}

func partOfDay(t time.Time) string {
	switch h := t.Hour(); {
	case h < 12:
		return "morning"
	case h < 17:
		return "afternoon"
	}
	return "evening"
}

// names lists people: "Ana", "Ana or Ben", "Ana, Ben or Cleo".
func names(l *Locale, all []string) string {
	text := ""
	for i, n := range all {
		switch {
		case i == 0:
		case i == len(all)-1:
			text += " " + l.T("or") + " "
		default:
			text += ", "
		}
		text += n
	}
	return text
}
