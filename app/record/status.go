package record

import (
	"slices"
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

// Statuses are all states, in the order that filters list them.
var Statuses = []Status{Confirmed, Pending, Cancelled, NoShow, Rescheduled}

// Live reports whether a booking in that state blocks its host's time.
func (s Status) Live() bool { return s == Pending || s == Confirmed || s == Rescheduled }

// mayBecome is the state machine: what a booking in a state may turn into. "" is a booking not made yet.
var mayBecome = map[Status][]Status{
	"":          {Pending, Confirmed},
	Pending:     {Confirmed, Cancelled, Pending},
	Confirmed:   {Rescheduled, Cancelled, NoShow},
	Rescheduled: {Rescheduled, Cancelled, NoShow},
	NoShow:      {Confirmed, Rescheduled}, // undo
	Cancelled:   {Confirmed, Pending},     // only by a payment that comes after the lapse
}

func (s Status) MayBecome(to Status) bool { return slices.Contains(mayBecome[s], to) }

// PendingReason is what a pending booking waits for.
type PendingReason string

const (
	ForPayment  PendingReason = "payment"
	ForApproval PendingReason = "approval"
)
