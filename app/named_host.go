package app

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/right"
)

// NamedHost returns the id of the host that the actor names by ref, for an action that takes or shows a host's time. If
// ref is "", it returns "" (any free host), or for staff their own host. Errors: not_found, for a host that doesn't
// exist or that a restricted key doesn't know; forbidden, for staff who name a colleague.
func (a Actor) NamedHost(setup *catalog.Setup, ref string) (string, error) {
	if ref == "" {
		if !a.Own() {
			return "", nil
		}
		if a.Host == 0 {
			return "", fault.Missing("host", "")
		}
		return a.Host.String(), nil
	}
	h, err := id.Parse[catalog.HostIDKind](ref)
	switch {
	case err != nil || setup.Host(h) == nil || !a.Limits.Knows(setup, h):
		return "", fault.Missing("host", ref)
	case !a.Sees(h):
		return "", right.OwnHost()
	}
	return ref, nil
}

// sees reports whether the booking is there for the actor.
func (a Actor) sees(b *booking.Booking) bool {
	return a.reaches(b.ID) && a.Sees(b.Host.ID) && a.Limits.Sees(b.EventTypeID)
}

// reaches reports whether the link that the actor stands for, if any, leads to the booking.
func (a Actor) reaches(b booking.BookingID) bool {
	return a.Booking == 0 || a.Booking == b || a.Visit != nil && slices.Contains(a.Visit.Bookings, b)
}
