package dash

import (
	"strings"

	"github.com/a-h/templ"

	"daybook/assets"
	"daybook/views"
)

// CalendarPage shows a day with a column for each host, a week, or a month.
type CalendarPage struct {
	Frame
	Label                       string // of what is shown: "Today, Tue, Nov 24"
	PrevURL, NextURL, TodayURL  string
	Date                        string // 2026-11-24, in the field that goes to another day
	Hidden                      []views.Pair
	Spans, Hosts                []Tab
	Columns                     []Tab // whether they are people or rooms; none where there are no rooms
	Nobody                      bool  // there is no one whose day could be shown; First is what to do about it
	First                       Tap
	TooMany                     bool
	NewURL, BlockURL, CancelURL string
	Grid                        *CalGrid
	Plan                        *CalPlan
	Month                       *CalMonth
	Panel                       *CalPanel
	Toast                       *CalToast
	Here                        string // the address without panel and toast, to come back to
}

// CalGrid has a column for each host, or for each day of one host, with everything at its minute.
type CalGrid struct {
	Class   string // the hours shown and how high they are
	Hours   []CalHour
	Columns []CalColumn
	Now     string // class of the line that marks the time; "" when no column is of today
}

// CalHour is a mark beside the columns.
type CalHour struct{ Label, Class string }

// CalColumn is a host's day.
type CalColumn struct {
	Label, Sub string // of the head
	Name       string // in full, for screen readers: "Ana Keller, 5 bookings"
	URL        string // of the head; "" for none
	Portrait          // of whom it is, in the head
	Today      bool
	Host, Day  string // the id, "" of a room, and 2026-11-24
	Place      string // whose it is, in a week with the day: said while a booking is moved there
	Open       string // hours as minutes, "540-780 840-1080", for calendar.js
	Past       int    // which minute of the day it is now, for calendar.js; less than 0 before the day
	Off        []CalBlock
	Gaps       []CalGap
	Events     []CalEvent
}

// CalBlock is a time that can't be booked: shut, pause, away or buffer.
type CalBlock struct {
	Kind, Text, Class, URL string
	Of                     string // the booking whose buffer it is
}

// CalGap is an hour in which something can be booked or blocked.
type CalGap struct{ Name, Class, URL string }

// CalEvent is a booking, or a session with several.
type CalEvent struct {
	ID, URL      string
	Class        string // where it is
	Time, Name   string
	Text         string // the service, or how many seats are taken
	Rest         string // for screen readers: when it ends, and its state
	State        string // a word to see, for what is not simply booked
	Says         string // of what State says of whether the invitee comes, its tone: good, warn; "" for others
	Hue          int
	Pending      bool
	Over, Missed bool
	Clash        bool // it meets a busy time of another calendar
	Short        bool // there is room for one line only
	Drag         bool
	Seats        string // of a session: its service, how many seats are taken, and how many are free
	Grow         bool   // its lower edge can be pulled
	Step         int    // minutes between its starts
	Notice       int    // minutes that it must be booked ahead
	Takes        string // when it takes its host, in minutes: "0-45-5-0 85-120-0-15"; "" for just the time shown
	Hosts        string // whose columns it can go to; "" for that of whoever has it
	From, To     int    // minutes of the day
	Current      bool
	Visit, Nth   string // the visit that it is a part of, and which: "2/3"; "" for none
}

// CalPlan is a week of several hosts: a row for each, a column for each day.
type CalPlan struct {
	Days []CalDay
	Rows []CalRow
}

// CalDay is the head of a day.
type CalDay struct {
	Label, Sub, Name, URL string
	Today                 bool
}

// CalRow is a host's week.
type CalRow struct {
	Label, URL string
	Portrait
	Cells []CalCell
}

// CalCell is a host's day in a week.
type CalCell struct {
	Hours  string // "9:00–13:00, 14:00–18:00"
	Kind   string // open, shut or away
	Away   []string
	Busy   string // in other calendars: "Busy 10:00–11:30"; "" for not
	Events []CalEvent
	More   int
	URL    string // of the day
	AddURL string // "" where the day is over
	Add    string
	Today  bool
}

// CalMonth is a month: how many bookings each day has.
type CalMonth struct {
	Weekdays []CalDay
	Weeks    [][]CalCount
	Others   bool // some are busy in other calendars
}

// CalCount is a day of a month.
type CalCount struct {
	Label, Name, URL string
	Count            int
	Size             int // of a bar, 0 to 5
	Today, Outside   bool
	Closed           bool
	Words            string // "5 bookings", "Closed"
	Busy             string // "Busy 3 h"; "" for not
	BusySize         int    // of a bar: how much of the hours it takes, 1 to 5
	Clashes          int
	ClashWords       string // "2 clashes"
	Says             []CalSays
}

// CalSays is how many invitees of a day say that they come, or that they don't, or haven't answered.
type CalSays struct {
	Tone, Icon string // good, warn; "" for no answer
	Count      int
	Words      string // "2 not coming"
}

// CalToast says what was done, with a button that undoes it.
type CalToast struct {
	Text   string
	Bad    bool
	Action string // of the form that undoes it, or does it anyway; "" for none
	Label  string // of its button; "" is Undo
	Hidden []views.Pair
}

// Undo adds a form that undoes what was done, with these fields: names and values by turns.
func (t *CalToast) Undo(action string, fields ...string) {
	t.Action = action
	for i := 0; i < len(fields); i += 2 {
		t.Hidden = append(t.Hidden, views.Pair{Name: fields[i], Value: fields[i+1]})
	}
	t.Hidden = append(t.Hidden, views.Pair{Name: "undo", Value: "1"})
}

// CalPanel is beside the calendar: a booking, a gap or a time off.
type CalPanel struct {
	CloseURL string
	Title    string
	Sub      string
	State    Badge
	Problem  string
	Booking  *CalBooking
	Gap      *CalNew
	Away     *CalAway
}

// CalBooking is a booking in the panel.
type CalBooking struct {
	ID                 string
	Facts              []Fact
	Customer           *Customer // nil for who may not see it
	Notes              string
	Note               string // what it waits for
	Clash              string // which busy time it meets; "" for none
	Answers            []Fact
	Mates              []CalMate // the others of its session
	MatesTitle         string
	SessionURL         string // lists them all; "" where nobody shares a session
	Taps               []Tap
	MoveURL            string
	Over               bool         // its end has passed
	Till               *BookingTill // nil without money
	AgainURL, URL      string
	SoonURL, SoonLabel string // the same again, after as long as usual
	Actions            []Danger
	History            []HistoryRow
}

// CalMate is another booking of the same session.
type CalMate struct{ Name, URL string }

// CalNew chooses between booking and blocking a gap.
type CalNew struct {
	Services []CalService
	Host     string
	Day      string
	From, To string
	Reason   string
	AwayURL  string       // time off of whole days; "" for none
	Who      []views.Pair // what a form of a new booking for a customer is opened with; nil for who may not look for them
	May      bool         // block
	Action   string

	Repeat    []Group // whether a blocked time comes again; and behind that on which days, and until when
	AgainOpen bool
}

// CalService is an event type that the gap may have.
type CalService struct {
	Title, Text, URL string

	Next, NextURL string // the next free time, where this one is not
}

// CalAway is a time off in the panel.
type CalAway struct {
	Reason, Action string
	Hidden         []views.Pair
	Booked         []BookingRow
	More           int
	HitURL         string // where they are moved, cancelled or kept
	Repeats        bool   // this one alone can be removed, or all of them
}

// script returns the address of the calendar's script, which dash.js loads.
func (v CalendarPage) script() string { return assets.Path("calendar.js") }

// data returns what calendar.js reads of a column; nothing is put into that of a room.
func (d CalColumn) data() templ.OrderedAttributes {
	if d.Host == "" {
		return templ.OrderedAttributes{templ.KV[string, any]("data-past", itoa(d.Past))}
	}
	return templ.OrderedAttributes{templ.KV[string, any]("data-host", d.Host), templ.KV[string, any]("data-day", d.Day),
		templ.KV[string, any]("data-name", d.Place), templ.KV[string, any]("data-open", d.Open),
		templ.KV[string, any]("data-past", itoa(d.Past))}
}

func (e CalEvent) classes() string {
	all := []string{"ev", e.Class, "hue-" + itoa(e.Hue)}
	for _, c := range []struct {
		class string
		on    bool
	}{{"ev-short", e.Short}, {"ev-pending", e.Pending}, {"ev-over", e.Over}, {"ev-missed", e.Missed},
		{"ev-coming", e.Says == "good"}, {"ev-not-coming", e.Says == "warn"},
		{"ev-clash", e.Clash}, {"ev-drag", e.Drag}, {"ev-at", e.Current}} {
		if c.on {
			all = append(all, c.class)
		}
	}
	return strings.Join(all, " ")
}

// IsCalendar reports whether that is an address of the calendar.
func IsCalendar(address string) bool {
	return address == CalendarPath || strings.HasPrefix(address, CalendarPath+"?")
}
