package app

import (
	"net/netip"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/right"
)

// Actor is the caller of the Service, within one workspace. Every request gets its own.
type Actor struct {
	Kind      booking.ActorKind
	Workspace catalog.WorkspaceID
	Key       KeyID               // set for API and agent calls
	ReadOnly  bool                // may read, never write
	Areas     Areas               // granted to the API key
	Limits    *right.Limits       // of a restricted API key
	Operator  bool                // runs the server, see Operator
	User      UserID              // set for dashboard calls, and for agents with a member's consent
	Role      Role                // of that user
	Host      catalog.HostID      // the only host whose calendar staff see and change
	Booking   booking.BookingID   // set for invitees: the only booking they can reach, but for those of Visit
	Visit     *booking.VisitRef   // with Booking: the visit of it that the actor reaches, too
	Series    booking.SeriesID    // with Booking: the series of it whose bookings the actor reaches, too, as far as
	SeriesOf  booking.ContactID   // they are this person's; 0 of neither
	Contact   booking.ContactID   // set for a visitor on their own page: whom they have shown to be
	Waits     booking.WaitID      // set for who has the link of an entry of the waitlist: what is offered to it is theirs
	Invited   catalog.EventTypeID // set for visitors with an invitation link: what it opens, also when that is hidden
	From      netip.Addr          // the network address of a visitor, where it is known

	// Revision is the revision of the workspace's set-up when the key was authenticated, which saves a second read; 0
	// if it is unknown.
	Revision int64
}

// ID returns the id of the key or user, which the history stores beside the actor's kind; "" for others.
func (a Actor) ID() string {
	switch {
	case a.Key != 0:
		return a.Key.String()
	case a.User != 0:
		return a.User.String()
	}
	return ""
}

// Business reports whether the actor acts for the business. The cancellation notice binds invitees only.
func (a Actor) Business() bool { return a.Kind != booking.ByInvitee }

// Desk reports whether the actor is somebody of the business at its dashboard. The questions that customers must answer
// may stay open for them, since the customer may be on the phone.
func (a Actor) Desk() bool { return a.Kind == booking.ByOwner && a.who()&members != 0 }

// SeesLinks reports whether the actor may see the links with which a booking can be moved or cancelled.
func (a Actor) SeesLinks() bool { return !a.ReadOnly && a.Limits.May(right.ChangeBookings) }

// SeesInternalNotes reports whether the actor may see the internal notes of a booking: members of the business, its
// full API keys and the operator may. They never reach an invitee or another program's log.
func (a Actor) SeesInternalNotes() bool {
	return a.who()&(members|aFullKey) != 0 && a.Kind != booking.ByAgent
}

// EventBody returns the stored body of an event, without links if the actor may not see them.
func (a Actor) EventBody(e *booking.Event) ([]byte, error) {
	if a.SeesLinks() {
		return e.Body, nil
	}
	return e.BodyWithoutLinks()
}

// Own reports whether the actor sees the calendar of Actor.Host only, or none if that is zero: staff do.
func (a Actor) Own() bool { return a.Role == StaffRole }

// Sees reports whether the actor may see what belongs to the host.
func (a Actor) Sees(h catalog.HostID) bool {
	return (!a.Own() || a.Host == h && h != 0) && a.Limits.SeesHost(h)
}
