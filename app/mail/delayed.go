package mail

import (
	"context"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// moveDelay is how long the mails of a move that was made in the dashboard wait, so that a slip of the hand which is taken
// back in that time tells nobody.
const moveDelay = 10 * time.Second

// became finds out how long the booking lasted after the change, and of which event type it was: as it is now, unless
// that was changed again since.
func (m *mailMaker) became() error {
	m.length, m.eventType = m.b.End-m.b.Start, m.b.EventTypeID
	if m.u.Action != booking.ActRescheduled || m.u.At >= m.b.UpdatedAt {
		return nil
	}
	all, err := m.r.History(m.b.WorkspaceID, m.b.ID)
	for i := len(all) - 1; i >= m.u.Seq; i-- { // what came after it
		if all[i].PreviousEnd != 0 {
			m.length = all[i].PreviousEnd - all[i-1].Start
		}
		if all[i].PreviousEventType != 0 {
			m.eventType = all[i].PreviousEventType
		}
	}
	return err
}

// replaced adds to the facts of a move what was before it.
func (m *mailMaker) replaced(f *Facts) {
	f.EventType, f.PreviousEnd, f.PreviousEventType = m.eventType, m.u.PreviousEnd, m.u.PreviousEventType
	if m.u.PreviousStart != m.u.Start {
		f.Previous = m.u.PreviousStart
	}
	if m.u.PreviousHost != m.u.Host {
		f.PreviousHost = m.u.PreviousHost
	}
}

// place is what a reader knows of a booking: what, when and with whom.
type place struct {
	start     when.Instant
	length    when.Instant // milliseconds
	host      catalog.HostID
	eventType catalog.EventTypeID
}

func (f *Facts) place() place {
	host := f.Host
	if len(f.Doing) > 0 { // Host is who is told
		host = f.Doing[0]
	}
	return place{f.Start, f.End - f.Start, host, f.EventType}
}

// before returns the place before the move that the facts are of, by the one after it.
func (f *Facts) before(after place) place {
	if f.Previous != 0 {
		after.start = f.Previous
	}
	if f.PreviousEnd != 0 {
		after.length = f.PreviousEnd - after.start
	}
	if f.PreviousHost != 0 {
		after.host = f.PreviousHost
	}
	if f.PreviousEventType != 0 {
		after.eventType = f.PreviousEventType
	}
	return after
}

// tellFrom has the facts of a move tell of all that is another than in that place.
func (f *Facts) tellFrom(known place) {
	now := f.place()
	f.Previous, f.PreviousEnd, f.PreviousHost, f.PreviousEventType = 0, 0, 0, 0
	if known.start != now.start {
		f.Previous = known.start
	}
	if known.length != now.length {
		f.PreviousEnd = known.start + known.length
	}
	if known.host != now.host {
		f.PreviousHost = known.host
	}
	if known.eventType != now.eventType {
		f.PreviousEventType = known.eventType
	}
}

// lookAgain is how long a mail waits while an earlier one of its booking is on its way.
const lookAgain = 2 * time.Second

// settled decides on an invitee's mail when it is to be sent: it says in about why it must not be. The mail of a move that was
// held gives way to that of a later change; the one that is left tells from where the invitee last knew the booking to
// be, and none is sent when it is there again. A mail of something else takes the place of the held ones before it: it
// tells from where the booking was moved, or, when it moves nobody, of the place that the invitee knows. So it is
// decided once, by whoever has claimed the mail. While an earlier one is on its way at another server, nobody can say
// what the invitee knows: then about says when to look again.
func (s *Service) settled(ctx context.Context, m *Mail, about *Subject) error {
	moved, b := m.Kind == catalog.MailMoved, &about.Booking
	switch {
	case m.Facts.For != ToInvitee || !m.tellsOfBooking() && m.Kind != catalog.MailRefunded,
		moved && (m.Resends > 0 || m.Facts.EventType == 0), m.ID != 0 && m.Facts.Sequence == 0:
		return nil
	case m.Facts.Held && !b.Status.Live():
		about.Dropped = "the booking is over"
		return nil
	case m.Facts.Held && m.Facts.place() != (place{b.Start, b.End - b.Start, b.Host.ID, b.EventTypeID}):
		about.Dropped = "the booking has been changed again"
		return nil
	}
	if m.Facts.EventType == 0 {
		m.Facts.EventType = b.EventTypeID
	}
	mails, err := s.bookingMails(s.Reader(ctx), b, about.mails)
	if err != nil {
		return err
	}
	k := s.knowledge(m, mails)
	if about.Later = k.later; k.later != 0 {
		return nil
	}
	if m.Facts.Held && k.told {
		about.Dropped = "a later mail tells of it"
		return nil
	}
	if m.Facts.Held && m.Facts.Status == booking.Pending {
		m.Facts.Status = b.Status
	}
	switch {
	case k.alone:
	case m.movesNobody():
		f := &m.Facts
		f.Start, f.End, f.Host, f.EventType = k.place.start, k.place.start+k.place.length, k.place.host, k.place.eventType
	case moved && k.place == m.Facts.place():
		about.Dropped = "the booking is where the invitee knows it to be"
	default:
		m.Facts.tellFrom(k.place)
	}
	return nil
}

// knowledge is what an invitee knows when a mail reaches them.
type knowledge struct {
	place place
	alone bool         // no earlier mail of a move is held or was dropped: place is what the mail itself says
	told  bool         // a later mail, of something else than a move, tells where the booking is
	later when.Instant // when to look again; 0 when all is known
}

// knowledge finds it in the mails of the booking, the newest first. A mail without an id comes after all of them.
func (s *Service) knowledge(m *Mail, all []Mail) knowledge {
	k := knowledge{place: m.Facts.place(), alone: true}
	if m.Kind == catalog.MailMoved {
		k.place = m.Facts.before(k.place)
	}
	for i := range all {
		e := &all[i]
		switch {
		case e.Facts.For != ToInvitee || e.ID == m.ID || e.movesNobody():
			continue
		case m.ID != 0 && e.ID > m.ID:
			k.told = k.told || e.Kind != catalog.MailMoved && (e.State == Waiting || e.State == Sent)
			continue
		case e.Kind != catalog.MailMoved || !e.Facts.Held || e.State == Sent || e.State == Failed:
			return k
		}
		if clock := when.At(s.Core.Now()); e.State == Waiting && e.Lease > clock {
			k.later = clock.Add(lookAgain)
			return k
		}
		k.place, k.alone = e.Facts.before(k.place), false
	}
	return k
}

// movesNobody reports whether the mail to an invitee names the booking by the place that they know it by, and gives it
// no place: what has ended, money.
func (m *Mail) movesNobody() bool {
	switch m.Kind {
	case catalog.MailCancelled, catalog.MailDeclined, catalog.MailLapsed, catalog.MailRefunded, catalog.MailReceipt,
		catalog.MailReminder:
		return true
	}
	return false
}
