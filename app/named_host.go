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

// SeesBooking reports whether the booking is there for the actor.
func (a Actor) SeesBooking(b *booking.Booking) bool {
	return (a.reaches(b.ID) || a.reachesInSeries(b)) && a.seesHosts(b) && a.Limits.Sees(b.EventTypeID)
}

// reachesInSeries reports whether the link that the actor stands for leads to the booking because it leads to another one of
// the same person in its series.
func (a Actor) reachesInSeries(b *booking.Booking) bool {
	return a.Series != 0 && b.Series != nil && b.Series.ID == a.Series && b.ContactID == a.SeriesOf
}

// seesHosts reports whether the actor may see what belongs to one of those who do the booking.
func (a Actor) seesHosts(b *booking.Booking) bool {
	return a.Sees(b.Host.ID) || slices.ContainsFunc(b.Others(), func(h catalog.HostRef) bool { return a.Sees(h.ID) })
}

// eventTypeOf returns the event type of a booking as the actor may move it: with the hosts that the actor may book or,
// for an actor who sees another one than its host do it, with all, as that host keeps it. It is nil as Limits.Of is.
func (a Actor) eventTypeOf(setup *catalog.Setup, b *booking.Booking) *catalog.EventType {
	e := setup.EventTypeByID(b.EventTypeID)
	if a.Sees(b.Host.ID) {
		return a.Limits.Of(e)
	}
	return e
}

// reaches reports whether the link that the actor stands for, if any, leads to the booking.
func (a Actor) reaches(b booking.BookingID) bool {
	return a.Booking == 0 || a.Booking == b || a.Visit != nil && slices.Contains(a.Visit.Bookings, b)
}
