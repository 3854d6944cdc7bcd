package mail

import (
	"context"
	"crypto/hmac"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// DecideURL returns the address of the page where the team approves or declines a request.
func (s *Service) DecideURL(setup *catalog.Setup, id booking.BookingID) string {
	return s.Core.BaseURL() + "/booking/" + catalog.Signed(setup, catalog.DecidePurpose, id) + "/decide"
}

// BookingToDecide returns the booking of a link in a mail to the team, and the actor for the link's holder, who may
// confirm or decline this booking only.
func (s *Service) BookingToDecide(ctx context.Context, token string) (booking.Booking, app.Actor, error) {
	missing := fault.New(fault.NotFound, "", "This link leads to no request. Use the link of the latest mail.")
	id, ok := catalog.Unsigned[booking.BookingIDKind](token)
	if !ok {
		return booking.Booking{}, app.Actor{}, missing
	}
	b, err := s.Reader(ctx).BookingByID(id)
	if err != nil {
		return booking.Booking{}, app.Actor{}, fault.OrMissing(err, missing)
	}
	setup, err := s.Core.Setup(b.WorkspaceID)
	if err != nil {
		return booking.Booking{}, app.Actor{}, fault.OrMissing(err, missing)
	}
	if !hmac.Equal([]byte(catalog.Signed(setup, catalog.DecidePurpose, id)), []byte(token)) {
		return booking.Booking{}, app.Actor{}, missing
	}
	if err := setup.Workspace.Open(); err != nil {
		return booking.Booking{}, app.Actor{}, err
	}
	actor := app.Actor{Kind: booking.ByOwner, Workspace: b.WorkspaceID, Booking: id}
	s.Core.Present(setup, actor, &b)
	return b, actor, nil
}

// UnsubscribeURL returns the address of the page where a mail's recipient unsubscribes from its topic.
func (s *Service) UnsubscribeURL(setup *catalog.Setup, id MailID) string {
	return s.Core.BaseURL() + "/mail/" + catalog.Signed(setup, catalog.UnsubscribePurpose, id) + "/stop"
}

// MailToUnsubscribe returns the mail of an unsubscribe link. Errors: not_found.
func (s *Service) MailToUnsubscribe(ctx context.Context, token string) (Mail, *catalog.Setup, error) {
	missing := fault.New(fault.NotFound, "", "This link has ended. Use the link of a newer mail.")
	id, ok := catalog.Unsigned[MailIDKind](token)
	if !ok {
		return Mail{}, nil, missing
	}
	m, err := s.Reader(ctx).Mail(id)
	if err != nil {
		return Mail{}, nil, fault.OrMissing(err, missing)
	}
	setup, err := s.Core.Setup(m.WorkspaceID)
	if err != nil {
		return Mail{}, nil, fault.OrMissing(err, missing)
	}
	if m.Kind.Topic() == "" || !hmac.Equal([]byte(catalog.Signed(setup, catalog.UnsubscribePurpose, id)), []byte(token)) {
		return Mail{}, nil, missing
	}
	return m, setup, nil
}

// Unsubscribe ends the mails of the link's topic to its recipient; a second call changes nothing. Errors: not_found.
func (s *Service) Unsubscribe(ctx context.Context, token string) error {
	m, _, err := s.MailToUnsubscribe(ctx, token)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		return tx.RefuseMail(m.WorkspaceID, m.To, m.Kind.Topic(), when.At(s.Core.Now()))
	})
}
