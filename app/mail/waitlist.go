package mail

import (
	"errors"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/mail/smtp"
	"daybook/app/waitlist"
	"daybook/app/when"
	"daybook/views"
)

// WaitNews holds the facts of a mail to who is on the waitlist. Its link is made when it is sent.
type WaitNews struct {
	Entry booking.WaitID `json:"entry"`
}

// PostWaits queues the mail that asks somebody to confirm that they wait, in the caller's transaction.
func (s *Service) PostWaits(in app.Tx, e *waitlist.Entry, until when.Instant) error {
	return s.postWait(in, catalog.MailWaits, e, until, WaitNews{Entry: e.ID})
}

func (s *Service) postWait(in app.Tx, kind catalog.MailKind, e *waitlist.Entry, until when.Instant, news WaitNews) error {
	now := s.Core.Now()
	return in.(Tx).InsertMails(Mail{ID: id.New[MailIDKind](now), WorkspaceID: e.WorkspaceID, Kind: kind, To: e.Invitee.Email,
		DueAt: when.At(now), Until: until, Facts: Facts{For: ToInvitee, Waits: &news}})
}

// aboutWait notes who is written to, and why the mail must not be sent any more.
func (s *Service) aboutWait(r Reader, m *Mail, about *Subject) error {
	e, err := r.WaitEntry(m.WorkspaceID, m.Facts.Waits.Entry)
	if errors.Is(err, fault.ErrNotFound) {
		about.Dropped = "the entry is gone"
		return nil
	}
	about.wait, about.Booking.Invitee = &e, e.Invitee
	if m.Kind == catalog.MailWaits && e.Status != waitlist.Unconfirmed {
		about.Dropped = "it is confirmed, or over"
	}
	return err
}

// waitPage writes a mail to who is on the waitlist. Who reads the log doesn't see the link.
func (c *composer) waitPage(p *views.MailPage) {
	e, setup := c.about.wait, c.about.Setup
	name := setup.Workspace.Name
	p.Subject = smtp.OneLine(c.t("wait_mail_subject", "Name", name))
	p.Heading, p.Text = c.t("wait_mail_head"), c.t("wait_mail_text", "Name", name)
	if e == nil {
		return
	}
	p.Facts = append(p.Facts, views.MailFact{Label: c.t("mail_what"), Value: strings.Join(WaitServices(setup, e), "\n")},
		views.MailFact{Label: c.t("mail_when"), Value: strings.Join(c.locale.Wishes(WaitWishes(e)), "\n"), Strong: true})
	p.Note = c.t("wait_mail_note")
	if !c.about.Sends {
		p.Note = c.t("invitation_mail_secret")
		return
	}
	p.Links = []views.Link{{Label: c.t("wait_confirm"), URL: c.service.Core.BaseURL() + waitlist.Path(setup, e.ID)}}
}

// WaitServices names the services of an entry, and with whom.
func WaitServices(setup *catalog.Setup, e *waitlist.Entry) (all []string) {
	for _, item := range e.Items {
		title := item.EventType
		if s := setup.EventType(item.EventType); s != nil {
			title = s.Title
		}
		if h, err := id.Parse[catalog.HostIDKind](item.Host); err == nil && setup.Host(h) != nil {
			title += " · " + setup.Host(h).Name
		}
		all = append(all, title)
	}
	return all
}

// WaitWishes returns the wishes of an entry as pages show them.
func WaitWishes(e *waitlist.Entry) (all []views.Wish) {
	for i := range e.Wishes {
		w := &e.Wishes[i]
		all = append(all, views.Wish{From: w.From, To: w.To, Days: w.Days, Hours: w.Hours})
	}
	return all
}
