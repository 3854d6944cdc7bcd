package payment

import (
	"context"
	"errors"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

// hasFee reports whether the booking has a fee that a card is saved for.
func hasFee(b *booking.Booking) bool { return b.NoShowFee != nil || b.LateFee != nil }

// FeeOutlook says what will happen to the fee if a booking is marked as a no-show.
type FeeOutlook int

const (
	NoFee     FeeOutlook = iota // the booking has none
	FeeNoCard                   // nothing is charged: no card was saved
	FeeWaits                    // charged once Stripe is connected again
	FeeCharge                   // charged to the saved card
)

// FeeOutlook returns what will happen to the fee if the booking is marked as a no-show. Errors: not_found.
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

// LateFee returns the fee that cancelling the booking now may cost: the late fee, if it is late and a card was saved
// for it; else nil.
func (s *Service) LateFee(ctx context.Context, b *booking.Booking) (*money.Money, error) {
	if !b.CancelsLate(when.At(s.Core.Now())) {
		return nil, nil
	}
	card, err := savedCard(s.Reader(ctx), b)
	if err != nil || card == nil {
		return nil, err
	}
	return b.LateFee, nil
}

// feeCard returns the card that the booking's no-show fee can be charged to, or nil.
func feeCard(r Reader, b *booking.Booking) (*Card, error) {
	if b.NoShowFee == nil {
		return nil, nil
	}
	return savedCard(r, b)
}

// savedCard returns the card that the invitee saved for the booking's fees, or nil.
func savedCard(r Reader, b *booking.Booking) (*Card, error) {
	card, err := r.PaymentCard(b.ID)
	if errors.Is(err, fault.ErrNotFound) || err == nil && card.ConsentAt == 0 {
		return nil, nil
	}
	return &card, err
}

// chargeFee starts an attempt at a fee, to the card that the invitee saved for it. The charge is queued, and its result
// never changes that the booking is a no-show, or cancelled.
func (s *Service) chargeFee(ch *app.Change, kind Kind, card *Card) (*Record, error) {
	b := ch.Booking
	fee := card.agreed(kind, b)
	all, err := tx(ch).PaymentsOf(b.ID)
	if err != nil {
		return nil, err
	}
	p := &Record{
		ID: id.New[booking.PaymentIDKind](ch.Now), WorkspaceID: b.WorkspaceID, BookingID: b.ID, Kind: kind, Attempt: 1,
		Status: booking.PaymentUnpaid,
		Amount: fee.Amount, Currency: fee.Currency, CreatedAt: when.At(ch.Now),
	}
	for i := range all {
		if all[i].Kind == kind {
			p.Attempt = max(p.Attempt, all[i].Attempt+1)
		}
	}
	if err := tx(ch).InsertPayment(p); err != nil {
		return nil, err
	}
	return p, queueJob(tx(ch), ch.Now, Job{WorkspaceID: b.WorkspaceID, BookingID: b.ID, Action: DoCharge, PaymentID: p.ID},
		0)
}

// dropFee takes back the latest attempt at a no-show fee: what was charged is refunded, what is being charged is
// refunded when it arrives, and what has not begun is cancelled.
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
	case booking.PaymentPaid:
		if err := refundRest(ch, p); err != nil {
			return err
		}
	case booking.PaymentFailed, booking.PaymentNeedsYou:
		p.Status = booking.PaymentVoid
	}
	if err := tx(ch).UpdatePayment(p); err != nil {
		return err
	}
	return s.stopCheckouts(ch)
}
