package app

import (
	"context"

	"daybook/app/id"
	"daybook/app/when"
)

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
	b.Payment.Kind = b.Payment.kind()
}

// kind is what the payment is for: a price is never zero.
func (p *Payment) kind() PaymentFor {
	if p.Amount == 0 {
		return ForCard
	}
	return ForPrice
}

// CantCharge says what an event type announces that can't be charged while no Stripe account is connected, in a
// sentence for the owner; "" is nothing.
func (s *Setup) CantCharge(e *EventType) string {
	switch {
	case s.takesCards:
		return ""
	case e.paysOnline() && e.NoShowFee != nil:
		return "Stripe is not connected. Until it is, the price is paid on site and no fee is charged."
	case e.paysOnline():
		return "Stripe is not connected. Until it is, the price is paid on site."
	case e.NoShowFee != nil:
		return "Stripe is not connected. Until it is, no fee is charged to those who do not come."
	}
	return ""
}

// insertDue saves what a new booking waits for.
func insertDue(ch *Change) error {
	b := ch.Booking
	if b.Payment.Amount > 0 {
		p := PaymentRecord{
			ID: id.New[paymentKind](ch.Now), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: PaysBooking, Attempt: 1,
			Status: PaymentUnpaid, Amount: b.Payment.Amount, Currency: b.Payment.Currency, CreatedAt: when.At(ch.Now),
		}
		if err := ch.InsertPayment(&p); err != nil {
			return err
		}
	}
	if b.NoShowFee == nil {
		return nil
	}
	return ch.InsertPaymentCard(&PaymentCard{
		BookingID: b.ID, WorkspaceID: b.WorkspaceID, Fee: *b.NoShowFee, Wording: consentTo(*b.NoShowFee, ch.Setup.Workspace.Name, b.Invitee.Locale),
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

// Refundable is what is left to be given back of a booking's price and of its no-show fee: neither given back, nor on
// its way, nor asked for. nil is nothing. The error is not_found.
func (s *Service) Refundable(ctx context.Context, a Actor, id string) (price, fee *Money, err error) {
	b, err := s.find(ctx, a, id)
	if err != nil {
		return nil, nil, err
	}
	r := s.reader(ctx)
	for _, of := range []struct {
		find func(Reader, *Booking) (*PaymentRecord, error)
		left **Money
	}{{bookingPayment, &price}, {feePayment, &fee}} {
		p, err := of.find(r, &b)
		if err != nil {
			return nil, nil, err
		}
		if left, err := refundable(r, p); err != nil {
			return nil, nil, err
		} else if left > 0 {
			*of.left = &Money{Amount: left, Currency: p.Currency}
		}
	}
	return price, fee, nil
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
