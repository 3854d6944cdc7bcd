package mail

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
)

// visitReminders finds out whether the change writes the mails of its visit, and returns whose reminders no longer hold
// after it: those of all of the visit are by its first booking.
func (m *mailMaker) visitReminders(drop []booking.BookingID) []booking.BookingID {
	if m.visit == nil {
		return drop
	}
	if m.led = !m.visit.leads(m.u); m.led || len(drop) == 0 {
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

// remindOfVisit writes the reminders of the booking that the visit begins with, as it is now.
func (m *mailMaker) remindOfVisit() {
	if m.led {
		return
	}
	live := m.visit.Live()
	i := slices.IndexFunc(live, func(b booking.Booking) bool { return b.Status.Stands() })
	if i < 0 || live[i].Invitee.Email == "" {
		return
	}
	e := m.setup.EventTypeByID(live[i].EventTypeID)
	if e == nil || !m.setup.Wants(catalog.MailReminder, e) {
		return
	}
	f := Facts{For: ToInvitee, Visit: &VisitNews{}}
	m.visit.tell(&f)
	f.Start = live[i].Start
	m.remind(&live[i], e, f)
}
