package app

import "fmt"

// settleCheckout saves what became of a checkout, and what that does to its payment and its booking. It may be told
// the same twice, and in any order: what is known already changes nothing.
func (s *Service) settleCheckout(tx *locked, b *Booking, id CheckoutID, r CheckoutResult) error {
	c, err := tx.Checkout(id)
	if err != nil {
		return err
	}
	if r.Session != "" {
		c.Session = r.Session
	}
	if r.URL != "" {
		c.URL = r.URL
	}
	was := c.State
	if c.State = was.after(&r); c.State == CheckoutProcessing && c.PaymentID != 0 {
		// Told late of a payment that has failed since.
		if p, err := tx.Payment(c.PaymentID); err != nil || p.Status == PaymentFailed && p.Intent == r.Intent {
			return err
		}
	}
	if err := tx.UpdateCheckout(&c); err != nil || c.State == was {
		return err
	}
	if c.Request.SaveCard && (c.State == CheckoutComplete || c.State == CheckoutProcessing) {
		if err := saveCard(tx, b, &r); err != nil {
			return err
		}
	}
	if c.PaymentID == 0 {
		if c.State == CheckoutComplete {
			return s.cardSaved(tx, b)
		}
		return nil
	}
	p, err := tx.Payment(c.PaymentID)
	if err != nil {
		return err
	}
	switch {
	case r.Failed:
		return s.paymentFailed(tx, b, &p, r.Intent)
	case c.State == CheckoutProcessing && p.Status != PaymentPaid:
		return s.paymentUnderWay(tx, b, &p, r.Intent)
	case c.State == CheckoutComplete:
		return s.paymentArrived(tx, b, &p, r.Intent)
	}
	return nil
}

// after is the stage that follows once the provider has told of r. A completed checkout stays that. One that was closed
// here may still have been completed before it was closed there.
func (c CheckoutStage) after(r *CheckoutResult) CheckoutStage {
	switch {
	case c == CheckoutComplete:
		return c
	case r.Failed:
		return CheckoutExpired
	case r.Stage > c, c == CheckoutExpired && (r.Stage == CheckoutComplete || r.Stage == CheckoutProcessing):
		return r.Stage
	}
	return c
}

// saveCard keeps the card and the moment of the consent.
func saveCard(tx *locked, b *Booking, r *CheckoutResult) error {
	card, err := tx.PaymentCard(b.ID)
	if err != nil {
		return err
	}
	card.ConsentAt, card.Customer, card.Source = At(tx.now), r.Customer, r.Intent
	return tx.UpdatePaymentCard(&card)
}

// cardSaved goes on with a booking that waited for a card only.
func (s *Service) cardSaved(tx *locked, b *Booking) error {
	if b.Status == Pending && b.NeedsPay {
		b.Payment = nil
		return s.goOn(tx, b, Pending, "card_saved")
	}
	free, err := s.freeAgain(tx, b)
	if err != nil || !free {
		return err
	}
	b.Payment = nil
	return s.goOn(tx, b, Cancelled, "card_saved")
}

// goOn confirms a booking that has all it waited for, or has it wait for approval.
func (s *Service) goOn(tx *locked, b *Booking, from Status, action string, events ...told) error {
	b.NeedsPay, b.Cancellation = false, nil
	if b.NeedsOK {
		b.Status = Pending
	} else {
		b.Status = Confirmed
		events = append(events, told{kind: BookingCreated})
	}
	if !from.may(b.Status) {
		return fmt.Errorf("booking %s: %s may not become %s", b.ID, from, b.Status)
	}
	b.setPending(min(b.CreatedAt.Add(approvalHold), b.Start))
	return s.record(tx, b, from, action, "", events...)
}

// freeAgain reports whether a booking that lapsed unpaid could be booked again as it was.
func (s *Service) freeAgain(tx *locked, b *Booking) (bool, error) {
	lapsed := b.Status == Cancelled && b.Cancellation != nil && b.Cancellation.By == BySystem && b.Cancellation.Reason == lapsedUnpaid
	e, host := tx.setup.EventTypeByID(b.EventTypeID), tx.setup.Host(b.Host.ID)
	if !lapsed || b.Start <= At(tx.now) || e == nil || host == nil || !host.Active || !e.servedBy(host.ID) {
		return false, nil
	}
	if _, err := refuseDuplicate(tx, b.Invitee.Email, e.ID, b.Start, b.ID); err != nil {
		return false, unlessTold(err)
	}
	q := &search{setup: tx.setup, event: e, rules: b.keepLength(e.rules()), hosts: []*Host{host}, zone: tx.setup.Zone, now: At(tx.now), exclude: b.ID}
	q.rules.MinimumNotice = 0
	if _, err := q.find(tx, b.Start, host.ID); err != nil {
		return false, unlessTold(err)
	}
	return true, nil
}

// unlessTold is nil for an error that is an answer.
func unlessTold(err error) error {
	if AsError(err) != nil {
		return nil
	}
	return err
}

// paymentUnderWay holds the time for a payment that takes days to arrive.
func (s *Service) paymentUnderWay(tx *locked, b *Booking, p *PaymentRecord, intent string) error {
	p.Status, p.Intent = PaymentProcessing, intent
	if err := tx.UpdatePayment(p); err != nil {
		return err
	}
	if p.Kind == PaysBooking && b.Status == Pending && b.NeedsPay {
		b.setPending(max(b.ExpiresAt, min(b.Start, At(tx.now.Add(delayedHold)))))
	}
	if b.Status == Cancelled {
		return nil
	}
	p.onto(b)
	return s.record(tx, b, b.Status, "payment_processing", "")
}

// paymentFailed gives the time back that was held for a delayed payment. What is left of the first half hour is for
// another try.
func (s *Service) paymentFailed(tx *locked, b *Booking, p *PaymentRecord, intent string) error {
	if p.Status != PaymentProcessing && p.Status != PaymentUnpaid || p.Intent != "" && p.Intent != intent {
		return nil
	}
	p.Status, p.Intent = PaymentFailed, intent
	if err := tx.UpdatePayment(p); err != nil {
		return err
	}
	if p.Kind == PaysBooking && b.Status == Pending && b.NeedsPay {
		b.setPending(b.CreatedAt.Add(paymentHold))
	}
	p.onto(b)
	return s.record(tx, b, b.Status, "payment_failed", "")
}

// paymentArrived books a payment that the provider has received.
func (s *Service) paymentArrived(tx *locked, b *Booking, p *PaymentRecord, intent string) error {
	if p.Status == PaymentPaid {
		if p.Intent == intent {
			return nil
		}
		return s.paidTwice(tx, b, p, intent)
	}
	p.Status, p.Intent, p.Error, p.PaidAt = PaymentPaid, intent, "", At(tx.now)
	wanted, err := s.wanted(tx, b, p)
	if err != nil {
		return err
	}
	p.Unwanted = !wanted
	if err := tx.UpdatePayment(p); err != nil {
		return err
	}
	p.onto(b)
	news := told{PaymentSucceeded, p}
	switch {
	case !wanted:
		if err := queueRefund(tx, p, p.Amount); err != nil {
			return err
		}
		return s.record(tx, b, b.Status, "paid_late", "it came too late and goes back", news)
	case p.Kind == PaysFee:
		return s.record(tx, b, b.Status, "fee_paid", "", news)
	}
	return s.goOn(tx, b, b.Status, "paid", news)
}

// wanted reports whether a payment that arrives now is for something.
func (s *Service) wanted(tx *locked, b *Booking, p *PaymentRecord) (bool, error) {
	switch {
	case p.Unwanted:
		return false, nil
	case p.Kind == PaysFee:
		return b.Status == NoShow, nil
	case b.Status == Pending && b.NeedsPay:
		return true, nil
	}
	return s.freeAgain(tx, b)
}

// paidTwice gives back what was paid a second time, by another checkout that was open as well.
func (s *Service) paidTwice(tx *locked, b *Booking, first *PaymentRecord, intent string) error {
	all, err := tx.PaymentsOf(b.ID)
	if err != nil {
		return err
	}
	extra := PaymentRecord{
		ID: NewID[paymentKind](tx.now), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: first.Kind, Attempt: 1, Status: PaymentPaid,
		Amount: first.Amount, Currency: first.Currency, Intent: intent, Unwanted: true, PaidAt: At(tx.now), CreatedAt: At(tx.now),
	}
	for _, p := range all {
		if p.Intent == intent {
			return nil
		}
		if p.Kind == extra.Kind {
			extra.Attempt = max(extra.Attempt, p.Attempt+1)
		}
	}
	if err := tx.InsertPayment(&extra); err != nil {
		return err
	}
	if err := queueRefund(tx, &extra, extra.Amount); err != nil {
		return err
	}
	return s.record(tx, b, b.Status, "paid_twice", "the second payment goes back", told{PaymentSucceeded, &extra})
}

// settleCharge saves how a payment stands at the provider: charged, declined, refunded, disputed. What is known
// already changes nothing.
func (s *Service) settleCharge(tx *locked, b *Booking, p *PaymentRecord, r ChargeResult) error {
	if r.Status == PaymentPaid {
		if err := s.paymentArrived(tx, b, p, r.Intent); err != nil {
			return err
		}
	}
	before := *p
	if p.Kind == PaysFee && p.Intent == "" {
		p.Intent = r.Intent
	}
	if p.Intent != r.Intent {
		return nil // another attempt than the one that counts
	}
	p.RefundedAmount, p.Refunding, p.Dispute = r.Refunded, r.Refunding, r.Dispute
	// The price is tried again and again on its payment page: only that page's end is a failure.
	if p.Kind == PaysFee && (p.Status == PaymentUnpaid || p.Status == PaymentProcessing) && r.Status != PaymentPaid && r.Status != "" {
		p.Status, p.Error = r.Status, r.Error
	}
	if *p == before {
		return nil
	}
	if err := tx.UpdatePayment(p); err != nil {
		return err
	}
	if last, err := shows(tx, b, p); err != nil {
		return err
	} else if last {
		p.onto(b)
	}
	switch {
	case p.RefundedAmount > before.RefundedAmount:
		return s.recordAmount(tx, b, "refunded", &Money{p.RefundedAmount - before.RefundedAmount, p.Currency}, told{PaymentRefunded, p})
	case p.RefundedAmount < before.RefundedAmount:
		return s.record(tx, b, b.Status, "refund_failed", "")
	case p.Dispute != before.Dispute:
		return s.record(tx, b, b.Status, "disputed", p.Dispute)
	case p.Status != before.Status && p.Status == PaymentFailed:
		return s.record(tx, b, b.Status, "fee_failed", p.Error)
	case p.Status != before.Status && p.Status == PaymentNeedsYou:
		return s.record(tx, b, b.Status, "fee_requires_action", p.Error)
	}
	return nil
}

// shows reports whether the booking shows this payment: the first of its price, the last of its fee.
func shows(tx *locked, b *Booking, p *PaymentRecord) (bool, error) {
	shown, err := bookingPayment(tx, b)
	if p.Kind == PaysFee {
		shown, err = feePayment(tx, b)
	}
	return shown != nil && shown.ID == p.ID, err
}
