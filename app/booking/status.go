package booking

import (
	"slices"
	"strings"
)

// Status is the state of a booking.
type Status string

const (
	Pending     Status = "pending"     // waits for payment or approval, holds its time
	Confirmed   Status = "confirmed"   // will take place
	Rescheduled Status = "rescheduled" // will take place, at another time than first booked
	Cancelled   Status = "cancelled"   // won't take place
	NoShow      Status = "no_show"     // the invitee did not come
)

// trait is something that is true of some states.
type trait uint8

const (
	live   trait = 1 << iota // blocks its host's time
	stands                   // will take place, or did
	shown                    // is in the calendars of Daybook and its feeds
	copied                   // is in the hosts' other calendars
)

// statusFacts describe a state. Every list and meaning of states comes from statusTable.
type statusFacts struct {
	status Status
	is     trait
	next   []Status // what a booking in that state may turn into
	label  string   // in the dashboard
	tone   string   // of the label: good, warn, bad or ""
	means  string   // in the API's document, after the names of all states with that meaning
	such   string   // describes bookings in that state, in a sentence
	those  string   // describes all of them, where they are counted
}

// statusTable is in the order in which the API lists the states.
var statusTable = [...]statusFacts{
	{Confirmed, live | stands | shown | copied, []Status{Rescheduled, Cancelled, NoShow}, "Confirmed", "good",
		"will take place", "Confirmed.", "Those that stand as they were made."},
	{Pending, live | shown, []Status{Confirmed, Cancelled, Pending}, "Pending", "warn",
		"waits for payment or approval and holds its time", "Waiting for payment or approval.",
		"Those that wait for approval or payment."},
	// Cancelled is left only when a payment arrives after the booking lapsed.
	{Cancelled, 0, []Status{Confirmed, Pending}, "Cancelled", "", "hold no time", "Cancelled.",
		"Those that were cancelled."},
	// NoShow is left by undoing it. It stays in calendars where it was booked.
	{NoShow, shown | copied, []Status{Confirmed, Rescheduled}, "No-show", "bad", "hold no time",
		"The invitee did not come.", "Those whose invitee did not come."},
	{Rescheduled, live | stands | shown | copied, []Status{Rescheduled, Cancelled, NoShow}, "Moved", "good",
		"will take place", "Moved to another time.", "Those that stand and were moved."},
}

// StatusCount is how many states there are.
const StatusCount = len(statusTable)

var (
	// Statuses lists all states, in the order of the API.
	Statuses = statusesWith(func(statusFacts) bool { return true })
	// LiveStatuses lists the states in which a booking takes its host's time.
	LiveStatuses = statusesWith(func(f statusFacts) bool { return f.is&live != 0 })
	// StandingStatuses lists the states of bookings that will take place, or did.
	StandingStatuses = statusesWith(func(f statusFacts) bool { return f.is&stands != 0 })
	// ShownStatuses lists the states of bookings that Daybook's calendars and its feeds show.
	ShownStatuses = statusesWith(func(f statusFacts) bool { return f.is&shown != 0 })
)

func statusesWith(is func(statusFacts) bool) (all []Status) {
	for _, f := range statusTable {
		if is(f) {
			all = append(all, f.status)
		}
	}
	return all
}

// Index returns the state's place in Statuses, or -1.
func (s Status) Index() int {
	for i := range statusTable {
		if statusTable[i].status == s {
			return i
		}
	}
	return -1
}

// facts returns the zero facts for an unknown state.
func (s Status) facts() *statusFacts {
	if i := s.Index(); i >= 0 {
		return &statusTable[i]
	}
	return &statusFacts{}
}

// Live reports whether a booking in that state takes its host's time.
func (s Status) Live() bool { return s.facts().is&live != 0 }

// Stands reports whether a booking in that state will take place, or did.
func (s Status) Stands() bool { return s.facts().is&stands != 0 }

// Copied reports whether a booking in that state is written to the other calendars of its hosts.
func (s Status) Copied() bool { return s.facts().is&copied != 0 }

// firstStatuses are what a booking begins as.
var firstStatuses = []Status{Pending, Confirmed}

// Next returns the states that may follow; for "" those in which a booking may begin.
func (s Status) Next() []Status {
	if s == "" {
		return firstStatuses
	}
	return s.facts().next
}

// StatusesBefore returns the states from which a booking may get the state to.
func StatusesBefore(to Status) []Status {
	return statusesWith(func(f statusFacts) bool { return slices.Contains(f.next, to) })
}

// MayBecome reports whether a booking in state s may get the state to.
func (s Status) MayBecome(to Status) bool { return slices.Contains(s.Next(), to) }

// Label returns the state's name in the dashboard.
func (s Status) Label() string { return s.facts().label }

// Tone returns the tone of the label: good, warn, bad or "".
func (s Status) Tone() string { return s.facts().tone }

// Such returns the description of a booking in that state, for use in a sentence.
func (s Status) Such() string { return s.facts().such }

// Those returns the description of all bookings in that state, where they are counted.
func (s Status) Those() string { return s.facts().those }

// StatusesText says what each state means; mark is written around each name.
func StatusesText(mark string) string {
	order := slices.Clone(Statuses) // waiting, taking place, holding no time
	rank := func(s Status) int {
		switch {
		case s.Stands():
			return 1
		case s.Live():
			return 0
		}
		return 2
	}
	slices.SortStableFunc(order, func(a, b Status) int { return rank(a) - rank(b) })
	var parts, means []string
	for _, s := range order {
		name := mark + string(s) + mark
		if i := slices.Index(means, s.facts().means); i >= 0 {
			parts[i] += " and " + name
			continue
		}
		parts, means = append(parts, name), append(means, s.facts().means)
	}
	for i := range parts {
		parts[i] += " " + means[i]
	}
	return strings.Join(parts, "; ") + "."
}

// NamesOf returns the names of states as a list: mark is written around each, and last between the last two.
func NamesOf[T ~string](of []T, mark, last string) string {
	var b strings.Builder
	for i, s := range of {
		switch {
		case i > 0 && i == len(of)-1:
			b.WriteString(last)
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(mark + string(s) + mark)
	}
	return b.String()
}

// PendingReason says what a pending booking waits for.
type PendingReason string

const (
	ForPayment  PendingReason = "payment"
	ForApproval PendingReason = "approval"
)

// PendingReasons are all reasons.
var PendingReasons = []PendingReason{ForApproval, ForPayment}

// ActorKind says who made a change, in the history and in webhooks.
type ActorKind string

const (
	ByInvitee ActorKind = "invitee"
	ByOwner   ActorKind = "owner"
	ByAPI     ActorKind = "api"
	ByAgent   ActorKind = "agent"
	BySystem  ActorKind = "system"
)

// ActorKinds are all kinds.
var ActorKinds = []ActorKind{ByInvitee, ByOwner, ByAPI, ByAgent, BySystem}
