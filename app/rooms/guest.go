package rooms

import (
	"context"
	"net/netip"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/guest"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/when"
)

// guestHolds holds times for people's assistants.
type guestHolds struct{ *Set }

func (s guestHolds) HoldForGuest(ctx context.Context, a app.Actor, in *booking.BookInput,
	from netip.Addr, minutes int) (guest.Held, error) {
	h, err := s.Hold(ctx, a, app.HoldInput{EventType: in.EventType, Start: in.Start, Host: in.Host, AnyHost: in.AnyHost,
		AddOns: in.AddOns, Seats: in.Seats, Minutes: &minutes, Visitor: &app.HoldVisitor{Address: from, Email: in.Invitee.Email}})
	return guest.Held{ID: h.ID.String(), Host: h.Host, Start: h.Start, End: h.End, ExpiresAt: h.ExpiresAt}, err
}

func (s guestHolds) ReleaseForGuest(ctx context.Context, a app.Actor, id string) error {
	return s.ReleaseHold(ctx, a, id)
}

// guestMails queues the mails that ask them.
type guestMails struct{ *mail.Service }

func (s guestMails) PostToGuest(tx app.Tx, r *guest.Request, byPage bool) error {
	now := s.Core.Now()
	return tx.(mail.Tx).InsertMails(mail.Mail{ID: id.New[mail.MailIDKind](now), WorkspaceID: r.WorkspaceID,
		Kind: catalog.MailGuest, To: r.Input.Invitee.Email, DueAt: when.At(now), Until: r.ExpiresAt,
		Facts: mail.Facts{For: mail.ToInvitee, Guest: &mail.GuestAsk{Request: r.ID, EventType: r.EventType, Host: r.Host,
			Start: r.Start, End: r.End, Expires: r.ExpiresAt, Locale: r.Input.Invitee.Locale,
			TimeZone: r.Input.Invitee.TimeZone, ByPage: byPage}}})
}

func (s guestMails) ReachesGuests(ctx context.Context, setup *catalog.Setup) (bool, error) {
	route, err := s.MailRoute(ctx, setup.Workspace.ID)
	return route != nil, err
}
