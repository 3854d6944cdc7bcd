package payment

import (
	"context"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/record"
	"daybook/app/when"
)

// FeeOutlook is what marking a booking as a no-show does about its fee.
type FeeOutlook int

const (
	NoFee     FeeOutlook = iota // the booking has none
	FeeNoCard                   // noSettlement is charged: no card was saved
	FeeWaits                    // charged once Stripe is connected again
	FeeCharge                   // charged to the saved card
)

// FeeOutlook tells what marking the booking as a no-show would do about its fee. The error is not_found.
func (s *Service) FeeOutlook(ctx context.Context, a app.Actor, id string) (FeeOutlook, error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return NoFee, err
	}
	b, err := s.Core.Find(ctx, a, id)
	if err != nil || b.NoShowFee == nil {
		return NoFee, err
	}
	card, err := feeCard(s.Reader(ctx), &b)
	switch {
	case err != nil:
		return NoFee, err
	case card == nil:
		return FeeNoCard, nil
	case !s.TakesCards(b.WorkspaceID):
		return FeeWaits, nil
	}
	return FeeCharge, nil
}

// feeCard is the card that the booking's no-show fee can be charged to, or nil.
func feeCard(r Reader, b *record.Booking) (*Card, error) {
	if b.NoShowFee == nil {
		return nil, nil
	}
	card, err := r.PaymentCard(b.ID)
	if err == fault.ErrNotFound || err == nil && card.ConsentAt == 0 {
		return nil, nil
	}
	return &card, err
}

// chargeFee begins an attempt at a no-show fee, where the invitee has saved a card for it: the charge is queued, and
// what becomes of it never touches the marking. Without a card there is no fee.
func (s *Service) chargeFee(ch *app.Change) (*Record, error) {
	b := ch.Booking
	card, err := feeCard(tx(ch), b)
	if err != nil || card == nil {
		return nil, err
	}
	all, err := tx(ch).PaymentsOf(b.ID)
	if err != nil {
		return nil, err
	}
	p := &Record{
		ID: id.New[record.PaymentIDKind](ch.Now), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: PaysFee, Attempt: 1,
		Status: record.PaymentUnpaid,
		Amount: card.Fee.Amount, Currency: card.Fee.Currency, CreatedAt: when.At(ch.Now),
	}
	for i := range all {
		if all[i].Kind == PaysFee {
			p.Attempt = max(p.Attempt, all[i].Attempt+1)
		}
	}
	if err := tx(ch).InsertPayment(p); err != nil {
		return nil, err
	}
	return p, queueJob(tx(ch), ch.Now, Job{WorkspaceID: b.WorkspaceID, BookingID: b.ID, Action: DoCharge, PaymentID: p.ID},
		0)
}

// dropFee takes the latest attempt at a no-show fee back: what was charged is refunded, what is being charged goes
// back when it arrives, and what has not begun never begins.
func (s *Service) dropFee(ch *app.Change) error {
	b := ch.Booking
	if b.NoShowFee == nil {
		return nil
	}
	p, err := feePayment(tx(ch), b)
	if err != nil || p == nil {
		return err
	}
	p.Unwanted = true
	switch p.Status {
	case record.PaymentPaid:
		if err := refundRest(ch, p); err != nil {
			return err
		}
	case record.PaymentFailed, record.PaymentNeedsYou:
		p.Status = record.PaymentVoid
	}
	if err := tx(ch).UpdatePayment(p); err != nil {
		return err
	}
	return s.stopCheckouts(ch)
}
