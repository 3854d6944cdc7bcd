package calendar

import (
	"net/url"
	"time"

	"daybook/app"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/shop"
	"daybook/app/when"
	"daybook/views/dash"
)

// asked is whose bookings an address is about, and when.
type asked struct {
	call
	host  *catalog.Host // nil: everybody
	zone  *time.Location
	scope bulk.Scope
	what  string       // it in words
	url   string       // the address, for the form
	back  string       // where to without cancelling anything
	wrong *fault.Error // what is wrong with the hours
	gone  bool         // the time off was removed meanwhile

	day            bool   // a day or hours of it; else a time off or the public holidays
	date, from, to string // of a day, as the form has them
}

// asked reads the address.
func (c call) asked() (*asked, error) {
	a := &asked{call: c, zone: c.Zone()}
	ref := c.PathValue("id")
	if a.day = ref == ""; a.day {
		ref = c.URL.Query().Get("host")
		if c.Actor.Own() {
			ref = c.Actor.Host.String()
		}
	} else if ref == shop.Everybody {
		if ref = ""; !c.May(app.MayManageHosts) {
			return nil, fault.Missing("host", shop.Everybody)
		}
	}
	if ref != "" {
		h, err := c.Subjects.Shop.Host(c.Actor, ref)
		if err != nil {
			return nil, err
		}
		a.host, a.zone, a.scope.Host = &h, h.Location(), h.ID
	}
	if a.day {
		a.readDay(c.URL.Query())
	} else {
		a.readOff(c.URL.Query())
	}
	return a, nil
}

// quarter is what the hours of today are rounded down to.
const quarter = 15 * time.Minute

// readDay reads a day, today if there is none, and the hours of it. Today begins now.
func (a *asked) readDay(q url.Values) {
	now := a.Subjects.Now().In(a.zone)
	day := web.DayOr(q.Get("date"), a.zone, now)
	a.date, a.from, a.to = day.Format(time.DateOnly), q.Get("from"), q.Get("to")
	if a.from == "" && web.SameDay(day, now) {
		a.from = now.Truncate(quarter).Format("15:04")
	}
	end := when.AddDays(day, 1)
	a.scope.From, a.scope.To = when.At(day), when.At(end)
	read := func(field, text string, to *when.Instant) {
		if text == "" || a.wrong != nil {
			return
		}
		at, err := catalog.WallClock(field, a.date+"T"+text, a.zone, 0)
		if a.wrong = fault.As(err); err == nil {
			*to = at
		}
	}
	read("from", a.from, &a.scope.From)
	if a.to != "00:00" { // midnight is the end of the day
		read("to", a.to, &a.scope.To)
	}
	if a.wrong == nil && a.scope.To <= a.scope.From {
		a.wrong = fault.Invalid("to", "must come after the start")
	}
	a.what = a.T("cancel_whole_day", "Day", a.DayHeading(day))
	if from, to := a.scope.From.Time().In(a.zone), a.scope.To.Time().In(a.zone); from.After(day) || to.Before(end) {
		a.what = a.DayHeading(day) + ", " + a.Locale.Span(from, to, "")
	}
	a.what += " · " + a.whose()
	a.url = web.WithQuery(dash.CancelPath, q, "date", a.date, "from", a.from, "to", a.to)
	a.back = dash.CalendarPath + "?date=" + a.date
}

// whose names the host, or everybody.
func (a *asked) whose() string {
	if a.host != nil {
		return a.host.Name
	}
	return a.T("cancel_everybody")
}

// readOff reads which time off is meant: that of start and end, or the public holidays without them.
func (a *asked) readOff(q url.Values) {
	id := a.PathValue("id")
	a.back = dash.HostAwayPath(id)
	a.url = web.WithQuery(dash.HostAwayBookingsPath(id), q, "said", "")
	all := a.Setup.Workspace.TimeOff
	if a.host != nil {
		all = a.host.TimeOff
	}
	for i, t := range all {
		if t.Start.String() == q.Get("start") && t.End.String() == q.Get("end") &&
			(!q.Has("tag") || t.Tag() == q.Get("tag")) {
			a.scope.Off, a.what = &all[i], a.AwaySpan(a.zone, t)
			if t.Repeat != nil {
				a.what += " · " + a.T("off_every_n_weeks")
			}
		}
	}
	switch {
	case a.scope.Off != nil:
	case a.host == nil && q.Get("start") == "":
		a.scope.Holidays, a.what = true, a.T("off_holidays")
	default:
		a.gone = true
	}
}

// mayBlock reports whether the member may close the hours that were asked for.
func (a *asked) mayBlock() bool {
	return a.day && a.May(app.MaySetHours) && (a.host != nil || a.May(app.MayManageHosts))
}

// closing returns the time of the hours that were asked for, to be closed.
func (a *asked) closing() *bulk.TimeOffInput {
	in := bulk.TimeOffInput{Host: shop.Everybody, Start: a.scope.From.Time().In(a.zone).Format(localTime),
		End: a.scope.To.Time().In(a.zone).Format(localTime)}
	if a.host != nil {
		in.Host = a.host.ID.String()
	}
	return &in
}
