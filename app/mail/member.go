package mail

import (
	"errors"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/mail/smtp"
	"daybook/app/when"
	"daybook/views"
)

// membersMailed is how many invitations to sign in a workspace mails within receiptSpan.
const membersMailed = 50

// InviteMember queues the mail with the link by which a member chooses a password, in the caller's transaction. Errors:
// rate_limited too_many_mails.
func (s *Service) InviteMember(in app.Tx, u *app.User, i account.Invitation) error {
	now, tx := s.Core.Now(), in.(Tx)
	n, err := tx.InvitedSince(u.WorkspaceID, id.First[MailIDKind](now.Add(-receiptSpan)), membersMailed)
	if err != nil {
		return err
	}
	if n >= membersMailed {
		return limited(fault.Conflictf("too_many_mails", "Invitations to sign in were mailed %d times today. "+
			"Pass the link on yourself, or try again tomorrow.", n))
	}
	return tx.InsertMails(Mail{ID: id.New[MailIDKind](now), WorkspaceID: u.WorkspaceID, Kind: catalog.MailMember,
		To: u.Email, Facts: Facts{For: ToOwner, Member: &i}, DueAt: when.At(now), Until: when.At(now).Add(mailLife)})
}

// aboutMember notes that the mail must not be sent where its invitation was taken, replaced or is over, or has become
// one that isn't mailed.
func (s *Service) aboutMember(r Reader, i *account.Invitation, about *Subject) error {
	who, until, err := r.Invitation(i.Hash(about.Setup))
	if errors.Is(err, fault.ErrNotFound) || err == nil && until <= when.At(s.Core.Now()) {
		about.Dropped = "the invitation link can't be used any more"
		return nil
	}
	if err != nil {
		return err
	}
	u, err := r.User(who)
	if err == nil && !account.Mailed(u.Role) {
		about.Dropped = "the invitation is an owner's, which isn't mailed"
	}
	return err
}

// invitedMember writes the mail with the link. Who reads the log doesn't see the link.
func (c *composer) invitedMember(p *views.MailPage, i *account.Invitation) {
	name := c.about.Setup.Workspace.Name
	p.Subject = smtp.OneLine(c.t("team_mail_subject", "Name", name))
	p.Heading, p.Text = c.t("team_mail_head", "Name", name), c.t("team_mail_text", "Name", name)
	p.Facts = []views.MailFact{{Label: c.t("team_mail_sign_in"), Value: c.mail.To, Strong: true},
		{Label: c.t("invitation_mail_until"), Value: c.when(i.Until, 0)}}
	if !c.about.Sends {
		p.Note = c.t("invitation_mail_secret")
		return
	}
	p.Links = []views.Link{{Label: c.t("dash_invite_password"), URL: c.service.Core.BaseURL() + i.Path(c.about.Setup)}}
}
