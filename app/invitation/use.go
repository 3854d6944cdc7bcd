package invitation

import (
	"context"
	"errors"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// Open returns the invitation of a link, and the actor for a visitor who has the link. A link that can no longer be
// used is in the result, too. Errors: not_found, with the reason invitation_invalid (unknown or revoked),
// invitation_expired or invitation_used.
func (s *Service) Open(ctx context.Context, token string) (l Invitation, a app.Actor, err error) {
	if l, err = s.Reader(ctx).InvitationLinkByHash(0, hashOf(token)); err != nil {
		return Invitation{}, a, fault.OrMissing(err, unseen(errInvalid()))
	}
	setup, err := s.Core.Setup(l.WorkspaceID)
	if err != nil { // a workspace is deleted before its links
		return Invitation{}, a, fault.OrMissing(err, unseen(errInvalid()))
	}
	if err := setup.Workspace.Open(); err != nil {
		return Invitation{}, a, err
	}
	present(setup, &l)
	a = app.Actor{Kind: booking.ByInvitee, Workspace: l.WorkspaceID, Invited: l.EventTypeID}
	if refused := l.State(when.At(s.Core.Now())).refusal(); refused != nil {
		return l, a, unseen(refused)
	}
	return l, a, nil
}

// links is what the core asks about the links of bookings. It keeps nothing: all it needs is in the Change.
type links struct{}

func tx(ch *app.Change) Tx { return ch.Tx.(Tx) }

// Claim implements app.Links.
func (links) Claim(ch *app.Change, e *catalog.EventType, in *booking.BookInput) (booking.InvitationID, error) {
	sees := ch.Actor.Business() || !e.Hidden
	l, err := tx(ch).InvitationLinkByHash(ch.Setup.Workspace.ID, hashOf(in.Invitation))
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return 0, err
	}
	if err != nil || l.EventTypeID != e.ID || l.HostID != 0 && !ch.Actor.Limits.SeesHost(l.HostID) {
		if sees {
			return 0, errInvalid()
		}
		return 0, fault.Missing("event type", in.EventType)
	}
	now := when.At(ch.Now)
	ok := false
	refused := l.State(now).refusal()
	if refused == nil {
		if err := l.fix(ch.Setup, in); err != nil {
			return 0, err
		}
		if ok, err = tx(ch).ClaimInvitationLink(l.WorkspaceID, l.ID, now, forget(ch.Now, in.Start)); err != nil {
			return 0, err
		}
	}
	if ok {
		return l.ID, nil
	}
	if refused == nil { // another booking was faster, or somebody has revoked it
		if l, err = tx(ch).InvitationLink(l.WorkspaceID, l.ID); err != nil {
			return 0, fault.OrMissing(err, errInvalid())
		}
		if refused = l.State(now).refusal(); refused == nil {
			refused = Used.refusal()
		}
	}
	if !sees {
		return 0, unseen(refused)
	}
	return 0, refused
}

// fix makes the booking one with whom and of whom the link is.
func (l *Invitation) fix(setup *catalog.Setup, in *booking.BookInput) error {
	if l.HostID != 0 {
		if in.Host != "" && in.Host != l.HostID.String() {
			name := ""
			if h := setup.Host(l.HostID); h != nil {
				name = h.Name
			}
			return fault.Invalid("host", "this invitation is for %s", name)
		}
		in.Host, in.AnyHost = l.HostID.String(), false
	}
	if l.Email == "" {
		return nil
	}
	if in.Invitee.Email == "" {
		in.Invitee.Email = l.Email
	}
	if !fault.SameEmail(in.Invitee.Email, l.Email) {
		return fault.Invalid("invitee.email", "this invitation is for another address: book with the one that it was sent to")
	}
	return nil
}

// forget returns when a link that is used up by a booking is deleted: until then the booking may be cancelled.
func forget(now time.Time, start string) when.Instant {
	at := when.At(now)
	if begins, err := booking.ParseStart(start); err == nil {
		at = max(at, begins)
	}
	return at.Add(keptFor)
}

// ClaimAgain implements app.Links.
func (links) ClaimAgain(ch *app.Change) (bool, error) {
	b := ch.Booking
	// It was open when it was booked by, so that it has expired meanwhile doesn't count.
	return tx(ch).ClaimInvitationLink(b.WorkspaceID, b.Invitation, 0, max(when.At(ch.Now), b.Start).Add(keptFor))
}

// GiveBack implements app.Links.
func (links) GiveBack(ch *app.Change) error {
	return tx(ch).ReturnInvitationLink(ch.Booking.WorkspaceID, ch.Booking.Invitation, when.Instant(keptFor.Milliseconds()))
}
