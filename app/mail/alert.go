package mail

import (
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/views"
)

// writeEndpointAlert puts on the page of a mail that a webhook endpoint was disabled, and why: gone, failing, or, in
// mails of older versions, a sentence.
func writeEndpointAlert(p *views.MailPage, l *views.Locale, address, why string) {
	switch why {
	case "gone":
		why = l.T("mail_reason_gone")
	case "failing":
		why = l.T("mail_reason_failing")
	}
	p.Heading = l.T("mail_head_team_endpoint")
	p.Subject, p.Text = p.Heading, l.T("mail_text_team_endpoint")
	p.Facts = []views.MailFact{{Label: l.T("mail_endpoint"), Value: address, Strong: true},
		{Label: l.T("mail_reason"), Value: why}}
}

// CalendarAlert says that the sign-in to a host's other calendar is refused or revoked.
type CalendarAlert struct {
	Connection string `json:"connection"` // id
	Name       string `json:"name"`       // what the business calls it
	Account    string `json:"account,omitempty"`
	Blocks     bool   `json:"blocks,omitempty"` // its busy times close times here
	Writes     bool   `json:"writes,omitempty"` // bookings are written into it
}

// Write writes into the page of a mail that the sign-in has ended, whose calendar it is, and what that means for
// bookings of the host until somebody signs in again. base is this server's address. The host is nil if it was deleted.
func (c *CalendarAlert) Write(p *views.MailPage, l *views.Locale, h *catalog.Host, base string) {
	p.Heading = l.T("mail_head_team_calendar")
	p.Subject = smtp.OneLine(l.T("mail_subject_team_calendar", "Name", c.Name))
	p.Text = l.T("mail_text_team_calendar")
	if c.Writes {
		p.Text += " " + l.T("mail_text_team_calendar_written")
	}
	fact := func(key, value string) {
		if value != "" {
			p.Facts = append(p.Facts, views.MailFact{Label: l.T(key), Value: value, Strong: len(p.Facts) == 0})
		}
	}
	fact("mail_calendar", c.Name)
	if c.Account != c.Name {
		fact("mail_calendar_account", c.Account)
	}
	if h != nil {
		fact("mail_calendar_host", h.Name)
		if c.Blocks {
			key := "mail_text_team_calendar_book"
			if h.WhenCalendarUnknown == catalog.RefuseUnknown {
				key = "mail_text_team_calendar_refuse"
			}
			fact("mail_calendar_until", l.T(key, "Host", h.Name))
		}
	}
	p.Links = []views.Link{{Label: l.T("mail_calendar_open"),
		URL: base + "/dashboard/integrations/calendars/" + c.Connection}}
}
