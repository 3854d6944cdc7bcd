package app

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// Links is what the core needs of invitation links, inside the transaction of its own change.
type Links interface {
	// Claim takes a use of the link whose token is in.Invitation for a new booking of e, and puts into in what the link
	// fixes: the host, the invitee's address. Errors: not_found and conflict invitation_expired or invitation_used,
	// bad_request invitation_invalid, bad_request (host, invitee.email).
	Claim(c *Change, e *catalog.EventType, in *booking.BookInput) (booking.InvitationID, error)
	// ClaimAgain takes a use again for a booking that had lapsed; it reports false if none is left.
	ClaimAgain(c *Change) (bool, error)
	// GiveBack takes back the use of a booking that is cancelled, declined or has lapsed.
	GiveBack(c *Change) error
}

// noLinks are the Links of a Service without any: each token is unknown.
type noLinks struct{}

func (noLinks) Claim(_ *Change, _ *catalog.EventType, in *booking.BookInput) (booking.InvitationID, error) {
	return 0, fault.Missing("event type", in.EventType)
}
func (noLinks) ClaimAgain(*Change) (bool, error) { return false, nil }
func (noLinks) GiveBack(*Change) error           { return nil }

// SetLinks sets the Service's Links. It must be called before the Service is used.
func (s *Service) SetLinks(l Links) { s.links = l }

// SeesEventType reports whether the event type exists for the actor. A hidden one exists only for the business and for
// invitees with an invitation link to it or a link to a booking.
func (a Actor) SeesEventType(e *catalog.EventType) bool {
	return a.Limits.Sees(e.ID) && (!e.Hidden || a.Business() || a.Booking != 0 || a.Waits != 0 || a.Invited == e.ID)
}

// admit takes the use of an invitation link, and a hold, for a new booking. Without a link, a hidden event type is as
// unknown to those who don't act for the business.
func (s *Service) admit(ch *Change, start when.Instant, in *booking.BookInput) (err error) {
	e := ch.Setup.EventType(in.EventType)
	if e.Hidden && !ch.Actor.Business() && ch.Actor.Waits == 0 && in.Invitation == "" || ch.Actor.Limits.Of(e) == nil {
		return fault.Missing("event type", in.EventType)
	}
	if in.Hold != "" {
		if err := useHold(ch, start, in); err != nil {
			return perhapsByThis(ch, &in.Invitee, e.ID, start, err)
		}
	}
	if in.Invitation == "" {
		return nil
	}
	ch.invitation, err = s.links.Claim(ch, e, in)
	if refused := fault.As(err); refused != nil && refused.Reason == "invitation_used" {
		return perhapsByThis(ch, &in.Invitee, e.ID, start, err)
	}
	return err
}
