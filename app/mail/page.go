package mail

import (
	"fmt"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/app/when"
	"daybook/views"
)

// page returns the content of the mail.
func (c *composer) page() views.MailPage {
	w := &c.about.Setup.Workspace
	p := views.MailPage{Locale: c.locale, Tone: c.tone()}
	p.Workspace = views.Workspace{Name: w.Name, Color: w.Settings.Color}
	switch {
	case c.facts.Voucher != nil:
		c.voucherPage(&p, c.facts.Voucher)
	case c.facts.Receipt != nil:
		writeReceipt(&p, c.facts.Receipt, c.locale, c.about.Setup.Zone)
	case c.mail.Kind == catalog.MailInvitation:
		c.invited(&p)
	case c.facts.Member != nil:
		c.invitedMember(&p, c.facts.Member)
	case c.facts.Guest != nil:
		base := map[bool]string{true: c.service.Core.BaseURL()}[c.about.Sends]
		c.facts.Guest.Write(&p, c.locale, c.about.Setup, c.when, base)
	case c.facts.Own != nil:
		c.ownPage(&p, c.facts.Own)
	case c.facts.Waits != nil:
		c.waitPage(&p)
	case c.mail.Kind == catalog.MailTeamEndpoint:
		writeEndpointAlert(&p, c.locale, c.facts.URL, c.facts.Reason)
	case c.facts.Calendar != nil:
		c.facts.Calendar.Write(&p, c.locale, c.about.Setup.Host(c.facts.Host), c.service.Core.BaseURL())
	case c.facts.Factor != nil:
		c.facts.Factor.Write(&p, c.locale, c.service.Core.BaseURL())
	case c.facts.Texts != nil:
		c.facts.Texts.write(&p, c.locale, c.service.Core.BaseURL())
	case c.facts.Server != nil:
		writeServerAlert(&p, c.locale, c.about.Setup.Zone, c.facts.Server, c.service.Core.BaseURL())
	case c.about.Visit != nil:
		c.writeVisit(&p)
	case len(c.facts.Team) > 0:
		c.writeTeam(&p)
	default:
		p.Subject, p.Heading, p.Text = c.subject(), c.heading(), c.text()
		p.Facts, p.Links, p.Message = c.rows(), c.links(), c.message()
		p.Calendars = c.calendars()
	}
	if p.Preview = p.Text; c.about.Visit == nil {
		p.Words = c.words()
	}
	c.foot(&p)
	return p
}

func (c *composer) t(key string, args ...any) string { return c.locale.T(key, args...) }

func (c *composer) team() bool { return c.facts.For != ToInvitee }

// key returns the kind, without what only the team's texts distinguish.
func (c *composer) key() string {
	switch {
	case c.mail.Kind == catalog.MailTeamMoved && c.facts.Gone && c.facts.Status == booking.Cancelled:
		return string(catalog.MailTeamCancelled)
	case c.mail.Kind == catalog.MailTeamMoved && c.facts.Gone:
		return "team_gone"
	}
	return string(c.mail.Kind)
}

func (c *composer) subject() string {
	start := c.facts.Start.Time().In(c.zone)
	args := []any{
		"What", c.what(), "Title", c.allTitles(),
		"Invitee", c.about.Booking.Invitee.Name, "When", c.locale.ShortDay(start) + ", " + c.locale.Time(start, ""),
	}
	key := "mail_subject"
	if c.team() {
		key = "mail_subject_team"
	}
	return smtp.OneLine(c.t(key, args...))
}

// what says in a word or two what happened.
func (c *composer) what() string {
	switch all := c.changes(); {
	case c.key() == string(catalog.MailTeamCancelled):
		return c.t("mail_what_team_cancelled")
	case !c.keepsStart():
		return c.t("mail_what_" + string(c.mail.Kind))
	case len(all) == 1:
		return c.t("mail_what_changed_"+all[0], "Host", c.leader())
	}
	return c.t("mail_what_changed")
}

func (c *composer) heading() string {
	switch {
	case !c.keepsStart():
		return c.t("mail_head_" + c.key())
	case c.team():
		return c.t("mail_head_team_changed")
	}
	return c.t("mail_head_changed")
}

// textKey returns the key of the mail's first sentence.
func (c *composer) textKey() string {
	switch {
	case c.mail.Kind == catalog.MailMoved && c.facts.Status == booking.Pending:
		return "mail_text_moved_waiting"
	case c.mail.Kind == catalog.MailCancelled && c.facts.By == booking.ByInvitee:
		return "mail_text_cancelled_invitee"
	case c.mail.Kind == catalog.MailCancelled:
		return "mail_text_cancelled_business"
	case c.mail.Kind == catalog.MailPaymentDue && c.cardOnly() && (c.about.Visit != nil || c.about.Booking.LateFee != nil):
		return "deposit_mail_card"
	case c.mail.Kind == catalog.MailPaymentDue && c.cardOnly():
		return "mail_text_card_due"
	case c.mail.Kind == catalog.MailTeamCancelled && c.facts.By == booking.BySystem:
		return "mail_text_team_lapsed"
	case c.key() == string(catalog.MailTeamMoved) && c.facts.Previous == 0:
		return "mail_text_team_host"
	}
	return "mail_text_" + c.key()
}

// cardOnly reports whether the invitee pays nothing now, and only saves a card for a fee.
func (c *composer) cardOnly() bool {
	if v := c.about.Visit; v != nil {
		due := v.due()
		return due != nil && due.Amount == 0
	}
	p := c.about.Booking.Payment
	return p != nil && p.Amount == 0
}

func (c *composer) text() string {
	if c.keepsStart() {
		return c.changedText()
	}
	host := c.about.Booking.Host.Name
	if !c.facts.Gone {
		host = c.hostName()
	}
	until := ""
	if at := c.about.Booking.ExpiresAt; at != 0 {
		t := at.Time().In(c.zone)
		clock := c.locale.Time(t, "")
		until = c.t("mail_until_time", "Time", clock)
		if start := c.service.Core.Now().In(c.zone); t.YearDay() != start.YearDay() || t.Year() != start.Year() {
			until = c.t("mail_until_day", "Day", c.locale.ShortDay(t), "Time", clock)
		}
	}
	amount := c.facts.Reason // of a refund from before amounts were kept apart
	if refund := c.facts.Amount; refund != nil {
		amount = c.locale.Money(views.Money{Amount: refund.Amount, Currency: refund.Currency})
	}
	if fee := c.about.Booking.NoShowFee; fee != nil && c.mail.Kind == catalog.MailPaymentDue {
		amount = c.locale.Money(views.Money{Amount: fee.Amount, Currency: fee.Currency})
	}
	text := c.t(c.textKey(), "Name", c.about.Setup.Workspace.Name, "Invitee", c.about.Booking.Invitee.Name,
		"Title", c.about.Event.Title, "Host", host, "Until", until, "Amount", amount)
	if !c.team() {
		text = strings.Join(append([]string{text}, c.changedTexts()...), " ")
	}
	if c.asks() {
		text += " " + c.t("coming_mail_ask")
	}
	return text
}

func (c *composer) tone() views.Tone {
	switch c.mail.Kind {
	case catalog.MailDeclined, catalog.MailCancelled, catalog.MailTeamCancelled:
		return views.Bad
	case catalog.MailLapsed, catalog.MailRefunded:
		return views.Quiet
	case catalog.MailWaiting, catalog.MailPaymentDue, catalog.MailTeamDecision, catalog.MailTeamNotComing, catalog.MailTeamEndpoint,
		catalog.MailTeamCalendar, catalog.MailTeamServer, catalog.MailTeamTexts, catalog.MailSecurity:
		return views.Warn
	}
	return ""
}

// over reports whether, for the recipient, the booking does not take place.
func (c *composer) over() bool { return c.facts.Status == booking.Cancelled || c.facts.Gone }

// when returns a day and a span of time, with the zone that they are in.
func (c *composer) when(start, end when.Instant) string {
	s := start.Time().In(c.zone)
	time := c.locale.Time(s, "")
	if end != 0 {
		time = c.locale.Span(s, end.Time().In(c.zone), "")
	}
	return views.Capital(c.locale.Date(s)) + "\n" + c.t("mail_time_in", "Time", time, "Zone", views.ZoneLabel(c.zone, s))
}

func (c *composer) rows() (rows []views.MailFact) {
	b, f := &c.about.Booking, c.facts
	add := func(key, value string) {
		if value != "" {
			rows = append(rows, views.MailFact{Label: c.t(key), Value: value})
		}
	}
	when := views.MailFact{Label: c.t("mail_when"), Value: c.when(f.Start, f.End), Strong: true, Gone: c.over()}
	rows = append(rows, when)
	switch {
	case f.Previous != 0:
		rows = append(rows, views.MailFact{Label: c.t("mail_before"), Value: c.when(f.Previous, 0), Gone: true})
	case f.PreviousEnd != 0:
		rows = append(rows, views.MailFact{Label: c.t("mail_before"), Value: c.when(f.Start, f.PreviousEnd), Gone: true})
	}
	rows = append(rows, c.seriesRows()...)
	add("mail_what", c.about.Event.Title)
	rows = append(rows, c.chosen()...)
	if !c.team() {
		if name := c.hostName(); name != c.about.Setup.Workspace.Name {
			add("mail_with", name)
		}
		if !c.over() {
			rows = append(rows, c.where()...)
			add("mail_price", c.price())
			add("mail_series_sum", c.together())
			add("deposit_mail_cancelling", c.cancelling())
			if b.Start == f.Start { // it was moved again since: a newer mail says until when
				add("mail_changing", c.changing(b))
			}
		}
		add("deposit_late_fee", c.lateFee())
		return rows
	}
	add("mail_with", c.hostNames())
	add("mail_invitee", b.Invitee.Name)
	add("mail_email", b.Invitee.Email)
	add("mail_phone", b.Invitee.Phone)
	rows = append(rows, c.where()...)
	add("mail_price", c.price())
	add("deposit_late_fee", c.lateFee())
	for _, q := range c.about.Event.Questions {
		if answer, ok := b.Answers[q.Key]; ok {
			rows = append(rows, views.MailFact{Label: q.Label, Value: c.answer(answer)})
		}
	}
	add("mail_notes", b.Notes)
	return rows
}

func (c *composer) answer(v any) string {
	if yes, ok := v.(bool); ok {
		if yes {
			return "✓"
		}
		return "–"
	}
	return fmt.Sprint(v)
}

func (c *composer) price() string {
	b := &c.about.Booking
	if b.Price == nil {
		return ""
	}
	amount := c.locale.Money(views.Money{Amount: b.Price.Amount, Currency: b.Price.Currency})
	if b.Deposit != nil {
		return c.parts(b, amount)
	}
	if b.Payment == nil {
		return c.t("mail_on_site", "Amount", amount)
	}
	return amount
}

// message returns what the person who acted wrote to the other one.
func (c *composer) message() *views.MailFact {
	own := c.facts.By == booking.ByInvitee && !c.team()
	if c.facts.Reason == "" || own || c.facts.By == booking.BySystem {
		return nil
	}
	return &views.MailFact{Label: c.t("mail_message"), Value: c.facts.Reason}
}

func (c *composer) links() (links []views.Link) {
	b := &c.about.Booking
	manage := views.Link{Label: c.t("mail_manage"), URL: b.ManageURL}
	switch c.mail.Kind {
	case catalog.MailTeamDecision:
		return []views.Link{{Label: c.t("mail_decide"), URL: c.service.DecideURL(c.about.Setup, b.ID)}}
	case catalog.MailPaymentDue:
		pay := views.Link{Label: c.t("mail_save_card"), URL: b.ManageURL + "/pay"}
		if due := c.due(); due != nil && due.Amount > 0 {
			pay.Label = c.t("mail_pay", "Amount", c.money(*due))
		}
		links = append(links, pay)
		return append(links, manage)
	case catalog.MailReminder:
		return slices.Concat(c.comingLinks(b.ManageURL), c.payAhead([]booking.Booking{*b}, b.ManageURL), []views.Link{manage})
	case catalog.MailDeclined, catalog.MailCancelled, catalog.MailLapsed:
		if c.about.Event.Listed() {
			return []views.Link{{Label: c.t("mail_book_again"), URL: c.about.Event.BookingURL}}
		}
		return nil
	}
	if c.team() {
		return nil
	}
	return []views.Link{manage}
}

// payAhead returns the link by which the bookings can be paid before they begin; none where they can't.
func (c *composer) payAhead(all []booking.Booking, page string) []views.Link {
	shown := slices.Clone(all)
	for i := range shown {
		shown[i].ShowPayLink(c.about.Setup, when.At(c.service.Core.Now()))
	}
	sum := booking.PayLinks(shown)
	if sum == nil {
		return nil
	}
	return []views.Link{{Label: c.t("series_pay_ahead", "Amount", c.money(*sum)), URL: page + "/pay"}}
}

// calendars returns the links by which the invitee adds what takes place to a calendar, whose program took no notice of
// the invitation in the mail; none for several dates, which the mail's file has.
func (c *composer) calendars() []views.Link {
	if c.team() || c.mail.Kind != catalog.MailConfirmed && c.mail.Kind != catalog.MailMoved || c.ofSeries() {
		return nil
	}
	i := c.invitation()
	if i == nil || i.Cancel || i.Tentative || i.URL == "" {
		return nil
	}
	e := views.CalendarEvent{Title: i.Title, Text: i.Description, Location: i.Location, Start: i.Start, End: i.End}
	return []views.Link{{Label: "Google", URL: e.GoogleURL()}, {Label: "Outlook", URL: e.OutlookURL()},
		{Label: c.t("calendar_file"), URL: i.URL + "/calendar.ics"}}
}

func (c *composer) foot(p *views.MailPage) {
	w := &c.about.Setup.Workspace
	if !c.team() {
		if c.mail.BookingID != 0 || c.replyTo() != nil {
			p.Foot = append(p.Foot, c.t("mail_reply"))
		}
		contact := []string{w.Name, w.Settings.Address, w.Settings.Phone}
		contact = slices.DeleteFunc(contact, func(s string) bool { return s == "" })
		p.Foot = append(p.Foot, strings.Join(contact, " · "))
	} else {
		p.Foot = append(p.Foot, c.t("mail_why_team", "Name", w.Name))
	}
	if topic := c.mail.Kind.Topic(); topic != "" {
		stop := c.service.UnsubscribeURL(c.about.Setup, c.mail.ID)
		p.Stop = &views.Link{Label: c.t("mail_stop_" + string(topic)), URL: stop}
	}
}
