package mail

import (
	"cmp"
	"context"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// settledTeam decides on a mail to somebody of the team as settled does on an invitee's, for each of its bookings: those
// of which nothing is left to be told are left out. What is left is told from what was last known at the address. So
// the host to whom a booking came and from whom it went again hears nothing of it, and whoever had it before that it is
// gone.
func (s *Service) settledTeam(ctx context.Context, m *Mail, about *Subject) (why string, later when.Instant, err error) {
	if m.ID == 0 || m.Resends > 0 || m.Facts.Sequence == 0 || m.Kind == catalog.MailTeamNotComing { // which tells of no place
		return "", 0, nil
	}
	mails, err := s.mailsTo(s.Reader(ctx), m, &about.Team[0])
	if err != nil {
		return "", 0, err
	}
	items := slices.Clone(m.Facts.Team)
	if len(items) == 0 {
		items = []TeamItem{{Booking: m.BookingID, Facts: m.Facts}}
	}
	t := teamReader{to: fault.EmailKey(m.To), setup: about.Setup, mails: mails, clock: when.At(s.Core.Now())}
	var left []TeamItem
	for n, item := range items {
		items[n].Untold = true
		i := slices.IndexFunc(about.Team, func(b booking.Booking) bool { return b.ID == item.Booking })
		if i < 0 { // deleted since
			continue
		}
		of, at := t.settle(m, &item.Facts, &about.Team[i])
		if at != 0 {
			return "", at, nil
		}
		if why = cmp.Or(why, of); of == "" {
			left, items[n] = append(left, item), item
		}
	}
	switch {
	case len(left) == 0:
		return why, 0, nil
	case len(m.Facts.Team) == 0:
		m.Facts = left[0].Facts
	default:
		m.Facts = together(left)
		if len(left) < len(items) {
			told := m.Facts
			told.Team, about.Told = items, &told
		}
	}
	return "", 0, nil
}

// mailsTo returns the mails to somebody of the team about a booking and the others of its visit and series, the newest first.
func (s *Service) mailsTo(r Reads, m *Mail, b *booking.Booking) (all []Mail, err error) {
	filters := []Filter{{Booking: b.ID, Limit: 100}}
	switch {
	case b.Series != nil:
		filters[0] = Filter{Series: b.Series.ID, Limit: mostOfSeries}
	case b.InVisit():
		filters = nil
		for _, id := range b.Visit.Bookings {
			filters = append(filters, Filter{Booking: id, Limit: 100})
		}
	}
	for _, f := range filters {
		some, err := r.Mails(m.WorkspaceID, f)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	all = slices.DeleteFunc(all, func(e Mail) bool {
		return e.Facts.For == ToInvitee || fault.EmailKey(e.To) != fault.EmailKey(m.To)
	})
	slices.SortFunc(all, func(a, b Mail) int { return cmp.Compare(b.ID, a.ID) })
	return all, nil
}

// teamReader is somebody of the team, or several, who reads at an address.
type teamReader struct {
	to    string // a fault.EmailKey
	setup *catalog.Setup
	mails []Mail // to them, the newest first
	clock when.Instant
}

// among returns the first of the hosts whose address it is; 0 for none.
func (t *teamReader) among(hosts []catalog.HostID) catalog.HostID {
	for _, id := range hosts {
		if h := t.setup.Host(id); h != nil && fault.EmailKey(h.Email) == t.to {
			return id
		}
	}
	return 0
}

// teamKnowledge is what the readers know of a booking when a mail reaches them.
type teamKnowledge struct {
	place   place
	doing   []catalog.HostID
	alone   bool         // no earlier mail of a move is held or was dropped
	told    bool         // a later mail tells of it
	waiting when.Instant // when to look again; 0 when all is known
}

// knows finds out what is known when the mail with the facts comes.
func (t *teamReader) knows(m *Mail, f *Facts, id booking.BookingID) teamKnowledge {
	k := teamKnowledge{place: f.place(), doing: f.Doing, alone: true}
	if m.Kind == catalog.MailTeamMoved {
		k.place, k.doing = f.before(k.place), f.Did
	}
	for i := range t.mails {
		e := &t.mails[i]
		of := e.about(id)
		switch {
		case of == nil || e.ID == m.ID || e.Kind == catalog.MailTeamNotComing:
			continue
		case e.ID > m.ID:
			k.told = k.told || !of.Untold && (e.State == Waiting || e.State == Sent)
			continue
		case !of.Held || !of.Untold && (e.State == Sent || e.State == Failed):
			return k
		case e.State == Waiting && e.Lease > t.clock:
			k.waiting = t.clock.Add(lookAgain)
			return k
		}
		k.place, k.doing, k.alone = of.before(of.place()), of.Did, false
	}
	return k
}

// about returns what the mail says of the booking, or was to say; nil for nothing.
func (m *Mail) about(id booking.BookingID) *TeamItem {
	for i := range m.Facts.Team {
		if m.Facts.Team[i].Booking == id {
			return &m.Facts.Team[i]
		}
	}
	if len(m.Facts.Team) == 0 && m.BookingID == id {
		return &TeamItem{Booking: id, Facts: m.Facts}
	}
	return nil
}

// settle has the facts of the mail about a booking tell what is news to the readers, or returns why there is none, or
// when to look again.
func (t *teamReader) settle(m *Mail, f *Facts, b *booking.Booking) (why string, later when.Instant) {
	k := t.knows(m, f, b.ID)
	if k.waiting != 0 {
		return "", k.waiting
	}
	owner := f.Owner || f.For == ToOwner
	did, does := t.among(k.doing), t.among(f.Doing)
	if !k.alone {
		if f.EventType == 0 {
			f.EventType = b.EventTypeID
		}
		switch {
		case did == 0 && !owner && (does == 0 || m.Kind == catalog.MailTeamCancelled):
			return "the recipient was never told of the booking", 0
		case m.Kind == catalog.MailTeamCancelled:
			f.stayedAt(k.place)
			f.takePart(0, did, k.doing)
		case m.Kind == catalog.MailTeamMoved && (did != 0 || owner) && k.place == f.place() && slices.Equal(k.doing, f.Doing):
			return "the booking is where the recipient knows it to be", 0
		default:
			f.tellFrom(k.place)
			f.takePart(does, did, f.Doing)
			f.Gone = does == 0 && did != 0
		}
	}
	if !f.Held {
		return "", 0
	}
	if f.Status == booking.Pending {
		f.Status = b.Status
	}
	var now []catalog.HostID
	for _, h := range b.AllHosts() {
		now = append(now, h.ID)
	}
	switch {
	case k.told:
		why = "a later mail tells of it"
	case f.Gone && t.among(now) != 0:
		why = "the booking has been changed again"
	case f.Gone && !b.Status.Live(): // it went to somebody else, and then it was cancelled
		f.Status = booking.Cancelled
		f.stayedAt(k.place)
	case f.Gone:
	case !b.Status.Live():
		why = "the booking is over"
	case f.place() != place{b.Start, b.End - b.Start, b.Host.ID, b.EventTypeID} || !slices.Equal(f.Doing, now):
		why = "the booking has been changed again"
	}
	return why, 0
}

// stayedAt has the facts tell of a booking by the place that it is known by.
func (f *Facts) stayedAt(p place) {
	f.Start, f.End, f.EventType = p.start, p.start+p.length, p.eventType
	f.Previous, f.PreviousEnd, f.PreviousHost, f.PreviousEventType = 0, 0, 0, 0
}

// takePart addresses the facts to whoever reads them as a host that does the booking, or that did, else as an owner.
func (f *Facts) takePart(does, did catalog.HostID, all []catalog.HostID) {
	f.For, f.Host = ToHost, cmp.Or(does, did)
	if f.Host == 0 {
		f.For, f.Host = ToOwner, all[0]
	}
}
