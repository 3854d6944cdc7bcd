package payment

import (
	"slices"
	"testing"

	"daybook/app/booking"
)

// What a booking can show of its payment and of its fee is what the API and the tools say that it can.
func TestStatesShown(t *testing.T) {
	for kind, want := range map[Kind][]string{PaysBooking: booking.PaymentStates, PaysFee: booking.FeeStates} {
		shown := map[string]bool{}
		for _, status := range booking.PaymentStatuses {
			for _, refunded := range []int64{0, 1, 2} {
				b := booking.Booking{NoShow: &booking.NoShowRecord{}}
				p := Record{Kind: kind, Status: status, Amount: 2, RefundedAmount: refunded}
				p.showOn(&b)
				switch {
				case b.Payment != nil:
					shown[b.Payment.Status] = true
				case b.NoShow.Fee != nil:
					shown[b.NoShow.Fee.Status] = true
				}
			}
		}
		for status := range shown {
			if !slices.Contains(want, status) {
				t.Errorf("a booking shows %s of a %s: it is missing in %v", status, kind, want)
			}
		}
		for _, status := range want {
			if !shown[status] {
				t.Errorf("no booking shows %s of a %s", status, kind)
			}
		}
	}
}
