package app

import "time"

// The ids of what a test event tells of: nothing has them.
const (
	sampleBooking BookingID = 1
	samplePayment PaymentID = 1
)

// PaymentEventData is what payment events tell (contract §4).
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

// sampleData is the data of a made-up event, with every field that a real one has.
func sampleData(setup *Setup, kind EventKind, now time.Time) any {
	invitee := Invitee{Name: "Test Invitee", Email: "test@example.com", TimeZone: setup.Workspace.TimeZone}
	currency := setup.Workspace.Currency
	switch kind {
	case PaymentSucceeded:
		return PaymentEventData{ID: samplePayment, BookingID: sampleBooking, Kind: "booking", Amount: 4500, Currency: currency, Status: "succeeded", Invitee: invitee}
	case PaymentRefunded:
		return PaymentEventData{ID: samplePayment, BookingID: sampleBooking, Kind: "booking", Amount: 4500, Currency: currency, Status: "refunded", RefundedAmount: 4500, Invitee: invitee}
	}
	start := At(now.Truncate(time.Hour).Add(day))
	b := Booking{
		ID: sampleBooking, EventType: "test", EventTypeID: 1, Start: start, End: start.Add(30 * time.Minute), Status: Confirmed, Invitee: invitee,
		Host: HostRef{ID: 1, Name: "Test Host"}, Notes: "This is a test. Nothing was booked.", Answers: map[string]any{}, Metadata: map[string]string{},
		CreatedAt: At(now), UpdatedAt: At(now),
	}
	if len(setup.EventTypes) > 0 {
		b.EventType, b.EventTypeID = setup.EventTypes[0].Slug, setup.EventTypes[0].ID
	}
	if len(setup.Hosts) > 0 {
		b.Host = HostRef{setup.Hosts[0].ID, setup.Hosts[0].Name}
	}
	data := bookingEventData{Booking: &b, By: BySystem}
	switch kind {
	case BookingRescheduled:
		b.Status, b.PreviousStart, b.RescheduleCount = Rescheduled, start.Add(-time.Hour), 1
	case BookingCancelled:
		data.Reason = "test"
		b.Status, b.Cancellation = Cancelled, &Cancellation{Reason: "test", By: BySystem, At: At(now)}
	case BookingNoShow:
		b.Status, b.NoShow = NoShow, &NoShowRecord{At: At(now)}
	}
	return data
}
