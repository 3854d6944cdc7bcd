package notice

import "slices"

// EventKind is what a webhook event is about.
type EventKind string

const (
	BookingCreated     EventKind = "booking.created"
	BookingRescheduled EventKind = "booking.rescheduled"
	BookingCancelled   EventKind = "booking.cancelled"
	BookingNoShow      EventKind = "booking.no_show"
	PaymentSucceeded   EventKind = "payment.succeeded"
	PaymentRefunded    EventKind = "payment.refunded"
	PaymentRecorded    EventKind = "payment.recorded"
	PaymentVoided      EventKind = "payment.voided"
)

// EventData says what an event's data holds.
type EventData int

const (
	BookingData EventData = iota // the booking, with a reason and by whom
	NoShowData                   // the same, and the fee
	PaymentData                  // a payment
	CounterData                  // money at the counter; only for endpoints that name the kind
)

// eventTable lists the kinds in the order of the API.
var eventTable = []struct {
	kind EventKind
	data EventData
	when string // it is sent, as a sentence
}{
	{BookingCreated, BookingData, "A booking is confirmed: at once, or when it was paid or approved."},
	{BookingRescheduled, BookingData, "A confirmed booking has another start, end, host or service."},
	{BookingCancelled, BookingData, "A confirmed booking won't take place."},
	{BookingNoShow, NoShowData, "The invitee did not come."},
	{PaymentSucceeded, PaymentData, "A price or a no-show fee was paid."},
	{PaymentRefunded, PaymentData, "Money went back, all or part of it."},
	{PaymentRecorded, CounterData, "Money was taken at the counter. Only for endpoints that name this event."},
	{PaymentVoided, CounterData, "Money that was taken at the counter was given back. Only for endpoints that name it."},
}

// EventKinds are all kinds that an endpoint can subscribe to.
var EventKinds = EventKindsOf(BookingData, NoShowData, PaymentData, CounterData)

// CommonKinds are what "*" subscribes to, and what a list of events has that names no kinds: those that receivers have
// always known. Others must be asked for by name.
var CommonKinds = EventKindsOf(BookingData, NoShowData, PaymentData)

// EventKindsOf returns the kinds whose events have one of these data.
func EventKindsOf(data ...EventData) (kinds []EventKind) {
	for _, row := range eventTable {
		if slices.Contains(data, row.data) {
			kinds = append(kinds, row.kind)
		}
	}
	return kinds
}

// Data says what an event of the kind holds.
func (k EventKind) Data() EventData {
	for _, row := range eventTable {
		if row.kind == k {
			return row.data
		}
	}
	return BookingData
}

// When says in a sentence when an event of the kind is sent.
func (k EventKind) When() string {
	for _, row := range eventTable {
		if row.kind == k {
			return row.when
		}
	}
	return ""
}
