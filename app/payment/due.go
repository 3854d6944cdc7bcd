package payment

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

// insertDue saves what a new booking waits for.
func insertDue(ch *app.Change) error {
	b := ch.Booking
	if b.Payment != nil && b.Payment.Amount > 0 {
		kind := booking.ForPrice
		if b.Deposit != nil {
			kind = booking.ForDeposit
		}
		if _, err := insertRecord(ch, b.ID, kind, money.Money{Amount: b.Payment.Amount, Currency: b.Payment.Currency}); err != nil {
			return err
		}
	}
	fee := b.NoShowFee
	if fee == nil {
		fee = b.LateFee
	}
	if fee == nil {
		return nil
	}
	return tx(ch).InsertPaymentCard(&Card{BookingID: b.ID, WorkspaceID: b.WorkspaceID, Fee: *fee,
		Wording: consentTo(ch.Setup, b)})
}

// insertRecord saves that the price of a booking, or its deposit, is to be paid.
func insertRecord(ch *app.Change, of booking.BookingID, what booking.PaymentFor, due money.Money) (*Record, error) {
	kind := PaysBooking
	if what == booking.ForDeposit {
		kind = PaysDeposit
	}
	p := &Record{
		ID: id.New[booking.PaymentIDKind](ch.Now), WorkspaceID: ch.Booking.WorkspaceID, BookingID: of, Kind: kind, Attempt: 1,
		Status: booking.PaymentUnpaid, Amount: due.Amount, Currency: due.Currency, CreatedAt: when.At(ch.Now),
	}
	return p, tx(ch).InsertPayment(p)
}

// bookingPayment returns the payment of a booking's price, or of its deposit, that counts: the first. Any other was
// paid twice.
func bookingPayment(r Reader, b *booking.Booking) (*Record, error) {
	all, err := r.PaymentsOf(b.ID)
	for i := range all {
		if !all[i].Kind.Fee() {
			return &all[i], err
		}
	}
	return nil, err
}

// Refundable returns how much of a booking's price, or deposit, and of its fee can still be refunded: the amounts that
// have not been refunded and for which no refund is under way or queued. nil means nothing. Errors: not_found.
func (s *Service) Refundable(ctx context.Context, a app.Actor, id string) (price, fee *money.Money, err error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return nil, nil, err
	}
	b, err := s.Core.Find(ctx, a, id)
	if err != nil {
		return nil, nil, err
	}
	r := s.Reader(ctx)
	for _, of := range []struct {
		find func(Reader, *booking.Booking) (*Record, error)
		left **money.Money
	}{{bookingPayment, &price}, {feePayment, &fee}} {
		p, err := of.find(r, &b)
		if err != nil {
			return nil, nil, err
		}
		if left, err := refundable(r, p); err != nil {
			return nil, nil, err
		} else if left > 0 {
			*of.left = &money.Money{Amount: left, Currency: p.Currency}
		}
	}
	return price, fee, nil
}

// feePayment returns the latest attempt at a booking's fee that is still wanted, or nil. A booking has only one of the
// two fees at a time: a no-show can't be cancelled, and a cancelled booking is no no-show.
func feePayment(r Reader, b *booking.Booking) (last *Record, err error) {
	all, err := r.PaymentsOf(b.ID)
	for i := range all {
		if all[i].Kind.Fee() && !all[i].Unwanted {
			last = &all[i]
		}
	}
	return last, err
}
