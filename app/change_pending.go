package app

import (
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
	lapsed := b.Status == booking.Cancelled && b.Cancellation != nil && b.Cancellation.By == booking.BySystem &&
		b.Cancellation.Reason == booking.LapsedUnpaid
	e, host := c.Setup.EventTypeByID(b.EventTypeID), c.Setup.Host(b.Host.ID)
	if !lapsed || b.Start <= when.At(c.Now) || e == nil || host == nil || !host.Active || !e.ServedBy(host.ID) {
		return false, nil
	}
	if err := c.RefuseDuplicate(e.ID, b.Start); err != nil {
		return false, internalOnly(err)
	}
	history, err := c.History(b.WorkspaceID, b.ID)
	if err != nil {
		return false, err
	}
	q := availability.Among([]*catalog.Host{host}, c.Setup, e, c.Now)
	if err := q.ByBusiness(booking.Waived(history)); err != nil {
		return false, err
	}
	q.Moving(b)
	q.For(b.ContactID, &b.Invitee, 0)
	q.AtShortNotice()
	p, err := q.Find(c.Tx, b.Start, host.ID)
	if err != nil {
		return false, internalOnly(err)
	}
	if b.Invitation != 0 {
		if claimed, err := c.service.links.ClaimAgain(c); err != nil || !claimed {
			return false, err
		}
	}
	b.Taken = p.Taken
	return true, nil
}

// internalOnly returns err, or nil if it is an error meant for the caller.
func internalOnly(err error) error {
	if fault.Refusal(err) != nil {
		return nil
	}
	return err
}
