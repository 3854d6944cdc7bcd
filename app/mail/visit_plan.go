package mail

import (
	"slices"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// visitReminders finds out whether the change writes the mails of its visit, and returns whose reminders no longer hold
// after it: those of all of the visit are by its first booking.
func (m *mailMaker) visitReminders(drop []booking.BookingID) []booking.BookingID {
	if m.visit == nil {
		return drop
	}
	if m.led = !m.visit.Leads(m.u); m.led || len(drop) == 0 {
		return nil
	}
	return slices.Clone(m.b.Visit.Bookings)
}

// tellVisit has the facts of a mail to the invitee be about the visit that the booking is one of several of.
func (m *mailMaker) tellVisit(k catalog.MailKind, f *Facts) {
	if m.visit == nil {
		return
	}
	f.Visit = &VisitNews{}
	switch k {
	case catalog.MailMoved, catalog.MailCancelled, catalog.MailDeclined, catalog.MailLapsed:
		f.Visit.Known = m.visit.before(m.u)
	}
	m.visit.tell(f)
}

// wants reports whether the mail is to be sent: one about a whole visit, if it is wanted of any of its services.
func (m *mailMaker) wants(k catalog.MailKind, f *Facts) bool {
	if f.Visit == nil || !m.u.WithVisit {
		return m.setup.Wants(k, m.event)
	}
	return slices.ContainsFunc(m.visit.Items, func(b booking.Booking) bool {
		return m.setup.Wants(k, m.setup.EventTypeByID(b.EventTypeID))
	})
}

// remindOfVisit writes the reminders of the bookings that the days of the visit begin with, as it is now.
func (m *mailMaker) remindOfVisit() {
	if m.led {
		return
	}
	day := ""
	for _, b := range m.visit.Live() {
		if !b.Status.Stands() || b.Start <= when.At(m.now) {
			continue
		}
		if on := dayOf(b.Start, m.setup.Zone); on != day {
			day = on
			m.remindOfDay(&b)
		}
	}
}

// remindOfDay writes the reminders of the booking that a day of the visit begins with.
func (m *mailMaker) remindOfDay(b *booking.Booking) {
	e := m.setup.EventTypeByID(b.EventTypeID)
	if e == nil || m.remindsAt(b, e) == "" && !m.divides {
		return
	}
	f := Facts{For: ToInvitee, Visit: &VisitNews{}}
	m.visit.tell(&f)
	f.Start = b.Start
	m.remind(b, e, f)
}

// dayOf returns the day of a time in the zone.
func dayOf(at when.Instant, zone *time.Location) string {
	return at.Time().In(zone).Format(time.DateOnly)
}
