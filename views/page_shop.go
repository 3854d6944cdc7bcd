package views

import (
	"slices"
	"time"
)

// Shop is what a business says of itself beside what it offers.
type Shop struct {
	About           string // paragraphs are set apart by blank lines
	Address, MapURL string
	Phone, PhoneURL string
	ReviewsURL      string
	Hours           []DayHours // a week, from the first day of the locale's; none where nobody visits it
	Today           string     // of today, in a line
	Zone            string     // whose clock the hours are on, where that may not be clear
}

// DayHours is when a business is open on a day of the week.
type DayHours struct {
	Name   string
	Spans  []string
	Closed string // what to say without spans
	Today  bool
}

// shown reports whether there is anything to say beside what is offered.
func (s Shop) shown() bool { return s.Address != "" || s.Phone != "" || len(s.Hours) > 0 }

// quick reports whether any of it stands at the head of the page.
func (s Shop) quick() bool { return s.shown() || s.ReviewsURL != "" }

// Category is a part of what is offered.
type Category struct {
	ID     string // of its heading
	Title  string // "" where there is only one
	Events []Event
}

// found returns how many of its services are searched for.
func (c Category) found() (n int) {
	for _, e := range c.Events {
		if !e.Out {
			n++
		}
	}
	return n
}

// Search finds services by their words.
type Search struct {
	Text     string
	Action   string // where its form goes, without a query
	Hidden   []Pair // the rest of the query
	ClearURL string
}

// IndexPage shows a business and what it offers, or what one person of it does.
type IndexPage struct {
	Page
	Shop       Shop
	Photos     []Photo // the first stands at the head; none inside another site, which has its own
	Trade      string  // what the business does; its picture stands where there is no logo
	Categories []Category
	Chosen     *Chosen  // nil for nothing yet
	Search     *Search  // nil where there is little to search
	People     []Person // who works there, each with the address of their page
	Host       *Person  // whose page it is; nil is everybody's
	AllURL     string   // from there back to everybody's
}

func (v IndexPage) count() (n int) {
	for _, c := range v.Categories {
		n += len(c.Events)
	}
	return n
}

func (v IndexPage) found() (n int) {
	for _, c := range v.Categories {
		n += c.found()
	}
	return n
}

// jumps returns the categories to jump to: none where there is only one.
func (v IndexPage) jumps() []Category {
	if len(v.Categories) < 2 {
		return nil
	}
	return v.Categories
}

// pictures reports whether any service has a picture: then all have a place for one.
func (v IndexPage) pictures() bool {
	return slices.ContainsFunc(v.Categories, func(c Category) bool {
		return slices.ContainsFunc(c.Events, func(e Event) bool { return e.Picture.Src != "" })
	})
}

// WeekStart returns noon of the first day of a day's week.
func (l *Locale) WeekStart(day time.Time) time.Time {
	back := (int(day.Weekday()) - int(l.forms.firstDay) + 7) % 7
	return time.Date(day.Year(), day.Month(), day.Day()-back, 12, 0, 0, 0, day.Location())
}

// Week returns the days of the week from the locale's first one.
func (l *Locale) Week() []time.Weekday { return l.weekdayOrder() }

// NameOfDay returns a day of the week as a heading has it.
func (l *Locale) NameOfDay(d time.Weekday) string { return Capital(l.forms.weekdays[d]) }
