package calendar

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views"
	"daybook/views/dash"
)

// panel adds what the address opens beside the calendar: a booking, a gap or a time off. What is not there any more
// opens nothing.
func (b *board) panel(q url.Values) error {
	switch {
	case q.Get("booking") != "":
		k, err := b.Subjects.Booking(b.Context(), b.Actor, q.Get("booking"))
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return b.bookingPanel(&k)
	case q.Get("new") != "":
		return b.newPanel(q)
	case q.Get("away") != "":
		return b.awayPanel(q.Get("away"))
	}
	return nil
}

// withBack adds to the address of a form where to go when it is done.
func withBack(address, back string) string {
	mark := "?"
	if strings.Contains(address, "?") {
		mark = "&"
	}
	return address + mark + "back=" + url.QueryEscape(back)
}

// bookingPanel opens a booking.
func (b *board) bookingPanel(k *booking.Booking) error {
	t := b.Locale.T
	v, err := b.detail(k)
	if err != nil {
		return err
	}
	id := k.ID.String()
	here := b.at("booking", id)
	p := &dash.CalBooking{ID: id, Note: v.Note, Clash: b.clash(k), Notes: k.Notes, MoveURL: v.MoveURL, Over: v.Over,
		AgainURL: v.AgainURL, SoonURL: v.SoonURL, SoonLabel: v.SoonLabel, URL: dash.BookingPath(id), History: v.History}
	for _, x := range v.Taps {
		x.URL = withBack(x.URL, here)
		p.Taps = append(p.Taps, x)
	}
	for _, x := range v.Actions {
		x.Action = withBack(x.Action, here)
		p.Actions = append(p.Actions, x)
	}
	add := func(key, value, address string) {
		if value != "" {
			p.Facts = append(p.Facts, dash.Fact{Name: t(key), Value: value, URL: address})
		}
	}
	add("calendar_service", b.TypeTitle(k), "")
	add("calendar_host", k.Host.Name, "")
	p.Facts = append(p.Facts, b.ResourceFacts(k)...)
	add("coming_fact", b.comingText(k), "")
	add("calendar_phone", b.Phone(k.Invitee.Phone), "tel:"+web.Dialled(k.Invitee.Phone))
	if !strings.HasSuffix(k.Invitee.Email, "@invalid") {
		add("calendar_email", k.Invitee.Email, views.MailTo(k.Invitee.Email))
	}
	also, err := b.visitFacts(k, func(id string) string { return b.at("booking", id) })
	if err != nil {
		return err
	}
	p.Facts, p.Customer = append(p.Facts, also...), v.Customer
	if p.Till, err = b.tillOf(k, here); err != nil {
		return err
	}
	p.Answers = slices.DeleteFunc(v.Answers, func(f dash.Fact) bool { return f.Value == k.Notes && k.Notes != "" })
	if err := b.mates(k, p); err != nil {
		return err
	}
	b.view.Panel = &dash.CalPanel{CloseURL: b.at(), Title: b.Invitee(k), State: v.State, Booking: p,
		Sub: b.Locale.Day(b.At(k.Start)) + ", " + b.Span(k.Start, k.End)}
	return nil
}

// mates are the other bookings of the same session.
func (b *board) mates(k *booking.Booking, p *dash.CalBooking) error {
	et := b.Setup.EventTypeByID(k.EventTypeID)
	if et == nil || et.Seats < 2 {
		return nil
	}
	all, _, err := b.Subjects.Calendar(b.Context(), b.Actor, k.Host.ID.String(), k.Start.Time(),
		k.Start.Time().Add(time.Second), false)
	if err != nil {
		return err
	}
	taken := 0
	for i := range all {
		o := &all[i]
		if o.EventTypeID != k.EventTypeID || o.Start != k.Start {
			continue
		}
		if o.Status.Live() {
			taken += o.Seats
		}
		if o.ID != k.ID {
			p.Mates = append(p.Mates, dash.CalMate{Name: b.Invitee(o), URL: b.at("booking", o.ID.String())})
		}
	}
	p.SessionURL = dash.BookingSessionPath(k.ID.String())
	p.MatesTitle = et.Title + " · " + b.Locale.T("calendar_seats", "Taken", taken, "Seats", et.Seats)
	return nil
}
