package openapi

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/waitlist"
	"daybook/app/webhook"
	"daybook/app/when"
)

// Event stands for an event in the document: a union with the discriminator event. Its JSON is sent as it was stored,
// without the links if the key is read-only.
type Event struct{}

type eventHead struct {
	ID        booking.EventID `json:"id"`
	CreatedAt when.Instant    `json:"createdAt"`
	Sequence  int             `json:"sequence,omitempty"`
	Test      bool            `json:"test,omitempty"`
	Imported  bool            `json:"imported,omitempty"`
}

type bookingEvent struct {
	eventHead
	Event string           `json:"event"`
	Data  bookingEventData `json:"data"`
}

type noShowEvent struct {
	eventHead
	Event string          `json:"event"`
	Data  noShowEventData `json:"data"`
}

type paymentEvent struct {
	eventHead
	Event string                   `json:"event"`
	Data  booking.PaymentEventData `json:"data"`
}

type counterEvent struct {
	eventHead
	Event string                   `json:"event"`
	Data  booking.CounterEventData `json:"data"`
}

type contactEvent struct {
	eventHead
	Event string                   `json:"event"`
	Data  catalog.ContactEventData `json:"data"`
}

type resourceCalendarEvent struct {
	eventHead
	Event string                            `json:"event"`
	Data  webhook.ResourceCalendarEventData `json:"data"`
}

type waitlistEvent struct {
	eventHead
	Event string             `json:"event"`
	Data  waitlist.EventData `json:"data"`
}

type calendarEvent struct {
	eventHead
	Event string                    `json:"event"`
	Data  webhook.CalendarEventData `json:"data"`
}

type bookingEventData struct {
	booking.Booking
	InternalNote struct{} `json:"-"` // hides that of the booking: no event has it

	Reason string            `json:"reason"`
	By     booking.ActorKind `json:"by"`
}

type noShowEventData struct {
	booking.Booking
	InternalNote struct{} `json:"-"` // as above

	Reason string            `json:"reason"`
	By     booking.ActorKind `json:"by"`
	Fee    *booking.Fee      `json:"fee"`
}

// EventOf returns a value of the type of the kind's events.
func EventOf(kind catalog.EventKind) any {
	switch kind.Data() {
	case catalog.NoShowData:
		return noShowEvent{}
	case catalog.PaymentData:
		return paymentEvent{}
	case catalog.CounterData:
		return counterEvent{}
	case catalog.ContactData:
		return contactEvent{}
	case catalog.CalendarData:
		return calendarEvent{}
	case catalog.ResourceCalendarData:
		return resourceCalendarEvent{}
	case catalog.WaitlistData:
		return waitlistEvent{}
	}
	return bookingEvent{}
}

// event returns a reference to the union of all events, which it adds to the set.
func (s *Set) event() *Schema {
	if s.Named["Event"] == nil {
		union := &Schema{Type: "object", Description: Objects["Event"],
			Discriminator: &Discriminator{"event", map[string]string{}}}
		s.Named["Event"] = union
		for _, kind := range catalog.EventKinds {
			of := s.Of(EventOf(kind))
			union.Discriminator.Mapping[string(kind)] = of.Ref
			if !slices.ContainsFunc(union.OneOf, func(known *Schema) bool { return known.Ref == of.Ref }) {
				union.OneOf = append(union.OneOf, of)
			}
		}
	}
	return &Schema{Ref: "#/components/schemas/Event"}
}
