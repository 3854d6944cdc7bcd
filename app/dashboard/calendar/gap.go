package calendar

import (
	"net/url"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// newPanel opens a gap, to book or to block it.
func (b *board) newPanel(q url.Values) error {
	h := b.hostFor(q.Get("new"))
	at, err := when.ParseWall(localTime, q.Get("at"), b.Zone())
	if h == nil || err != nil {
		return nil // a wrong address opens nothing
	}
	until := at.Add(time.Hour)
	if to, err := when.ParseWall(localTime, q.Get("until"), b.Zone()); err == nil && to.After(at) {
		until = to
	}
	if next := when.AddDays(at, 1); until.After(next) {
		until = next
	}
	p := &dash.CalNew{Host: h.ID.String(), Day: at.Format(time.DateOnly), From: at.Format("15:04"),
		To: until.Format("15:04"), May: b.May(app.MaySetHours), AwayURL: dash.HostAwayPath(h.ID.String())}
	repeat, again := b.RepeatInputs()
	p.Repeat = []dash.Group{{Inputs: []dash.Input{repeat}}, {Inputs: again}}
	if b.May(app.MayBook) {
		if p.Services, err = b.services(h, at); err != nil {
			return err
		}
	}
	if b.May(app.MaySeeContacts) && len(p.Services) > 0 {
		p.Who = []views.Pair{{Name: "host", Value: p.Host}, {Name: "date", Value: p.Day}, {Name: "start", Value: when.At(at).String()},
			{Name: "back", Value: b.at()}}
	}
	b.view.Panel = &dash.CalPanel{CloseURL: b.at(), Title: b.Locale.Day(at) + ", " + b.Locale.Time(at, ""), Sub: h.Name,
		Gap: p}
	return nil
}

// maxServices is how many event types a gap is searched for.
const maxServices = 40

// services returns the event types of the host, each to book at that time; those that aren't free then come last, with
// their first start of the day after it.
func (b *board) services(h *catalog.Host, at time.Time) (all []dash.CalService, err error) {
	from := at
	if now := b.Now(); now.After(from) {
		from = now
	}
	end := when.AddDays(at, 1)
	host, day := h.ID.String(), at.Format(time.DateOnly)
	one := 1
	var later []dash.CalService
	for i := range b.Setup.EventTypes {
		e := &b.Setup.EventTypes[i]
		if !e.Active || !e.ServedBy(h.ID) || !h.Active || len(all)+len(later) == maxServices {
			continue
		}
		s := dash.CalService{Title: e.Title, Text: b.Locale.Duration(time.Duration(e.DurationMinutes) * time.Minute)}
		if e.Price != nil {
			s.Text += " · " + b.Money(e.Price)
		}
		var first when.Instant
		if from.Before(end) {
			found, err := b.Subjects.Availability(b.Context(), b.Actor, availability.Input{EventType: e.Slug, Host: host,
				From: from.Format(time.RFC3339), To: end.Format(time.RFC3339), Limit: &one,
				TimeZone: b.Setup.Workspace.TimeZone})
			if err != nil && web.Refused(err) == nil {
				return nil, err
			}
			if err == nil && found.Len() > 0 {
				first = found.Slots()[0].Start
			}
		}
		book := func(start when.Instant) string {
			return web.WithQuery(dash.NewBookingPath, url.Values{"type": {e.Slug}, "host": {host}, "date": {day},
				"start": {start.String()}, "back": {b.at()}})
		}
		s.URL = book(when.At(at))
		if first == when.At(at) {
			all = append(all, s)
			continue
		}
		if first != 0 {
			s.Text += " · " + b.T("calendar_not_free", "Time", b.Locale.Time(at, ""))
			s.Next, s.NextURL = b.T("waive_next", "Time", b.Clock(first)), book(first)
		} else {
			s.Text = b.Locale.T("calendar_full", "Length", s.Text)
		}
		later = append(later, s)
	}
	return append(all, later...), nil
}
