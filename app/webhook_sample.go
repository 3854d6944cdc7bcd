package app

import (
	"bytes"
	"encoding/json"
	"time"

	"daybook/app/when"
)

// The ids of what a test event tells of: nothing has them.
const (
	sampleBooking BookingID = 1
	samplePayment PaymentID = 1
)

// PaymentEventData is the data of payment events.
type PaymentEventData struct {
	ID             PaymentID `json:"id"`
	BookingID      BookingID `json:"bookingId"`
	Kind           string    `json:"kind"` // booking, no_show_fee
	Amount         int64     `json:"amount"`
	Currency       string    `json:"currency"`
	Status         string    `json:"status"`
	RefundedAmount int64     `json:"refundedAmount"`
	Invitee        Invitee   `json:"invitee"`
}

// sampleBody is the body of a made-up event, with every field that a real one has, and "test": true.
func sampleBody(setup *Setup, e *Event, now time.Time) (body []byte, err error) {
	invitee := Invitee{Name: "Test Invitee", Email: "test@example.com", TimeZone: setup.Workspace.TimeZone}
	switch e.Kind {
	case PaymentSucceeded, PaymentRefunded:
		p := PaymentEventData{
			ID: samplePayment, BookingID: sampleBooking, Kind: "booking", Amount: 4500, Currency: setup.Workspace.Currency,
			Status: "succeeded", Invitee: invitee,
		}
		if e.Kind == PaymentRefunded {
			p.Status, p.RefundedAmount = "refunded", p.Amount
		}
		body, err = encodePaymentEvent(e.ID, e.Kind, e.CreatedAt, &p)
	default:
		b, reason := sampleBookingOf(setup, e.Kind, now), ""
		b.Invitee = invitee
		if b.Cancellation != nil {
			reason = b.Cancellation.Reason
		}
		body, err = encodeBookingEvent(e.ID, e.Kind, e.CreatedAt, b, reason, BySystem)
	}
	return bytes.Replace(body, []byte(`,"data":`), []byte(`,"test":true,"data":`), 1), err
}

func encodePaymentEvent(id EventID, kind EventKind, at when.Instant, p *PaymentEventData) ([]byte, error) {
	data, err := json.Marshal(p)
	return append(append(appendEventHead(nil, id, kind, at), data...), '}'), err
}

func sampleBookingOf(setup *Setup, kind EventKind, now time.Time) *Booking {
	start := when.At(now.Truncate(time.Hour).Add(day))
	b := &Booking{
		ID: sampleBooking, EventType: "test", EventTypeID: 1, Start: start, End: start.Add(30 * time.Minute), Status: Confirmed,
		Host: HostRef{ID: 1, Name: "Test Host"}, Notes: "This is a test. Nothing was booked.", Answers: map[string]any{}, Metadata: map[string]string{},
		CreatedAt: when.At(now), UpdatedAt: when.At(now),
	}
	if len(setup.EventTypes) > 0 {
		b.EventType, b.EventTypeID = setup.EventTypes[0].Slug, setup.EventTypes[0].ID
	}
	if len(setup.Hosts) > 0 {
		b.Host = HostRef{setup.Hosts[0].ID, setup.Hosts[0].Name}
	}
	switch kind {
	case BookingRescheduled:
		b.Status, b.PreviousStart, b.RescheduleCount = Rescheduled, start.Add(-time.Hour), 1
	case BookingCancelled:
		b.Status, b.Cancellation = Cancelled, &Cancellation{Reason: "test", By: BySystem, At: when.At(now)}
	case BookingNoShow:
		b.Status, b.NoShow = NoShow, &NoShowRecord{At: when.At(now)}
	}
	return b
}
