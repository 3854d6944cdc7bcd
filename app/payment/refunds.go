package payment

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/money"
)

// Refund refunds an amount of what was paid for a booking, or with nil everything that is left. The refund is queued:
// the booking's payment shows it, and payment.refunded is sent, once Stripe has confirmed it. Errors: not_found,
// forbidden, bad_request (amount), conflict nothing_to_refund.
func (s *Service) Refund(ctx context.Context, a app.Actor, id string, amount *int64) (booking.Booking, error) {
	return s.refund(ctx, a, id, amount, bookingPayment)
}

// RefundFee refunds the fee for a no-show or a late cancellation, as Refund does; the status of the booking stays.
func (s *Service) RefundFee(ctx context.Context, a app.Actor, id string, amount *int64) (booking.Booking, error) {
	return s.refund(ctx, a, id, amount, feePayment)
}

// GoesBack returns what becomes of what was paid online for a cancelled booking, its price or its deposit: how much went back, is on
// its way or is about to go, and how much the business keeps. nil is nothing, or not known: a refund failed, or the payment is
// disputed.
func (s *Service) GoesBack(ctx context.Context, b *booking.Booking) (back, kept *money.Money, err error) {
	if amount, _ := b.PaidOnline(); amount == 0 {
		return nil, nil, nil
	}
	r := s.Reader(ctx)
	p, err := bookingPayment(r, b)
	if err != nil || p == nil || p.Status != booking.PaymentPaid {
		return nil, nil, err
	}
	left, err := refundable(r, p)
	if err != nil {
		return nil, nil, err
	}
	if left < p.Amount {
		back = &money.Money{Amount: p.Amount - left, Currency: p.Currency}
	}
	if left > 0 && p.Error == "" && p.Dispute == "" { // else the business is told, and has to see to it
		kept = &money.Money{Amount: left, Currency: p.Currency}
	}
	return back, kept, nil
}

// RefundPayment calls Refund or RefundFee for the payment with that id.
func (s *Service) RefundPayment(ctx context.Context, a app.Actor, id booking.PaymentID,
	amount *int64) (booking.Booking, error) {
	if err := a.May(app.MayRefund); err != nil {
		return booking.Booking{}, err
	}
	missing := fault.Missing("payment", id.String())
	p, err := s.Reader(ctx).Payment(id)
	if err == nil && p.WorkspaceID != a.Workspace {
		err = missing
	}
	if err != nil {
		return booking.Booking{}, fault.OrMissing(err, missing)
	}
	return s.refund(ctx, a, p.BookingID.String(), amount, func(r Reader, _ *booking.Booking) (*Record, error) {
		p, err := r.Payment(id)
		return &p, err
	})
}

func (s *Service) refund(ctx context.Context, a app.Actor, id string, amount *int64,
	of func(Reader, *booking.Booking) (*Record, error)) (booking.Booking, error) {
	if err := a.May(app.MayRefund); err != nil {
		return booking.Booking{}, err
	}
	return s.Core.Change(ctx, a, id, func(ch *app.Change) error {
		b := ch.Booking
		p, err := of(tx(ch), b)
		if err != nil {
			return err
		}
		left, err := refundable(tx(ch), p)
		if err != nil {
			return err
		}
		if left <= 0 {
			return fault.Conflictf("nothing_to_refund",
				"Nothing is left to refund: nothing was paid online, or all of it has gone or is going back.")
		}
		if amount == nil {
			return s.askRefund(ch, p, left)
		}
		if *amount < 1 || *amount > left {
			return fault.Invalid("amount", "must lie between 1 and %d minor units, which is what is left of the payment", left)
		}
		if step := money.Step(p.Currency); *amount%step != 0 {
			return fault.Invalid("amount", "must be a multiple of %d: no smaller part of %s can be refunded", step, p.Currency)
		}
		return s.askRefund(ch, p, *amount)
	})
}

// askRefund queues a refund and writes into the history who wanted it.
func (s *Service) askRefund(ch *app.Change, p *Record, amount int64) error {
	if err := queueRefund(ch, p, amount); err != nil {
		return err
	}
	ch.NoteAmount(booking.ActRefundAsked, money.Money{Amount: amount, Currency: p.Currency})
	return nil
}

// refundable returns what is left of a payment: neither refunded, nor on its way, nor queued. It is 0 for nil.
func refundable(r Reader, p *Record) (int64, error) {
	if p == nil || p.Status != booking.PaymentPaid {
		return 0, nil
	}
	queued, err := r.RefundsQueued(p.ID)
	return p.Amount - p.RefundedAmount - p.Refunding - queued, err
}

func queueRefund(ch *app.Change, p *Record, amount int64) error {
	return queueJob(tx(ch), ch.Now, Job{WorkspaceID: p.WorkspaceID, BookingID: p.BookingID, Action: DoRefund,
		PaymentID: p.ID, Amount: amount}, 0)
}

// refundRest queues a refund of what is left of a payment.
func refundRest(ch *app.Change, p *Record) error {
	left, err := refundable(tx(ch), p)
	if err != nil || left <= 0 {
		return err
	}
	return queueRefund(ch, p, left)
}

// endPayment settles the money side of a booking that is cancelled, declined or has lapsed: what could still be paid
// is closed, and what was paid goes back if refund says so.
func (s *Service) endPayment(ch *app.Change, refund bool) error {
	b := ch.Booking
	if b.Payment == nil && b.NoShowFee == nil && b.LateFee == nil && !paidAtOnce(b) {
		return nil
	}
	if err := s.stopCheckouts(ch); err != nil {
		return err
	}
	ch.After(func() error { return s.goOn(ch) })
	p, err := bookingPayment(tx(ch), b)
	if err != nil || p == nil {
		return err
	}
	switch p.Status {
	case booking.PaymentUnpaid, booking.PaymentFailed:
		p.Status = booking.PaymentVoid
		return tx(ch).UpdatePayment(p)
	case booking.PaymentPaid:
		if refund {
			return refundRest(ch, p)
		}
	}
	return nil
}
