package payment

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

// settleCheckout saves the state of a checkout, and what it means for its payment and booking. Results may arrive twice
// and in any order: what is known already changes nothing.
func (s *Service) settleCheckout(t *together, id CheckoutID, r CheckoutResult) error {
	c, err := t.tx.Checkout(id)
	if err != nil {
		return err
	}
	if r.Session == "" && c.Session != "" { // one call was refused while another one opened it
		return nil
	}
	if r.Session != "" {
		c.Session = r.Session
	}
	if r.URL != "" {
		c.URL = r.URL
	}
	was := c.State
	if c.State = was.after(&r); c.State == CheckoutProcessing && c.firstPayment() != 0 {
		// A late event of a payment that has failed since.
		if p, err := t.tx.Payment(c.firstPayment()); err != nil || p.Status == booking.PaymentFailed && p.Intent == r.Intent {
			return err
		}
	}
	if err := t.tx.UpdateCheckout(&c); err != nil || c.State == was {
		return err
	}
	for i, share := range c.shares() {
		if err := t.change(share.Booking, func(ch *app.Change) error {
			if i == 0 && len(c.Request.Shares) > 0 && (c.State == CheckoutProcessing || c.State == CheckoutComplete) {
				if err := s.stopCheckouts(ch); err != nil { // those that were opened from other pages
					return err
				}
			}
			return s.settleShare(t, ch, &c, share.Payment, &r)
		}); err != nil {
			return err
		}
	}
	return nil
}

// settleShare saves what the new state of a checkout means for one of the bookings that it is for, and its payment.
func (s *Service) settleShare(t *together, ch *app.Change, c *Checkout, payment booking.PaymentID, r *CheckoutResult) error {
	if len(c.shares()) > 1 {
		ch.WithVisit()
		if payment == 0 || ch.Booking.PayLink == nil { // else it is of one date
			ch.WithSeries()
		}
	}
	if c.Request.SaveCard && (c.State == CheckoutComplete || c.State == CheckoutProcessing) {
		if err := saveCard(ch, c, r); err != nil {
			return err
		}
	}
	switch {
	case payment == 0 && len(c.Request.Shares) > 0:
		return s.settleUnpriced(t, ch, c, r)
	case payment == 0:
		if c.State == CheckoutComplete {
			return s.cardSaved(ch)
		}
		return nil
	}
	p, err := tx(ch).Payment(payment)
	if err != nil {
		return err
	}
	switch {
	case r.Failed:
		return s.paymentFailed(ch, &p, r.Intent)
	case c.State == CheckoutProcessing && p.Status != booking.PaymentPaid:
		return s.paymentUnderWay(ch, &p, r.Intent)
	case c.State == CheckoutComplete:
		return s.paymentArrived(ch, &p, r.Intent, func() (bool, error) { return t.again(ch, c) })
	}
	return nil
}

// after returns the next stage, given the provider's result. A completed checkout stays completed. One that was closed
// here may have been completed at the provider first.
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

// saveCard saves the card for the booking's fee, what the page disclosed, and the time of the consent.
func saveCard(ch *app.Change, c *Checkout, r *CheckoutResult) error {
	b := ch.Booking
	if !hasFee(b) { // the card is for others of its visit
		return nil
	}
	card, err := tx(ch).PaymentCard(b.ID)
	if err != nil {
		return err
	}
	card.Wording, card.ConsentAt, card.Customer, card.Source = c.Request.Wording, when.At(ch.Now), r.Customer, r.Intent
	return tx(ch).UpdatePaymentCard(&card)
}

// cardSaved ends the wait of a booking for a card. One that is not pending any more comes back if its time is still
// free.
func (s *Service) cardSaved(ch *app.Change) error {
	b := ch.Booking
	if b.Status == booking.Pending && b.NeedsPay {
		b.Payment = nil
		return proceed(ch, booking.ActCardSaved)
	}
	taken, err := ch.TakeAgain()
	if err != nil || !taken {
		return err
	}
	b.Payment = nil
	return proceed(ch, booking.ActCardSaved)
}

// paymentUnderWay holds the slot for a payment that takes days to arrive.
func (s *Service) paymentUnderWay(ch *app.Change, p *Record, intent string) error {
	b := ch.Booking
	p.Status, p.Intent = booking.PaymentProcessing, intent
	if err := tx(ch).UpdatePayment(p); err != nil {
		return err
	}
	if !p.Kind.Fee() && b.Status == booking.Pending && b.NeedsPay {
		holdForMoney(ch)
	}
	if b.Status == booking.Cancelled && !p.Kind.Fee() {
		return nil
	}
	p.showOn(b)
	ch.Note(booking.ActPaymentProcessing, "")
	return nil
}

// holdForMoney holds the booking's time while money is on its way.
func holdForMoney(ch *app.Change) {
	b := ch.Booking
	ch.PendUntil(max(b.ExpiresAt, min(b.Start, when.At(ch.Now.Add(delayedHold)))))
}

// paymentFailed releases the slot that was held for a delayed payment. What is left of the first half hour remains for
// another try.
func (s *Service) paymentFailed(ch *app.Change, p *Record, intent string) error {
	b := ch.Booking
	if p.Status != booking.PaymentProcessing && p.Status != booking.PaymentUnpaid || p.Intent != "" && p.Intent != intent {
		return nil
	}
	p.Status, p.Intent = booking.PaymentFailed, intent
	if err := tx(ch).UpdatePayment(p); err != nil {
		return err
	}
	if !p.Kind.Fee() && b.Status == booking.Pending && b.NeedsPay {
		ch.PendUntil(b.CreatedAt.Add(app.PaymentHold))
	}
	if p.showOn(b); b.PayLink != nil { // it can be tried again, and is due on site
		b.Payment = nil
	}
	ch.Note(booking.ActPaymentFailed, "")
	return tellPayment(ch, catalog.PaymentFailed, p)
}

// paymentArrived books a payment that the provider has received. again takes the time of a booking that lapsed unpaid
// again.
func (s *Service) paymentArrived(ch *app.Change, p *Record, intent string, again func() (bool, error)) error {
	b := ch.Booking
	if p.Status == booking.PaymentPaid {
		if p.Intent == intent {
			return nil
		}
		return s.paidTwice(ch, p, intent)
	}
	p.Status, p.Intent, p.Error, p.PaidAt = booking.PaymentPaid, intent, "", when.At(ch.Now)
	wanted, err := accept(ch, p, again)
	if err != nil {
		return err
	}
	p.Unwanted = !wanted
	if err := tx(ch).UpdatePayment(p); err != nil {
		return err
	}
	p.showOn(b)
	switch {
	case !wanted:
		if err := queueRefund(ch, p, p.Amount); err != nil {
			return err
		}
		ch.Note(booking.ActPaidLate, "it came too late and goes back")
		return tellPayment(ch, catalog.PaymentSucceeded, p)
	case p.Kind.Fee():
		ch.Note(booking.ActFeePaid, "")
		return tellPayment(ch, catalog.PaymentSucceeded, p)
	case b.PayLink != nil:
		if p.Kind == PaysDeposit {
			b.Deposit = &money.Money{Amount: p.Amount, Currency: p.Currency}
		}
		ch.Note(booking.ActPaid, "")
		return tellPayment(ch, catalog.PaymentSucceeded, p)
	}
	if err := proceed(ch, booking.ActPaid,
		func() error { return tellPayment(ch, catalog.PaymentSucceeded, p) }); err != nil {
		return err
	}
	return nil
}

// accept reports whether a payment that arrives now still pays for something. For one of a booking that lapsed unpaid, it
// takes the booking's time again.
func accept(ch *app.Change, p *Record, again func() (bool, error)) (bool, error) {
	b := ch.Booking
	switch {
	case p.Unwanted:
		return false, nil
	case p.Kind == PaysFee:
		return b.Status == booking.NoShow, nil
	case p.Kind == PaysLateFee:
		return b.Status == booking.Cancelled, nil
	case b.PayLink != nil: // it may have been paid on site meanwhile
		return b.Status.Stands() && b.OwesPayLink(ch.Setup), nil
	case b.Status == booking.Pending && b.NeedsPay:
		return true, nil
	}
	return again()
}

// paidTwice refunds a second payment, made by another checkout that was also open.
func (s *Service) paidTwice(ch *app.Change, first *Record, intent string) error {
	b := ch.Booking
	all, err := tx(ch).PaymentsOf(b.ID)
	if err != nil {
		return err
	}
	extra := Record{
		ID: id.New[booking.PaymentIDKind](ch.Now), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: first.Kind, Attempt: 1,
		Status: booking.PaymentPaid,
		Amount: first.Amount, Currency: first.Currency, Intent: intent, Unwanted: true, PaidAt: when.At(ch.Now),
		CreatedAt: when.At(ch.Now),
	}
	for _, p := range all {
		if p.Intent == intent {
			return nil
		}
		if p.Kind == extra.Kind {
			extra.Attempt = max(extra.Attempt, p.Attempt+1)
		}
	}
	if err := tx(ch).InsertPayment(&extra); err != nil {
		return err
	}
	if err := queueRefund(ch, &extra, extra.Amount); err != nil {
		return err
	}
	ch.Note(booking.ActPaidTwice, "the second payment goes back")
	return tellPayment(ch, catalog.PaymentSucceeded, &extra)
}

// settleCharge saves the state of a payment at the provider: charged, declined, refunded, disputed. What is known
// already changes nothing.
func (s *Service) settleCharge(ch *app.Change, p *Record, r ChargeResult) error {
	b := ch.Booking
	if r.Status == booking.PaymentPaid {
		if err := s.paymentArrived(ch, p, r.Intent, ch.TakeAgain); err != nil {
			return err
		}
	}
	before := *p
	if p.Kind.Fee() && p.Intent == "" {
		p.Intent = r.Intent
	}
	if p.Intent != r.Intent {
		return nil // another attempt than the one that counts
	}
	p.RefundedAmount, p.Refunding, p.Dispute = r.Refunded, r.Refunding, r.Dispute
	// The price can be tried repeatedly on its payment page: only the end of the page is a failure.
	if p.Kind.Fee() && (p.Status == booking.PaymentUnpaid || p.Status == booking.PaymentProcessing) &&
		r.Status != booking.PaymentPaid && r.Status != "" {
		p.Status, p.Error = r.Status, r.Error
	}
	if *p == before {
		return nil
	}
	if err := tx(ch).UpdatePayment(p); err != nil {
		return err
	}
	if last, err := shows(ch, p); err != nil {
		return err
	} else if last {
		p.showOn(b)
	}
	switch {
	case p.RefundedAmount > before.RefundedAmount:
		ch.NoteAmount(booking.ActRefunded, money.Money{Amount: p.RefundedAmount - before.RefundedAmount,
			Currency: p.Currency})
		return tellPayment(ch, catalog.PaymentRefunded, p)
	case p.RefundedAmount < before.RefundedAmount:
		ch.Note(booking.ActRefundFailed, "")
		return nil
	case p.Dispute != before.Dispute:
		ch.Note(booking.ActDisputed, p.Dispute)
		return nil
	case p.Status != before.Status && p.Status == booking.PaymentFailed:
		ch.Note(booking.ActFeeFailed, p.Error)
		return tellPayment(ch, catalog.PaymentFailed, p)
	case p.Status != before.Status && p.Status == booking.PaymentNeedsYou:
		ch.Note(booking.ActFeeNeedsYou, p.Error)
		return nil
	}
	return nil
}

// shows reports whether the booking shows this payment: the first of its price, the last of its fee.
func shows(ch *app.Change, p *Record) (bool, error) {
	b := ch.Booking
	shown, err := bookingPayment(tx(ch), b)
	if p.Kind.Fee() {
		shown, err = feePayment(tx(ch), b)
	}
	return shown != nil && shown.ID == p.ID, err
}
