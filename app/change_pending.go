package app

import (
	"cmp"
	"errors"
	"slices"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// TakeAgain takes the time of a booking that lapsed unpaid again, at its start and against the same rules, and reports
// whether it was still free. The booking then takes what a new one would: in a session that others have joined meanwhile,
// it ends as theirs do. If it had given back the use of an invitation link, that is taken again.
func (c *Change) TakeAgain() (bool, error) {
	b := c.Booking
	e, host := c.Setup.EventTypeByID(b.EventTypeID), c.Setup.Host(b.Host.ID)
	if !b.LapsedUnpaid() || b.Start <= when.At(c.Now) || e == nil || host == nil || !host.Active || !e.ServedBy(host.ID) {
		return false, nil
	}
	if err := c.RefuseDuplicate(e.ID, b.Start); err != nil {
		return false, internalOnly(err)
	}
	history, err := c.History(b.WorkspaceID, b.ID)
	if err != nil {
		return false, err
	}
	var refused error
	err = c.Try(func() error { // so that it takes nothing back where it isn't free
		if err := c.takeBack(b.Start, mayTake(e, []*catalog.Host{host})); err != nil {
			return err
		}
		q := availability.Among([]*catalog.Host{host}, c.Setup, e, c.Now)
		if err := q.ByBusiness(withoutOffered(booking.Waived(history))); err != nil {
			return err
		}
		q.Moving(b)
		q.For(b.ContactID, &b.Invitee, 0)
		q.AtShortNotice()
		if b.Series != nil { // the window counted when it was booked
			q.AnyTimeAhead()
		}
		before, after, err := c.amongSiblings(q, host.ID, true)
		if err != nil {
			return err
		}
		p, err := q.Find(c.Tx, b.Start, host.ID)
		if err != nil {
			refused = err
			return err
		}
		if b.Invitation != 0 {
			claimed, err := c.service.links.ClaimAgain(c)
			if err == nil && !claimed {
				err = errLinkUsed
			}
			if err != nil {
				return err
			}
		}
		b.Taken = p.Taken
		return c.goOnBeside(before, after)
	})
	switch {
	case refused != nil:
		return false, internalOnly(refused)
	case err == errLinkUsed:
		return false, nil
	}
	return err == nil, err
}

// errLinkUsed says that somebody else has used an invitation link since a booking by it has lapsed.
var errLinkUsed = errors.New("app: the invitation link is used")

// amongSiblings makes the search find the booking's place with that host at its start, in its visit, and returns the
// neighbours there that are live. again says that the visit comes back as it was booked, with all that have lapsed; else
// only what is live and near is beside it.
func (c *Change) amongSiblings(q *availability.Search, host catalog.HostID, again bool) (before, after *booking.Booking, err error) {
	b := c.Booking
	others, _, err := c.Siblings()
	if err != nil {
		return nil, nil, err
	}
	arranged := []booking.VisitPlace{{Item: -1, Host: host, Start: b.Start, Waits: c.stay(b).Waits}}
	for i := range others {
		o := &others[i]
		beside := o.Status.Live() && (near(b.Start-o.End) || near(o.Start-b.End) || o.Start < b.End && b.Start < o.End)
		if again {
			beside = o.Status.Live() || o.LapsedUnpaid()
		}
		if beside {
			arranged = append(arranged, booking.VisitPlace{Item: i, Host: o.Host.ID, Start: o.Start, Waits: c.stay(o).Waits})
		}
	}
	slices.SortStableFunc(arranged, func(a, b booking.VisitPlace) int { return cmp.Compare(a.Start, b.Start) })
	at, steps := slices.IndexFunc(arranged, func(p booking.VisitPlace) bool { return p.Item < 0 }), booking.StepsOf(arranged)
	step := &steps[at]
	if step.Behind > 0 {
		if o := &others[arranged[step.Behind-1].Item]; o.Status.Live() {
			before, step.Before = o, c.neighbour(o)
		}
	}
	for i := range steps {
		if o := arranged[i].Item; steps[i].Behind == at+1 && others[o].Status.Live() {
			after, step.After = &others[o], c.neighbour(&others[o])
		}
	}
	q.Within(step)
	return before, after, nil
}

// internalOnly returns err, or nil if it is an error meant for the caller.
func internalOnly(err error) error {
	if fault.Refusal(err) != nil {
		return nil
	}
	return err
}
