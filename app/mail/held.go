package mail

import (
	"context"
	"time"

	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/app/when"
)

// holdFor is how long the invitee's mail of a move that was made in the dashboard waits, so that a slip of the hand
// which is taken back in that time tells nobody.
const holdFor = 10 * time.Second

// replaced adds to the facts of a move what was before it.
func (m *mailMaker) replaced(f *Facts) {
	f.EventType, f.PreviousEnd, f.PreviousEventType = m.b.EventTypeID, m.u.PreviousEnd, m.u.PreviousEventType
	if m.u.PreviousHost != m.u.Host {
		f.PreviousHost = m.u.PreviousHost
	}
	f.Held = m.u.Actor == record.ByOwner
}

// place is what an invitee knows of a booking: what, when and with whom.
type place struct {
	start     when.Instant
	length    when.Instant // milliseconds
	host      catalog.HostID
	eventType catalog.EventTypeID
}

func (f *Facts) place() place { return place{f.Start, f.End - f.Start, f.Host, f.EventType} }

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

// settled decides on an invitee's mail of a move when it is to be sent: why it must not be, or "". A mail that was held
// gives way to that of a later change; the one that is left tells from where the invitee last knew the booking to be,
// and none is sent when it is there again. So it is decided once, by whoever has claimed the mail.
func (s *Service) settled(ctx context.Context, m *Mail, b *record.Booking) (why string, err error) {
	if m.Kind != catalog.MailMoved || m.Resends > 0 || m.Facts.EventType == 0 {
		return "", nil
	}
	if m.Facts.Held && !b.Status.Live() {
		return "the booking is over", nil
	}
	now := m.Facts.place()
	if m.Facts.Held && now != (place{b.Start, b.End - b.Start, b.Host.ID, b.EventTypeID}) {
		return "the booking has been changed again", nil
	}
	all, err := s.Reader(ctx).Mails(m.WorkspaceID, Filter{Booking: m.BookingID, Limit: 100})
	if err != nil {
		return "", err
	}
	known, alone := m.Facts.before(now), true
	for i := range all { // the newest first
		e := &all[i]
		if e.ID >= m.ID || e.Facts.For != ToInvitee || e.Kind == catalog.MailReminder || e.Kind == catalog.MailReceipt {
			continue
		}
		if e.Kind != catalog.MailMoved || !e.Facts.Held || e.State == Sent || e.State == Failed {
			break
		}
		known, alone = e.Facts.before(known), false
	}
	if alone {
		return "", nil
	}
	if known == now {
		return "the booking is where the invitee knows it to be", nil
	}
	m.Facts.Previous = 0
	if known.start != now.start {
		m.Facts.Previous = known.start
	}
	return "", nil
}
