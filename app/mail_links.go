package app

import (
	"context"
	"crypto/hmac"

	"daybook/app/fault"
	"daybook/app/when"
)

// DecideURL leads the team to the page where a request is approved or declined.
func (s *Service) DecideURL(setup *Setup, id BookingID) string {
	return s.baseURL + "/booking/" + signed(setup, decidePurpose, id) + "/decide"
}

// BookingToDecide finds the booking of a link in a mail to the team, and the actor that the link makes its holder:
// one who may confirm and decline this booking. A token that was altered names nothing.
func (s *Service) BookingToDecide(token string) (Booking, Actor, error) {
	missing := &fault.Error{Code: fault.NotFound, Message: "This link leads to no request. Use the link of the latest mail."}
	id, ok := unsigned[bookingKind](token)
	if !ok {
		return Booking{}, Actor{}, missing
	}
	b, err := s.store.BookingByID(id)
	if err != nil {
		return Booking{}, Actor{}, orMissing(err, missing)
	}
	setup, err := s.Setup(b.WorkspaceID)
	if err != nil {
		return Booking{}, Actor{}, orMissing(err, missing)
	}
	if !hmac.Equal([]byte(signed(setup, decidePurpose, id)), []byte(token)) {
		return Booking{}, Actor{}, missing
	}
	actor := Actor{Kind: ByOwner, Workspace: b.WorkspaceID, Booking: id}
	s.present(setup, actor, &b)
	return b, actor, nil
}

// SpareURL leads a mail's recipient to the page that ends mails of its topic.
func (s *Service) SpareURL(setup *Setup, id MailID) string {
	return s.baseURL + "/mail/" + signed(setup, sparePurpose, id) + "/stop"
}

// MailToSpare finds the mail of such a link. The error is not_found.
func (s *Service) MailToSpare(token string) (Mail, *Setup, error) {
	missing := &fault.Error{Code: fault.NotFound, Message: "This link has ended. Use the link of a newer mail."}
	id, ok := unsigned[mailKind](token)
	if !ok {
		return Mail{}, nil, missing
	}
	m, err := s.store.Mail(id)
	if err != nil {
		return Mail{}, nil, orMissing(err, missing)
	}
	setup, err := s.Setup(m.WorkspaceID)
	if err != nil {
		return Mail{}, nil, orMissing(err, missing)
	}
	if m.Kind.Topic() == "" || !hmac.Equal([]byte(signed(setup, sparePurpose, id)), []byte(token)) {
		return Mail{}, nil, missing
	}
	return m, setup, nil
}

// SpareMail ends the mails of such a link's topic to its recipient. Again changes nothing. The error is not_found.
func (s *Service) SpareMail(ctx context.Context, token string) error {
	m, _, err := s.MailToSpare(token)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx Tx) error {
		return tx.RefuseMail(m.WorkspaceID, m.To, m.Kind.Topic(), when.At(s.clock()))
	})
}
