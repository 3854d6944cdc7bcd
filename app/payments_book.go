package app

// wantsCard reports whether a new booking of the event type waits for a payment, or for a card that a no-show fee can
// be charged to. Without an account at the provider nothing does.
func (s *Setup) wantsCard(e *EventType) bool {
	return s.takesCards && (e.paysOnline() || e.NoShowFee != nil)
}

func (e *EventType) paysOnline() bool { return e.Price != nil && e.Payment == PayOnline }

// setDue makes a new booking wait for what is to be paid. Where only a card is to be saved the amount is zero.
func (b *Booking) setDue(e *EventType) {
	b.NeedsPay, b.Payment = true, &Payment{Status: "unpaid"}
	switch {
	case e.paysOnline():
		b.Payment.Amount, b.Payment.Currency = e.Price.Amount, e.Price.Currency
	default:
		b.Payment.Currency = e.NoShowFee.Currency
	}
}

// insertDue saves what a new booking waits for.
func insertDue(tx *locked, b *Booking) error {
	if b.Payment.Amount > 0 {
		p := PaymentRecord{
			ID: NewID[paymentKind](tx.now), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: PaysBooking, Attempt: 1,
			Status: PaymentUnpaid, Amount: b.Payment.Amount, Currency: b.Payment.Currency, CreatedAt: At(tx.now),
		}
		if err := tx.InsertPayment(&p); err != nil {
			return err
		}
	}
	if b.NoShowFee == nil {
		return nil
	}
	return tx.InsertPaymentCard(&PaymentCard{
		BookingID: b.ID, WorkspaceID: b.WorkspaceID, Fee: *b.NoShowFee, Wording: consentTo(*b.NoShowFee, tx.setup.Workspace.Name, b.Invitee.Locale),
	})
}

// bookingPayment is the payment of a booking's price that counts: the first; any other was paid twice.
func bookingPayment(r Reader, b *Booking) (*PaymentRecord, error) {
	all, err := r.PaymentsOf(b.ID)
	for i := range all {
		if all[i].Kind == PaysBooking {
			return &all[i], err
		}
	}
	return nil, err
}

// feePayment is the latest attempt at a booking's no-show fee that is still wanted, or nil.
func feePayment(r Reader, b *Booking) (last *PaymentRecord, err error) {
	all, err := r.PaymentsOf(b.ID)
	for i := range all {
		if all[i].Kind == PaysFee && !all[i].Unwanted {
			last = &all[i]
		}
	}
	return last, err
}
