package mail

import (
	"cmp"
	"context"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// VisitNews makes a mail to an invitee one about a whole visit: it lists all of its services as they are when it is sent,
// and carries the visit's one calendar entry.
type VisitNews struct {
	// Known is what the invitee knew of the visit before a change, and so what the mail tells the changes from. None for
	// mails that tell no change.
	Known []VisitPart `json:"known,omitempty"`

	Day    string            `json:"-"` // of a reminder, that it is about; "" is all of the visit
	ending booking.BookingID // for a preview: what would be cancelled; 0 is nothing
}

// VisitPart is a booking of a visit as the invitee knows it.
type VisitPart struct {
	Booking   booking.BookingID   `json:"booking"`
	Start     when.Instant        `json:"start"`
	End       when.Instant        `json:"end"`
	Host      catalog.HostID      `json:"host"`
	EventType catalog.EventTypeID `json:"eventType"`
	Over      bool                `json:"over,omitempty"` // it was cancelled
}

func (v VisitPart) at() place { return place{v.Start, v.End - v.Start, v.Host, v.EventType} }

// partOf returns the booking as it is now.
func partOf(b *booking.Booking) VisitPart {
	return VisitPart{b.ID, b.Start, b.End, b.Host.ID, b.EventTypeID, b.Status == booking.Cancelled}
}

// visit is a visit as mails see it.
type visit struct{ *app.VisitHistory }

// visitOf reads the visit of a booking; nil where it is of none with others.
func (s *Service) visitOf(ctx context.Context, b *booking.Booking) (*visit, error) {
	v, err := s.Core.VisitHistory(ctx, b)
	if err != nil || v == nil {
		return nil, err
	}
	return &visit{v}, nil
}

// VisitEntry is what the one entry of a visit in its invitee's calendar says.
type VisitEntry struct {
	Items         []booking.Booking // what takes place, by start; all, where nothing does
	Start, End    when.Instant
	Sequence      int
	Pending, Over bool
	Changed       when.Instant
}

// VisitEntry returns the entry of the visit that a booking is one of several of; nil for other bookings. It asks for no
// rights.
func (s *Service) VisitEntry(ctx context.Context, b *booking.Booking) (*VisitEntry, error) {
	v, err := s.visitOf(ctx, b)
	if err != nil || v == nil {
		return nil, err
	}
	var f Facts
	v.tell(&f)
	e := &VisitEntry{Items: v.Live(), Start: f.Start, End: f.End, Sequence: f.Sequence, Pending: f.Status == booking.Pending,
		Over: f.Status == booking.Cancelled}
	if len(e.Items) == 0 {
		e.Items = v.Items
	}
	for i := range v.Items {
		e.Changed = max(e.Changed, v.Items[i].UpdatedAt)
	}
	return e, nil
}

// sequence returns that of the visit's calendar entry.
func (v *visit) sequence() (n int) {
	for _, h := range v.Histories {
		n += len(h)
	}
	return n
}

// first returns the booking that the visit begins with, the first of all once it is over.
func (v *visit) first() *booking.Booking {
	if live := v.Live(); len(live) > 0 {
		return &live[0]
	}
	return &v.Items[0]
}

// before returns the visit as it was before a change.
func (v *visit) before(u *app.Followed) (all []VisitPart) {
	for i := range v.Items {
		b, history := &v.Items[i], v.Histories[i]
		n := 0 // how many of its changes were made then
		switch {
		case b.ID == u.Booking:
			n = u.Seq - 1
		case u.WithVisit:
			n = v.Together(i, &u.HistoryEntry)
		default:
			n = -1
		}
		if n < 0 {
			for n = len(history); n > 1 && history[n-1].At > u.At; {
				n--
			}
		}
		if n > 0 {
			all = append(all, partAfter(b, history, n))
		}
	}
	return all
}

// partAfter returns the booking as it was after the first n of its changes.
func partAfter(b *booking.Booking, history []booking.HistoryEntry, n int) VisitPart {
	is := partOf(b)
	length := b.End - b.Start
	for i := len(history) - 1; i >= n; i-- {
		if history[i].PreviousEnd != 0 {
			length = history[i].PreviousEnd - history[i-1].Start
		}
		if history[i].PreviousEventType != 0 {
			is.EventType = history[i].PreviousEventType
		}
	}
	then := &history[n-1]
	is.Start, is.End, is.Over = then.Start, then.Start+length, then.To == booking.Cancelled
	if then.Host != 0 {
		is.Host = then.Host
	}
	return is
}

// tell writes the visit as it is now into the facts of a mail about it.
func (v *visit) tell(f *Facts) {
	first := v.first()
	f.Start, f.End, f.Host, f.Sequence = v.Start, v.End, first.Host.ID, v.sequence()
	f.EventType, f.Previous, f.PreviousEnd, f.PreviousHost, f.PreviousEventType = 0, 0, 0, 0, 0
	f.Status = booking.Cancelled
	for _, b := range v.Live() {
		if f.Status = booking.Confirmed; b.Status == booking.Pending {
			f.Status = booking.Pending
			break
		}
	}
}

// tellDay has the facts of a reminder be about the day that begins with the booking.
func (v *visit) tellDay(f *Facts, first *booking.Booking, zone *time.Location) {
	f.Visit.Day = dayOf(first.Start, zone)
	f.Start, f.End, f.Host = first.Start, first.End, first.Host.ID
	for _, b := range v.Live() {
		if f.Visit.on(&b, zone) {
			f.End = max(f.End, b.End)
		}
	}
}

// on reports whether the mail is about the day that the booking is on.
func (n *VisitNews) on(b *booking.Booking, zone *time.Location) bool {
	return n.Day == "" || n.Day == dayOf(b.Start, zone)
}

// aboutVisit reads the visit that a mail is about, and decides on the mail as settled does. All mails of changes give way
// to later ones, which tell of all since the invitee was last told.
func (s *Service) aboutVisit(ctx context.Context, m *Mail, about *Subject) error {
	v, err := s.visitOf(ctx, &about.Booking)
	if err != nil || v == nil {
		return err
	}
	for i := range v.Items {
		if v.Items[i].ID == m.Facts.Visit.ending {
			v.Items[i].Status = booking.Cancelled
		}
	}
	v.Span()
	known := slices.Clone(m.Facts.Visit.Known)
	if about.Dropped == "" && m.Kind != catalog.MailReminder {
		about.Dropped = misleads(m, v)
	}
	if about.Dropped == "" && m.ID != 0 && m.Resends == 0 && m.tellsOfBooking() {
		all, err := s.visitMails(s.Reader(ctx), v, about.mails)
		if err != nil {
			return err
		}
		if known, err = s.settledVisit(m, v, all, about); err != nil {
			return err
		}
	}
	m.Facts.Visit = &VisitNews{Known: known}
	v.tell(&m.Facts)
	if m.Kind == catalog.MailReminder {
		v.tellDay(&m.Facts, &about.Booking, about.Setup.Zone)
	}
	for i := range v.Items {
		s.Core.Present(about.Setup, app.Actor{Kind: booking.BySystem}, &v.Items[i])
	}
	about.Visit, about.VisitURL = v, s.Core.VisitURL(about.Setup, v.ID)
	about.Booking = *v.first()
	return nil
}

// misleads returns why a mail that shows the visit as it is now says something else in its heading, or "".
func misleads(m *Mail, v *visit) string {
	live := v.Live()
	pending := slices.ContainsFunc(live, func(b booking.Booking) bool { return b.Status == booking.Pending })
	switch {
	case len(live) == 0 && (m.tellsOfTime() || m.Kind == catalog.MailPaymentDue):
		return "the visit is over"
	case m.Kind == catalog.MailPaymentDue && !slices.ContainsFunc(live, func(b booking.Booking) bool { return b.NeedsPay }):
		return "it is paid"
	case !pending && m.Kind == catalog.MailWaiting:
		return "it is decided"
	}
	return ""
}

// settledVisit decides on the mail by the others to the invitee about the visit, the newest first, and returns what they
// knew of the visit before it. A later mail that tells no changes, an approval, takes the place of the mail of a move, but
// not of what was cancelled.
func (s *Service) settledVisit(m *Mail, v *visit, all []Mail, about *Subject) (known []VisitPart, err error) {
	known = m.Facts.Visit.Known
	if known == nil {
		return nil, nil
	}
	clock, shown := when.At(s.Core.Now()), false
	for i := range all {
		e := &all[i]
		switch {
		case e.ID == m.ID || !e.tellsOfBooking():
			continue
		case e.ID > m.ID && (e.State == Waiting || e.State == Sent):
			if e.Facts.Visit.Known != nil {
				about.Dropped = "a later mail tells of it"
				return known, nil
			}
			shown = true
			continue
		case e.ID > m.ID:
			continue
		case e.Facts.Visit.Known == nil || e.State == Sent || e.State == Failed:
			v.unlessKnown(m, known, shown, about)
			return known, nil
		case e.State == Waiting && e.Lease > clock:
			about.Later = clock.Add(lookAgain)
			return known, nil
		}
		known = e.Facts.Visit.Known
	}
	v.unlessKnown(m, known, shown, about)
	return known, nil
}

// unlessKnown drops the mail of a move when the visit is as the invitee knew it, and what tells of no cancellation when a
// later mail has shown the visit.
func (v *visit) unlessKnown(m *Mail, known []VisitPart, shown bool, about *Subject) {
	changes := v.changed(known)
	gone := slices.ContainsFunc(changes, func(p partChange) bool { return p.now.Status == booking.Cancelled })
	switch {
	case m.Kind == catalog.MailMoved && len(changes) == 0:
		about.Dropped = "the visit is as the invitee knows it"
	case shown && !gone:
		about.Dropped = "a later mail tells of it"
	}
}

// ending returns what a mail would be about that one of its bookings is cancelled.
func (v *visit) ending(b *booking.Booking) *VisitNews {
	n := &VisitNews{ending: b.ID}
	for i := range v.Items {
		n.Known = append(n.Known, partOf(&v.Items[i]))
	}
	return n
}

// partChange is what has become of a booking of a visit that the invitee knew of.
type partChange struct {
	before VisitPart
	now    *booking.Booking
}

// changed returns the bookings of the visit that are not as the invitee knows them.
func (v *visit) changed(known []VisitPart) (all []partChange) {
	for _, before := range known {
		i := slices.IndexFunc(v.Items, func(b booking.Booking) bool { return b.ID == before.Booking })
		if i < 0 {
			continue
		}
		now := partOf(&v.Items[i])
		if before.Over != now.Over || !now.Over && before.at() != now.at() {
			all = append(all, partChange{before, &v.Items[i]})
		}
	}
	return all
}

// mailsOf returns the latest mails of a booking, the newest first; where it is one of several of a visit, those to the
// invitee about the visit. Those about several dates of a series are as if they were about this one alone.
func (s *Service) mailsOf(ctx context.Context, b *booking.Booking) ([]Mail, error) {
	v, err := s.visitOf(ctx, b)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return s.bookingMails(s.Reader(ctx), b, nil)
	}
	return s.visitMails(s.Reader(ctx), v, nil)
}

// bookingMails returns the mails of a booking, as mailsOf. series are those of its series, nil to read them.
func (s *Service) bookingMails(r Reads, b *booking.Booking, series []Mail) (all []Mail, err error) {
	if b.Series == nil {
		return r.Mails(b.WorkspaceID, Filter{Booking: b.ID, Limit: 100})
	}
	if series == nil {
		series, err = seriesMails(r, b)
	}
	return narrowed(series, []booking.BookingID{b.ID}), err
}

// visitMails returns the mails to the invitee about the visit, as mailsOf. series are those of its series, nil to read them.
func (s *Service) visitMails(r Reads, v *visit, series []Mail) (all []Mail, err error) {
	var ids []booking.BookingID
	for i := range v.Items {
		ids = append(ids, v.Items[i].ID)
	}
	if first := &v.Items[0]; first.Series != nil {
		if series == nil {
			series, err = seriesMails(r, first)
		}
		all = narrowed(series, ids)
	} else {
		for i := range ids {
			some, err := r.Mails(v.Items[i].WorkspaceID, Filter{Booking: ids[i], Limit: 100})
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
	}
	all = slices.DeleteFunc(all, func(m Mail) bool { return m.Facts.Visit == nil || m.Facts.For != ToInvitee })
	slices.SortFunc(all, func(a, b Mail) int { return cmp.Compare(b.ID, a.ID) })
	return all, err
}
