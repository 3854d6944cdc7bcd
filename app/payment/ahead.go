package payment

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
)

// A later date of a series stands without a payment, and its invitee can pay it ahead by its link (booking.PayLink). Each
// opening leads to a page at the provider that can be paid for half an hour, so the link itself never runs out before the
// start. The payment gets into the books when the link is first opened. Nothing lapses by it.

// dueAhead returns what can be paid ahead for a booking that stands, of a visit for all of it; nil for nothing.
func dueAhead(r Reader, setup *catalog.Setup, b *booking.Booking, now when.Instant) (*dueNow, error) {
	all := []booking.Booking{*b}
	if b.InVisit() {
		var err error
		if all, err = visitOf(r, b); err != nil {
			return nil, err
		}
	}
	due := &dueNow{ahead: true}
	for i := range all {
		one := &all[i]
		if !one.CanPayLink(setup, now) {
			continue
		}
		p, err := bookingPayment(r, one)
		if err != nil {
			return nil, err
		}
		if p != nil && p.Status != booking.PaymentUnpaid && p.Status != booking.PaymentFailed {
			continue
		}
		share := CheckoutShare{Booking: one.ID, Amount: one.PayLink.Amount}
		if p == nil {
			due.unwritten = append(due.unwritten, *one)
		} else {
			share.Payment = p.ID
		}
		due.shares, due.payment = append(due.shares, share), p
	}
	if due.shares == nil {
		return nil, nil
	}
	if !b.InVisit() {
		due.shares = nil
	}
	return due, nil
}

// firstAhead returns the first booking of b's visit that can be paid ahead, or else b.
func firstAhead(r Reader, setup *catalog.Setup, b *booking.Booking, now when.Instant) (*booking.Booking, error) {
	all, err := visitOf(r, b)
	for i := range all {
		if all[i].CanPayLink(setup, now) {
			return &all[i], err
		}
	}
	return b, err
}

// write saves the payments of what is due that are not in the books yet.
func (due *dueNow) write(ch *app.Change) error {
	for i := range due.unwritten {
		b := &due.unwritten[i]
		p, err := insertRecord(ch, b.ID, b.PayLink.Kind, money.Money{Amount: b.PayLink.Amount, Currency: b.PayLink.Currency})
		if err != nil {
			return err
		}
		due.payment = p
		for n := range due.shares {
			if due.shares[n].Booking == b.ID {
				due.shares[n].Payment = p.ID
			}
		}
	}
	due.unwritten = nil
	return nil
}

// CloseAhead closes the payment pages on which the booking can be paid ahead: it was paid on site, or won't be due. What arrives
// all the same goes back.
func (s *Service) CloseAhead(ch *app.Change) error {
	if ch.Booking.PayLink == nil {
		return nil
	}
	return s.stopCheckouts(ch)
}

// standsAhead reports whether one of the bookings stands whatever is paid, so that a payment of now is one ahead.
func standsAhead(r Reader, of ...booking.Booking) (bool, error) {
	for i := range of {
		if b, err := r.BookingByID(of[i].ID); err != nil || b.PayLink != nil && b.Status.Stands() {
			return err == nil, err
		}
	}
	return false, nil
}
