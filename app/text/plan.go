package text

import (
	"context"
	"crypto/sha256"
	"net/netip"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/phone"
	"daybook/app/when"
)

// life is how long a text waits from when it was due, for a sender that is down. Reminders wait only until half-way to the
// start.
const life = 4 * time.Hour

// visitsAnHour is how many changes from one network address, or the /48 around an IPv6 address, may cause texts in an hour.
const visitsAnHour = 10

// toldOf returns the id of what a visitor changes at once and is told of together: a series, a visit or a booking.
func toldOf(b *booking.Booking) int64 {
	switch {
	case b.Series != nil:
		return int64(b.Series.ID)
	case b.InVisit():
		return int64(b.Visit.ID)
	}
	return int64(b.ID)
}

// visited notes from where a visitor has changed a booking: as a hash, for an hour.
func (s *Service) visited(in app.Tx, b *booking.Booking, from netip.Addr, now time.Time) error {
	source, err := sourceOf(b.WorkspaceID, from)
	if source == nil || err != nil {
		return err
	}
	return in.(Tx).NoteVisit(b.WorkspaceID, toldOf(b), source, when.At(now))
}

// sourceOf returns the hash that stands for a network address, or the /48 around an IPv6 address, in a workspace; nil for this
// machine's own, and for one that isn't known.
func sourceOf(ws catalog.WorkspaceID, from netip.Addr) ([]byte, error) {
	if !from.IsValid() || from.IsLoopback() {
		return nil, nil
	}
	from = from.Unmap()
	bits := 32
	if from.Is6() {
		bits = 48
	}
	network, err := from.WithZone("").Prefix(bits)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(ws.String() + " " + network.String()))
	return sum[:], nil
}

// spend counts a text that a visitor asks for on a page, of is its id, with the changes of bookings from the same address. It
// reports whether that had caused as many within the hour as it may, and then counts nothing.
func spend(tx Tx, ws catalog.WorkspaceID, from netip.Addr, of int64, now when.Instant) (spent bool, err error) {
	source, err := sourceOf(ws, from)
	if source == nil || err != nil {
		return false, err
	}
	n, err := tx.VisitsFrom(ws, source, now.Add(-time.Hour))
	if err != nil || n >= visitsAnHour {
		return err == nil, err
	}
	return false, tx.NoteVisit(ws, of, source, now)
}

// Reach is by what a person can be told.
type Reach struct {
	Phone   string // of the booking, else of the contact
	TellBy  contact.TellBy
	State   booking.TextsState // at that number
	Country string             // of the number, "" where it is no mobile one
}

// wanted reports whether the person agreed to texts, and wants them rather than mails or beside them; mailed is whether they
// can be mailed.
func (r *Reach) wanted(mailed bool) bool {
	return r.State == booking.TextsYes && (!mailed || r.TellBy == contact.TellByText || r.TellBy == contact.TellByBoth)
}

// Tells reports whether the invitee of a booking would be told of such a thing by text, instead of by mail or beside it.
func (s *Service) Tells(ctx context.Context, b *booking.Booking, k catalog.TextKind) (bool, error) {
	setup, err := s.Core.Setup(b.WorkspaceID)
	if err != nil || !setup.Workspace.Texts || b.Invitee.Erased() || !setup.Texts(k, setup.EventTypeByID(b.EventTypeID)) {
		return false, err
	}
	mailed := b.Invitee.Email != "" && setup.Wants(catalog.MailKind(k), setup.EventTypeByID(b.EventTypeID))
	r, err := s.reach(s.Reader(ctx), b.WorkspaceID, b.ContactID, b.Invitee.Phone)
	return r.textable() && r.wanted(mailed), err
}

// textable reports whether texts can be sent to the number: it is complete, and of a mobile.
func (r *Reach) textable() bool { return r.Country != "" }

// reach finds by what an invitee can be told.
func (s *Service) reach(r Reads, ws catalog.WorkspaceID, c booking.ContactID, number string) (by Reach, err error) {
	if by, err = r.Reach(ws, c, number); err != nil {
		return by, err
	}
	by.Country, _ = phone.Mobile(by.Phone)
	return by, nil
}

// Divide implements mail.Channel: what the person wants as a text, and may be sent as one, is queued as a text; what can
// neither be mailed nor sent as a text, though the person must know of it, is noted for somebody to call them.
func (s *Service) Divide(in app.Tx, p *mail.Planned) (left []mail.Mail, told []mail.Beside, err error) {
	tx, now := in.(Tx), when.At(s.Core.Now())
	for _, b := range p.Drop {
		if err := tx.DropTextReminders(b, "the booking has changed", now); err != nil {
			return nil, nil, err
		}
	}
	if len(p.Mails) == 0 {
		return nil, nil, nil
	}
	r, err := s.reach(tx, p.Setup.Workspace.ID, p.Contact, p.Invitee.Phone)
	if err != nil {
		return nil, nil, err
	}
	muted := false
	if p.Visitor && p.Booking != nil {
		n, err := tx.VisitsLike(p.Booking.WorkspaceID, toldOf(p.Booking), now.Add(-time.Hour))
		if muted = n > visitsAnHour; err != nil {
			return nil, nil, err
		}
	} else if p.Visitor && r.textable() && p.Mails[0].To == "" {
		if muted, err = spend(tx, p.Setup.Workspace.ID, p.From, int64(p.Mails[0].ID), now); err != nil {
			return nil, nil, err
		}
	}
	var texts []Text
	for i := range p.Mails {
		m := &p.Mails[i]
		if m.Facts.Asks {
			if err := mayAskAgain(tx, m, now); err != nil {
				return nil, nil, err
			}
		}
		t, wanted := s.asText(p, m, &r, muted, now)
		if t != nil && t.Kind == catalog.TextReceipt {
			if err := mayTextReceipt(tx, m, now); err != nil {
				return nil, nil, err
			}
		}
		if t != nil && t.Kind == catalog.TextWaits { // the page says whether it goes
			if t, err = s.ifGoes(tx, p.Setup, t, now); err != nil {
				return nil, nil, err
			}
		}
		why := r.whyNot()
		if t != nil && t.Kind == catalog.TextOffered {
			if until, _ := quietOf(p.Setup).waits(t, 0, now); until >= m.Until { // it would come when it is over
				t, why = nil, whyQuiet
			}
		}
		switch {
		case wanted && t != nil:
			texts = append(texts, *t)
			told = append(told, mail.Beside{By: "text", To: r.Phone, Later: t.Kind == catalog.TextReminder})
			if t.Facts.Mailed {
				left = append(left, *m)
			}
		case m.To != "":
			left = append(left, *m)
		default:
			p.Why = string(reasonOf(why))
			if err := s.untold(tx, p, m, &r, why, now); err != nil {
				return nil, nil, err
			}
		}
	}
	return left, told, tx.InsertTexts(texts...)
}

// asText returns the text that says what a mail does, nil where there is none that may go, and whether the person wants it
// rather than the mail, or beside it.
func (s *Service) asText(p *mail.Planned, m *mail.Mail, r *Reach, muted bool, now when.Instant) (t *Text, wanted bool) {
	kind := catalog.TextKindOf(m.Kind)
	switch {
	case kind == "" || !r.textable() || muted || r.State == booking.TextsStopped:
		return nil, false
	case kind == catalog.TextWaits || kind == catalog.TextOwn: // what they ask for on a page
		wanted = m.To == ""
	case r.State != booking.TextsYes || !p.Setup.Texts(kind, p.Event):
		return nil, false
	default:
		wanted = r.wanted(m.To != "")
	}
	if !wanted {
		return nil, false
	}
	t = &Text{ID: id.New[TextIDKind](now.Time()), WorkspaceID: m.WorkspaceID, BookingID: m.BookingID, ContactID: p.Contact, Kind: kind,
		To: r.Phone, CreatedAt: now, DueAt: m.DueAt, Until: m.DueAt.Add(life), Visitor: p.Visitor && kind != catalog.TextReminder,
		Facts: Facts{Mail: m.Kind, Told: m.Facts, Own: p.Own && kind != catalog.TextReminder}}
	if t.Facts.Mailed = m.To != "" && r.TellBy == contact.TellByBoth; !t.Facts.Mailed {
		t.Facts.Email = m.To
	}
	if kind == catalog.TextReminder && m.Facts.Asks { // a member has asked just now
		t.DueAt, t.Until = now, m.Until
	} else if kind == catalog.TextReminder {
		var ok bool
		if t.DueAt, ok = quietOf(p.Setup).reminder(m.DueAt, m.Facts.Start, p.Booking.CreatedAt, now); !ok {
			return nil, false
		}
		t.Until = max(m.Until, halfway(t.DueAt, m.Facts.Start))
	}
	return t, true
}

// ifGoes returns a text that a visitor causes, or nil where the bounds of these don't let it go now.
func (s *Service) ifGoes(tx Tx, setup *catalog.Setup, t *Text, now when.Instant) (*Text, error) {
	why, err := s.refusal(tx, t, setup, 0, now)
	if err != nil || why != "" {
		return nil, err
	}
	m, err := tx.TextMonth(t.WorkspaceID, month(now, setup))
	if most := setup.Workspace.Settings.TextRules().MonthlyCap(); m.Segments >= most || m.Visitors >= most/visitorsShare {
		return nil, err
	}
	return t, err
}

// halfway returns the middle between when a reminder is due and the start: until then it is sent.
func halfway(due, start when.Instant) when.Instant { return due.Add(start.Time().Sub(due.Time()) / 2) }

// Call is somebody whom nothing told of a change, a cancellation or an offer, so that they are to be called.
type Call struct {
	ID          CallID              `json:"id"`
	WorkspaceID catalog.WorkspaceID `json:"-"`
	BookingID   booking.BookingID   `json:"bookingId,omitzero"`
	ContactID   booking.ContactID   `json:"contactId,omitzero"`
	Kind        catalog.TextKind    `json:"kind"` // TextMoved, TextCancelled or TextOffered
	Phone       string              `json:"phone"`
	Name        string              `json:"name"`
	Start       when.Instant        `json:"start"`
	Why         string              `json:"why"`
}

// mustKnow reports whether somebody is called where nothing told a person of what that mail does.
func mustKnow(k catalog.MailKind) bool {
	switch catalog.TextKindOf(k) {
	case catalog.TextMoved, catalog.TextCancelled:
		return true
	case catalog.TextOffered:
		return k != catalog.MailOfferOver
	}
	return false
}

// untold notes that nothing tells an invitee of something. What they have done themself they know.
func (s *Service) untold(tx Tx, p *mail.Planned, m *mail.Mail, r *Reach, why string, now when.Instant) error {
	if !mustKnow(m.Kind) || p.Own || p.Invitee.Erased() || r.Phone == "" {
		return nil
	}
	c := Call{ID: id.New[CallIDKind](now.Time()), WorkspaceID: m.WorkspaceID, BookingID: m.BookingID, ContactID: p.Contact, Kind: catalog.TextKindOf(m.Kind),
		Phone: r.Phone, Name: p.Invitee.Name, Start: m.Facts.Start, Why: why}
	if w := m.Facts.Waits; w != nil && w.Offer != nil {
		c.Start = w.Offer.Start
	}
	return s.noteCall(tx, &c)
}

// whyNot returns why somebody without an e-mail address is told nothing by text either.
func (r *Reach) whyNot() string {
	switch {
	case r.State == booking.TextsStopped:
		return whyStopped
	case !r.textable():
		return whyUnreachable
	case r.State == booking.TextsYes:
		return whyOff
	}
	return whyUnasked
}

// mayTextReceipt refuses to flood a person with a receipt. Errors: conflict sent_lately, sent_often.
func mayTextReceipt(tx Tx, m *mail.Mail, now when.Instant) error {
	texts, err := tx.Texts(m.WorkspaceID, Filter{Booking: m.BookingID, Kind: catalog.TextReceipt, Limit: 50})
	if err != nil {
		return err
	}
	n := 0
	for i := range texts {
		t := &texts[i]
		if t.State == Dropped || t.CreatedAt <= now.Add(-when.Day) {
			continue
		}
		n++
		same := t.Facts.Told.Receipt.ID == m.Facts.Receipt.ID
		if same && (t.State == Waiting || now < t.SettledAt.Add(askPause)) {
			return fault.Conflictf("sent_lately", "This text was sent less than a minute ago. Wait a minute.").With("retryAfter", int(askPause.Seconds()))
		}
	}
	if n >= mostResends {
		return fault.Conflictf("sent_often", "This text was sent again %d times, the most there may be.", mostResends)
	}
	return nil
}

// askPause is how long a member waits before they ask again whether somebody comes.
const askPause = time.Minute

// mayAskAgain refuses to flood a person with the question whether they come. Errors: conflict sent_lately, sent_often.
func mayAskAgain(tx Tx, m *mail.Mail, now when.Instant) error {
	texts, err := tx.Texts(m.WorkspaceID, Filter{Booking: m.BookingID, Limit: 50})
	if err != nil {
		return err
	}
	n := 0
	for i := range texts {
		t := &texts[i]
		if t.Kind != catalog.TextReminder || t.State == Dropped || t.Facts.Told.Start != m.Facts.Start {
			continue
		}
		if t.State != Waiting && now < t.SettledAt.Add(askPause) || t.State == Waiting && t.Facts.Told.Asks {
			return fault.Conflictf("sent_lately", "This text was sent less than a minute ago. Wait a minute.").With("retryAfter", int(askPause.Seconds()))
		}
		if t.Facts.Told.Asks {
			n++
		}
	}
	if n >= mostResends {
		return fault.Conflictf("sent_often", "This text was sent again %d times, the most there may be.", mostResends)
	}
	return nil
}
