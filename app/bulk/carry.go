package bulk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/app/work"
)

// Run carries out the cancellations that are due, until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	work.Every(ctx, time.Second, s.CarryOut, func(err error, repeated int) {
		s.Core.Log().Error("bookings that are to be cancelled together can't be", "error", err, "repeated", repeated)
	})
	return nil
}

// CarryOut carries out the cancellations that are due. A cancellation that another process left unfinished is
// continued. If one booking fails, the others are still cancelled, and the next call tries that one again; the error
// joins all failures. Each server does this for its own share.
func (s *Service) CarryOut(ctx context.Context) error {
	mine := s.Share().Buckets
	if mine == 0 {
		return nil
	}
	due, err := s.Reader(ctx).DueCancellations(mine, when.At(s.Now()), 20)
	if err != nil {
		return err
	}
	var failed []error
	for i := range due {
		if err := s.carryOut(ctx, &due[i]); err != nil {
			failed = append(failed, fmt.Errorf("cancellation %s: %w", due[i].ID, err))
		}
	}
	return errors.Join(failed...)
}

func (s *Service) carryOut(ctx context.Context, c *Cancellation) error {
	if c.State == Waits {
		begun := false
		err := s.Write(ctx, func(tx Tx) (err error) {
			begun, err = tx.BeginCancellation(c.Workspace, c.ID, when.At(s.Now()))
			return err
		})
		if err != nil || !begun { // it was undone, or another server begins
			return err
		}
	}
	a, may, err := s.actor(ctx, c)
	if err != nil {
		return err
	}
	var failed []error
	for _, i := range c.Items {
		if i.Outcome != Open {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !may {
			i.Outcome = NoRight
			err = s.settle(ctx, c, i)
		} else {
			err = s.cancel(ctx, a, c, i)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("booking %s: %w", i.Booking, err))
		}
	}
	failed = append(failed, s.Write(ctx, func(tx Tx) error {
		return tx.EndCancellation(c.Workspace, c.ID, when.At(s.Now()))
	}))
	return errors.Join(failed...)
}

// actor returns the member who confirmed the cancellation, with the rights that they have now; may is false where they
// are no member any more or may not cancel.
func (s *Service) actor(ctx context.Context, c *Cancellation) (a app.Actor, may bool, err error) {
	a = app.Actor{Kind: booking.ByOwner, Workspace: c.Workspace}
	if c.By != 0 {
		members, err := s.Reader(ctx).Users(c.Workspace, app.Every)
		if err != nil {
			return a, false, err
		}
		n := slices.IndexFunc(members, func(u app.User) bool { return u.ID == c.By })
		if n < 0 {
			return a, false, nil
		}
		a = members[n].Actor()
		a.Workspace = c.Workspace
	}
	return a, a.May(app.MayCancel) == nil, nil
}

// settle says what became of an item that nothing was done about.
func (s *Service) settle(ctx context.Context, c *Cancellation, i Item) error {
	return s.Write(ctx, func(tx Tx) error {
		_, err := tx.SettleItem(c.Workspace, c.ID, i)
		return err
	})
}

// errLeft ends the transaction of a booking that is left.
var errLeft = errors.New("bulk: the booking is left")

// cancel cancels a booking if it still is as it was shown, in one transaction with the item's outcome: however often
// and wherever it is called, the booking is cancelled once.
func (s *Service) cancel(ctx context.Context, a app.Actor, c *Cancellation, i Item) error {
	var left Outcome
	err := s.Write(ctx, func(tx Tx) error {
		left = Open
		core, ref, is := s.Core.In(tx), i.Booking.String(), Item{Booking: i.Booking, Outcome: Cancelled}
		_, err := core.Change(ctx, a, ref, func(ch *app.Change) error { // changes nothing: it looks behind the lock
			b := ch.Booking
			switch {
			case b.Status == booking.Cancelled:
				left = Before
			case Version(b) != i.Version:
				left = Changed
			case b.EndsDeclined():
				is.Outcome = Declined
			}
			if left != Open {
				return errLeft
			}
			return nil
		})
		if err != nil {
			return err
		}
		if first, err := tx.SettleItem(c.Workspace, c.ID, is); err != nil || !first { // another server has done it
			return err
		}
		if is.Outcome == Declined {
			_, err = s.Core.In(tx).Decline(ctx, a, ref, c.Message, app.Among{Ending: c.bookings(), Offers: c.Offers})
		} else {
			_, err = core.Cancel(ctx, a, ref, app.CancelInput{Reason: c.Message, Refund: &c.Refund, Ending: c.bookings(), Offers: c.Offers})
		}
		return err
	})
	refusal := fault.As(err)
	switch {
	case err == nil:
		return nil
	case err == errLeft:
		i.Outcome = left
	case refusal == nil, refusal.Reason == "workspace_suspended": // it goes on when that ends
		return err
	case refusal.Code == fault.NotFound:
		i.Outcome = Gone
	case refusal.Code == fault.Forbidden:
		i.Outcome = NoRight
	default:
		i.Outcome, i.Why = Refused, refusal.Text()
	}
	return s.settle(ctx, c, i)
}
