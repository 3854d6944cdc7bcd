package catalog

import (
	"slices"
)

// EventKind names what a webhook tells.
type EventKind string

const (
	BookingCreated     EventKind = "booking.created"
	BookingRescheduled EventKind = "booking.rescheduled"
	BookingCancelled   EventKind = "booking.cancelled"
	BookingNoShow      EventKind = "booking.no_show"
	PaymentSucceeded   EventKind = "payment.succeeded"
	PaymentRefunded    EventKind = "payment.refunded"
)

// EventData is what the data of an event is.
type EventData int

const (
	BookingData EventData = iota // the booking, with a reason and by whom
	NoShowData                   // that, and the fee
	PaymentData                  // a payment
)

// eventTable is all that is known of the kinds, in the order in which the API lists them.
var eventTable = []struct {
	kind EventKind
	data EventData
	when string // it is sent, a sentence
}{
	{BookingCreated, BookingData, "A booking is confirmed: at once, or when it was paid or approved."},
	{BookingRescheduled, BookingData, "A confirmed booking has another start."},
	{BookingCancelled, BookingData, "A confirmed booking won't take place."},
	{BookingNoShow, NoShowData, "The invitee did not come."},
	{PaymentSucceeded, PaymentData, "A price or a no-show fee was paid."},
	{PaymentRefunded, PaymentData, "Money went back, all or part of it."},
}

// EventKinds are all kinds that an endpoint may subscribe to.
var EventKinds = EventKindsOf(BookingData, NoShowData, PaymentData)

// EventKindsOf are the kinds whose events have such data.
func EventKindsOf(data ...EventData) (kinds []EventKind) {
	for _, row := range eventTable {
		if slices.Contains(data, row.data) {
			kinds = append(kinds, row.kind)
		}
	}
	return kinds
}

// Data is what an event of the kind tells of.
func (k EventKind) Data() EventData {
	for _, row := range eventTable {
		if row.kind == k {
			return row.data
		}
	}
	return BookingData
}

// When says when an event of the kind is sent, a sentence.
func (k EventKind) When() string {
	for _, row := range eventTable {
		if row.kind == k {
			return row.when
		}
	}
	return ""
}
