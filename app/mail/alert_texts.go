package mail

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/views"
)

// TextsAlert says how much of the month's segments of texts is used.
type TextsAlert struct {
	Percent int `json:"percent"` // 80 or 100
	Cap     int `json:"cap"`     // segments
}

// write writes it into the page of a mail; base is this server's address.
func (a *TextsAlert) write(p *views.MailPage, l *views.Locale, base string) {
	p.Heading, p.Text = l.T("mail_texts_80_head"), l.T("mail_texts_80", "Cap", a.Cap)
	if a.Percent >= 100 {
		p.Heading, p.Text = l.T("mail_texts_100_head"), l.T("mail_texts_100", "Cap", a.Cap)
	}
	p.Subject = smtp.OneLine(p.Heading)
	p.Links = []views.Link{{Label: l.T("mail_texts_open"), URL: base + "/dashboard/settings/texts"}}
}

// TextsUsed mails the owners how much of the month's segments of texts is used.
func (s *Service) TextsUsed(in app.Tx, ws catalog.WorkspaceID, a TextsAlert) error {
	_, err := s.toOwners(in, ws, catalog.MailTeamTexts, Facts{Texts: &a})
	return err
}
