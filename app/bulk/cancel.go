package bulk

import (
	"context"
	"errors"
	"slices"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/record"
)

// Most is how many bookings may be listed, and cancelled, at once.
const Most = 200

// Listed is a booking as whoever cancels has seen it in the list.
type Listed struct {
	ID      string
	Version string // its ETag
	Chosen  bool   // to be cancelled; the others stay
}

// CancelInput is the input of CancelListed.
type CancelInput struct {
	Scope
	Listed  []Listed
	Message string // to the customers; "" is none
	Refund  bool   // gives back in full what was paid online; what a request has paid always goes back
}

// Check trims the message. Errors: bad_request (booking: none is chosen, or more than Most are listed; message).
func (in *CancelInput) Check() (err error) {
	if !slices.ContainsFunc(in.Listed, func(l Listed) bool { return l.Chosen }) {
		return fault.Invalid("booking", "choose at least one booking")
	}
	if len(in.Listed) > Most {
		return fault.Invalid("booking", "choose at most %d bookings", Most)
	}
	in.Message, err = fault.CheckText("message", in.Message, fault.MaxReason)
	return err
}

// Result is what became of the bookings. Each is in one of the lists.
type Result struct {
	Cancelled []record.Booking // now
	Declined  []record.Booking // now: requests that waited for approval or payment
	Before    []record.Booking // chosen, and cancelled already
	Left      []Left           // chosen, and not cancelled
	Kept      []record.Booking // not chosen, and in the scope
	New       []record.Booking // in the scope, and not in the list that was seen
}

// Left is a chosen booking that was not cancelled.
type Left struct {
	ID      string
	Booking record.Booking // as it is now; zero when the actor does not see it any more
	Err     *fault.Error   // why; nil: it has changed since it was listed
}

// CancelListed cancels the chosen bookings, each in a transaction of its own, as Cancel does, and pending ones as
// Decline does. What has changed since it was listed stays, so that nothing is cancelled unseen.
// Again it changes nothing and tells nobody. An internal error ends it: what is cancelled by then stays cancelled.
//
// Errors: forbidden, those of Check, not_found (the scope's host).
func (s *Service) CancelListed(ctx context.Context, a app.Actor, in CancelInput) (r Result, err error) {
	if err := a.May(app.MayCancel); err != nil {
		return r, err
	}
	if err := in.Check(); err != nil {
		return r, err
	}
	left, listed := map[string]bool{}, map[string]bool{}
	for _, l := range in.Listed {
		listed[l.ID] = true
	}
	for _, l := range in.Listed {
		if !l.Chosen {
			continue
		}
		b, was, err := s.cancel(ctx, a, l, &in)
		switch refusal := fault.As(err); {
		case err == nil && was == record.Cancelled:
			r.Before = append(r.Before, b)
		case err == nil && was == record.Pending:
			r.Declined = append(r.Declined, b)
		case err == nil:
			r.Cancelled = append(r.Cancelled, b)
		case refusal == nil && err != errChanged:
			return r, err
		default:
			if b, err = s.Core.Booking(ctx, a, l.ID); err != nil && !fault.Is(err, fault.NotFound) {
				return r, err
			}
			r.Left = append(r.Left, Left{ID: l.ID, Booking: b, Err: refusal})
			left[l.ID] = true
		}
	}
	now, err := s.Within(ctx, a, in.Scope, Most)
	for i := range now {
		switch id := now[i].ID.String(); {
		case left[id]:
		case listed[id]:
			r.Kept = append(r.Kept, now[i])
		default:
			r.New = append(r.New, now[i])
		}
	}
	return r, err
}

// errChanged ends the transaction of a booking that is not what was listed.
var errChanged = errors.New("bulk: the booking has changed since it was listed")

// cancel cancels one booking unless it has changed; was is its status before.
func (s *Service) cancel(ctx context.Context, a app.Actor, l Listed, in *CancelInput) (b record.Booking,
	was record.Status, err error) {
	err = s.Write(ctx, func(tx Tx) (err error) {
		core := s.Core.In(tx)
		b, err = core.Change(ctx, a, l.ID, func(ch *app.Change) error { // changes nothing: it looks behind the lock
			if was = ch.Booking.Status; was != record.Cancelled && ch.Booking.ETag() != l.Version {
				return errChanged
			}
			return nil
		})
		switch {
		case err != nil || was == record.Cancelled:
		case was == record.Pending:
			b, err = s.decline(ctx, tx, a, l.ID, in.Message)
		default:
			b, err = core.Cancel(ctx, a, l.ID, app.CancelInput{Reason: in.Message, Refund: &in.Refund})
		}
		return err
	})
	return b, was, err
}
