package payment

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
)

// tellPayment adds a payment's event to what was recorded last.
func tellPayment(ch *app.Change, kind catalog.EventKind, p *Record) error {
	return ch.Emit(kind, func(e *booking.Event) ([]byte, error) {
		return booking.EncodeEvent(e.ID, kind, e.CreatedAt, &booking.PaymentEventData{
			ID: p.ID, BookingID: ch.Booking.ID, Kind: string(p.Kind), For: p.Kind.For(), Amount: p.Amount, Currency: p.Currency,
			Status: p.statusFor("succeeded"), RefundedAmount: p.RefundedAmount, Invitee: ch.Booking.Invitee,
		})
	})
}
