package app

import (
	"daybook/app/id"
	"daybook/app/when"
)

// settleCheckout saves what became of a checkout, and what that does to its payment and its booking. It may be told
// the same twice, and in any order: what is known already changes nothing.
func (s *Service) settleCheckout(ch *Change, id CheckoutID, r CheckoutResult) error {
	c, err := ch.Checkout(id)
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
		if p, err := ch.Payment(c.PaymentID); err != nil || p.Status == PaymentFailed && p.Intent == r.Intent {
			return err
		}
	}
	if err := ch.UpdateCheckout(&c); err != nil || c.State == was {
		return err
	}
	if c.Request.SaveCard && (c.State == CheckoutComplete || c.State == CheckoutProcessing) {
		if err := saveCard(ch, &r); err != nil {
			return err
		}
	}
	if c.PaymentID == 0 {
		if c.State == CheckoutComplete {
			return s.cardSaved(ch)
		}
		return nil
	}
	p, err := ch.Payment(c.PaymentID)
	if err != nil {
		return err
	}
	switch {
	case r.Failed:
		return s.paymentFailed(ch, &p, r.Intent)
	case c.State == CheckoutProcessing && p.Status != PaymentPaid:
		return s.paymentUnderWay(ch, &p, r.Intent)
	case c.State == CheckoutComplete:
		return s.paymentArrived(ch, &p, r.Intent)
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
func saveCard(ch *Change, r *CheckoutResult) error {
	b := ch.Booking
	card, err := ch.PaymentCard(b.ID)
	if err != nil {
		return err
	}
	card.ConsentAt, card.Customer, card.Source = when.At(ch.Now), r.Customer, r.Intent
	return ch.UpdatePaymentCard(&card)
}

// cardSaved goes on with a booking that waited for a card only.
func (s *Service) cardSaved(ch *Change) error {
	b := ch.Booking
	if b.Status == Pending && b.NeedsPay {
		b.Payment = nil
		return ch.Proceed(ActCardSaved)
	}
	free, err := ch.StillFree()
	if err != nil || !free {
		return err
	}
	b.Payment = nil
	return ch.Proceed(ActCardSaved)
}

// paymentUnderWay holds the time for a payment that takes days to arrive.
func (s *Service) paymentUnderWay(ch *Change, p *PaymentRecord, intent string) error {
	b := ch.Booking
	p.Status, p.Intent = PaymentProcessing, intent
	if err := ch.UpdatePayment(p); err != nil {
		return err
	}
	if p.Kind == PaysBooking && b.Status == Pending && b.NeedsPay {
		ch.Hold(max(b.ExpiresAt, min(b.Start, when.At(ch.Now.Add(delayedHold)))))
	}
	if b.Status == Cancelled {
		return nil
	}
	p.onto(b)
	ch.Note(ActPaymentProcessing, "")
	return nil
}

// paymentFailed gives the time back that was held for a delayed payment. What is left of the first half hour is for
// another try.
func (s *Service) paymentFailed(ch *Change, p *PaymentRecord, intent string) error {
	b := ch.Booking
	if p.Status != PaymentProcessing && p.Status != PaymentUnpaid || p.Intent != "" && p.Intent != intent {
		return nil
	}
	p.Status, p.Intent = PaymentFailed, intent
	if err := ch.UpdatePayment(p); err != nil {
		return err
	}
	if p.Kind == PaysBooking && b.Status == Pending && b.NeedsPay {
		ch.Hold(b.CreatedAt.Add(paymentHold))
	}
	p.onto(b)
	ch.Note(ActPaymentFailed, "")
	return nil
}

// paymentArrived books a payment that the provider has received.
func (s *Service) paymentArrived(ch *Change, p *PaymentRecord, intent string) error {
	b := ch.Booking
	if p.Status == PaymentPaid {
		if p.Intent == intent {
			return nil
		}
		return s.paidTwice(ch, p, intent)
	}
	p.Status, p.Intent, p.Error, p.PaidAt = PaymentPaid, intent, "", when.At(ch.Now)
	wanted, err := s.wanted(ch, p)
	if err != nil {
		return err
	}
	p.Unwanted = !wanted
	if err := ch.UpdatePayment(p); err != nil {
		return err
	}
	p.onto(b)
	switch {
	case !wanted:
		if err := queueRefund(ch, p, p.Amount); err != nil {
			return err
		}
		ch.Note(ActPaidLate, "it came too late and goes back")
		return tellPayment(ch, PaymentSucceeded, p)
	case p.Kind == PaysFee:
		ch.Note(ActFeePaid, "")
		return tellPayment(ch, PaymentSucceeded, p)
	}
	if err := ch.Proceed(ActPaid, func() error { return tellPayment(ch, PaymentSucceeded, p) }); err != nil {
		return err
	}
	return nil
}

// wanted reports whether a payment that arrives now is for something.
func (s *Service) wanted(ch *Change, p *PaymentRecord) (bool, error) {
	b := ch.Booking
	switch {
	case p.Unwanted:
		return false, nil
	case p.Kind == PaysFee:
		return b.Status == NoShow, nil
	case b.Status == Pending && b.NeedsPay:
		return true, nil
	}
	return ch.StillFree()
}

// paidTwice gives back what was paid a second time, by another checkout that was open as well.
func (s *Service) paidTwice(ch *Change, first *PaymentRecord, intent string) error {
	b := ch.Booking
	all, err := ch.PaymentsOf(b.ID)
	if err != nil {
		return err
	}
	extra := PaymentRecord{
		ID: id.New[paymentKind](ch.Now), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: first.Kind, Attempt: 1, Status: PaymentPaid,
		Amount: first.Amount, Currency: first.Currency, Intent: intent, Unwanted: true, PaidAt: when.At(ch.Now), CreatedAt: when.At(ch.Now),
	}
	for _, p := range all {
		if p.Intent == intent {
			return nil
		}
		if p.Kind == extra.Kind {
			extra.Attempt = max(extra.Attempt, p.Attempt+1)
		}
	}
	if err := ch.InsertPayment(&extra); err != nil {
		return err
	}
	if err := queueRefund(ch, &extra, extra.Amount); err != nil {
		return err
	}
	ch.Note(ActPaidTwice, "the second payment goes back")
	return tellPayment(ch, PaymentSucceeded, &extra)
}

// settleCharge saves how a payment stands at the provider: charged, declined, refunded, disputed. What is known
// already changes nothing.
func (s *Service) settleCharge(ch *Change, p *PaymentRecord, r ChargeResult) error {
	b := ch.Booking
	if r.Status == PaymentPaid {
		if err := s.paymentArrived(ch, p, r.Intent); err != nil {
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
	if err := ch.UpdatePayment(p); err != nil {
		return err
	}
	if last, err := shows(ch, p); err != nil {
		return err
	} else if last {
		p.onto(b)
	}
	switch {
	case p.RefundedAmount > before.RefundedAmount:
		ch.NoteAmount(ActRefunded, Money{p.RefundedAmount - before.RefundedAmount, p.Currency})
		return tellPayment(ch, PaymentRefunded, p)
	case p.RefundedAmount < before.RefundedAmount:
		ch.Note(ActRefundFailed, "")
		return nil
	case p.Dispute != before.Dispute:
		ch.Note(ActDisputed, p.Dispute)
		return nil
	case p.Status != before.Status && p.Status == PaymentFailed:
		ch.Note(ActFeeFailed, p.Error)
		return nil
	case p.Status != before.Status && p.Status == PaymentNeedsYou:
		ch.Note(ActFeeNeedsYou, p.Error)
		return nil
	}
	return nil
}

// shows reports whether the booking shows this payment: the first of its price, the last of its fee.
func shows(ch *Change, p *PaymentRecord) (bool, error) {
	b := ch.Booking
	shown, err := bookingPayment(ch.Tx, b)
	if p.Kind == PaysFee {
		shown, err = feePayment(ch.Tx, b)
	}
	return shown != nil && shown.ID == p.ID, err
}
