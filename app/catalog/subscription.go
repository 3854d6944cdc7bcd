package catalog

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

// EventKinds are all kinds that an endpoint may subscribe to.
var EventKinds = []EventKind{BookingCreated, BookingRescheduled, BookingCancelled, BookingNoShow, PaymentSucceeded, PaymentRefunded}

// Subscription is an enabled endpoint as the set-up holds it.
type Subscription struct {
	Endpoint EndpointID
	Kinds    []EventKind
}
