package app

import "encoding/json"

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

// Event is something that happened, as receivers are told it: Body is the exact JSON that is sent, and never changes.
type Event struct {
	ID          EventID
	WorkspaceID WorkspaceID
	Kind        EventKind
	BookingID   BookingID
	CreatedAt   Instant
	Body        []byte
	To          []Recipient // who is told
}

// Recipient is an endpoint that is told of an event, and the delivery that does it.
type Recipient struct {
	Delivery DeliveryID
	Endpoint EndpointID
}

// bookingEventData is the whole booking and what only the event knows.
type bookingEventData struct {
	*Booking
	Reason string    `json:"reason"`
	By     ActorKind `json:"by"`
	Fee    *Fee      `json:"fee,omitempty"`
}

// encodeEvent writes the body of an event (contract §4).
func encodeEvent(id EventID, kind EventKind, at Instant, data any) ([]byte, error) {
	return json.Marshal(eventBody{ID: id, Event: kind, CreatedAt: at.Stamp(), Data: data})
}

type eventBody struct {
	ID        EventID   `json:"id"`
	Event     EventKind `json:"event"`
	CreatedAt string    `json:"createdAt"`
	Test      bool      `json:"test,omitempty"`
	Data      any       `json:"data"`
}
