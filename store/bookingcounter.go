package store

import (
	"encoding/json"
	"fmt"

	"daybook/app/booking"
	"daybook/app/money"
)

// atCounter is what was taken for a booking at the counter, in a column of its own, which binaries that don't know it
// leave as it is. It is NULL for most bookings.
type atCounter struct {
	Taxed    *money.Taxed             `json:"taxed,omitempty"`
	Payments []booking.CounterPayment `json:"payments"`
}

func encodeCounter(b *booking.Booking) (any, error) {
	if len(b.Payments) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(atCounter{b.Taxed, b.Payments})
	return string(text), err
}

func readCounter(text string, b *booking.Booking) error {
	if text == "" {
		return nil
	}
	var c atCounter
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return fmt.Errorf("what was taken for booking %s: %w", b.ID, err)
	}
	b.Taxed, b.Payments = c.Taxed, c.Payments
	return nil
}
