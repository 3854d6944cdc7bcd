package dash

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"daybook/views"
)

// BookingsPage lists bookings.
type BookingsPage struct {
	Frame
	Tabs    []Tab
	Tab     string
	Search  string
	Filters []Input
	Clear   string // where to without filters, "" when there are none
	Rows    []BookingRow
	Pager   Pager
	NewURL  string // "" where nothing can be booked yet
	First   Tap    // what to do about that
	PageURL string
}

// empty reports whether there never was a booking, as far as the page knows: nothing can be booked yet.
func (v BookingsPage) empty() bool { return v.NewURL == "" && v.Clear == "" && len(v.Rows) == 0 }

// set returns how many of the filters are set.
func (v BookingsPage) set() (n int) {
	for _, f := range v.Filters {
		if f.Value != "" {
			n++
		}
	}
	return n
}

// Fact is a name and what it has.
type Fact struct {
	Name, Value, URL string
	Portrait         // of whom the value names
}

// Tap is a button that does something at once.
type Tap struct{ URL, Label, Class string }

// HistoryRow is one thing that happened.
type HistoryRow struct{ What, Who, When, Reason string }

// BookingDetail is a booking with all that can be done about it.
type BookingDetail struct {
	Frame
	ID         string
	State      Badge
	Over       bool // its end has passed
	When, Zone string
	Facts      []Fact
	Payments   []Fact
	Answers    []Fact
	History    []HistoryRow
	Till       *BookingTill // nil without money
	Customer   *Customer    // nil for who may not see it
	Taps       []Tap
	MoveURL    string
	AgainURL   string
	SoonURL    string // the same again, after as long as usual
	SoonLabel  string
	Actions    []Danger
	Note       string

	SeriesTitle string // of Series; "" where it is of none
	Series      []PastBooking
}

// hasNext reports whether one of the buttons is what comes next.
func hasNext(taps []Tap) bool {
	return slices.ContainsFunc(taps, func(x Tap) bool { return x.Class == "button-main" })
}

func anyRare(actions []Danger) bool {
	return slices.ContainsFunc(actions, func(x Danger) bool { return x.Rare })
}

func rareOpen(actions []Danger) bool {
	return slices.ContainsFunc(actions, func(x Danger) bool { return x.Rare && x.Open })
}

// Customer is who booked: how often, what is noted, and other bookings of the same person, the latest first.
type Customer struct {
	URL, All          string // the person's page
	Name              string
	Bookings, NoShows string // how many, in words; NoShows is "" for none
	Notes             string
	Card              CardNotes
	Past              []PastBooking
}

// PastBooking is another booking of a customer.
type PastBooking struct {
	URL             string // "" for members who don't see it
	Day, What, Host string
	State           Badge // of what did not simply take place
}

// SlotWeek is a week of open times.
type SlotWeek struct {
	Label            string
	PrevURL, NextURL string
	Days             []SlotDay
	Next, NextAtURL  string // the first open time after a week that has none
	// Kept is what was typed into a form whose time was refused. The links are then buttons that send it along to
	// Action, with the query of the link as the field "time": what was typed is in no address.
	Kept   []views.Pair
	Action string
}

// asForm reports whether the times are picked by a form.
func (w SlotWeek) asForm() bool { return w.Action != "" }

// queryOf returns the part of a link after the question mark.
func queryOf(link string) string {
	_, query, _ := strings.Cut(link, "?")
	return query
}

// SlotDay is a day of it.
type SlotDay struct {
	Label, Sub string
	Times      []SlotTime
}

// SlotTime is an open time.
type SlotTime struct {
	Label, URL, ISO string
	Picked          bool
}

// PickPage picks a time: for a booking that moves, or for a new one.
type PickPage struct {
	Frame
	BackURL, BackLabel string
	Text               string
	Choose             []Input   // what decides which times there are; asked for by GET
	Tabs               []Tab     // what is moved: all of a visit, or one service of it
	Services           [][]Input // a row for each service of several, before Choose
	ChooseURL          string
	Week               *SlotWeek
	Picked             string      // the picked time in words
	What               string      // is booked, with what was chosen of it; "" where that is not asked
	Chosen             []ChoiceSet // asks once more what is booked, beside the picked time
	Terms              []Fact      // what is booked takes: by host, or one line without a name
	Action             string
	Hidden             []views.Pair
	Groups             []Group
	Submit             string
	Problem            string
	Nobody             string       // books for somebody who walks in, without a name; "" where nobody is asked for
	WalkIn             bool         // now is picked, or the first free time, for whatever is chosen
	Soon               bool         // the first free time is picked, of whatever day
	Now, Other         string       // what the buttons for now and for other times pick
	Waives             string       // names the rules that stand against the picked time and that the form waives
	NextURL, NextLabel string       // another time that may be meant
	Typed              []Input      // a day and a time of day, for any other time
	Kept               []views.Pair // beside Typed
	Carried            []views.Pair // beside Choose
	Again              []views.Pair // all that was typed, in place of Carried and Kept where the page answers a form
	Who                *Who         // whom it is for; nil where that is not asked
	Repeat             *Repeat      // whether it comes again; nil where it can't
	Status             int          // of the answer, where it is a refusal that the page tells by itself; else 0
	Unsaved            bool         // the form has what was typed and is saved nowhere
}

// Repeat asks whether a booking comes again, and shows its dates once they were asked for.
type Repeat struct {
	Open   bool
	Asked  bool // its dates have just been asked for: they are looked at
	Inputs []Input
	What   string // what comes again
	Fit    string // how many of the dates fit
	Waives string // the rules that booking the dates sets aside; "" for none
	Rows   []RepeatRow
	Hidden []views.Pair
}

// RepeatRow is a date of a booking that comes again.
type RepeatRow struct {
	Day, Was string // where it is booked, and where it lies if that is somewhere else
	Why      string // why it can't be booked where it lies, or which rules are set aside for it
	Host     string
	Value    string // "" can't be booked
	Picked   bool
	Other    Input // asks for another time; without a name it isn't asked for
}

// ChoiceSet asks what is chosen of a service.
type ChoiceSet struct {
	Title  string
	Inputs []Input
}

// asking is the method of the forms that ask which times there are: post where something was typed that stays.
func (v PickPage) asking() string {
	if v.Again != nil {
		return "post"
	}
	return "get"
}

func (v PickPage) askingAt(url string) string {
	if v.Again != nil {
		return v.Action
	}
	return url
}

// along returns the hidden fields of such a form beside its inputs.
func (v PickPage) along(hidden []views.Pair, inputs []Input) []views.Pair {
	if v.Again == nil {
		return hidden
	}
	return slices.DeleteFunc(slices.Clone(v.Again), func(p views.Pair) bool {
		return slices.ContainsFunc(inputs, func(in Input) bool { return in.Name == p.Name })
	})
}

// unsaved marks the form as typed into.
func (v PickPage) unsaved() templ.OrderedAttributes {
	if !v.Unsaved {
		return nil
	}
	return templ.OrderedAttributes{templ.KV[string, any]("data-typed", "")}
}

// NextStart as the start of a new booking stands for the first time that is free today.
const NextStart = "next"

// SoonStart stands for the first time that is free, of whatever day.
const SoonStart = "soon"
