package payment

import (
	"context"
	"errors"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/app/work"
)

const (
	providerEventLife = 35 * when.Day // the provider keeps and repeats its events for 30
	paymentJobLife    = 90 * when.Day
)

// AcceptProviderEvent accepts an event of the provider once: a repetition changes nothing. Events about anything else
// are accepted, too.
func (s *Service) AcceptProviderEvent(ctx context.Context, ws catalog.WorkspaceID, e ProviderEvent) error {
	if e.Checkout != nil {
		c, err := s.checkoutOf(ctx, ws, e.Checkout)
		if err == nil {
			return s.acceptFor(ctx, ws, &e, c.BookingID, s.checkoutSettlement(c.ID, *e.Checkout))
		}
		if !errors.Is(err, fault.ErrNotFound) {
			return err
		}
	}
	if e.Intent != "" {
		all, err := s.paymentsOf(ctx, ws, &e)
		if err != nil {
			return err
		}
		if len(all) > 0 {
			return s.acceptFor(ctx, ws, &e, all[0].BookingID, func(t *together) error {
				for _, p := range all {
					if err := queueJob(t.tx, t.now, Job{WorkspaceID: ws, BookingID: p.BookingID, Action: DoSync, PaymentID: p.ID,
						Intent: e.Intent}, 0); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	if s.others != nil {
		if _, err := s.others(ctx, ws, &e); err != nil {
			return err
		}
	}
	return s.Write(ctx, func(tx Tx) error {
		_, err := s.note(tx, ws, &e)
		return err
	})
}

// note saves that the event arrived, and reports whether it is new.
func (s *Service) note(tx Tx, ws catalog.WorkspaceID, e *ProviderEvent) (bool, error) {
	now := when.At(s.Core.Now())
	if !e.Missed {
		if err := tx.TouchPaymentAccount(ws, e.Kind, now); err != nil {
			return false, err
		}
	}
	return tx.InsertProviderEvent(ws, e.ID, now)
}

// acceptFor accepts an event about a booking, in one transaction with what it changes.
func (s *Service) acceptFor(ctx context.Context, ws catalog.WorkspaceID, e *ProviderEvent, id booking.BookingID,
	settle settlement) error {
	return s.together(ctx, ws, id, func(t *together) error {
		news, err := s.note(t.tx, ws, e)
		if err != nil || !news {
			return err
		}
		return settle(t)
	})
}

// checkoutOf returns the checkout of a provider's event, even if the event arrives before the answer to its opening.
func (s *Service) checkoutOf(ctx context.Context, ws catalog.WorkspaceID, r *CheckoutResult) (Checkout, error) {
	c, err := s.Reader(ctx).CheckoutBySession(ws, r.Session)
	if !errors.Is(err, fault.ErrNotFound) || r.Checkout == 0 {
		return c, err
	}
	if c, err = s.Reader(ctx).Checkout(r.Checkout); err == nil &&
		(c.WorkspaceID != ws || c.Session != "" && c.Session != r.Session) {
		err = fault.ErrNotFound
	}
	return c, err
}

// paymentsOf returns the payments of a provider's event; none if it is about something else.
func (s *Service) paymentsOf(ctx context.Context, ws catalog.WorkspaceID, e *ProviderEvent) ([]Record, error) {
	all, err := s.Reader(ctx).PaymentsByIntent(ws, e.Intent)
	if err != nil || len(all) > 0 || e.Payment == 0 {
		return all, err
	}
	p, err := s.Reader(ctx).Payment(e.Payment)
	if errors.Is(err, fault.ErrNotFound) || err == nil && p.WorkspaceID != ws {
		return nil, nil
	}
	return []Record{p}, err
}

// ReconcilePayments asks the provider about everything that may have been missed, for every workspace in the buckets:
// events since the last time, open checkouts, and payments and refunds under way. Whatever fails is tried again next
// time.
func (s *Service) ReconcilePayments(ctx context.Context, of work.Buckets) error {
	accounts, err := s.Reader(ctx).PaymentAccounts(1 << 30)
	if err != nil {
		return err
	}
	for i := range accounts {
		if !of.Has(int64(accounts[i].WorkspaceID)) {
			continue
		}
		if err := s.reconcile(ctx, &accounts[i]); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s.Core.Log().Warn("payments: can't look for what was missed", "workspace", accounts[i].WorkspaceID.String(), "error",
				providerText(err))
		}
	}
	if !of.Leads() {
		return nil
	}
	return s.prunePayments(ctx)
}

func (s *Service) reconcile(ctx context.Context, a *Account) error {
	began := when.At(s.Core.Now())
	if err := s.queueLooks(ctx, a.WorkspaceID); err != nil {
		return err
	}
	key, err := s.providerKey(s.Reader(ctx), a.WorkspaceID)
	if err != nil {
		return err
	}
	since := max(a.LookedAt.Add(-time.Hour), began.Add(-29*when.Day))
	err = s.provider.Events(ctx, key, since, func(e ProviderEvent) error {
		if e.Checkout == nil && e.Intent == "" {
			return nil
		}
		e.Missed = true
		return s.AcceptProviderEvent(ctx, a.WorkspaceID, e)
	})
	if err != nil {
		return err
	}
	return s.Quietly(ctx, func(tx Tx) error { return tx.SetLooked(a.WorkspaceID, began) })
}

// queueLooks queues a job for everything that is not settled.
func (s *Service) queueLooks(ctx context.Context, ws catalog.WorkspaceID) error {
	const step = 100
	queue := func(j Job) error {
		return s.Write(ctx, func(tx Tx) error {
			return queueJob(tx, s.Core.Now(), j, 0)
		})
	}
	for after, n := CheckoutID(0), step; n == step; {
		open, err := s.Reader(ctx).OpenCheckouts(ws, after, step)
		if err != nil {
			return err
		}
		for _, c := range open {
			after = c.ID
			if c.Session == "" {
				continue // it has a job of its own
			}
			if err := queue(Job{WorkspaceID: ws, BookingID: c.BookingID, Action: DoLook, CheckoutID: c.ID}); err != nil {
				return err
			}
		}
		n = len(open)
	}
	for after, n := booking.PaymentID(0), step; n == step; {
		open, err := s.Reader(ctx).UnsettledPayments(ws, after, step)
		if err != nil {
			return err
		}
		for _, p := range open {
			after = p.ID
			if err := queue(Job{WorkspaceID: ws, BookingID: p.BookingID, Action: DoSync, PaymentID: p.ID}); err != nil {
				return err
			}
		}
		n = len(open)
	}
	return nil
}

// prunePayments deletes accepted events and finished jobs that are too old to matter, in small steps.
func (s *Service) prunePayments(ctx context.Context) error {
	const step = 200
	now := when.At(s.Core.Now())
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) error {
			events, err := tx.PruneProviderEvents(now.Add(-providerEventLife), step)
			if err != nil {
				return err
			}
			jobs, err := tx.PrunePaymentJobs(now.Add(-paymentJobLife), step)
			n = max(events, jobs)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
