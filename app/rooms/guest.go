package rooms

import (
	"context"
	"net/netip"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/guest"
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
