package mail

import (
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/app/when"
	"daybook/views"
)

// items returns a composer for each of the bookings that a mail to somebody of the team is about; none where that is one.
// A mail that asks for a decision is about those that still wait for it.
func (c *composer) items() (all []*composer) {
	for i := range c.facts.Team {
		n := slices.IndexFunc(c.about.Team, func(b booking.Booking) bool { return b.ID == c.facts.Team[i].Booking })
		if n < 0 { // deleted since
			continue
		}
		one := c.part(&c.about.Team[n])
		one.facts = &c.facts.Team[i].Facts
		all = append(all, one)
	}
	decided := func(one *composer) bool { return one.about.Booking.Status != booking.Pending }
	if c.mail.Kind == catalog.MailTeamDecision && !decided(c) {
		all = slices.DeleteFunc(all, decided)
	}
	return all
}

// titled returns a composer of what is said about these bookings as of one.
func titled(items []*composer) *composer {
	one, about, titles := *items[0], *items[0].about, []string{}
	for _, item := range items {
		titles = append(titles, item.about.Event.Title)
	}
	about.Event.Title = views.Counted(titles)
	one.about = &about
	return &one
}

// writeTeam writes a mail to somebody of the team about several bookings of a visit.
func (c *composer) writeTeam(p *views.MailPage) {
	items := c.items()
	whole, kind, key := titled(items), string(c.mail.Kind), string(c.mail.Kind)
	if !slices.ContainsFunc(items, func(one *composer) bool { return one.key() != "team_gone" }) {
		key = "team_gone"
	}
	start := items[0].facts.Start.Time().In(c.zone)
	p.Subject = smtp.OneLine(c.t("mail_subject_team", "What", c.t("mail_what_"+kind), "Title", whole.about.Event.Title,
		"Invitee", c.about.Booking.Invitee.Name, "When", c.locale.ShortDay(start)+", "+c.locale.Time(start, "")))
	p.Heading, p.Text = c.t("mail_head_"+key), teamText(items)
	p.Facts, p.Links, p.Message = c.teamRows(items), c.links(), c.message()
}

// teamText says what happened, of those bookings together of which the same is said.
func teamText(items []*composer) string {
	var together []*composer
	var texts []string
	for _, one := range items {
		if one.mail.Kind == catalog.MailTeamMoved && (one.keepsStart() || one.textKey() != "mail_text_team_moved") {
			texts = append(texts, one.text())
		} else {
			together = append(together, one)
		}
	}
	if len(together) > 0 {
		texts = append([]string{titled(together).text()}, texts...)
	}
	return strings.Join(texts, " ")
}

// teamRows returns when it begins, each of the bookings with its time, who does it and its price, and what they have in
// common.
func (c *composer) teamRows(items []*composer) (rows []views.MailFact) {
	add := func(key, value string) {
		row := views.MailFact{Label: key, Value: value}
		if value != "" && !slices.ContainsFunc(rows, func(r views.MailFact) bool { return r.Label == key && r.Value == value }) {
			rows = append(rows, row)
		}
	}
	first, before, over, places := items[0].facts.Start, when.Instant(0), true, map[string]bool{}
	for _, one := range items {
		if at := one.facts.Previous; at != 0 && (before == 0 || at < before) {
			before = at
		}
		over, places[one.about.Booking.Spot()] = over && one.over(), true
	}
	rows = append(rows, views.MailFact{Label: c.t("mail_when"), Value: c.when(first, 0), Strong: true, Gone: over})
	if before != 0 {
		rows = append(rows, views.MailFact{Label: c.t("mail_before"), Value: c.when(before, 0), Gone: true})
	}
	for _, one := range items {
		rows = append(rows, one.teamRow(first, len(places) > 1))
	}
	b := &c.about.Booking
	add(c.t("mail_invitee"), b.Invitee.Name)
	add(c.t("mail_email"), b.Invitee.Email)
	add(c.t("mail_phone"), b.Invitee.Phone)
	if len(places) == 1 {
		rows = append(rows, items[0].place()...)
	}
	for _, one := range items {
		for _, q := range one.about.Event.Questions {
			if answer, ok := one.about.Booking.Answers[q.Key]; ok {
				add(q.Label, c.answer(answer))
			}
		}
	}
	for _, one := range items {
		add(c.t("mail_notes"), one.about.Booking.Notes)
	}
	return rows
}

// teamRow returns the row of one of several bookings, with its day where the first begins on another one, and its place if
// that is to be said.
func (c *composer) teamRow(first when.Instant, place bool) views.MailFact {
	start := c.facts.Start.Time().In(c.zone)
	row := views.MailFact{Label: c.locale.Span(start, c.facts.End.Time().In(c.zone), ""), Value: c.about.Event.Title, Gone: c.over()}
	if day := c.locale.ShortDay(start); day != c.locale.ShortDay(first.Time().In(c.zone)) {
		row.Label = day + ", " + row.Label
	}
	more := c.chosen()
	if place {
		more = append(more, c.place()...)
	}
	if !c.over() {
		more = append(more, c.rooms()...)
	}
	var about []string
	if !c.facts.Gone {
		about = append(about, c.hostNames())
	}
	about = slices.DeleteFunc(append(about, c.price()), func(s string) bool { return s == "" })
	if len(about) > 0 {
		row.Value += "\n" + strings.Join(about, " · ")
	}
	for _, one := range more {
		row.Value += "\n" + one.Value
	}
	if fee := c.lateFee(); fee != "" {
		row.Value += "\n" + c.locale.Labelled(c.t("deposit_late_fee"), fee)
	}
	return row
}
