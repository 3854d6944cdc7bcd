package mail

import (
	"context"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/invitation"
	"daybook/app/mail/smtp"
	"daybook/app/when"
	"daybook/views"
)

// PostLink queues the mail with an invitation link to its recipient, in the caller's transaction.
func (s *Service) PostLink(in app.Tx, i *invitation.Invitation) (invitation.Queued, error) {
	now := s.Core.Now()
	m := Mail{
		ID: id.New[MailIDKind](now), WorkspaceID: i.WorkspaceID, Kind: catalog.MailInvitation, To: i.Email,
		Facts: Facts{For: ToInvitee, Invitation: i.ID, EventType: i.EventTypeID, Host: i.HostID, Expires: i.ExpiresAt},
		DueAt: when.At(now), Until: when.At(now).Add(mailLife),
	}
	return queued(i, &m), in.(Tx).InsertMails(m)
}

// queued returns the mail as invitations know it.
func queued(i *invitation.Invitation, m *Mail) invitation.Queued {
	return invitation.Queued{ID: m.ID.String(), Invitation: i.ID, Kind: m.Kind, To: m.To, DueAt: m.DueAt, Mail: int64(m.ID)}
}

// PostLinkAgain queues the mail with an invitation link again, in the caller's transaction. Errors: not_found, conflict
// in_progress, sent_lately, sent_often.
func (s *Service) PostLinkAgain(in app.Tx, i *invitation.Invitation) (invitation.Queued, error) {
	tx, id := in.(Tx), MailID(i.Mail)
	m, err := tx.Mail(id)
	if err == nil && m.WorkspaceID != i.WorkspaceID {
		err = fault.ErrNotFound
	}
	if err != nil {
		return invitation.Queued{}, fault.OrMissing(err, missingMail(id.String()))
	}
	m, err = s.again(context.Background(), tx, m)
	return queued(i, &m), err
}

// aboutInvitation reads what a mail with an invitation link is about.
func (s *Service) aboutInvitation(r Reader, m *Mail, about *Subject) error {
	open, err := r.InvitationLinkOpen(m.WorkspaceID, m.Facts.Invitation, when.At(s.Core.Now()))
	if err == nil && !open {
		about.Dropped = "the invitation link can't be used any more"
	}
	if e := about.Setup.EventTypeByID(m.Facts.EventType); e != nil {
		about.Event = *e
	}
	return err
}

// invited writes the mail with an invitation link. Who reads the log doesn't see the link.
func (c *composer) invited(p *views.MailPage) {
	name := c.about.Setup.Workspace.Name
	p.Subject = smtp.OneLine(c.t("invitation_mail_subject", "Title", c.about.Event.Title, "Name", name))
	p.Heading, p.Text = c.t("invitation_mail_head"), c.t("invitation_mail_text", "Name", name)
	p.Facts = []views.MailFact{{Label: c.t("mail_what"), Value: c.about.Event.Title, Strong: true}}
	if host := c.hostName(); host != "" && host != name {
		p.Facts = append(p.Facts, views.MailFact{Label: c.t("mail_with"), Value: host})
	}
	if at := c.facts.Expires; at != 0 {
		p.Facts = append(p.Facts, views.MailFact{Label: c.t("invitation_mail_until"), Value: c.when(at, 0)})
	}
	if c.about.Sends {
		link := c.service.Core.BaseURL() + "/_i/" +
			catalog.Signed(c.about.Setup, catalog.InvitationPurpose, c.facts.Invitation)
		p.Links = []views.Link{{Label: c.t("invitation_mail_choose"), URL: link}}
	} else {
		p.Note = c.t("invitation_mail_secret")
	}
}
