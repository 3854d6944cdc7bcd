package counter

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/money"
)

// Due returns what is due for the bookings together, and what is paid; nil where nothing is, or where they are in
// several currencies.
func Due(all []booking.Booking) (due, paid *money.Money) {
	sum := func(of func(*booking.Booking) *money.Money) (sum *money.Money) {
		for i := range all {
			m := of(&all[i])
			switch {
			case m == nil || m.Amount == 0 || !all[i].Status.Stands():
			case sum == nil:
				sum = &money.Money{Amount: m.Amount, Currency: m.Currency}
			case sum.Currency != m.Currency:
				return nil
			default:
				sum.Amount += m.Amount
			}
		}
		return sum
	}
	return sum(func(b *booking.Booking) *money.Money { return b.Due }), sum(func(b *booking.Booking) *money.Money { return b.Paid })
}

// RecordVisit records money that was taken for what the actor sees of a visit, all in one transaction: each of its
// bookings gets a payment of what is due for it, in the order of the visit, as far as the amount goes. The tip is of the
// last of these, or of the last booking where nothing is due. Each booking that is settled by it has a receipt of its own.
// Errors: those of Record; overpaid where the amount is more than is due for all.
func (s *Service) RecordVisit(ctx context.Context, a app.Actor, ref string, in Input) (booking.Visit, error) {
	if err := a.May(app.MayTakeMoney); err != nil {
		return booking.Visit{}, err
	}
	if err := in.check(); err != nil {
		return booking.Visit{}, err
	}
	if in.Pass != "" {
		return booking.Visit{}, fault.Invalid("pass", "pays for one booking, or in a sale of the whole visit")
	}
	err := s.Core.WithSeenVisit(ctx, a, ref, func(tx app.Tx, _ time.Time, v *booking.Visit) error {
		bound := s.In(tx)
		var paid []int
		left, last := in.Amount, -1
		amounts := make([]int64, len(v.Items))
		for i := range v.Items {
			b := &v.Items[i]
			if !b.Status.Stands() {
				continue
			}
			if last = i; b.Due == nil || b.Due.Amount == 0 || left == 0 {
				continue
			}
			amounts[i] = min(left, b.Due.Amount)
			left -= amounts[i]
			paid = append(paid, i)
		}
		switch {
		case last < 0:
			return app.WrongState(&v.Items[0], "paid at the counter")
		case left > 0:
			due, _ := Due(v.Items)
			return refuseOverpaid(&booking.Booking{Due: due}, in.Amount)
		case len(paid) == 0:
			paid = append(paid, last)
		}
		for n, i := range paid {
			one := in
			if one.Amount = amounts[i]; n < len(paid)-1 {
				one.Tip = 0
			}
			if _, err := bound.Record(ctx, a, v.Items[i].ID.String(), one); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return booking.Visit{}, err
	}
	return s.Core.Visit(ctx, a, ref)
}
