package mail

import "daybook/views"

// FactorAlert is what a member changed about how they sign in.
type FactorAlert struct {
	What string `json:"what"`           // such as app_added, see package factor
	Name string `json:"name,omitempty"` // of a passkey
}

// Write writes into the page of a mail what has changed, and what to do if somebody else did it. base is this server's
// address.
func (f *FactorAlert) Write(p *views.MailPage, l *views.Locale, base string) {
	p.Heading = l.T("mail_head_security")
	p.Subject = p.Heading
	p.Text = l.T("mail_text_security_" + f.What)
	if f.Name != "" {
		p.Facts = []views.MailFact{{Label: l.T("mail_security_passkey"), Value: f.Name, Strong: true}}
	}
	p.Text += " " + l.T("mail_text_security_else")
	p.Links = []views.Link{{Label: l.T("mail_security_open"), URL: base + "/dashboard/account/security"}}
}
