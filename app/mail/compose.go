package mail

import (
	"cmp"
	"context"
	"fmt"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/calendar"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/views"
)

// Compose returns a mail of the log as it would be sent now, for a reader of the log. from is the mail server's sender,
// or zero.
func Compose(ctx context.Context, s *Service, m *Mail, from mail.Address) (*smtp.Message, error) {
	about, err := s.MailSubject(ctx, m)
	if err != nil {
		return nil, err
	}
	return ComposeAbout(ctx, s, m, &about, from)
}

// ComposeAbout does the same as Compose for a mail whose Subject has been read.
func ComposeAbout(
	ctx context.Context, s *Service, m *Mail, about *Subject, from mail.Address,
) (*smtp.Message, error) {
	domain := serverDomain(s)
	if from.Address == "" {
		from.Address = "noreply@" + domain
	}
	c := &composer{service: s, mail: m, facts: &m.Facts, about: about, domain: domain}
	c.from = mail.Address{Name: cmp.Or(from.Name, about.Setup.Workspace.Name), Address: from.Address}
	c.locale, c.zone = c.language(), c.timeZone()
	page := c.page()
	var html strings.Builder
	if err := views.MailView(page).Render(ctx, &html); err != nil {
		return nil, err
	}
	out := &smtp.Message{
		ID: messageID(m, domain), From: c.from, To: m.To, ReplyTo: c.replyTo(), Subject: page.Subject,
		Text: views.MailText(page), HTML: html.String(), Date: s.Core.Now(),
	}
	if page.Stop != nil {
		out.Unsubscribe = page.Stop.URL
	}
	all := c.invitations()
	for n, i := range all {
		switch {
		case n == 0:
			out.Invitation, out.Method = i.Text(), i.Method()
		case c.ofSeries():
			out.Dates = calendar.PublishedText(all)
		default:
			out.Further = append(out.Further, smtp.Invitation{Text: i.Text(), Method: i.Method()})
		}
	}
	return out, nil
}

// composer writes one mail.
type composer struct {
	service *Service
	mail    *Mail
	facts   *Facts
	about   *Subject
	domain  string
	from    mail.Address
	locale  *views.Locale
	zone    *time.Location
}

// messageID returns the same at each attempt, so that a mail that is sent twice is recognised as one.
func messageID(m *Mail, domain string) string {
	if m.Resends == 0 {
		return m.ID.String() + "@" + domain
	}
	return fmt.Sprintf("%s.%d@%s", m.ID, m.Resends, domain)
}

// serverDomain returns the domain of this server's Message-IDs.
func serverDomain(s *Service) string {
	if u, err := url.Parse(s.Core.BaseURL()); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return "daybook.invalid"
}

// language returns the reader's own, the workspace's where that isn't known.
func (c *composer) language() *views.Locale {
	asked := map[Role]string{ToInvitee: c.about.Booking.Invitee.Locale, ToHost: c.about.Locale, ToOwner: c.about.Locale}
	return views.MatchLocale(cmp.Or(asked[c.facts.For], c.about.Setup.Workspace.Settings.Locale), "")
}

func (c *composer) timeZone() *time.Location {
	name := ""
	switch c.facts.For {
	case ToInvitee:
		name = c.about.Booking.Invitee.TimeZone
	case ToHost:
		if h := c.about.Setup.Host(c.facts.Host); h != nil {
			name = h.TimeZone
		}
	}
	if name != "" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return c.about.Setup.Zone
}

// replyTo returns who gets the answers: the host, or for mails to the team the invitee.
func (c *composer) replyTo() *mail.Address {
	if c.mail.BookingID == 0 && c.mail.Kind != catalog.MailInvitation {
		return nil
	}
	if c.facts.For != ToInvitee {
		if c.about.Booking.Invitee.Email == "" {
			return nil
		}
		return &mail.Address{Name: c.about.Booking.Invitee.Name, Address: c.about.Booking.Invitee.Email}
	}
	if h := c.about.Setup.Host(c.facts.Host); h != nil {
		return &mail.Address{Name: h.Name, Address: h.Email}
	}
	return nil
}

func (c *composer) hostName() string {
	if h := c.about.Setup.Host(c.facts.Host); h != nil {
		return h.Name
	}
	return ""
}

// leader returns the name of the host who leads, also to one who does it beside them.
func (c *composer) leader() string {
	if h := c.about.Setup.Host(c.facts.place().host); h != nil {
		return h.Name
	}
	return ""
}

// hostNames returns the names of all who do the booking, for the team.
func (c *composer) hostNames() string {
	b := &c.about.Booking
	if len(b.Hosts) == 0 || c.facts.Gone {
		return c.hostName()
	}
	names := make([]string, len(b.Hosts))
	for i, h := range b.Hosts {
		names[i] = h.Name
	}
	return strings.Join(names, ", ")
}

// invitations returns what the mail does to the recipient's calendar. A host has an entry for each booking, of a visit
// too: their parts of it may have others' between them, and each may be moved alone. An invitee has one for each date of a
// series.
func (c *composer) invitations() (all []*calendar.Invitation) {
	add := func(i *calendar.Invitation) {
		if i != nil {
			all = append(all, i)
		}
	}
	dates := c.dates()
	if len(c.facts.Team) == 0 && len(dates) == 0 {
		add(c.invitation())
	}
	for _, one := range dates {
		add(one.invitation())
	}
	for _, one := range c.items() {
		add(one.invitation())
	}
	return all
}

// invitation returns what the mail does to an entry in the recipient's calendar. The owners' calendars are left alone: the
// bookings are the hosts'. A host's events are their own, so that a booking's change of host moves it from one calendar to
// another.
func (c *composer) invitation() *calendar.Invitation {
	if c.mail.BookingID == 0 || c.facts.For == ToOwner || c.mail.Kind == catalog.MailRefunded ||
		c.mail.Kind == catalog.MailReceipt || c.mail.Kind == catalog.MailTeamNotComing {
		return nil
	}
	if c.about.Visit != nil {
		return c.visitInvitation()
	}
	b, f := &c.about.Booking, c.facts
	i := &calendar.Invitation{
		UID: c.service.Core.CalendarUID(b, 0), Sequence: f.Sequence,
		Cancel: f.Status == booking.Cancelled || f.Gone, Tentative: f.Status == booking.Pending,
		Title: b.Titled(c.about.Event.Title) + " · " + c.about.Setup.Workspace.Name, Location: b.Spot(),
		Conference: b.Conference(), URL: b.ManageURL,
		Start: f.Start.Time(), End: f.End.Time(), Zone: c.zone, Stamp: c.mail.CreatedAt.Time(), Alarm: c.alarm(),
		Organizer: calendar.Person{Name: c.about.Setup.Workspace.Name, Email: c.from.Address},
		Attendees: []calendar.Person{{Name: b.Invitee.Name, Email: b.Invitee.Email}},
	}
	if i.Cancel && b.Where != nil {
		i.Location, i.Conference = "", ""
	}
	if f.For == ToHost {
		i.UID = c.service.Core.CalendarUID(b, f.Host)
		i.Title, i.URL = b.Invitee.Name+" · "+b.Titled(c.about.Event.Title), b.VideoRoom()
		i.Attendees = []calendar.Person{{Name: c.hostName(), Email: c.mail.To}}
		i.Description = ContactText(b)
		return i
	}
	i.Description = c.locale.Labelled(c.locale.T("mail_with"), c.hostName())
	if room := b.VideoRoom(); room != "" && !i.Cancel {
		i.Description += "\n" + c.locale.Labelled(c.locale.T("where_video"), room)
	}
	if b.ManageURL != "" {
		i.Description += "\n" + c.locale.Labelled(c.locale.T("mail_manage"), b.ManageURL)
	}
	return i
}

// alarm returns how long before the start the calendar reminds: as the last reminder mail does, or half an hour.
func (c *composer) alarm() time.Duration {
	if all := c.about.Event.ReminderMinutes; len(all) > 0 {
		return time.Duration(all[len(all)-1]) * time.Minute
	}
	return 30 * time.Minute
}
