package mail

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views"
)

// SeriesPart is one of the dates of a series that a mail to an invitee is about: what was true of it when the mail was queued.
// What is said of all dates stands in the facts of the mail.
type SeriesPart struct {
	Booking booking.BookingID `json:"booking"`          // of a visit the one that tells of it
	Untold  bool              `json:"untold,omitempty"` // left out when the mail was sent
	Facts
}

// tellSeries has the facts of a mail to the invitee be about all dates of the series that the change is of.
func (m *mailMaker) tellSeries(k catalog.MailKind, f *Facts) error {
	if m.series == nil {
		return nil
	}
	all := []SeriesPart{{Booking: m.b.ID, Facts: f.ofDate()}}
	told := []int{m.b.Series.Position}
	for _, c := range m.series.Alike(m.u) {
		i := slices.IndexFunc(m.series.Items, func(b booking.Booking) bool { return b.ID == c.Booking })
		b := &m.series.Items[i]
		if slices.Contains(told, b.Series.Position) { // with the first of its visit
			continue
		}
		told = append(told, b.Series.Position)
		one, err := m.another(b, &c)
		if err == nil && b.InVisit() {
			one.visit, err = m.visitOf(b)
		}
		if err != nil {
			return err
		}
		facts := one.facts(ToInvitee)
		one.tellVisit(k, &facts)
		all = append(all, SeriesPart{Booking: b.ID, Facts: facts.ofDate()})
	}
	if len(all) > 1 {
		f.Series = all
	}
	return nil
}

// ofDate returns what the facts say of one date alone.
func (f *Facts) ofDate() Facts {
	one := *f
	one.For, one.By, one.Reason, one.Amount = "", "", "", nil
	return one
}

// ofDate returns the mail as if it were about one of its dates alone. Like a mail that is held, it gives way to later ones.
func (m *Mail) ofDate(part *SeriesPart) Mail {
	one, f := *m, part.Facts
	f.For, f.By, f.Reason, f.Amount = m.Facts.For, m.Facts.By, m.Facts.Reason, m.Facts.Amount
	f.Held = m.Kind == catalog.MailMoved
	if one.BookingID, one.Facts = part.Booking, f; part.Untold && (m.State == Sent || m.State == Failed) {
		one.State = Dropped
	}
	return one
}

// mostOfSeries is how many mails about a series are looked at.
const mostOfSeries = 1000

// seriesMails returns the mails about the series of a booking, the newest first.
func seriesMails(r Reads, b *booking.Booking) ([]Mail, error) {
	return r.Mails(b.WorkspaceID, Filter{Series: b.Series.ID, Limit: mostOfSeries})
}

// narrowed returns the mails about any of the bookings, those about several dates as of theirs alone.
func narrowed(all []Mail, of []booking.BookingID) (some []Mail) {
	for i := range all {
		m := &all[i]
		if len(m.Facts.Series) == 0 {
			if slices.Contains(of, m.BookingID) {
				some = append(some, *m)
			}
			continue
		}
		n := slices.IndexFunc(m.Facts.Series, func(p SeriesPart) bool { return slices.Contains(of, p.Booking) })
		if n >= 0 {
			some = append(some, m.ofDate(&m.Facts.Series[n]))
		}
	}
	return some
}

// seriesDate is a date of a series that a mail is about, with what it says of it.
type seriesDate struct {
	booking booking.Booking
	facts   Facts
	visit   *visit // that it is, or nil
	url     string // of the visit
}

// aboutSeries reads the dates that a mail is about, and decides on each as on a mail about it alone: those of which nothing
// true or new is left to be told are left out. Each is told as it is now.
func (s *Service) aboutSeries(ctx context.Context, m *Mail, about *Subject) (err error) {
	if about.mails, err = seriesMails(s.Reader(ctx), &about.Booking); err != nil {
		return err
	}
	items, why := slices.Clone(m.Facts.Series), ""
	for i := range items {
		one := m.ofDate(&items[i])
		d := Subject{Setup: about.Setup, mails: about.mails}
		if err := s.aboutDate(ctx, &one, &d); err != nil {
			return err
		}
		if d.Later != 0 {
			about.Later = d.Later
			return nil
		}
		why = cmp.Or(why, d.Dropped)
		if items[i].Untold = d.Dropped != ""; d.Dropped == "" {
			about.Series = append(about.Series, seriesDate{d.Booking, one.Facts, d.Visit, d.VisitURL})
		}
	}
	slices.SortStableFunc(about.Series, func(a, b seriesDate) int { return cmp.Compare(a.facts.Start, b.facts.Start) })
	if now := when.At(s.Core.Now()); m.Resends > 0 { // those that are over are no news, unless all are
		n := slices.IndexFunc(about.Series, func(d seriesDate) bool { return d.facts.End > now })
		about.Series = about.Series[max(n, 0):]
	}
	if len(about.Series) == 0 {
		about.Dropped = why
		return nil
	}
	if !slices.Equal(untold(items), untold(m.Facts.Series)) {
		told := m.Facts
		told.Series, about.Told = items, &told
	}
	first := &about.Series[0]
	m.Facts = first.facts
	for i := range about.Series {
		m.Facts.Series = append(m.Facts.Series, SeriesPart{Booking: about.Series[i].booking.ID, Facts: about.Series[i].facts})
	}
	about.Booking, about.Visit, about.VisitURL = first.booking, first.visit, first.url
	return nil
}

// untold returns which of the dates were left out.
func untold(all []SeriesPart) (which []bool) {
	for i := range all {
		which = append(which, all[i].Untold)
	}
	return which
}

// aboutDate decides on one date of a mail.
func (s *Service) aboutDate(ctx context.Context, m *Mail, about *Subject) (err error) {
	about.Booking, err = s.Reader(ctx).BookingByID(m.BookingID)
	if errors.Is(err, fault.ErrNotFound) {
		about.Dropped = "the booking was deleted"
		return nil
	}
	if err != nil {
		return err
	}
	b := &about.Booking
	s.Core.Present(about.Setup, app.Actor{Kind: booking.BySystem}, b)
	about.Dropped = overtaken(m, b, when.At(s.Core.Now()))
	if m.Facts.Visit != nil {
		if err := s.aboutVisit(ctx, m, about); err != nil || about.Dropped != "" || about.Visit == nil {
			return err
		}
		if !m.tellsOfTime() && m.Kind != catalog.MailPaymentDue && len(about.Visit.Live()) > 0 {
			about.Dropped = "the visit takes place"
		}
		return nil
	}
	ends := !m.tellsOfTime() && m.Kind != catalog.MailPaymentDue
	switch {
	case about.Dropped != "":
	case ends == b.Status.Live():
		about.Dropped = "the booking has changed"
	case m.Kind == catalog.MailWaiting && b.Status != booking.Pending:
		about.Dropped = "it is decided"
	}
	if about.Dropped == "" {
		err = s.settled(ctx, m, about)
	}
	if f := &m.Facts; err == nil && about.Dropped == "" && !ends && (f.Start != b.Start || f.End != b.End || f.Host != b.Host.ID) {
		history, err := s.Reader(ctx).History(b.WorkspaceID, b.ID)
		if err != nil {
			return err
		}
		f.Start, f.End, f.Host, f.Sequence = b.Start, b.End, b.Host.ID, len(history)-1
	}
	return err
}

// stillTold refuses to send a mail about a series again of which nothing is true any more.
func (s *Service) stillTold(ctx context.Context, tx Tx, m Mail) error {
	m.Resends++
	about, err := s.In(tx).MailSubject(ctx, &m)
	if err == nil && about.Dropped != "" {
		err = fault.Conflictf("overtaken", "This mail can't be sent any more: %s.", about.Dropped)
	}
	return err
}

// dates returns a composer for each date of a series that a mail to the invitee is about; none where that is one.
func (c *composer) dates() (all []*composer) {
	for i := range c.about.Series {
		d := &c.about.Series[i]
		one := c.part(&d.booking)
		one.facts, one.about.Visit, one.about.VisitURL, one.about.Series = &d.facts, d.visit, d.url, nil
		all = append(all, one)
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// ofSeries reports whether the mail is about several dates of a series.
func (c *composer) ofSeries() bool {
	if len(c.about.Series) > 1 {
		return true
	}
	return slices.ContainsFunc(c.about.Team, func(b booking.Booking) bool {
		return b.Series != nil && c.about.Team[0].Series != nil && b.Series.Position != c.about.Team[0].Series.Position
	})
}

// together returns what all dates cost that the mail announces, and how much of that is paid online; "" where they are no several.
func (c *composer) together() string {
	if k := c.mail.Kind; k != catalog.MailPaymentDue && k != catalog.MailWaiting && k != catalog.MailConfirmed {
		return ""
	}
	var all []*booking.Booking
	for _, one := range c.dates() {
		if one.over() {
			continue
		}
		if one.about.Visit == nil {
			all = append(all, &one.about.Booking)
			continue
		}
		all = append(all, one.shown()...)
	}
	return c.sum(all)
}

// due returns what is to be paid online for all that the mail is about, zero where only a card is to be saved; nil for
// nothing.
func (c *composer) due() (sum *money.Money) {
	dates := c.dates()
	if dates == nil {
		dates = []*composer{c}
	}
	for _, one := range dates {
		var due *money.Money
		if p := one.about.Booking.Payment; one.about.Visit != nil {
			due = one.about.Visit.due()
		} else if p != nil {
			due = &money.Money{Amount: p.Amount, Currency: p.Currency}
		}
		switch {
		case due == nil:
		case sum == nil:
			sum = due
		default:
			sum = &money.Money{Amount: sum.Amount + due.Amount, Currency: due.Currency}
		}
	}
	return sum
}

// allTitles returns the names of the services on all dates that the mail is about.
func (c *composer) allTitles() string {
	titles := []string{}
	dates := c.dates()
	if dates == nil {
		dates = []*composer{c}
	}
	for _, one := range dates {
		if one.about.Visit == nil {
			titles = append(titles, one.about.Event.Title)
			continue
		}
		for _, b := range one.shown() {
			titles = append(titles, one.part(b).about.Event.Title)
		}
	}
	return views.Counted(titles)
}

// seriesRows lists the other dates of a series that the mail is about: when each was before a move, and with whom it is where that
// is somebody else than on the first.
func (c *composer) seriesRows() (rows []views.MailFact) {
	for i, one := range c.dates() {
		if i == 0 {
			continue
		}
		row := views.MailFact{Value: one.when(one.facts.Start, one.facts.End), Gone: one.over()}
		if i == 1 {
			row.Label = c.t("mail_series")
		}
		before := one.facts.Previous
		if one.about.Visit != nil {
			before, _ = one.movedWhole()
		}
		if before != 0 && !one.over() {
			row.Value += "\n" + c.locale.Labelled(c.t("mail_before"), one.moment(before, one.facts.Start))
		}
		if name := one.hostName(); one.about.Visit == nil && name != c.hostName() {
			row.Value += "\n" + c.locale.Labelled(c.t("mail_with"), name)
		}
		rows = append(rows, row)
	}
	return rows
}
