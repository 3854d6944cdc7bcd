package mail

import (
	"slices"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/calendar"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views"
)

// part returns a composer of what is said about one booking of the visit alone.
func (c *composer) part(b *booking.Booking) *composer {
	one, about, facts := *c, *c.about, *c.facts
	about.Booking, about.Event, about.Visit = *b, catalog.EventType{Title: b.EventType}, nil
	if e := about.Setup.EventTypeByID(b.EventTypeID); e != nil {
		about.Event = *e
	}
	facts.Start, facts.End, facts.Host, facts.Status = b.Start, b.End, b.Host.ID, b.Status
	one.about, one.facts = &about, &facts
	return &one
}

// listed returns the bookings that the visit has for the invitee: those that take place, by their starts, or all that the invitee knew
// of where none does.
func (c *composer) listed() (all []*booking.Booking) {
	v := c.about.Visit
	for i := range v.Items {
		b := &v.Items[i]
		known := len(c.facts.Visit.Known) == 0 || slices.ContainsFunc(c.facts.Visit.Known, func(k VisitPart) bool {
			return k.Booking == b.ID && !k.Over
		})
		if b.Status.Live() || len(v.Live()) == 0 && known {
			all = append(all, b)
		}
	}
	slices.SortStableFunc(all, func(a, b *booking.Booking) int { return int(a.Start - b.Start) })
	return all
}

// shown returns what the mail lists: for a reminder, what is listed of its day.
func (c *composer) shown() []*booking.Booking {
	return slices.DeleteFunc(c.listed(), func(b *booking.Booking) bool { return !c.facts.Visit.on(b, c.about.Setup.Zone) })
}

// titles returns the names of the services.
func (c *composer) titles(of []*booking.Booking) string {
	var titles []string
	for _, b := range of {
		titles = append(titles, c.part(b).about.Event.Title)
	}
	return views.Counted(titles)
}

// partly reports whether the mail tells that some of the visit was cancelled, and some takes place.
func (c *composer) partly() bool { return c.mail.Kind == catalog.MailCancelled && !c.over() }

// movedWhole reports whether everything that takes place has a new start; then the first is where the visit began.
func (c *composer) movedWhole() (before when.Instant, moved bool) {
	changes := c.about.Visit.changed(c.facts.Visit.Known)
	for _, b := range c.about.Visit.Live() {
		i := slices.IndexFunc(changes, func(p partChange) bool { return p.now.ID == b.ID })
		if i < 0 || changes[i].before.Start == b.Start {
			return 0, false
		}
		if start := changes[i].before.Start; before == 0 || start < before {
			before = start
		}
	}
	return before, before != 0
}

// writeVisit writes the mail about a visit.
func (c *composer) writeVisit(p *views.MailPage) {
	_, whole := c.movedWhole()
	key, what := string(c.mail.Kind), "mail_what_"+string(c.mail.Kind)
	switch {
	case c.partly():
		key, what, p.Tone = "visit_part", "mail_what_visit_part", views.Warn
	case c.mail.Kind == catalog.MailMoved && !whole:
		key, what = "changed", "mail_what_changed"
	}
	start := c.facts.Start.Time().In(c.zone)
	p.Subject = c.t("mail_subject", "What", c.t(what), "Title", c.allTitles(),
		"When", c.locale.ShortDay(start)+", "+c.locale.Time(start, ""))
	p.Heading, p.Text = c.t("mail_head_"+key), strings.Join(c.visitTexts(whole), " ")
	p.Facts, p.Links, p.Message = c.visitRows(), c.visitLinks(), c.message()
	p.Words, p.Calendars = c.visitWords(), c.calendars()
}

// visitTexts returns the sentences of the mail.
func (c *composer) visitTexts(whole bool) (all []string) {
	if !c.partly() && (c.mail.Kind != catalog.MailMoved || whole) {
		all = append(all, c.text())
	}
	if !c.over() {
		all = append(append(all, c.goneTexts()...), c.partTexts(whole)...)
	}
	if c.mail.Kind == catalog.MailMoved && c.facts.Status == booking.Pending && !whole {
		all = append(all, c.t("mail_text_changed_waiting", "Name", c.about.Setup.Workspace.Name))
	}
	return all
}

// goneTexts say which services were cancelled since the invitee last knew, by whom.
func (c *composer) goneTexts() (all []string) {
	var asked, gone []*booking.Booking
	for _, p := range c.about.Visit.changed(c.facts.Visit.Known) {
		by := c.facts.By
		if p.now.Cancellation != nil {
			by = p.now.Cancellation.By
		}
		switch {
		case p.now.Status != booking.Cancelled:
		case by == booking.ByInvitee:
			asked = append(asked, p.now)
		default:
			gone = append(gone, p.now)
		}
	}
	if len(asked) > 0 {
		all = append(all, c.t("mail_text_visit_part_invitee", "Title", c.titles(asked)))
	}
	if len(gone) > 0 {
		all = append(all, c.t("mail_text_visit_part_business", "Name", c.about.Setup.Workspace.Name, "Title", c.titles(gone)))
	}
	return all
}

// partTexts say what is another about the services that take place. Their starts stand in the list where all have new
// ones.
func (c *composer) partTexts(whole bool) (all []string) {
	for _, p := range c.about.Visit.changed(c.facts.Visit.Known) {
		if p.now.Status == booking.Cancelled {
			continue
		}
		one := c.part(p.now)
		one.facts.tellFrom(p.before.at())
		one.facts.EventType = p.now.EventTypeID
		if p.before.EventType == p.now.EventTypeID {
			one.facts.PreviousEventType = 0
		} else {
			one.facts.PreviousEventType = p.before.EventType
		}
		var texts []string
		if before := one.facts.Previous; before != 0 && !whole {
			texts = append(texts, c.t("mail_text_visit_moved", "When", c.moment(p.now.Start, before), "Before", c.moment(before, p.now.Start)))
		}
		texts = append(texts, one.changedTexts()...)
		if one.facts.PreviousEnd != 0 && one.facts.PreviousEventType == 0 {
			texts = append(texts, c.t("mail_text_changed_length", "Time", c.locale.Time(p.now.End.Time().In(c.zone), ""),
				"Length", c.locale.Duration(time.Duration(p.now.End-p.now.Start)*time.Millisecond)))
		}
		if len(texts) > 0 {
			all = append(all, c.locale.Labelled(one.about.Event.Title, strings.Join(texts, " ")))
		}
	}
	return all
}

// moment returns a time, with its day where the other one is on another.
func (c *composer) moment(at, other when.Instant) string {
	t := at.Time().In(c.zone)
	clock := c.locale.Time(t, "")
	if day := c.locale.ShortDay(t); day != c.locale.ShortDay(other.Time().In(c.zone)) {
		return day + ", " + clock
	}
	return clock
}

// visitRows returns when the visit is, each of its services with its time, host and price, and the sum.
func (c *composer) visitRows() []views.MailFact {
	rows := []views.MailFact{{Label: c.t("mail_when"), Value: c.when(c.facts.Start, c.facts.End), Strong: true, Gone: c.over()}}
	if before, whole := c.movedWhole(); whole {
		rows = append(rows, views.MailFact{Label: c.t("mail_before"), Value: c.when(before, 0), Gone: true})
	}
	rows = append(rows, c.seriesRows()...)
	listed := c.shown()
	day := c.facts.Start.Time().In(c.zone).YearDay()
	places := map[string]bool{}
	for _, b := range listed {
		places[b.Spot()] = true
	}
	for _, b := range listed {
		one := c.part(b)
		start := b.Start.Time().In(c.zone)
		row := views.MailFact{Label: c.locale.Span(start, b.End.Time().In(c.zone), ""), Value: one.about.Event.Title, Gone: c.over()}
		if start.YearDay() != day {
			row.Label = c.locale.ShortDay(start) + ", " + row.Label
		}
		for _, more := range one.chosen() {
			row.Value += "\n" + more.Value
		}
		var about []string
		if name := one.hostName(); name != "" && name != c.about.Setup.Workspace.Name {
			about = append(about, name)
		}
		if b.Price != nil && !c.over() {
			about = append(about, c.money(*b.Price))
		}
		if len(about) > 0 {
			row.Value += "\n" + strings.Join(about, " · ")
		}
		if !c.over() {
			for _, room := range one.rooms() {
				row.Value += "\n" + room.Value
			}
			if len(places) > 1 {
				for _, spot := range one.place() {
					row.Value += "\n" + spot.Value
				}
			}
		}
		rows = append(rows, row)
	}
	if c.over() {
		return rows
	}
	if sum := c.sum(listed); sum != "" {
		rows = append(rows, views.MailFact{Label: c.t("mail_visit_sum"), Value: sum, Strong: true})
	}
	if all := c.together(); all != "" {
		rows = append(rows, views.MailFact{Label: c.t("mail_series_sum"), Value: all, Strong: true})
	}
	if len(places) == 1 {
		rows = append(rows, c.place()...)
	}
	if until := c.changing(listed...); until != "" {
		rows = append(rows, views.MailFact{Label: c.t("mail_changing"), Value: until})
	}
	return rows
}

// sum returns what all of the bookings cost that have a price; "" for none.
func (c *composer) sum(all []*booking.Booking) string {
	sums, online := map[string]int64{}, int64(0)
	for _, b := range all {
		if b.Price != nil {
			sums[b.Price.Currency] += b.Price.Amount
		}
		if b.Payment != nil {
			online += b.Payment.Amount
		}
	}
	for currency, amount := range sums {
		if len(sums) > 1 {
			break
		}
		text := c.locale.Money(views.Money{Amount: amount, Currency: currency})
		switch {
		case online == 0:
			text = c.t("mail_on_site", "Amount", text)
		case online < amount:
			text = c.t("deposit_mail_price", "Price", text, "Now", c.money(money.Money{Amount: online, Currency: currency}),
				"Rest", c.money(money.Money{Amount: amount - online, Currency: currency}))
		}
		return text
	}
	return ""
}

// due returns what is to be paid online for all of the visit, zero where only a card is to be saved; nil for nothing.
func (v *visit) due() (sum *money.Money) {
	for _, b := range v.Live() {
		p := b.Payment
		if p == nil || !b.NeedsPay {
			continue
		}
		if sum == nil {
			sum = &money.Money{Currency: p.Currency}
		}
		sum.Amount += p.Amount
	}
	return sum
}

// visitLinks returns the link to the visit's page; once it is over, to where the business is booked.
func (c *composer) visitLinks() []views.Link {
	manage := views.Link{Label: c.t("mail_manage"), URL: c.about.VisitURL}
	if due := c.due(); due != nil && c.mail.Kind == catalog.MailPaymentDue {
		pay := views.Link{Label: c.t("mail_save_card"), URL: c.about.VisitURL + "/pay"}
		if due.Amount > 0 {
			pay.Label = c.t("mail_pay", "Amount", c.money(*due))
		}
		return []views.Link{pay, manage}
	}
	if c.mail.Kind == catalog.MailReminder {
		return slices.Concat(c.comingLinks(c.about.VisitURL), c.payAhead(c.about.Visit.Items, c.about.VisitURL), []views.Link{manage})
	}
	if !c.over() {
		return []views.Link{manage}
	}
	for _, b := range c.listed() {
		if e := c.about.Setup.EventTypeByID(b.EventTypeID); e != nil && e.Listed() {
			return []views.Link{{Label: c.t("mail_book_again"), URL: c.service.Core.BaseURL() + "/" + c.about.Setup.Workspace.Slug}}
		}
	}
	return nil
}

// visitWords returns the paragraphs in the owner's words of all services, each once.
func (c *composer) visitWords() string {
	var all []string
	for _, b := range c.shown() {
		if text := c.part(b).words(); text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n\n")
}

// visitInvitation returns the one entry in the invitee's calendar that all of the visit has.
func (c *composer) visitInvitation() *calendar.Invitation {
	b, f := &c.about.Booking, c.facts
	i := &calendar.Invitation{
		UID: b.VisitUID(c.service.Core.UIDDomain()), Sequence: f.Sequence,
		Cancel: c.over(), Tentative: f.Status == booking.Pending,
		Title: c.titles(c.listed()) + " · " + c.about.Setup.Workspace.Name, URL: c.about.VisitURL,
		Start: c.about.Visit.Start.Time(), End: c.about.Visit.End.Time(), Zone: c.zone, Stamp: c.mail.CreatedAt.Time(), Alarm: c.alarm(),
		Organizer: calendar.Person{Name: c.about.Setup.Workspace.Name, Email: c.from.Address},
		Attendees: []calendar.Person{{Name: b.Invitee.Name, Email: b.Invitee.Email}},
	}
	if !i.Cancel || b.Where == nil {
		i.Location, i.Conference = b.Spot(), b.Conference()
	}
	var lines []string
	for _, item := range c.listed() {
		one := c.part(item)
		line := c.locale.Span(item.Start.Time().In(c.zone), item.End.Time().In(c.zone), "") + " " + one.about.Event.Title
		if name := one.hostName(); name != "" {
			line += " · " + name
		}
		lines = append(lines, line)
	}
	if room := b.VideoRoom(); room != "" && !i.Cancel {
		lines = append(lines, c.locale.Labelled(c.locale.T("where_video"), room))
	}
	if c.about.VisitURL != "" {
		lines = append(lines, c.locale.Labelled(c.locale.T("mail_manage"), c.about.VisitURL))
	}
	i.Description = strings.Join(lines, "\n")
	return i
}
