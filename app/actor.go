package app

import (
	"daybook/app/catalog"
	"daybook/app/record"
)

// Actor is who asks the Service for something, within one workspace. It is made anew for every request.
type Actor struct {
	Kind      record.ActorKind
	Workspace catalog.WorkspaceID
	Key       KeyID            // of an API or agent call
	ReadOnly  bool             // may read, never write
	Operator  bool             // who runs the server, see Operator
	User      UserID           // of a dashboard call
	Role      Role             // of that user; staff see and change one host's calendar only,
	Host      catalog.HostID   // this one's
	Booking   record.BookingID // of an invitee: the one booking that the link is for

	// Revision is that of the workspace's set-up when the key was authenticated, which saves looking again; 0 is unknown.
	Revision int64
}

// id is what the history names the actor by, beside the kind.
func (a Actor) id() string {
	switch {
	case a.Key != 0:
		return a.Key.String()
	case a.User != 0:
		return a.User.String()
	}
	return ""
}

// Business reports whether the actor acts for the business, whom the notice of cancellation does not bind.
func (a Actor) Business() bool { return a.Kind != record.ByInvitee }

// SeesLinks reports whether the actor may see the links that let their holder move or cancel a booking.
func (a Actor) SeesLinks() bool { return !a.ReadOnly }

// EventBody is the stored body of an event as the actor may see it.
func (a Actor) EventBody(e *record.Event) ([]byte, error) {
	if a.SeesLinks() {
		return e.Body, nil
	}
	return e.BodyWithoutLinks()
}

// Own reports whether the actor sees one host's calendar only: Actor.Host, which is zero for none at all.
func (a Actor) Own() bool { return a.Role == StaffRole }

// Sees reports whether the actor may see what belongs to the host.
func (a Actor) Sees(h catalog.HostID) bool { return !a.Own() || a.Host == h && h != 0 }
