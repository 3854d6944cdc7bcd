package dash

import "strings"

// HoursLine is "Mon – Fri" with "9:00–12:00" and "13:00–17:00".
type HoursLine struct {
	Days  string
	Hours []string
}

// joinedHours is "9:00–12:00, 13:00–17:00".
func joinedHours(l HoursLine) string { return strings.Join(l.Hours, ", ") }

// HostFrame is what the pages of one host share, or of one resource.
type HostFrame struct {
	Frame
	BackURL, BackLabel string // "" is the list of hosts
	Name, Sub          string
	Off                bool
	Faced              bool     // it is a person's
	Portrait           Portrait // theirs
	Tabs               []Tab
	SwitchURL          string // "" for those who may not
	CancelURL          string // cancels several bookings
}

// word returns the message that speaks of a person, or else of a thing.
func (f HostFrame) word(person, thing string) string {
	if f.Faced {
		return person
	}
	return thing
}

// DateCell is a day in the month view.
type DateCell struct {
	Day, Label, URL    string
	Lines              []string // "9–12", "13–17"
	Note               string   // "changed", "away"
	Tone               string   // closed, changed, away
	Out, Today, Chosen bool     // Out is not of this month
}

// DatesPage is the month view with the chosen day's form.
type DatesPage struct {
	HostFrame
	Month            string
	PrevURL, NextURL string
	Weekdays         []Weekday
	Weeks            [][]DateCell
	Action           string
	Chosen           string // the day's date; "" is none
	ChosenLabel      string
	Until            string
	Usual            string // "9:00–17:00" or "closed"
	Mode             string // usual, closed, hours
	Spans            HoursDay
	Problem          string
	Changed          []ChangedDay
}

// Weekday is the head of a column.
type Weekday struct{ Short, Long string }

// ChangedDay is a day with hours of its own.
type ChangedDay struct{ Date, Label, Hours, URL string }

// WhyRow is one time of a day and what it is.
type WhyRow struct {
	Time, Text string
	State      Badge
	URL        string // of what stands in the way
}

// WhyPage answers why a time is closed.
type WhyPage struct {
	HostFrame
	Action  string
	Inputs  []Input
	Asked   bool
	Day     string
	Facts   []string
	Rows    []WhyRow
	Problem string
	Summary string
}
