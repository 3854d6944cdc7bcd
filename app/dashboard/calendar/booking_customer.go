package calendar

import (
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/views/dash"
)

// shownPast is how many other bookings of the person stand beside a booking.
const shownPast = 5

// customer returns who booked, with the other bookings of that person, the latest first. It is nil for members who
// don't see that contact, and when the person is deleted.
func (c call) customer(b *booking.Booking) (*dash.Customer, error) {
	if !c.May(app.MaySeeCustomers) || b.ContactID == 0 || strings.HasSuffix(b.Invitee.Email, "@invalid") {
		return nil, nil
	}
	ref := b.ContactID.String()
	person, err := c.Subjects.People.ContactByID(c.Context(), c.Actor, ref)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v := &dash.Customer{URL: dash.ContactPath(ref), Name: person.Name, All: c.T("dash_contact_all", "Name", person.Name),
		Notes: person.Notes, Bookings: c.T("calendar_bookings", "Count", person.Bookings)}
	if person.NoShows > 0 {
		v.NoShows = c.T("calendar_no_shows", "Count", person.NoShows)
	}
	if v.Card, err = c.cardNotes(ref); err != nil {
		return nil, err
	}
	page, err := c.Subjects.People.ContactBookings(c.Context(), c.Actor, ref, "")
	if err != nil {
		return nil, err
	}
	for i := range page.Data {
		if o := &page.Data[i]; o.ID != b.ID && len(v.Past) < shownPast {
			v.Past = append(v.Past, c.pastRow(o))
		}
	}
	return v, nil
}

// cardURL leads to the card of who booked; "" for nobody who is known, and for members who don't see it.
func (c call) cardURL(b *booking.Booking) string {
	if b.ContactID == 0 || b.Invitee.Erased() || !c.May(app.MaySeeCard) ||
		!c.May(app.MaySeeContacts) && !c.Setup.Workspace.Settings.StaffSeeCustomers {
		return ""
	}
	return dash.ContactPath(b.ContactID.String())
}

// pinnedMost is how many pinned entries stand beside a booking.
const pinnedMost = 5

// cardNotes are the last formula and the pinned entries of a customer's card; none for who may not see it.
func (c call) cardNotes(ref string) (notes dash.CardNotes, err error) {
	if !c.May(app.MaySeeCard) {
		return notes, nil
	}
	alerts, err := c.Subjects.People.Alerts(c.Context(), c.Actor, ref)
	if err != nil {
		return notes, err
	}
	for i := range alerts {
		notes.Alerts = append(notes.Alerts, alerts[i].Text)
	}
	last, err := c.Subjects.People.LastFormula(c.Context(), c.Actor, ref)
	if err != nil {
		return notes, err
	}
	n := pinnedMost
	page, err := c.Subjects.People.Entries(c.Context(), c.Actor, ref, &n, "")
	if err != nil {
		return notes, err
	}
	shown := func(e *contact.Entry) dash.Entry {
		return dash.Entry{Text: e.Text, Day: c.Day(c.At(e.CreatedAt)), Author: c.Author(e.Author)}
	}
	for i := range page.Data {
		e := &page.Data[i]
		if e.Pinned && !e.Corrected && (last == nil || e.ID != last.ID) {
			notes.Pinned = append(notes.Pinned, shown(e))
		}
	}
	if last == nil {
		return notes, nil
	}
	formula := shown(last)
	notes.Formula = &formula
	if c.May(app.MayWriteCard) {
		notes.Again = dash.SameAgainPath(ref)
	}
	return notes, nil
}

// pastRow is another booking of the person. Its state stands there when it isn't what one expects.
func (c call) pastRow(o *booking.Booking) dash.PastBooking {
	v := dash.PastBooking{Day: c.Day(c.At(o.Start)), What: c.TypeTitle(o),
		Host: o.Host.Name}
	if c.Actor.SeesBooking(o) {
		v.URL = dash.BookingPath(o.ID.String())
	}
	if !o.Status.Stands() || o.Start.Time().After(c.Subjects.Now()) {
		v.State = c.StateBadge(o)
	}
	return v
}
