package app

// tellPayment adds a payment's event to what was recorded last.
func tellPayment(ch *Change, kind EventKind, p *PaymentRecord) error {
	return ch.Emit(kind, func(e *Event) ([]byte, error) {
		return encodePaymentEvent(e.ID, kind, e.CreatedAt, &PaymentEventData{
			ID: p.ID, BookingID: ch.Booking.ID, Kind: string(p.Kind), Amount: p.Amount, Currency: p.Currency,
			Status: p.told("succeeded"), RefundedAmount: p.RefundedAmount, Invitee: ch.Booking.Invitee,
		})
	})
}
