package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// VisitAvailability returns the open starts of a visit of several services, earliest first. Errors: those of
// Availability.
func (s *Service) VisitAvailability(ctx context.Context, a Actor, in availability.VisitInput) (*availability.Visits, error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return nil, err
	}
	v, err := s.visitSearch(ctx, a, in)
	if err != nil {
		return nil, err
	}
	return v.Result(ctx, s.Reader(ctx))
}

func (s *Service) visitSearch(ctx context.Context, a Actor, in availability.VisitInput) (*availability.Visit, error) {
	setup, err := s.SetupFor(a)
	if err != nil {
		return nil, err
	}
	if in.ExcludeVisit != "" {
		err = s.askWhereToMove(ctx, a, setup, &in)
	} else {
		if in.Spoken {
			if err := a.understandItems(setup, in.Items, &in.TimeZone); err != nil {
				return nil, err
			}
		}
		err = s.checkItems(a, setup, in.Items)
	}
	if err != nil {
		return nil, err
	}
	return availability.NewVisit(s.Reader(ctx), setup, s.clock(), &s.searches, in)
}

// Visit returns a visit, with those of its bookings that the actor sees. The error is not_found.
func (s *Service) Visit(ctx context.Context, a Actor, ref string) (booking.Visit, error) {
	if err := a.May(MaySeeBooking); err != nil {
		return booking.Visit{}, err
	}
	v, all, err := s.findVisit(s.Reader(ctx), a, ref)
	if err != nil {
		return v, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return v, err
	}
	s.presentVisit(setup, a, &v, all)
	return v, nil
}

// findVisit returns the stored visit as far as the actor sees it, and whether that is all of it.
func (s *Service) findVisit(r Reader, a Actor, ref string) (v booking.Visit, all bool, err error) {
	missing := fault.Missing("visit", ref)
	v.ID, err = id.Parse[booking.VisitIDKind](ref)
	if err != nil || a.Kind == booking.ByInvitee && a.Booking == 0 { // a visitor has the link of none
		return v, false, missing
	}
	first, err := r.Booking(a.Workspace, booking.FirstOf(v.ID))
	if err != nil {
		return v, false, fault.OrMissing(err, missing)
	}
	if first.Visit == nil || first.Visit.ID != v.ID {
		return v, false, missing
	}
	return s.seenOf(r, a, first.Visit)
}

// seenOf returns what is stored of the visit as far as the actor sees it, and whether that is all of it.
func (s *Service) seenOf(r Reader, a Actor, of *booking.VisitRef) (v booking.Visit, all bool, err error) {
	v.ID = of.ID
	if v.Items, err = bookingsOf(r, a.Workspace, of); err != nil {
		return v, false, err
	}
	stored := len(v.Items)
	v.Items = slices.DeleteFunc(v.Items, func(b booking.Booking) bool { return !a.SeesBooking(&b) })
	if len(v.Items) == 0 {
		return v, false, fault.Missing("visit", of.ID.String())
	}
	v.Span()
	return v, len(v.Items) == stored, nil
}

// bookingsOf returns the stored bookings of a visit, in its order, but for those that were deleted or aren't made yet.
func bookingsOf(r Reader, ws catalog.WorkspaceID, v *booking.VisitRef) (all []booking.Booking, err error) {
	for _, ref := range v.Bookings {
		b, err := r.Booking(ws, ref)
		if errors.Is(err, fault.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// errPartOfVisit says that the actor doesn't see all of a visit.
var errPartOfVisit = errors.New("the actor sees only a part of the visit")

// changeVisit runs do in a transaction that has locked all of the visit that find finds, and what its bookings may take.
// Errors: those of find and do, and errPartOfVisit.
func (s *Service) changeVisit(ctx context.Context, a Actor, find func(Reader) (booking.Visit, bool, error),
	do func(bound *Service, tx Tx, setup *catalog.Setup, v *booking.Visit) error) error {
	v, all, err := find(s.Reader(ctx))
	if err != nil {
		return err
	}
	if !all {
		return errPartOfVisit
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		ch, err := s.Lock(tx, a, v.Items[0].EventTypeID.String(), noReads, locksOfVisit(setup, v.Items))
		if err != nil {
			return err
		}
		now, all, err := find(tx)
		if err != nil {
			return err
		}
		if !all {
			return errPartOfVisit
		}
		bound := s.In(tx)
		bound.at = ch.Now
		return do(bound, tx, ch.Setup, &now)
	})
}

// WithSeenVisit runs do in a transaction that has locked all of a visit and what its bookings may take, with as much of the
// visit as the actor sees. Errors: forbidden, not_found, and those of do, which must do nothing but SQL.
func (s *Service) WithSeenVisit(ctx context.Context, a Actor, ref string, do func(tx Tx, now time.Time, v *booking.Visit) error) error {
	if err := a.May(MayChange); err != nil {
		return err
	}
	v, _, err := s.findVisit(s.Reader(ctx), a, ref)
	if err != nil {
		return err
	}
	all, err := bookingsOf(s.Reader(ctx), a.Workspace, v.Items[0].Visit)
	if err != nil {
		return err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		ch, err := s.Lock(tx, a, all[0].EventTypeID.String(), noReads, locksOfVisit(setup, all))
		if err != nil {
			return err
		}
		v, seen, err := s.findVisit(tx, a, ref)
		if err != nil {
			return err
		}
		s.presentVisit(ch.Setup, a, &v, seen)
		return do(tx, ch.Now, &v)
	})
}

// WithBookings runs do in a transaction that has locked these bookings and what they may take, with all of them as they are
// behind the lock; with none, in a transaction that has locked nothing. Errors: forbidden, not_found, and those of do, which must
// do nothing but SQL.
func (s *Service) WithBookings(ctx context.Context, a Actor, which []booking.BookingID,
	do func(tx Tx, setup *catalog.Setup, now time.Time, all []booking.Booking) error) error {
	if err := a.May(MayChange); err != nil {
		return err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return err
	}
	if len(which) == 0 {
		return s.Write(ctx, func(tx Tx) error {
			setup, err := tx.Setup(a.Workspace)
			if err != nil {
				return err
			}
			if err := setup.Workspace.Open(); err != nil {
				return err
			}
			return do(tx, setup, s.clock(), nil)
		})
	}
	before := make([]booking.Booking, len(which))
	for i, ref := range which {
		if before[i], err = s.Find(ctx, a, ref.String()); err != nil {
			return err
		}
	}
	locks := locksOfVisit(setup, before)
	for i := range before { // as Change does
		if before[i].Visit == nil {
			continue
		}
		siblings, err := bookingsOf(s.Reader(ctx), a.Workspace, before[i].Visit)
		if err != nil {
			return err
		}
		locks = locks.And(locksOfVisit(setup, siblings))
	}
	return s.Write(ctx, func(tx Tx) error {
		ch, err := s.Lock(tx, a, before[0].EventTypeID.String(), noReads, locks)
		if err != nil {
			return err
		}
		all := make([]booking.Booking, len(which))
		for held := locks; ; {
			var more catalog.Locks
			for i, ref := range which {
				b, err := tx.Booking(a.Workspace, ref)
				if err != nil {
					return fault.OrMissing(err, fault.Missing("booking", ref.String()))
				}
				if !a.SeesBooking(&b) {
					return fault.Missing("booking", ref.String())
				}
				all[i], more = b, more.And(lockOf(&b))
			}
			if more = more.Without(held); more.None() { // else another host has one since it was found
				break
			}
			if _, err := tx.LockTaken(a.Workspace, more); err != nil {
				return err
			}
			held = held.And(more)
		}
		return do(tx, ch.Setup, ch.Now, all)
	})
}

// locksOfVisit returns what changes of these bookings lock, so that it can be locked at once.
func locksOfVisit(setup *catalog.Setup, items []booking.Booking) (locks catalog.Locks) {
	for i := range items {
		locks = locks.And(lockOf(&items[i]))
		if e := setup.EventTypeByID(items[i].EventTypeID); e != nil {
			locks = locks.And(setup.Locks(e))
		}
	}
	return locks
}

// ChangeWithVisit runs do in one transaction that has locked what the booking with the id takes and, where it is one of
// several of a visit or a series, all of that. Within it change changes one of these bookings as Change does, one after
// the other. Errors: those of Change and of do, which must do nothing but SQL.
func (s *Service) ChangeWithVisit(ctx context.Context, a Actor, id string, do func(tx Tx, now time.Time,
	change func(booking.BookingID, func(*Change) error) error) error) error {
	if err := a.May(MayChange); err != nil {
		return err
	}
	b, err := s.Find(ctx, a, id)
	if err != nil {
		return err
	}
	find := func(r Reader) (booking.Visit, bool, error) { return s.seenOf(r, a, b.Visit) }
	switch {
	case b.Series != nil:
		find = func(r Reader) (booking.Visit, bool, error) {
			made, all, err := s.findSeries(r, a, b.Series.ID.String())
			return booking.Visit{Items: made.Bookings}, all, err
		}
	case !b.InVisit():
		_, err := s.Change(ctx, a, id, func(ch *Change) error {
			return do(ch.Tx, ch.Now, func(_ booking.BookingID, change func(*Change) error) error { return change(ch) })
		})
		return err
	}
	return s.changeVisit(ctx, a, find, func(bound *Service, tx Tx, _ *catalog.Setup, _ *booking.Visit) error {
		return do(tx, bound.at, func(id booking.BookingID, change func(*Change) error) error {
			_, err := bound.Change(ctx, a, id.String(), change)
			return err
		})
	})
}

// WithVisit says that the change is one of all of the booking's visit.
func (c *Change) WithVisit() { c.withVisit = true }

// WithSeries says that the change is one of several dates of the booking's series.
func (c *Change) WithSeries() { c.withSeries = true }

// Siblings returns the other bookings of the booking's visit, in its order, as they are now. alone says that they don't
// change with it.
func (c *Change) Siblings() (others []booking.Booking, alone bool, err error) {
	if c.Booking.Visit == nil {
		return nil, true, nil
	}
	all, err := bookingsOf(c.Tx, c.Booking.WorkspaceID, c.Booking.Visit)
	return slices.DeleteFunc(all, func(b booking.Booking) bool { return b.ID == c.Booking.ID }), !c.withVisit, err
}

// changeNamed is changeVisit for the visit with the id, which it returns.
func (s *Service) changeNamed(ctx context.Context, a Actor, ref string,
	do func(bound *Service, tx Tx, setup *catalog.Setup, v *booking.Visit) error) (booking.Visit, error) {
	err := s.changeVisit(ctx, a, func(r Reader) (booking.Visit, bool, error) { return s.findVisit(r, a, ref) }, do)
	if err == errPartOfVisit {
		err = fault.Missing("visit", ref)
	}
	if err != nil {
		return booking.Visit{}, err
	}
	return s.Visit(ctx, a, ref)
}

// chargeable says of which bookings of a visit cancelling now can be charged, and of how many.
func (s *Service) chargeable(tx Tx, setup *catalog.Setup, a Actor, v *booking.Visit) (which []bool, n int, err error) {
	which = make([]bool, len(v.Items))
	for i := range v.Items {
		b := &v.Items[i]
		if !b.CancelsLate(when.At(s.at)) {
			continue
		}
		if which[i], err = s.till.HasCard(&Change{Tx: tx, Setup: setup, Now: s.at, Actor: a, Booking: b, service: s}); err != nil {
			return nil, 0, err
		}
		if which[i] {
			n++
		}
	}
	return which, n, nil
}

// CancelVisit cancels every booking of a visit that is live, or none. A fee for a late cancellation that the business
// charges is that of each booking which has one. Errors: those of Cancel; precondition_failed.
func (s *Service) CancelVisit(ctx context.Context, a Actor, ref string, in CancelInput) (booking.Visit, error) {
	if err := a.May(MayCancel); err != nil {
		return booking.Visit{}, err
	}
	in.WithVisit = true
	return s.changeNamed(ctx, a, ref, func(bound *Service, tx Tx, setup *catalog.Setup, v *booking.Visit) error {
		if err := fault.CheckETag(in.Match, v.ETag(), "visit"); err != nil {
			return err
		}
		charged, fees, err := bound.chargeable(tx, setup, a, v)
		if err != nil {
			return err
		}
		for i := range v.Items {
			if !a.Business() && !v.Items[i].Status.Live() { // what is over stays as it is
				continue
			}
			one := in
			if one.ChargeLateFee && fees > 0 { // of those that have one
				one.ChargeLateFee = charged[i]
			}
			if _, err := bound.Cancel(ctx, a, v.Items[i].ID.String(), one); err != nil {
				return err
			}
		}
		return nil
	})
}
