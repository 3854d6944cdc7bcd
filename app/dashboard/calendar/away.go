package calendar

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/shop"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// awayKey names a time off in an address.
func awayKey(h *catalog.Host, a *catalog.TimeOff) string {
	return h.ID.String() + "~" + a.Start.String() + "~" + a.End.String() + "~" + a.Tag()
}

// absenceKey names an absence in an address, as awayKey does.
func absenceKey(h *catalog.Host, a *catalog.Absence) string {
	t := a.TimeOff
	if a.Of != nil {
		t.Repeat = a.Of.Repeat
	}
	return awayKey(h, &t)
}

// away returns the time off of that key, and its host; nil if there is none.
func (b *board) away(key string) (*catalog.Host, *catalog.Absence) {
	ref, span, _ := strings.Cut(key, "~")
	h := b.hostFor(cmp.Or(ref, "-"))
	from, to, _ := strings.Cut(span, "~")
	to, tag, _ := strings.Cut(to, "~")
	start, err1 := when.Parse(from)
	end, err2 := when.Parse(to)
	if h == nil || err1 != nil || err2 != nil {
		return nil, nil
	}
	for _, a := range h.Away(start.Time(), end.Time()) {
		if a.Start == start && a.End == end && (tag == "" || absenceKey(h, &a) == key) {
			return h, &a
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
	p := &dash.CalAway{Reason: b.AwayReason(a)}
	booked, err := b.Subjects.Bulk.Within(b.Context(), b.Actor, bulk.Scope{Host: h.ID, Off: &a.TimeOff}, 1000)
	if err != nil {
		return err
	}
	p.More = max(0, len(booked)-shownInAway)
	for i := range booked[:len(booked)-p.More] {
		row := b.Row(&booked[i])
		row.URL = b.at("booking", row.ID, "date", b.At(booked[i].Start).Format(time.DateOnly))
		p.Booked = append(p.Booked, row)
	}
	if a.Of != nil && b.May(app.MaySetHours) && (!a.Everybody || b.May(app.MayManageHosts)) {
		p.Action, p.Hidden, p.Repeats = dash.CalendarFree, b.awayFields(key), a.Of.Repeat != nil
		if len(booked) > 0 {
			p.HitURL = b.hitURL(whose(h, a), a.Of)
		}
	}
	b.view.Panel = &dash.CalPanel{CloseURL: b.at(), Title: b.Locale.T("calendar_away") + " · " + h.Name,
		Sub: b.awayText(a), Away: p}
	return nil
}

// hitURL returns the page that lists the bookings in a time off of that host, or of everybody.
func (b *board) hitURL(of string, a *catalog.TimeOff) string {
	return web.WithQuery(dash.HostAwayBookingsPath(of), url.Values{"start": {a.Start.String()},
		"end": {a.End.String()}, "tag": {a.Tag()}})
}

// takeBack removes the entry that an absence comes from, or only this one of those that come again.
func (b *board) takeBack(h *catalog.Host, a *catalog.Absence, one bool) error {
	if a.Of == nil {
		return nil // the panel of a public holiday has no button
	}
	of := whose(h, a)
	if one && a.Of.Repeat != nil {
		return b.Subjects.Shop.SkipTimeOff(b.Context(), b.Actor, of, *a.Of, a.Start)
	}
	return b.Subjects.Shop.RemoveTimeOff(b.Context(), b.Actor, of, *a.Of)
}

// whose names the host, or everybody, whose entry an absence comes from.
func whose(h *catalog.Host, a *catalog.Absence) string {
	if a.Everybody {
		return shop.Everybody
	}
	return h.ID.String()
}

// awayFields returns those of the form that removes a time off.
func (b *board) awayFields(key string) []views.Pair {
	return []views.Pair{{Name: "away", Value: key}, {Name: "back", Value: b.at()}}
}

// awayText returns when a time off is: "Tue, 24 Nov, 14:00–15:00".
func (b *board) awayText(a *catalog.Absence) string {
	from, to := b.At(a.Start), b.At(a.End)
	if last := when.AddDays(to, -1); from.Equal(web.Midnight(from)) && to.Equal(web.Midnight(to)) {
		if web.SameDay(from, last) {
			return b.Locale.Day(from)
		}
		return b.Locale.ShortDay(from) + " – " + b.Locale.ShortDay(last)
	}
	text := b.Locale.ShortDay(from) + ", " + b.Locale.Span(from, to, "")
	if a.Of != nil && a.Of.Repeat != nil {
		text += " · " + b.RepeatText(a.Of.Repeat, b.Zone())
	}
	return text
}
