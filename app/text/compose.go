package text

import (
	"cmp"
	"context"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/text/gsm"
	"daybook/app/text/sms"
	"daybook/app/when"
	"daybook/views"
)

// subject is what a text is about, as it is now.
type subject struct {
	mail.Subject
	mail mail.Mail // that says the same
	told []TextID  // texts that have nothing more to tell once this one is sent
}

// asMail returns the mail that says what a text says, as the rules of mails know it.
func (t *Text) asMail() mail.Mail {
	m := mail.Mail{ID: mail.MailID(t.ID), WorkspaceID: t.WorkspaceID, BookingID: t.BookingID, Kind: t.Facts.Mail, To: t.To,
		Attempts: t.Attempts, DueAt: t.DueAt, SettledAt: t.SettledAt, CreatedAt: t.CreatedAt, Facts: t.Facts.Told, Until: t.Until,
		Tries: t.Tries, Resends: t.Resends, Lease: t.Lease}
	// A text of a move can wait as one that is held: at night, or for a sender that is down.
	m.Facts.Held = m.Facts.Held || t.Kind == catalog.TextMoved
	switch t.State {
	case Waiting:
		m.State = mail.Waiting
	case Sent, Delivered, Perhaps:
		m.State = mail.Sent
	case Failed:
		m.State = mail.Failed
	case Dropped:
		if m.State = mail.Dropped; t.Answer == whyTold {
			m.State = mail.Sent
		}
	}
	return m
}

// about finds out what a text is about, and by the rules of mails whether it is still true: what the person was told before
// is what texts have told them.
func (s *Service) about(ctx context.Context, t *Text) (*subject, error) {
	a := &subject{mail: t.asMail()}
	if t.Facts.Mail == "" {
		var err error
		a.Setup, err = s.Core.Setup(t.WorkspaceID)
		return a, err
	}
	told := s.mail.With(func(ws catalog.WorkspaceID, f mail.Filter) (all []mail.Mail, err error) {
		texts, err := s.Reader(ctx).Texts(ws, Filter{Booking: f.Booking, Series: f.Series, Limit: f.Limit})
		for i := range texts {
			if texts[i].Facts.Mail != "" {
				all = append(all, texts[i].asMail())
			}
		}
		return all, err
	})
	var err error
	a.Subject, err = told.MailSubject(ctx, &a.mail)
	return a, err
}

// latest has the text that tells of a booking for the first time tell of it as it is now, where moves of it are due as well:
// then their texts have nothing to tell. It returns why the text itself has not, or "".
func (s *Service) latest(ctx context.Context, t *Text, a *subject) (why string, err error) {
	if t.BookingID == 0 || t.Kind != catalog.TextConfirmed && t.Kind != catalog.TextMoved {
		return "", nil
	}
	later, err := s.Reader(ctx).LaterTexts(t)
	if err != nil {
		return "", err
	}
	now := when.At(s.Core.Now())
	for i := range later {
		switch l := &later[i]; {
		case l.State == Waiting && l.Begun == 0 && l.Lease == 0 && l.DueAt > now: // it may be taken back until then
		case l.State != Waiting || l.Begun != 0 || l.Kind != catalog.TextMoved || t.Kind == catalog.TextMoved:
			return whyLater, nil
		default:
			f := &l.Facts.Told
			a.mail.Facts.Start, a.mail.Facts.End, a.mail.Facts.Host, a.mail.Facts.Doing = f.Start, f.End, f.Host, f.Doing
			a.told = append(a.told, l.ID)
		}
	}
	if len(a.told) > 0 {
		a.Told = &a.mail.Facts
	}
	return "", nil
}

// start returns when what the text is about begins; 0 where it is about no time.
func (a *subject) start() when.Instant {
	if w := a.mail.Facts.Waits; w != nil && w.Offer != nil {
		return w.Offer.Start
	}
	return a.mail.Facts.Start
}

// The longest that texts have of names.
const (
	nameLength    = 30
	shopLength    = 30
	serviceLength = 40
	hostLength    = 20
)

// words writes a text as it is true now, and saves its short link.
func (s *Service) words(ctx context.Context, t *Text, a *subject, by *sms.Sender) (string, error) {
	w := &a.Setup.Workspace
	asked := cmp.Or(a.Booking.Invitee.Locale, t.Facts.Locale)
	l := views.MatchLocale(cmp.Or(asked, w.Settings.Locale), "")
	switch t.Kind {
	case catalog.TextReply:
		return t.Facts.Words, nil
	case catalog.TextTest:
		return gsm.Plain(l.T("sms_test", "Shop", short(w.Name, shopLength))), nil
	case catalog.TextStopped:
		return gsm.Plain(l.T("sms_stopped", "Shop", short(w.Name, shopLength))), nil
	case catalog.TextCode:
		return gsm.Plain(l.T("sms_code", "Shop", short(w.Name, shopLength), "Code", t.digits(a.Setup))), nil
	}
	link, err := s.link(ctx, t, a)
	if err != nil {
		return "", err
	}
	zone := a.Setup.Zone
	if name := a.Booking.Invitee.TimeZone; name != "" {
		if z, err := time.LoadLocation(name); err == nil {
			zone = z
		}
	}
	at := a.start().Time().In(zone)
	host := ""
	if h := a.Setup.Host(a.mail.Facts.Host); h != nil {
		host = h.Name
	}
	values := values(l, at, a.Booking.Invitee.Name, w.Name, a.what(l), host, link)
	own := catalog.TextWordsFor(a.Event.TextWords, t.Kind, s.ownLocale(asked, l), l.Tag)
	if own != "" && t.Facts.Mail != catalog.MailOfferOver {
		return gsm.Plain(catalog.FillText(own, values)), nil
	}
	text := l.T("sms_"+string(a.key(t)), "Shop", values["shop"], "What", values["service"], "When", values["date"]+", "+values["time"])
	if t.Facts.Asks && by.TakesReplies() {
		text += " " + l.T("sms_asks")
	}
	if link != "" {
		text += " " + link
	}
	return gsm.Plain(text), nil
}

// values returns what the fields of own texts stand for, each no longer than catalog.TextFields says.
func values(l *views.Locale, at time.Time, name, shop, service, host, link string) map[string]string {
	return map[string]string{"name": short(name, nameLength), "shop": short(shop, shopLength), "service": short(service, serviceLength),
		"host": short(host, hostLength), "date": l.ShortDay(at), "time": l.Time(at, ""), "link": link}
}

// Sample returns how an own text of the event type, which need not be saved, would read to a made-up person.
func Sample(setup *catalog.Setup, base string, now time.Time, e *catalog.EventType, w catalog.TextWords) string {
	day := now.In(setup.Zone).AddDate(0, 0, 2)
	at := time.Date(day.Year(), day.Month(), day.Day(), 10, 0, 0, 0, setup.Zone)
	host := ""
	if len(e.Hosts) > 0 {
		host = e.Hosts[0].Name
	}
	l := views.MatchLocale(cmp.Or(w.Locale, setup.Workspace.Settings.Locale), "")
	return gsm.Plain(catalog.FillText(w.Text, values(l, at, "Bo Berg", setup.Workspace.Name, e.Title, host, base+LinkPath+"7h2k9m4p3q8r")))
}

// ownLocale returns the person's language where the text is in it, else "".
func (s *Service) ownLocale(asked string, l *views.Locale) string {
	if language, _, _ := strings.Cut(asked, "-"); strings.EqualFold(language, l.Language()) {
		return asked
	}
	return ""
}

// key returns the message of a text: that of the mail that says the same.
func (a *subject) key(t *Text) catalog.MailKind {
	switch {
	case t.Facts.Mail == "":
		return catalog.MailKind(t.Kind)
	case a.mail.Facts.Status == booking.Cancelled && t.Facts.Mail == catalog.MailMoved:
		return catalog.MailCancelled
	case t.Facts.Mail == catalog.MailApproved:
		return catalog.MailConfirmed
	}
	return t.Facts.Mail
}

// what names the services that the text is about.
func (a *subject) what(l *views.Locale) string {
	what := cmp.Or(a.Event.Title, a.Booking.EventType)
	switch {
	case a.mail.Facts.Waits != nil:
		if e := a.Waits(); e != nil {
			what = strings.Join(mail.WaitServices(a.Setup, e), " + ")
		}
	case a.Visit != nil:
		all := a.Visit.Live()
		if len(all) == 0 {
			all = a.Visit.Items
		}
		var titles []string
		for i := range all {
			title := all[i].EventType
			if e := a.Setup.EventTypeByID(all[i].EventTypeID); e != nil {
				title = e.Title
			}
			titles = append(titles, title)
		}
		what = views.Counted(titles)
	}
	if n := a.Dates(); n > 1 {
		what = l.T("sms_dates", "What", short(what, serviceLength-12), "Count", n)
	}
	return what
}

// short returns a text of at most so many characters.
func short(text string, most int) string {
	if all := []rune(text); len(all) > most {
		return strings.TrimSpace(string(all[:most-2])) + ".."
	}
	return text
}
