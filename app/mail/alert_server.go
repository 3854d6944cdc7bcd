package mail

import (
	"time"

	"daybook/app/mail/smtp"
	"daybook/views"
	"daybook/views/finding"
)

// writeServerAlert puts on the page of a mail what is wrong with the server, and what to do about it; base is this server's
// address.
func writeServerAlert(p *views.MailPage, l *views.Locale, zone *time.Location, all []finding.Finding, base string) {
	p.Heading = l.T("mail_head_team_server")
	first := &all[0]
	p.Subject = smtp.OneLine(l.T("mail_subject_team_server", "What", first.Title(l)))
	p.Text = l.T("mail_text_team_server")
	for i := range all {
		f := &all[i]
		said := f.Message(l, zone)
		if advice := f.Advice(l); advice != "" {
			said += " " + advice
		}
		p.Facts = append(p.Facts, views.MailFact{Label: f.Title(l), Value: said, Strong: i == 0})
	}
	p.Links = []views.Link{{Label: l.T("mail_server_open"), URL: base + "/dashboard/settings/health"}}
}
