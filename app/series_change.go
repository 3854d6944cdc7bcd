package app

import (
	"context"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// CancelSeries cancels bookings of a series: those of the date of in.From, or those behind it or all, too, which have not
// begun; all or none. An invitee cancels those for which it isn't too late, and Series.Kept names the others. A fee for a
// late cancellation is only for one date. Errors: those of Cancel and CancelVisit; bad_request (from, scope).
func (s *Service) CancelSeries(ctx context.Context, a Actor, ref string, in booking.SeriesCancelInput) (booking.Series, error) {
	if err := a.May(MayCancel); err != nil {
		return booking.Series{}, err
	}
	if err := booking.CheckScope(&in.Scope); err != nil {
		return booking.Series{}, err
	}
	if in.ChargeLateFee && in.Scope != booking.SeriesThis {
		return booking.Series{}, fault.Invalid("chargeLateFee", "is for one date: leave it out, or give the scope this")
	}
	var kept []booking.SeriesKept
	made, err := s.changeSeries(ctx, a, ref, in.From, in.Scope, func(bound *Service, c *seriesChange) error {
		kept = nil
		for _, d := range c.dates {
			one := in.CancelInput
			one.WithSeries = in.Scope != booking.SeriesThis
			one.Ending, one.Offers = c.ids(), in.OfferToWaitlist
			var err error
			if d[0].InVisit() {
				_, err = bound.CancelVisit(ctx, a, d[0].Visit.ID.String(), one)
			} else {
				_, err = bound.Cancel(ctx, a, d[0].ID.String(), one)
			}
			if e := fault.Refusal(err); e != nil && !a.Business() && in.Scope != booking.SeriesThis &&
				(e.Reason == "too_late" || e.Reason == "late_fee") {
				for i := range d {
					kept = append(kept, booking.SeriesKept{ID: d[i].ID, Reason: e.Reason})
				}
				continue
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	made.Kept = kept
	return made, err
}

// MoveSeries moves bookings of a series: those of the date of in.From to in.Start, and those behind it or all by as much on
// the workspace's clock, each from where it is, unless they have begun; all or none. Each keeps its host where that one is
// free, and the times that others of them leave count as free. Errors: those of Reschedule and MoveVisit; bad_request
// (from, scope); conflict series_conflict with details.dates, of which each names its booking.
func (s *Service) MoveSeries(ctx context.Context, a Actor, ref string, in booking.SeriesMoveInput) (booking.Series, error) {
	if err := a.May(MayMove); err != nil {
		return booking.Series{}, err
	}
	start, err := booking.ParseStart(in.Start)
	if err != nil {
		return booking.Series{}, err
	}
	if err := booking.CheckScope(&in.Scope); err != nil {
		return booking.Series{}, err
	}
	if in.Reason, err = fault.CheckText("reason", in.Reason, fault.MaxReason); err != nil {
		return booking.Series{}, err
	}
	if _, err := booking.ParseOverride(in.Override); err != nil {
		return booking.Series{}, err
	}
	unknown, err := s.askToMoveSeries(ctx, a, ref)
	if err != nil {
		return booking.Series{}, err
	}
	return s.changeSeries(ctx, a, ref, in.From, in.Scope, func(bound *Service, c *seriesChange) error {
		from := c.from()
		if from < 0 {
			b, err := c.Booking(a.Workspace, c.named)
			if err != nil {
				return err
			}
			if b.Status.Live() {
				return fault.Conflictf("wrong_state", "The date of from has begun, so that it can't be moved with the others: name one that is still to come.").
					With("status", b.Status)
			}
			return WrongState(&b, "moved")
		}
		by := onClock(start, c.zone).Sub(onClock(c.dates[from][0].Start, c.zone))
		if by == 0 {
			return nil
		}
		order := slices.Clone(c.dates) // so that none is ever put where another one still is
		if start > c.dates[from][0].Start {
			slices.Reverse(order)
		}
		step := booking.SeriesMove{Several: in.Scope != booking.SeriesThis, Offers: in.OfferToWaitlist, Unmoved: c.ids(), Unknown: unknown}
		var refused []booking.SeriesDate
		for _, d := range order {
			to := when.At(when.Wall(onClock(d[0].Start, c.zone).Add(by), c.zone))
			if d[0].ID == c.dates[from][0].ID {
				to = start
			}
			step.Later = d[0].ID != c.dates[0][0].ID
			var err error
			if d[0].InVisit() {
				_, err = bound.MoveVisit(ctx, a, d[0].Visit.ID.String(), booking.VisitMoveInput{Start: to.String(),
					Override: in.Override, Reason: in.Reason, Series: step})
			} else {
				_, err = bound.Reschedule(ctx, a, d[0].ID.String(), RescheduleInput{Start: to.String(), Override: in.Override,
					Reason: in.Reason, Series: step})
			}
			e := fault.Refusal(err)
			switch {
			case e == nil && err != nil, e != nil && (in.Scope == booking.SeriesThis || !ofStart(e)):
				return err
			case e != nil: // the others are looked at as if it had left
				no := booking.SeriesDate{Start: to, State: booking.SeriesSkipped, Booking: d[0].ID}
				no.Reason, no.Reasons = whyRefused(e, in.Override)
				refused = append(refused, no)
			default:
				step.Unmoved = slices.DeleteFunc(step.Unmoved, func(b booking.BookingID) bool {
					return slices.ContainsFunc(d, func(of booking.Booking) bool { return of.ID == b })
				})
			}
		}
		if len(refused) == 0 {
			if !step.Several {
				return nil
			}
			waiting, err := pendingOf(c.Tx, a.Workspace, c.dates[0][0].Series.ID)
			if err != nil || len(waiting) == 0 {
				return err
			}
			return waitTogether(c.Tx, waiting, bound.at, waiting[0].Start)
		}
		slices.SortFunc(refused, func(a, b booking.SeriesDate) int { return int(a.Start - b.Start) })
		e := fault.Conflictf("series_conflict", "%d dates can't move there, so that nothing did: see details.dates.", len(refused))
		if len(refused) == 1 {
			e = fault.Conflictf("series_conflict", "One date can't move there, so that nothing did: see details.dates.")
		}
		return e.With("dates", refused)
	})
}

// askToMoveSeries is askToMove for a series.
func (s *Service) askToMoveSeries(ctx context.Context, a Actor, ref string) (unknown []catalog.CalendarOwner, err error) {
	setup, err := s.Setup(a.Workspace)
	if err != nil || s.tx != nil || !availability.Connected(setup) {
		return nil, err
	}
	made, _, err := s.findSeries(s.Reader(ctx), a, ref)
	if err != nil {
		return nil, err
	}
	type question struct {
		event catalog.EventTypeID
		host  string
	}
	asked := map[question]bool{}
	for i := range made.Bookings {
		b, host := &made.Bookings[i], ""
		if b.HostNamed {
			host = b.Host.ID.String()
		}
		if q := (question{b.EventTypeID, host}); !asked[q] && b.Status.Live() {
			asked[q] = true
			more, err := s.AskCalendars(ctx, a, b.EventTypeID.String(), host)
			if err != nil {
				return nil, err
			}
			unknown = append(unknown, more...)
		}
	}
	return unknown, nil
}

// pendingOf returns the bookings of a series that wait for approval, by their starts, which are locked.
func pendingOf(tx Tx, ws catalog.WorkspaceID, series booking.SeriesID) ([]booking.Booking, error) {
	read := func() ([]booking.Booking, error) {
		all, err := tx.Bookings(ws, booking.BookingFilter{Series: series, Statuses: []booking.Status{booking.Pending}, Limit: booking.MaxSeries})
		return slices.DeleteFunc(all, func(b booking.Booking) bool { return b.NeedsPay }), err
	}
	all, err := read()
	if err != nil || len(all) == 0 {
		return nil, err
	}
	var locks catalog.Locks
	for i := range all {
		locks = locks.And(lockOf(&all[i]))
	}
	if _, err := tx.LockTaken(ws, locks.Without(catalog.Locks{})); err != nil {
		return nil, err
	}
	return read()
}

// waitTogether makes what waits for approval do so until the first of its series begins.
func waitTogether(tx Tx, all []booking.Booking, now time.Time, first when.Instant) error {
	for i := range all {
		b := &all[i]
		if ends := booking.ApprovalEnds(b.CreatedAt, when.At(now), first); b.ExpiresAt != ends {
			b.SetPending(ends)
			if err := tx.SaveBooking(b, false, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// DecidedBy returns until when the booking waits for approval: until its start, or that of the first of its series that
// waits, at the latest. It is 0 where it doesn't wait.
func (c *Change) DecidedBy() (when.Instant, error) {
	b := c.Booking
	if b.Status != booking.Pending {
		return 0, nil
	}
	first := b.Start
	if b.Series != nil {
		all, err := c.Bookings(b.WorkspaceID, booking.BookingFilter{Series: b.Series.ID, Statuses: []booking.Status{booking.Pending}, Limit: 1})
		if err != nil {
			return 0, err
		}
		for i := range all {
			first = min(first, all[i].Start)
		}
	}
	return booking.ApprovalEnds(b.CreatedAt, b.CreatedAt, first), nil
}

// waitWithSeries returns when the first date of a series begins that waits for approval, once the booking moves to start
// alone, and makes the others wait until then.
func (c *Change) waitWithSeries(start when.Instant) (first when.Instant, err error) {
	others, err := pendingOf(c.Tx, c.Booking.WorkspaceID, c.Booking.Series.ID)
	if err != nil {
		return 0, err
	}
	others = slices.DeleteFunc(others, func(b booking.Booking) bool { return b.ID == c.Booking.ID })
	if first = start; len(others) > 0 {
		first = min(first, others[0].Start)
	}
	return first, waitTogether(c.Tx, others, c.Now, first)
}

// ahead makes the search for where a booking of a series moves go as far ahead as that needs: the booking window counted for
// the first date only, and counts for the first that moves, which may stay where it is.
func ahead(q *availability.Search, b *booking.Booking, of *booking.SeriesMove) {
	switch {
	case b.Series == nil:
	case of.Later:
		q.AnyTimeAhead()
	default:
		q.AheadTo(b.Start)
	}
}

// onClock returns what the clocks of the zone show then, as a time in UTC.
func onClock(at when.Instant, zone *time.Location) time.Time {
	_, ahead := at.Time().In(zone).Zone()
	return at.Time().UTC().Add(time.Duration(ahead) * time.Second)
}

// seriesChange is what a change of a series is of, behind the locks.
type seriesChange struct {
	Tx
	dates [][]booking.Booking // those that are to change, by their starts; of a visit its live bookings
	named booking.BookingID   // which the caller named
	zone  *time.Location
}

// from returns the index of the date that the caller named, or -1 where it doesn't change.
func (c *seriesChange) from() int {
	return slices.IndexFunc(c.dates, func(d []booking.Booking) bool {
		return slices.ContainsFunc(d, func(b booking.Booking) bool { return b.ID == c.named })
	})
}

// ids returns the bookings that are to change.
func (c *seriesChange) ids() (all []booking.BookingID) {
	for _, d := range c.dates {
		for i := range d {
			all = append(all, d[i].ID)
		}
	}
	return all
}

// changeSeries runs do in a transaction that has locked the bookings of a series and what they may take, and returns the
// series as it is then. Errors: not_found, also where the actor doesn't see all that is to change; bad_request (from).
func (s *Service) changeSeries(ctx context.Context, a Actor, ref, from string, scope booking.SeriesScope,
	do func(bound *Service, c *seriesChange) error) (booking.Series, error) {
	other := fault.Invalid("from", "must be the id of one of the bookings of this series")
	named, err := id.Parse[booking.BookingIDKind](from)
	if err != nil {
		return booking.Series{}, other
	}
	find := func(r Reader) (booking.Visit, bool, error) {
		made, _, err := s.findSeries(r, a, ref)
		date := 0
		for i := range made.Bookings {
			if made.Bookings[i].ID == named {
				date = made.Bookings[i].Series.Position
			}
		}
		return booking.Visit{Items: made.Bookings}, made.Reaches(scope, date), err
	}
	err = s.changeVisit(ctx, a, find, func(bound *Service, tx Tx, setup *catalog.Setup, v *booking.Visit) error {
		at := slices.IndexFunc(v.Items, func(b booking.Booking) bool { return b.ID == named })
		if at < 0 {
			return other
		}
		c := &seriesChange{Tx: tx, named: named, zone: setup.Zone}
		date := v.Items[at].Series.Position
		for i := range v.Items {
			b := &v.Items[i]
			switch position := b.Series.Position; {
			case scope == booking.SeriesThis && position != date, scope == booking.SeriesFollowing && position < date:
				continue
			case scope != booking.SeriesThis && !mayChangeWith(b, when.At(bound.at)):
				continue
			}
			if n := len(c.dates); n > 0 && c.dates[n-1][0].Series.Position == b.Series.Position {
				c.dates[n-1] = append(c.dates[n-1], *b)
			} else {
				c.dates = append(c.dates, []booking.Booking{*b})
			}
		}
		for _, d := range c.dates {
			slices.SortStableFunc(d, func(a, b booking.Booking) int { return int(a.Start - b.Start) })
		}
		slices.SortStableFunc(c.dates, func(a, b []booking.Booking) int { return int(a[0].Start - b[0].Start) })
		return do(bound, c)
	})
	if err == errPartOfVisit {
		err = fault.Missing("series", ref)
	}
	if e := fault.Refusal(err); e != nil && e.Later != nil && s.tx == nil { // the alternatives of one date
		search := e.Later
		e.Later = nil
		err = s.nowOrLater(ctx, e, search)
	}
	if err != nil {
		return booking.Series{}, err
	}
	return s.Series(ctx, a, ref)
}
