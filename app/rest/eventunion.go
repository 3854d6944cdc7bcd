package rest

import (
	"maps"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/when"
)

// event is what the document says of an event, a union by its field event; its bytes are those that were stored, less
// the links for a read-only key.
type event struct{}

type eventHead struct {
	ID        app.EventID  `json:"id"`
	CreatedAt when.Instant `json:"createdAt"`
	Test      bool         `json:"test,omitempty"`
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
	Event string               `json:"event"`
	Data  app.PaymentEventData `json:"data"`
}

type bookingEventData struct {
	app.Booking
	Reason string        `json:"reason"`
	By     app.ActorKind `json:"by"`
}

type noShowEventData struct {
	app.Booking
	Reason string        `json:"reason"`
	By     app.ActorKind `json:"by"`
	Fee    *app.Fee      `json:"fee"`
}

// eventOf is the shape of the events of a kind.
func eventOf(kind catalog.EventKind) any {
	switch kind {
	case catalog.BookingNoShow:
		return noShowEvent{}
	case catalog.PaymentSucceeded, catalog.PaymentRefunded:
		return paymentEvent{}
	}
	return bookingEvent{}
}

// event registers the union of all events and refers to it.
func (s *schemas) event() *schema {
	if s.named["Event"] == nil {
		union := &schema{Type: "object", Description: typeTexts["Event"], Discriminator: &discriminator{"event", map[string]string{}}}
		s.named["Event"] = union
		for _, kind := range catalog.EventKinds {
			of := s.of(eventOf(kind))
			union.Discriminator.Mapping[string(kind)] = of.Ref
			if !slices.ContainsFunc(union.OneOf, func(known *schema) bool { return known.Ref == of.Ref }) {
				union.OneOf = append(union.OneOf, of)
			}
		}
	}
	return &schema{Ref: "#/components/schemas/Event"}
}

// exampleEvent is an event of the kind.
func exampleEvent(kind catalog.EventKind) map[string]any {
	data := map[string]any{
		"id": "pay_1p4s8ywa0g0m3", "bookingId": exampleID, "kind": "booking", "amount": 4500, "currency": "EUR", "status": "succeeded",
		"refundedAmount": 0, "invitee": exampleBooking["invitee"],
	}
	if _, paid := eventOf(kind).(paymentEvent); !paid {
		data = maps.Clone(exampleBooking)
		data["reason"], data["by"] = "", "invitee"
	}
	const at = "2026-11-30T09:30:00Z"
	switch kind {
	case catalog.BookingRescheduled:
		data["status"], data["previousStart"], data["rescheduleCount"] = "rescheduled", "2026-12-01T08:15:00Z", 1
	case catalog.BookingCancelled:
		data["status"], data["reason"] = "cancelled", "I am ill."
		data["cancellation"] = map[string]any{"reason": "I am ill.", "by": "invitee", "at": at}
	case catalog.BookingNoShow:
		fee := map[string]any{"status": "pending", "amount": 2000, "currency": "EUR"}
		data["status"], data["by"], data["fee"], data["noShow"] = "no_show", "owner", fee, map[string]any{"at": at, "fee": fee}
	case catalog.PaymentRefunded:
		data["status"], data["refundedAmount"] = "refunded", 4500
	}
	return map[string]any{"id": "evt_1p4s8ywa0g0m3", "event": string(kind), "createdAt": "2026-11-30T09:30:00.000Z", "data": data}
}
