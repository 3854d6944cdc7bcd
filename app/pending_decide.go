package app

import (
	"context"
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// Confirm approves a pending booking, and with it those of its visit that are pending. Of the rules in override only
// requirement stands against that: the customer lacks a consent that the event type requires. Errors: not_found, forbidden,
// bad_request (a rule), conflict wrong_state, conflict payment_due, conflict requirement.
func (s *Service) Confirm(ctx context.Context, a Actor, id string, override ...string) (booking.Booking, error) {
	if err := a.May(MayDecide); err != nil {
		return booking.Booking{}, err
	}
	waived, err := booking.ParseOverride(override)
	if err != nil {
		return booking.Booking{}, err
	}
	if waived != 0 {
		if err := a.May(MayWaive); err != nil {
			return booking.Booking{}, err
		}
	}
	return s.decide(ctx, a, id, nil, func(ch *Change) error {
		b := ch.Booking
		if b.Status != booking.Pending || b.ExpiresAt <= when.At(ch.Now) {
			return WrongState(b, "confirmed")
		}
		if b.NeedsPay {
			return fault.Conflictf("payment_due",
				"This booking waits for its payment first; it can be confirmed once that has arrived.")
		}
		if err := ch.requireFor(b, waived); err != nil {
			return err
		}
		b.Status = booking.Confirmed
		b.SetPending(0)
		if err := ch.Become(booking.Confirmed, booking.ActConfirmed, ""); err != nil {
			return err
		}
		if err := ch.Receipted(); err != nil {
			return err
		}
		if err := ch.EmitBooking(catalog.BookingApproved); err != nil {
			return err
		}
		return ch.EmitBooking(catalog.BookingCreated)
	})
}

// Among is an order to cancel several bookings.
type Among struct {
	Ending []booking.BookingID // all of them
	Offers bool                // what they free is offered to who waits
}

// Decline refuses a pending booking and frees its time, and so for those of its visit that are pending. Errors:
// not_found, forbidden, conflict wrong_state. among says of which order to cancel several bookings it is a part.
func (s *Service) Decline(ctx context.Context, a Actor, id, reason string, among ...Among) (booking.Booking, error) {
	if err := a.May(MayDecide); err != nil {
		return booking.Booking{}, err
	}
	reason, err := fault.CheckText("reason", reason, fault.MaxReason)
	if err != nil {
		return booking.Booking{}, err
	}
	return s.decide(ctx, a, id, nil, func(ch *Change) error {
		b := ch.Booking
		if b.Status != booking.Pending {
			return WrongState(b, "declined")
		}
		for _, order := range among {
			ch.ending, ch.offers = order.Ending, order.Offers
		}
		return ch.Cancel(booking.ActDeclined, reason, true)
	})
}

// decidedWith returns what is decided with a booking: what the actor sees of its series or visit and is pending, and the
// booking itself.
func (s *Service) decidedWith(r Reader, a Actor, b *booking.Booking) ([]booking.Booking, error) {
	var all []booking.Booking
	switch {
	case b.Status != booking.Pending || b.Series == nil && b.Visit == nil:
		return []booking.Booking{*b}, nil
	case b.Series != nil:
		made, _, err := s.findSeries(r, a, b.Series.ID.String())
		if err != nil {
			return nil, err
		}
		all = made.Bookings
	default:
		v, _, err := s.seenOf(r, a, b.Visit)
		if err != nil {
			return nil, err
		}
		all = v.Items
	}
	return slices.DeleteFunc(all, func(of booking.Booking) bool { return of.Status != booking.Pending && of.ID != b.ID }), nil
}

// decide changes a booking and, where it is pending in a visit or a series, all of that which is: all or none. The actor must
// see all of it. Nothing is done where leave, which may be nil, reports it of the booking with the id.
func (s *Service) decide(ctx context.Context, a Actor, id string, leave func(b *booking.Booking, now when.Instant) bool,
	do func(*Change) error) (booking.Booking, error) {
	left := func(b *booking.Booking, now time.Time) bool { return leave != nil && leave(b, when.At(now)) }
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return booking.Booking{}, err
	}
	if b.Visit == nil && b.Series == nil || b.Status != booking.Pending {
		return s.Change(ctx, a, id, func(ch *Change) error {
			if left(ch.Booking, ch.Now) {
				return nil
			}
			return do(ch)
		})
	}
	find := func(r Reader) (booking.Visit, bool, error) { return s.seenOf(r, a, b.Visit) }
	if a.Booking == b.ID { // whom a mail has asked about this booking decides about its visit
		a.Visit = b.Visit
	}
	if b.Series != nil {
		all, err := s.Reader(ctx).Bookings(a.Workspace, booking.BookingFilter{Series: b.Series.ID, Limit: booking.MaxSeries})
		if err != nil {
			return booking.Booking{}, err
		}
		if a.Booking == b.ID { // and about its series
			a.Visit = &booking.VisitRef{}
			for i := range all {
				a.Visit.Bookings = append(a.Visit.Bookings, all[i].ID)
			}
		}
		find = func(r Reader) (booking.Visit, bool, error) {
			made, all, err := s.findSeries(r, a, b.Series.ID.String())
			return booking.Visit{Items: made.Bookings}, all, err
		}
	}
	var decided booking.Booking
	err = s.changeVisit(ctx, a, find,
		func(bound *Service, _ Tx, _ *catalog.Setup, v *booking.Visit) error {
			if slices.ContainsFunc(v.Items, func(now booking.Booking) bool { return now.ID == b.ID && left(&now, bound.at) }) {
				return nil
			}
			for i := range v.Items {
				if v.Items[i].Status != booking.Pending && v.Items[i].ID != b.ID {
					continue
				}
				one, err := bound.Change(ctx, a, v.Items[i].ID.String(), func(ch *Change) error {
					ch.withVisit, ch.withSeries = true, true
					return do(ch)
				})
				if err != nil {
					return err
				}
				if one.ID == b.ID {
					decided = one
				}
			}
			return nil
		})
	if err == errPartOfVisit {
		return booking.Booking{}, fault.New(fault.Forbidden, "", "This booking is one of several, with services or people that "+
			"you can't see: somebody who sees all of them confirms or declines it.")
	}
	return decided, err
}
