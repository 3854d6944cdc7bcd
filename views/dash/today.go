package dash

import (
	"cmp"
	"slices"
	"strings"
)

// BookingRow is a booking in a list.
type BookingRow struct {
	ID         string
	URL        string // "" for members who don't see it
	CardURL    string // the customer's card, where that is offered
	Day        string // "Tue, Dec 1"; heads the rows of a day
	Time       string // "9:00–9:45"
	Name       string
	Type       string // "" where the name says it
	Host       string
	Portrait   // of the host; none where there is one host
	State      Badge
	Price      string
	When       string // day and time, where rows have no heading
	Expires    string // of what waits for a decision
	ConfirmURL string // "" where something is looked at first, on the booking's page
	DeclineURL string
}

// typeAndHost returns the second line of a booking's row.
func typeAndHost(b BookingRow) string {
	if b.Type == "" {
		return b.Host
	}
	return b.Type + " · " + b.Host
}

// Stat is a figure with the one before it.
type Stat struct {
	Label, Value, Before string
	URL                  string // more about it
	Trend                string // up, down or ""
}

// Trouble is something that went wrong and what to do.
type Trouble struct {
	Text, When, URL, Label string
	Asked                  bool // nothing is wrong: somebody waits for an answer
}

// The parts of Today that its alerts lead to.
const (
	TodayDecide    = "#decide-h"
	TodayCalendars = "#calendars-h"
)

// shownAlerts is how many lines of alerts stand over the day; the others are folded.
const shownAlerts = 3

// TodayPage is what an owner sees first: who is next, and the day around it.
type TodayPage struct {
	Frame
	Date     string
	Toast    *Toast
	Alerts   []Trouble
	Freed    []FreedRow // what came free while somebody waits
	Calls    []CallRow  // whom nothing told of a change
	Sales    []OpenSale // that wait to be paid
	SellURL  string     // begins a sale; "" for who takes no money
	Decide   []BookingRow
	Sums     []Stat     // of the day
	Faces    []Face     // who works today; none where it is one
	Host     string     // the only one that is shown, or ""
	Whose    string     // the name of the only one that is shown or works
	Hours    string     // from when to when they work
	Works    bool       // somebody does today, or has a booking
	Bookings int        // that are shown
	Now      *NowCard   // the customer to look after; nil where nobody comes any more
	Over     []SheetRow // what is over
	OverText string     // the line that it is folded into
	Rows     []SheetRow
	Off      string // the hosts who have nothing today
	Next     []BookingRow
	NextURL  string
	Stats    []Stat // of the week; none where one host is shown
	MonthURL string // of the statement of one's own; "" is none
	News     CalendarNews
	PageURL  string
	Checks   []Check
	NewURL   string
	Unready  bool // nothing can be booked yet; First is what to do about it
	First    Tap
}

// FreedRow is a time that came free, and to whom it is offered.
type FreedRow struct {
	Title, Text               string
	BookURL, SkipURL, OpenURL string // "" where that can't be done
}

// FreedSkipPath asks the next one of those who wait.
func FreedSkipPath(id string) string { return TodayPath + "/freed/" + id + "/skip" }

// FreedOpenPath opens the time to everybody.
func FreedOpenPath(id string) string { return TodayPath + "/freed/" + id + "/open" }

// Face is somebody who works today. It leads to their day.
type Face struct {
	Name, Short, Hours, URL string
	Portrait
	Current bool
}

// NowCard is the customer who is here or comes next, large, with what can be done about them.
type NowCard struct {
	SheetRow
	When  string      // from when to when
	Until string      // in how much time they come; "" where they are here
	Later bool        // they come on another day
	Then  *BookingRow // who comes next, where this customer is here
}

// Toast says what was just marked, and offers to take it back.
type Toast struct {
	Text, Name, UndoURL, Of, Back string
	Visit                         bool   // Undo takes it back from all of the visit
	SoonURL, SoonLabel            string // books the same again, after as long as usual; "" offers nothing
}

// SheetRow is a booking of the day, a gap, or a time in which the host is away.
type SheetRow struct {
	Kind             string // "" is a booking or a visit, "visit" a part of one that stands with another host, "free", "off"
	ID, URL          string
	Time, Name, Type string
	Start, End       string
	Services         string // those of a visit
	Hosts            string // who does it; "" where the page says it
	Phone, Tel       string
	CardURL          string // the customer's card; "" for none
	Price, Pay       string // the price, and how its payment stands
	State            Badge
	Says             bool // State is what the customer said of whether they come
	Plain            bool // the badge says nothing new
	Next, Now, Past  bool
	Carded           bool // it is on the card, too
	Visit            bool // what is marked and paid is for all of Parts
	Parts            []SheetPart

	Marks      Marks
	Fee        string // what marking a no-show may charge
	Till       *Pay   // takes what is due; nil where that is not the time, or nothing is
	Paid       string // what is paid and due
	Settled    bool   // nothing is due any more
	ReceiptURL string
	Back       string // the host that the page is about, "" for all
}

// what says what is done and who does it.
func (r SheetRow) what() string {
	return joined(cmp.Or(r.Services, r.Type), r.Hosts)
}

// money is what is paid and due, or what it costs; "" where the state says it.
func (r SheetRow) money() string {
	if r.Paid == r.State.Text {
		return ""
	}
	return cmp.Or(r.Paid, r.costs())
}

// costs is the price where nothing is said of what is paid and due.
func (r SheetRow) costs() string {
	if r.Paid != "" {
		return r.Pay
	}
	return joined(r.Price, r.Pay)
}

// more reports whether there is something to unfold.
func (r SheetRow) more() bool {
	return r.Marks != Marks{} || r.Till != nil || r.Tel != "" || r.CardURL != "" || r.Paid != "" || len(r.Parts) > 0
}

func joined(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), " · ")
}

// SheetPart is one of the services of a visit.
type SheetPart struct {
	URL, Time, Text string
	State           Badge // where it is another one than the visit's
}

// Marks says what can be marked on a booking now.
type Marks struct {
	Arrived, Done, NoShow bool
	DoneFirst             bool   // that it is done is what to mark next
	Undo                  string // the mark that can be taken back, or ""
}

// Check is a step that is worth taking.
type Check struct {
	Label, URL string
	Done       bool
}
