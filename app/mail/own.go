package mail

import (
	"context"
	"errors"
	"net/netip"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/mail/smtp"
	"daybook/app/own"
	"daybook/app/when"
	"daybook/views"
)

// PostOwn queues the link to a contact's own page, in the caller's transaction, and returns the id of the mail with it; 0 where
// none goes. from is where it is asked for. Who has a telephone alone gets it by text, as does everybody with one where no mails go out.
func (s *Service) PostOwn(ctx context.Context, in app.Tx, to *booking.Contact, l own.Link, from netip.Addr) (mail int64, err error) {
	now := s.Core.Now()
	m := Mail{ID: id.New[MailIDKind](now), WorkspaceID: to.WorkspaceID, Kind: catalog.MailOwn, To: to.Email,
		Facts: Facts{For: ToInvitee, Own: &l}, DueAt: when.At(now), Until: l.Until}
	setup, err := s.Core.In(in).Setup(to.WorkspaceID)
	if err != nil {
		return 0, err
	}
	if to.Phone != "" && s.divides(setup) {
		if mails, err := s.In(in).MailsGuests(ctx, setup); err != nil {
			return 0, err
		} else if !mails {
			m.To = ""
		}
	}
	mailed, _, err := s.post(in, &Planned{Setup: setup, Contact: to.ID, Visitor: true, From: from, Own: true,
		Invitee: booking.Invitee{Name: to.Name, Email: to.Email, Phone: to.Phone, Locale: l.Locale}}, m)
	if err != nil || !mailed {
		return 0, err
	}
	return int64(m.ID), nil
}

// aboutOwn notes in which language and zone the mail is written, and that it must not be sent where its link has ended.
func (s *Service) aboutOwn(r Reader, m *Mail, about *Subject) error {
	l := m.Facts.Own
	about.Booking.Invitee.Locale = l.Locale
	c, until, err := r.OwnLink(m.WorkspaceID, l.Hash(about.Setup))
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	if err != nil || c != l.Contact || until <= when.At(s.Core.Now()) {
		about.Dropped = "the link can't be used any more"
	}
	return nil
}

// ownPage writes the mail with the link. Who reads the log doesn't see it.
func (c *composer) ownPage(p *views.MailPage, l *own.Link) {
	name := c.about.Setup.Workspace.Name
	p.Subject = smtp.OneLine(c.t("own_mail_subject", "Name", name))
	p.Heading, p.Text = c.t("own_mail_head"), c.t("own_mail_text", "Name", name)
	p.Note = c.t("own_mail_note")
	if !c.about.Sends {
		p.Note = c.t("invitation_mail_secret")
		return
	}
	p.Links = []views.Link{{Label: c.t("own_mail_open"), URL: c.service.Core.BaseURL() + l.Path(c.about.Setup)}}
}
