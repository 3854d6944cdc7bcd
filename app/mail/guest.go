package mail

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/guest"
	"daybook/app/id"
	"daybook/app/mail/smtp"
	"daybook/app/when"
	"daybook/views"
)

// GuestAsk holds the facts of the mail that asks a guest to confirm. The code and the link are made when it is sent, so
// neither queue nor log has them.
type GuestAsk struct {
	Request   booking.GuestID     `json:"request"`
	EventType catalog.EventTypeID `json:"eventType"`
	Host      catalog.HostID      `json:"host"`
	Start     when.Instant        `json:"start"`
	End       when.Instant        `json:"end"`
	Expires   when.Instant        `json:"expires"`
	Locale    string              `json:"locale,omitempty"`
	TimeZone  string              `json:"timeZone,omitempty"`
	ByPage    bool                `json:"byPage,omitempty"` // they asked themselves, not by an assistant
}

// Subject returns the recipient's language and zone, and the reason why the mail must no longer be sent, or "".
func (a *GuestAsk) Subject(now when.Instant) (to booking.Invitee, dropped string) {
	if a.Expires <= now {
		dropped = "the request has expired"
	}
	return booking.Invitee{Locale: a.Locale, TimeZone: a.TimeZone}, dropped
}

// Write writes the request into the page of a mail; at formats times. With base "" it is for a reader of the log, who
// sees neither code nor link.
func (a *GuestAsk) Write(p *views.MailPage, l *views.Locale, setup *catalog.Setup, at func(start, end when.Instant) string,
	base string) {
	name, title, host := setup.Workspace.Name, "", ""
	if e := setup.EventTypeByID(a.EventType); e != nil {
		title = e.Title
	}
	if h := setup.Host(a.Host); h != nil && h.Name != name {
		host = h.Name
	}
	p.Subject = smtp.OneLine(l.T("mail_guest_subject", "Title", title, "Name", name))
	p.Heading, p.Text = l.T("mail_guest_head"), l.T("mail_guest_text", "Name", name)
	if a.ByPage {
		p.Text = l.T("mail_guest_page", "Name", name)
	}
	fact := func(key, value string, strong bool) {
		if value != "" {
			p.Facts = append(p.Facts, views.MailFact{Label: l.T(key), Value: value, Strong: strong})
		}
	}
	fact("mail_what", title, false)
	fact("mail_when", at(a.Start, a.End), true)
	fact("mail_with", host, false)
	if base == "" {
		p.Note = l.T("invitation_mail_secret")
		return
	}
	if !a.ByPage {
		code := booking.GuestCode(setup, a.Request)
		fact("mail_guest_code", code[:3]+" "+code[3:], true)
	}
	p.Note = l.T("mail_guest_note")
	p.Links = []views.Link{{Label: l.T("mail_guest_confirm"), URL: base + booking.GuestPath(setup, a.Request)}}
}

// PostToGuest queues the mail that asks a person whether an assistant may book for them, in the caller's transaction.
func (s *Service) PostToGuest(in app.Tx, r *guest.Request, byPage bool) error {
	now := s.Core.Now()
	return in.(Tx).InsertMails(Mail{ID: id.New[MailIDKind](now), WorkspaceID: r.WorkspaceID,
		Kind: catalog.MailGuest, To: r.Input.Invitee.Email, DueAt: when.At(now), Until: r.ExpiresAt,
		Facts: Facts{For: ToInvitee, Guest: &GuestAsk{Request: r.ID, EventType: r.EventType, Host: r.Host,
			Start: r.Start, End: r.End, Expires: r.ExpiresAt, Locale: r.Input.Invitee.Locale,
			TimeZone: r.Input.Invitee.TimeZone, ByPage: byPage}}})
}

// MailsGuests reports whether the workspace can send that mail. The error is that of the database.
func (s *Service) MailsGuests(ctx context.Context, setup *catalog.Setup) (bool, error) {
	route, err := s.MailRoute(ctx, setup.Workspace.ID)
	return route != nil, err
}
