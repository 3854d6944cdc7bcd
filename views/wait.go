package views

import (
	"strings"
	"time"
)

// Wish is when somebody on the waitlist would come.
type Wish struct {
	From, To string   // days
	Days     []string // mon … sun; none is all
	Hours    []string // such as 09:00-12:00; none is at any time
}

// Wishes says each wish in a line.
func (l *Locale) Wishes(all []Wish) (lines []string) {
	for _, w := range all {
		lines = append(lines, l.wish(w))
	}
	return lines
}

func (l *Locale) wish(w Wish) string {
	from, err := time.Parse(time.DateOnly, w.From)
	to, wrong := time.Parse(time.DateOnly, w.To)
	if err != nil || wrong != nil {
		return w.From + "–" + w.To
	}
	parts := []string{l.ShortDay(from)}
	if w.To != w.From {
		parts[0] += " – " + l.ShortDay(to)
	}
	if len(w.Days) > 0 {
		var days []string
		for _, d := range l.weekdayOrder() {
			day := time.Date(2026, 11, 1+int(d), 0, 0, 0, 0, time.UTC) // a Sunday is the first
			for _, name := range w.Days {
				if strings.EqualFold(day.Format("Mon"), name) {
					days = append(days, l.Weekday(day))
				}
			}
		}
		parts = append(parts, strings.Join(days, ", "))
	}
	for _, h := range w.Hours {
		begin, end, _ := strings.Cut(h, "-")
		at, err := time.Parse("15:04", begin)
		until, wrong := time.Parse("15:04", strings.Replace(end, "24:00", "00:00", 1))
		if err == nil && wrong == nil {
			parts = append(parts, l.Time(at, "")+"–"+l.Time(until, ""))
		}
	}
	return strings.Join(parts, " · ")
}

// WaitPage is the page of somebody on the waitlist: how it stands, and what they can do.
type WaitPage struct {
	Page
	Icon, Heading, Text string
	Facts               []MailFact
	Action, Problem     string
	Buttons             []WaitButton
	Links               []Link
	Fields              []Field  // that the first button sends
	Notes               []string // what they agree to by the first button
}

// WaitButton is something that they can do.
type WaitButton struct {
	Do, Label string
	Main      bool
}
