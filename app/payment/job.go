package payment

import (
	"context"
	"errors"
	"strconv"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/money"
	"daybook/app/when"
)

// ClaimPaymentJobs claims due jobs in this server's share for the length of the lease: nobody else gets them before it
// ends.
func (s *Service) ClaimPaymentJobs(ctx context.Context, limit int, lease time.Duration) (jobs []Job, err error) {
	mine := s.Share()
	if mine.Server == 0 {
		return nil, nil
	}
	err = s.Quietly(ctx, func(tx Tx) (err error) {
		now := when.At(s.Core.Now())
		jobs, err = tx.ClaimPaymentJobs(mine, now, now.Add(lease), limit)
		return err
	})
	return jobs, err
}

// NextPaymentJob returns when the next job of this server's share is due, or a lease ends; zero if there is none.
func (s *Service) NextPaymentJob(ctx context.Context) (when.Instant, error) {
	return s.Reader(ctx).NextPaymentJob(s.Share().Buckets)
}

// RunPaymentJob does a claimed job: it calls the provider, outside any transaction, and then saves the response and the
// end of the job in one transaction. After a crash before that, the job is claimed again, and nothing is done twice: a
// job that was begun before first looks for what it may have done, and then repeats its request with the same
// idempotency key.
func (s *Service) RunPaymentJob(ctx context.Context, j Job) error {
	settle, err := s.ask(ctx, &j)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err() // the lease ends by itself
		}
		var told *ProviderError
		if !errors.As(err, &told) {
			return err
		}
		return s.postpone(ctx, &j, told)
	}
	return s.endJob(ctx, &j, settle, Tx.FinishPaymentJob)
}

// settlement saves, in the transaction that ends its job, what the provider said.
type settlement func(t *together) error

var noSettlement settlement = func(*together) error { return nil }

// settling returns what saves it by a change of one booking.
func settling(id booking.BookingID, settle func(ch *app.Change) error) settlement {
	return func(t *together) error { return t.change(id, settle) }
}

// endJob ends the claim and settles, in one transaction; nothing happens when the claim was lost.
func (s *Service) endJob(ctx context.Context, j *Job, settle settlement,
	end func(Tx, *Job, when.Instant) (bool, error)) error {
	return s.together(ctx, j.WorkspaceID, j.BookingID, func(t *together) error {
		held, err := end(t.tx, j, when.At(t.now))
		if err != nil || !held {
			return err
		}
		return settle(t)
	})
}

// postpone has a job tried again later, or gives it up.
func (s *Service) postpone(ctx context.Context, j *Job, cause *ProviderError) error {
	j.Error = cause.Error()
	now := when.At(s.Core.Now())
	if cause.Fault == ProviderRefused || j.Tries > len(paymentPauses) && now >= j.CreatedAt.Add(paymentPatience) {
		s.Core.Log().Error("payments: given up", "action", string(j.Action), "booking", j.BookingID.String(), "workspace",
			j.WorkspaceID.String(), "error", j.Error)
		return s.endJob(ctx, j, s.givenUp(j), Tx.FailPaymentJob)
	}
	pause := paymentPauses[min(j.Tries, len(paymentPauses))-1]
	s.Core.Log().Warn("payments: to be tried again", "action", string(j.Action), "booking", j.BookingID.String(),
		"workspace", j.WorkspaceID.String(), "error", j.Error, "in", pause.String())
	return s.Quietly(ctx, func(tx Tx) error {
		_, err := tx.RetryPaymentJob(j, now.Add(pause))
		return err
	})
}

// givenUp saves the failure of a job that is given up.
func (s *Service) givenUp(j *Job) settlement {
	return settling(j.BookingID, func(ch *app.Change) error {
		switch j.Action {
		case DoCharge:
			p, err := tx(ch).Payment(j.PaymentID)
			if err != nil || p.Status != booking.PaymentUnpaid && p.Status != booking.PaymentProcessing {
				return err
			}
			return s.settleCharge(ch, &p, ChargeResult{Intent: p.Intent, Status: booking.PaymentFailed, Error: j.Error})
		case DoRefund:
			p, err := tx(ch).Payment(j.PaymentID)
			if err != nil {
				return err
			}
			p.Error = "refund of " + money.Money{Amount: j.Amount, Currency: p.Currency}.Text() + ": " + j.Error
			if err := tx(ch).UpdatePayment(&p); err != nil {
				return err
			}
			ch.Note(booking.ActRefundFailed, p.Error)
		}
		return nil
	})
}

// ask makes the job's request to the provider.
func (s *Service) ask(ctx context.Context, j *Job) (settlement, error) {
	key, err := s.providerKey(s.Reader(ctx), j.WorkspaceID)
	if err != nil {
		return nil, err
	}
	switch j.Action {
	case DoCharge:
		return s.askCharge(ctx, key, j)
	case DoRefund:
		return s.askRefunded(ctx, key, j)
	case DoSync:
		return s.askSync(ctx, key, j)
	}
	return s.askCheckout(ctx, key, j)
}

// paymentKeyLife is how long the provider is sure to know an idempotency key: Stripe keeps them for a day.
const paymentKeyLife = 20 * time.Hour

// begunBefore reports whether the job may have been done already.
func (s *Service) begunBefore(j *Job) bool {
	return j.Tries > 1 || when.At(s.Core.Now()) > j.CreatedAt.Add(paymentKeyLife)
}

func (s *Service) askCharge(ctx context.Context, key string, j *Job) (settlement, error) {
	p, err := s.Reader(ctx).Payment(j.PaymentID)
	if err != nil {
		return nil, err
	}
	if p.Status != booking.PaymentUnpaid {
		return noSettlement, nil
	}
	card, err := s.Reader(ctx).PaymentCard(p.BookingID)
	if err != nil {
		return nil, err
	}
	r := ChargeRequest{
		Key:     p.BookingID.String() + "/" + chargeKeys[p.Kind] + "/" + strconv.Itoa(p.Attempt),
		Booking: p.BookingID, Payment: p.ID, Workspace: p.WorkspaceID,
		Money: money.Money{Amount: p.Amount, Currency: p.Currency}, Customer: card.Customer, Source: card.Source,
		Title: chargeTitles[p.Kind],
	}
	var result ChargeResult
	if s.begunBefore(j) {
		result, err = s.provider.FindCharge(ctx, key, r)
	}
	if err == nil && result.Intent == "" {
		if p.Unwanted {
			return voided(&p), nil
		}
		result, err = s.provider.Charge(ctx, key, r)
	}
	return s.chargeSettlement(&p, result), err
}

// voided marks a fee as void that was taken back before it was charged.
func voided(of *Record) settlement {
	return settling(of.BookingID, func(ch *app.Change) error {
		p, err := tx(ch).Payment(of.ID)
		if err != nil {
			return err
		}
		p.Status = booking.PaymentVoid
		return tx(ch).UpdatePayment(&p)
	})
}

func (s *Service) chargeSettlement(of *Record, r ChargeResult) settlement {
	return settling(of.BookingID, func(ch *app.Change) error {
		p, err := tx(ch).Payment(of.ID)
		if err != nil {
			return err
		}
		return s.settleCharge(ch, &p, r)
	})
}

func (s *Service) askRefunded(ctx context.Context, key string, j *Job) (settlement, error) {
	p, err := s.Reader(ctx).Payment(j.PaymentID)
	if err != nil {
		return nil, err
	}
	r := RefundRequest{Key: j.ID, Booking: p.BookingID, Payment: p.ID, Intent: p.Intent,
		Money: money.Money{Amount: j.Amount, Currency: p.Currency}}
	done := false
	if s.begunBefore(j) {
		if done, err = s.provider.Refunded(ctx, key, r); err != nil {
			return nil, err
		}
	}
	if !done {
		if err := s.provider.Refund(ctx, key, r); err != nil {
			return nil, err
		}
	}
	result, err := s.provider.ChargeOf(ctx, key, p.Intent)
	if err != nil {
		return nil, err
	}
	result, err = s.ofShare(ctx, &p, result)
	return s.chargeSettlement(&p, result), err
}

func (s *Service) askSync(ctx context.Context, key string, j *Job) (settlement, error) {
	p, err := s.Reader(ctx).Payment(j.PaymentID)
	if err != nil {
		return nil, err
	}
	intent := j.Intent
	if intent == "" {
		intent = p.Intent
	}
	if intent == "" {
		return noSettlement, nil
	}
	if shared, err := s.sharedUnpaid(ctx, &p); err != nil || shared {
		return noSettlement, err
	}
	result, err := s.provider.ChargeOf(ctx, key, intent)
	if err != nil {
		return nil, err
	}
	result, err = s.ofShare(ctx, &p, result)
	return s.chargeSettlement(&p, result), err
}

// askCheckout looks what became of a checkout, and for an expire job closes it first. One whose opening was never
// answered is opened again, which finds it.
func (s *Service) askCheckout(ctx context.Context, key string, j *Job) (settlement, error) {
	c, err := s.Reader(ctx).Checkout(j.CheckoutID)
	if err != nil {
		return nil, err
	}
	if c.State.over() {
		return noSettlement, nil
	}
	session := c.Session
	if session == "" {
		opened, err := s.provider.OpenCheckout(ctx, key, c.Request)
		var told *ProviderError
		if errors.As(err, &told) && told.Fault == ProviderRefused {
			opened.Stage, err = CheckoutExpired, nil // it was never opened
		}
		if err != nil || opened.Session == "" {
			return s.checkoutSettlement(c.ID, opened), err
		}
		session = opened.Session
	}
	look := s.provider.Checkout
	if j.Action == DoExpire {
		look = s.provider.ExpireCheckout
	}
	result, err := look(ctx, key, session)
	return s.checkoutSettlement(c.ID, result), err
}

func (s *Service) checkoutSettlement(id CheckoutID, r CheckoutResult) settlement {
	return func(t *together) error { return s.settleCheckout(t, id, r) }
}
