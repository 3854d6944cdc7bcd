package app

import (
	"context"
	"slices"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
)

// Passes is what the core needs of passes and vouchers, inside the transaction of its own change. Without it nobody pays by one.
type Passes interface {
	// ResolvePass returns the pass that is meant by a code or, by the business, an id. Errors: not_found with the reason
	// pass_unknown, conflict pass_replaced, rate_limited.
	ResolvePass(ctx context.Context, a Actor, ref string) (booking.PassID, error)
	// PayNew pays for a new booking, as much as the pass can. Errors: conflict pass_blocked, pass_ended, pass_empty,
	// pass_not_for_this, pass_not_theirs.
	PayNew(ch *Change, which booking.PassID) error
	// GiveBackPasses puts on passes again what they paid for a booking that won't take place.
	GiveBackPasses(ch *Change) error
}

// SetPasses sets the Service's Passes. It must be called before the Service is used.
func (s *Service) SetPasses(p Passes) { s.passes = p }

// FindPass looks up the pass that pays for a booking. A door that books within a transaction calls it before that begins: each try
// of a stranger counts. Errors: bad_request, and those of Passes.ResolvePass.
func (s *Service) FindPass(ctx context.Context, a Actor, in *booking.PayWith) error {
	if in == nil || in.Known != 0 {
		return nil
	}
	if in.Pass == "" || len(in.Pass) > booking.MaxPassRef || s.passes == nil {
		return fault.Invalid("payWith.pass", "must be the code of a pass or voucher")
	}
	which, err := s.passes.ResolvePass(ctx, a, in.Pass)
	if e := fault.As(err); e != nil {
		return e.About("payWith.pass")
	}
	in.Known = which
	return err
}

// payWith pays for a new booking by a pass, and lowers what it waits for: the rest is paid as the event type says.
func (s *Service) payWith(ch *Change, which booking.PassID) error {
	b := ch.Booking
	if err := s.passes.PayNew(ch, which); err != nil {
		return err
	}
	by := b.Payments[len(b.Payments)-1].Amount
	b.PayLink = nil // it would ask for all of the price
	if !b.NeedsPay || b.Payment == nil || b.Payment.Amount == 0 {
		return ch.Receipted()
	}
	rest := max(0, b.Price.Units()-by)
	if b.Payment.Amount = min(b.Payment.Amount, rest); b.Deposit != nil {
		if d := *b.Deposit; rest == 0 {
			b.Deposit = nil
		} else {
			d.Amount = min(d.Amount, rest)
			b.Deposit = &d
		}
	}
	if b.Payment.Kind = b.Payment.For(); b.Payment.Amount > 0 || b.NoShowFee != nil || b.LateFee != nil {
		return nil
	}
	b.Payment, b.NeedsPay = nil, false
	if !b.NeedsOK {
		b.Status = booking.Confirmed
	}
	b.SetPending(booking.ApprovalEnds(when.At(ch.Now), when.At(ch.Now), b.Start))
	return ch.Receipted()
}

// Receipted makes the receipt of what a pass has paid for a booking, once that stands and nothing is due for it.
func (c *Change) Receipted() error {
	b := c.Booking
	if !b.Status.Stands() || !slices.ContainsFunc(b.Payments, func(p booking.CounterPayment) bool {
		return p.Pass != nil && p.Receipt == nil && p.Stays()
	}) {
		return nil
	}
	if b.ShowMoney(c.Setup); b.Due == nil || b.Due.Amount > 0 {
		return nil
	}
	return c.service.settleReceipt(c)
}
