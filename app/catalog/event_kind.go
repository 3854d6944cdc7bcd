package catalog

import (
	"slices"

	"daybook/app/when"
)

// EventKind says what a webhook event is about.
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
	BookingPending     EventKind = "booking.pending"
	BookingApproved    EventKind = "booking.approved"
	BookingDeclined    EventKind = "booking.declined"
	BookingLapsed      EventKind = "booking.lapsed"
	PaymentFailed      EventKind = "payment.failed"
	ContactCreated     EventKind = "contact.created"
	CalendarFailed     EventKind = "calendar.failed"
	BookingNotComing   EventKind = "booking.not_coming"

	BookingConfirmedByInvitee EventKind = "booking.confirmed_by_invitee"

	ResourceCalendarFailed EventKind = "resource.calendar_failed"

	WaitlistJoined  EventKind = "waitlist.joined"
	WaitlistOffered EventKind = "waitlist.offered"
	WaitlistBooked  EventKind = "waitlist.booked"
	WaitlistEnded   EventKind = "waitlist.ended"
)

// EventData says what the data of an event holds.
type EventData int

const (
	BookingData          EventData = iota // the booking, with a reason and by whom
	NoShowData                            // the same, and the fee
	PaymentData                           // a payment
	CounterData                           // money at the counter
	ContactData                           // a contact
	CalendarData                          // a host's other calendar
	ResourceCalendarData                  // a resource's
	WaitlistData                          // an entry of the waitlist
)

const byName = " Only for endpoints that name this event."

// ContactEventData is the data of events about contacts. It has no name or address, since events outlive the erasure of
// a contact.
type ContactEventData struct {
	ID        string       `json:"id"`
	CreatedAt when.Instant `json:"createdAt"`
}

// eventTable lists the kinds in the order of the API.
var eventTable = []struct {
	kind EventKind
	data EventData
	when string // it is sent, as a sentence
	rare bool   // sent only to endpoints that name the kind
}{
	{BookingCreated, BookingData, "A booking is confirmed: at once, or when it was paid or approved.", false},
	{BookingRescheduled, BookingData, "A confirmed booking has another start, end, host or service.", false},
	{BookingCancelled, BookingData, "A confirmed booking won't take place.", false},
	{BookingNoShow, NoShowData, "The invitee did not come.", false},
	{PaymentSucceeded, PaymentData, "A price or a no-show fee was paid.", false},
	{PaymentRefunded, PaymentData, "Money went back, all or part of it.", false},
	{PaymentRecorded, CounterData, "Money was taken at the counter." + byName, true},
	{PaymentVoided, CounterData, "Money that was taken at the counter was given back." + byName, true},
	{BookingPending, BookingData, "A booking was made that waits for payment or approval." + byName, true},
	{BookingApproved, BookingData, "A pending booking was approved; `booking.created` follows." + byName, true},
	{BookingDeclined, BookingData, "A pending booking was declined." + byName, true},
	{BookingLapsed, BookingData, "A pending booking was not paid or approved in time." + byName, true},
	{PaymentFailed, PaymentData, "A payment or a fee could not be taken." + byName, true},
	{ContactCreated, ContactData, "Somebody is new in the list of contacts." + byName, true},
	{CalendarFailed, CalendarData, "The sign-in to a host's other calendar is refused." + byName, true},
	{ResourceCalendarFailed, ResourceCalendarData, "The sign-in to a calendar of a room, a chair or equipment is refused." + byName, true},
	{BookingConfirmedByInvitee, BookingData, "The invitee says that they come." + byName, true},
	{BookingNotComing, BookingData, "The invitee says that they don't come; the booking stands." + byName, true},
	{WaitlistJoined, WaitlistData, "Somebody waits for a time that comes free." + byName, true},
	{WaitlistOffered, WaitlistData, "A time that came free is offered to somebody who waits." + byName, true},
	{WaitlistBooked, WaitlistData, "Who waited has booked the time that was offered." + byName, true},
	{WaitlistEnded, WaitlistData, "Somebody waits no more, and has booked nothing that was offered." + byName, true},
}

// EventKinds lists all kinds that an endpoint can subscribe to.
var EventKinds = kindsWhere(func(EventKind) bool { return true })

// CommonKinds lists the kinds that "*" subscribes to and that a list of events has: those of the first release. Other
// kinds must be subscribed to by name.
var CommonKinds = kindsWhere(func(k EventKind) bool { return !k.Rare() })

// EventKindsOf returns the kinds whose events have one of these data.
func EventKindsOf(data ...EventData) []EventKind {
	return kindsWhere(func(k EventKind) bool { return slices.Contains(data, k.Data()) })
}

func kindsWhere(wanted func(EventKind) bool) (kinds []EventKind) {
	for _, row := range eventTable {
		if wanted(row.kind) {
			kinds = append(kinds, row.kind)
		}
	}
	return kinds
}

// Rare reports whether the kind is sent only to endpoints that name it.
func (k EventKind) Rare() bool {
	for _, row := range eventTable {
		if row.kind == k {
			return row.rare
		}
	}
	return false
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
