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

// CalendarAlert says that the sign-in to a host's other calendar, or a resource's, is refused or revoked.
type CalendarAlert struct {
	Connection string `json:"connection"` // id
	Name       string `json:"name"`       // what the business calls it
	Account    string `json:"account,omitempty"`
	Blocks     bool   `json:"blocks,omitempty"`   // its busy times close times here
	Writes     bool   `json:"writes,omitempty"`   // bookings are written into it
	Resource   string `json:"resource,omitempty"` // the name of the room or thing whose it is; "" for a host's
	Refuses    bool   `json:"refuses,omitempty"`  // the resource isn't booked until then
}

// until is the message that says what holds until the calendar can be read again.
func (c *CalendarAlert) until(refuses bool) string {
	switch {
	case c.Resource != "" && refuses:
		return "mail_text_team_calendar_thing_refuse"
	case c.Resource != "":
		return "mail_text_team_calendar_thing_book"
	case refuses:
		return "mail_text_team_calendar_refuse"
	}
	return "mail_text_team_calendar_book"
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
	name, refuses := c.Resource, c.Refuses
	switch {
	case h != nil:
		name, refuses = h.Name, h.WhenCalendarUnknown == catalog.RefuseUnknown
		fact("mail_calendar_host", name)
	case name != "":
		fact("mail_calendar_resource", name)
	}
	if name != "" && c.Blocks {
		fact("mail_calendar_until", l.T(c.until(refuses), "Host", name, "Name", name))
	}
	p.Links = []views.Link{{Label: l.T("mail_calendar_open"),
		URL: base + "/dashboard/integrations/calendars/" + c.Connection}}
}
