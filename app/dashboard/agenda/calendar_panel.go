package agenda

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// panel adds what the address opens beside the calendar: a booking, a gap or a time off. What is not there any more
// opens nothing.
func (b *board) panel(q url.Values) error {
	switch {
	case q.Get("booking") != "":
		k, err := b.Rooms.Booking(b.Context(), b.Actor, q.Get("booking"))
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

// isCalendar reports whether that is an address of the calendar.
func isCalendar(address string) bool {
	return address == dash.CalendarPath || strings.HasPrefix(address, dash.CalendarPath+"?")
}

// bookingPanel opens a booking.
func (b *board) bookingPanel(k *record.Booking) error {
	t := b.Locale.T
	v, err := b.bookingDetail(k)
	if err != nil {
		return err
	}
	id := k.ID.String()
	here := b.at("booking", id)
	p := &dash.CalBooking{ID: id, Note: v.Note, Notes: k.Notes, MoveURL: v.MoveURL, AgainURL: v.AgainURL,
		URL: dash.BookingPath(id), History: v.History}
	if v.ConfirmURL != "" {
		p.ConfirmURL = withBack(v.ConfirmURL, here)
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
	add("calendar_phone", k.Invitee.Phone, "tel:"+web.Dialled(k.Invitee.Phone))
	if !strings.HasSuffix(k.Invitee.Email, "@invalid") {
		add("calendar_email", k.Invitee.Email, views.MailTo(k.Invitee.Email))
	}
	add("calendar_money", b.due(k), "")
	p.Answers = slices.DeleteFunc(v.Answers, func(f dash.Fact) bool { return f.Value == k.Notes && k.Notes != "" })
	if err := b.customer(k, p); err != nil {
		return err
	}
	if err := b.mates(k, p); err != nil {
		return err
	}
	b.view.Panel = &dash.CalPanel{CloseURL: b.at(), Title: k.Invitee.Name, State: v.State, Booking: p,
		Sub: b.Locale.Day(b.At(k.Start)) + ", " + b.Span(k.Start, k.End)}
	return nil
}

// due is what a booking costs, and how much of it is paid.
func (b *board) due(k *record.Booking) string {
	if k.Price == nil {
		return ""
	}
	paid := int64(0)
	if p := k.Payment; p != nil && p.Kind == record.ForPrice {
		switch p.Status {
		case "refunded", "partially_refunded": // what was given back isn't owed again
			return views.Capital(b.T("today_pay_" + string(p.Status)))
		case "paid":
			paid = p.Amount
		}
	}
	switch left := k.Price.Amount - paid; {
	case left <= 0:
		return b.Locale.T("calendar_paid", "Amount", b.Money(k.Price))
	case paid > 0:
		return b.Locale.T("calendar_part_paid", "Amount", b.Money(&catalog.Money{Amount: left, Currency: k.Price.Currency}),
			"Price", b.Money(k.Price))
	}
	return b.Locale.T("calendar_due", "Amount", b.Money(k.Price))
}

// customer says how often the person has booked and what is noted about them, to members who see contacts.
func (b *board) customer(k *record.Booking, p *dash.CalBooking) error {
	if !b.May(app.MaySeeContacts) || k.ContactID == 0 || strings.HasSuffix(k.Invitee.Email, "@invalid") {
		return nil
	}
	person, err := b.Rooms.Contact(b.Context(), b.Actor, k.ContactID.String())
	if err != nil {
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		return err
	}
	p.ContactURL, p.ContactNotes = dash.ContactPath(k.ContactID.String()), person.Notes
	p.Visits = b.Locale.T("calendar_bookings", "Count", person.Bookings)
	if person.NoShows > 0 {
		p.Visits += " · " + b.Locale.T("calendar_no_shows", "Count", person.NoShows)
	}
	return nil
}

// mates are the other bookings of the same session.
func (b *board) mates(k *record.Booking, p *dash.CalBooking) error {
	et := b.Setup.EventTypeByID(k.EventTypeID)
	if et == nil || et.Seats < 2 {
		return nil
	}
	all, _, err := b.Rooms.Calendar(b.Context(), b.Actor, k.Host.ID.String(), k.Start.Time(),
		k.Start.Time().Add(time.Second))
	if err != nil {
		return err
	}
	taken := 0
	for i := range all {
		o := &all[i]
		if o.EventTypeID != k.EventTypeID || o.Start != k.Start {
			continue
		}
		if o.Status != record.NoShow {
			taken++
		}
		if o.ID != k.ID {
			p.Mates = append(p.Mates, dash.CalMate{Name: o.Invitee.Name, URL: b.at("booking", o.ID.String())})
		}
	}
	p.MatesTitle = et.Title + " · " + b.Locale.T("calendar_seats", "Taken", taken, "Seats", et.Seats)
	return nil
}

// newPanel opens a gap, to book or to block it.
func (b *board) newPanel(q url.Values) error {
	h := b.hostFor(q.Get("new"))
	at, err := time.ParseInLocation(localTime, q.Get("at"), b.Zone())
	if h == nil || err != nil {
		return nil // a wrong address opens nothing
	}
	until := at.Add(time.Hour)
	if to, err := time.ParseInLocation(localTime, q.Get("until"), b.Zone()); err == nil && to.After(at) {
		until = to
	}
	if next := web.Midnight(at).AddDate(0, 0, 1); until.After(next) {
		until = next
	}
	p := &dash.CalNew{Host: h.ID.String(), Day: at.Format(time.DateOnly), From: at.Format("15:04"),
		To: until.Format("15:04"), May: b.May(app.MaySetHours), AwayURL: dash.HostAwayPath(h.ID.String())}
	if b.May(app.MayBook) {
		if p.Services, err = b.services(h, at); err != nil {
			return err
		}
	}
	b.view.Panel = &dash.CalPanel{CloseURL: b.at(), Title: b.Locale.Day(at) + ", " + b.Locale.Time(at, ""), Sub: h.Name,
		Gap: p}
	return nil
}

// maxServices is how many event types a gap is searched for.
const maxServices = 40

// services are the event types of the host, each with its first start of the day from that time on.
func (b *board) services(h *catalog.Host, at time.Time) (all []dash.CalService, err error) {
	from := at
	if now := b.Now(); now.After(from) {
		from = now
	}
	end := web.Midnight(at).AddDate(0, 0, 1)
	host, day := h.ID.String(), at.Format(time.DateOnly)
	one := 1
	var later []dash.CalService
	for i := range b.Setup.EventTypes {
		e := &b.Setup.EventTypes[i]
		if !e.Active || !e.ServedBy(h.ID) || !h.Active || len(all)+len(later) == maxServices {
			continue
		}
		s := dash.CalService{Title: e.Title, Text: b.Locale.Duration(time.Duration(e.DurationMinutes) * time.Minute),
			URL: web.WithQuery(dash.NewBookingPath, url.Values{"type": {e.Slug}, "host": {host}, "date": {day}})}
		if e.Price != nil {
			s.Text += " · " + b.Money(e.Price)
		}
		var first when.Instant
		if from.Before(end) {
			found, err := b.Rooms.Availability(b.Context(), b.Actor, availability.Input{EventType: e.Slug, Host: host,
				From: from.Format(time.RFC3339), To: end.Format(time.RFC3339), Limit: &one,
				TimeZone: b.Setup.Workspace.TimeZone})
			if err != nil && web.Refused(err) == nil {
				return nil, err
			}
			if err == nil && found.Len() > 0 {
				first = found.Slots()[0].Start
			}
		}
		switch {
		case first == 0:
			s.Text = b.Locale.T("calendar_full", "Length", s.Text)
			later = append(later, s)
			continue
		case first != when.At(at):
			s.Text += " · " + b.Locale.T("calendar_next_free", "Time", b.Clock(first))
		}
		s.URL = web.WithQuery(s.URL[:strings.Index(s.URL, "?")], url.Values{"type": {e.Slug}, "host": {host},
			"date": {day}, "start": {first.String()}})
		if first == when.At(at) {
			all = append(all, s)
		} else {
			later = append(later, s)
		}
	}
	return append(all, later...), nil
}

// awayKey names a time off in an address.
func awayKey(h *catalog.Host, a catalog.TimeOff) string {
	return h.ID.String() + "~" + a.Start.String() + "~" + a.End.String()
}

// away is the time off of that key, and its host; nil if there is none.
func (b *board) away(key string) (*catalog.Host, *catalog.TimeOff) {
	ref, _, _ := strings.Cut(key, "~")
	h := b.hostFor(cmp.Or(ref, "-"))
	if h == nil {
		return nil, nil
	}
	for i := range h.TimeOff {
		if awayKey(h, h.TimeOff[i]) == key {
			return h, &h.TimeOff[i]
		}
	}
	return nil, nil
}

// shownInAway limits the bookings that the panel lists in a time off.
const shownInAway = 20

// awayPanel opens a time off, with the bookings in it.
func (b *board) awayPanel(key string) error {
	h, a := b.away(key)
	if a == nil {
		return nil
	}
	p := &dash.CalAway{Reason: a.Reason}
	booked, err := b.Rooms.Shop.InTimeOff(b.Context(), b.Actor, h.ID, *a, 1000)
	if err != nil {
		return err
	}
	p.More = max(0, len(booked)-shownInAway)
	for i := range booked[:len(booked)-p.More] {
		row := b.Row(&booked[i])
		row.URL = b.at("booking", row.ID, "date", b.At(booked[i].Start).Format(time.DateOnly))
		p.Booked = append(p.Booked, row)
	}
	if b.May(app.MaySetHours) {
		p.Action, p.Hidden = dash.CalendarFree, b.awayFields(key)
	}
	b.view.Panel = &dash.CalPanel{CloseURL: b.at(), Title: b.Locale.T("calendar_away") + " · " + h.Name,
		Sub: b.awayText(a), Away: p}
	return nil
}

// awayFields are those of the form that removes a time off.
func (b *board) awayFields(key string) []views.Pair {
	return []views.Pair{{Name: "away", Value: key}, {Name: "back", Value: b.at()}}
}

// awayText is when a time off is: "Tue, 24 Nov, 14:00–15:00".
func (b *board) awayText(a *catalog.TimeOff) string {
	from, to := b.At(a.Start), b.At(a.End)
	if last := to.AddDate(0, 0, -1); from.Equal(web.Midnight(from)) && to.Equal(web.Midnight(to)) {
		if web.SameDay(from, last) {
			return b.Locale.Day(from)
		}
		return b.Locale.ShortDay(from) + " – " + b.Locale.ShortDay(last)
	}
	return b.Locale.ShortDay(from) + ", " + b.Locale.Span(from, to, "")
}
