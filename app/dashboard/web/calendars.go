package web

import (
	"net/url"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views/dash"
)

const (
	shownClashes = 5
	mostClashes  = 100
	shownWishes  = 20
	toldAfter    = time.Hour // that a calendar can't be read
)

// calendarProblems are the messages that say why a calendar can't be read, and what to do.
var calendarProblems = map[calsync.Problem]string{
	calsync.Unreachable: "calsync_unreachable", calsync.SignIn: "calsync_refused", calsync.NotFound: "calsync_not_found",
	calsync.NotCalendar: "calsync_not_one", calsync.Unclear: "calsync_unclear", calsync.TooMuch: "calsync_too_much",
	calsync.SlowDown: "calsync_slow_down", calsync.Forbidden: "calsync_forbidden", calsync.ServerFailed: "calsync_failed",
	calsync.Crowded: "calsync_crowded", calsync.Misnamed: "calsync_misnamed", calsync.Digest: "calsync_digest",
}

// CalendarProblem says why a calendar can't be read, and what to do; "" if it can.
func (c *Call) CalendarProblem(k calsync.Kind, p calsync.Problem) string {
	switch {
	case p == "":
		return ""
	case p == calsync.SignIn && k.OAuth():
		return c.T("calsync_refused_oauth")
	}
	return c.T(calendarProblems[p])
}

// CalendarNews returns what the member should know about the other calendars of that host, or for 0 of all hosts and
// resources that they see; back is the page that it stands on.
func (c *Call) CalendarNews(host catalog.HostID, back string) (v dash.CalendarNews, err error) {
	about := func(h *catalog.Host) bool {
		return h != nil && h.Connected && (host == 0 || h.ID == host) && c.Actor.Sees(h.ID)
	}
	rooms := host == 0 && c.May(app.MayManageHosts)
	some := rooms && slices.ContainsFunc(c.Setup.Resources, func(r catalog.Resource) bool { return r.Connected })
	for i := range c.Setup.Hosts {
		some = some || about(&c.Setup.Hosts[i])
	}
	if !some {
		return v, nil
	}
	all, err := c.Subjects.Calendars.CalendarConnections(c.Context(), c.Actor)
	if err != nil {
		return v, err
	}
	for i := range all {
		x := &all[i]
		name := ""
		if h, r := c.Setup.Host(x.Host), c.Setup.Resource(x.Resource); about(h) {
			name = h.Name
		} else if rooms && r != nil {
			name = r.Name
		}
		late := x.State == calsync.Failing && x.FailedAt <= when.At(c.Subjects.Now()).Add(-toldAfter)
		if name == "" || x.State != calsync.Refused && !late {
			continue
		}
		v.Trouble = append(v.Trouble, dash.Trouble{
			Text: c.T("calsync_trouble", "Name", x.Name, "Host", name, "Problem", c.CalendarProblem(x.Kind, x.Problem)),
			When: c.T("dash_trouble_first", "When", c.Ago(x.FailedAt)),
			URL:  dash.CalendarsConnectionPath(x.ID.String()), Label: c.T("calsync_trouble_show")})
	}
	seen := func(h *catalog.Host) bool { return h != nil && (host == 0 || h.ID == host) && c.Actor.Sees(h.ID) }
	if err := c.clashes(&v, seen); err != nil { // a room of theirs may be busy
		return v, err
	}
	return v, c.wishes(&v, about, back)
}

// anyOf reports whether it is about one of those who do the booking.
func (c *Call) anyOf(b *booking.Booking, about func(*catalog.Host) bool) bool {
	return slices.ContainsFunc(b.AllHosts(), func(h catalog.HostRef) bool { return about(c.Setup.Host(h.ID)) })
}

// clashes are the bookings that meet a busy time.
func (c *Call) clashes(v *dash.CalendarNews, about func(*catalog.Host) bool) error {
	met, err := c.Subjects.Calendars.CalendarClashes(c.Context(), c.Actor, mostClashes)
	if err != nil {
		return err
	}
	for _, id := range met {
		b, err := c.Subjects.Booking(c.Context(), c.Actor, id.String())
		if fault.Is(err, fault.NotFound) || err == nil && !c.anyOf(&b, about) {
			continue
		}
		if err != nil {
			return err
		}
		if len(v.Clashes) == shownClashes {
			v.More++
			continue
		}
		v.Clashes = append(v.Clashes, c.Row(&b))
	}
	return nil
}

// wishes are the bookings that somebody moved or deleted in a calendar.
func (c *Call) wishes(v *dash.CalendarNews, about func(*catalog.Host) bool, back string) error {
	all, err := c.Subjects.Calendars.CalendarWishes(c.Context(), c.Actor, shownWishes)
	if err != nil {
		return err
	}
	for _, x := range all {
		id := x.Booking.String()
		b, err := c.Subjects.Booking(c.Context(), c.Actor, id)
		if fault.Is(err, fault.NotFound) || err == nil && (!b.Status.Live() || !c.anyOf(&b, about)) {
			continue
		}
		if err != nil {
			return err
		}
		w := dash.CalendarWish{Name: b.Invitee.Name, LeaveURL: dash.CalendarsLeavePath(id), BackURL: back,
			Now: c.T("calsync_wish_now", "When", c.dayAndSpan(b.Start, b.End))}
		if x.Wish == calsync.WishMoved {
			start := c.At(x.WishStart)
			w.Text = c.T("calsync_wish_moved", "Name", b.Invitee.Name, "When", c.dayAndSpan(x.WishStart, x.WishEnd))
			w.DoLabel = c.T("calsync_wish_move")
			w.DoURL = WithQuery(dash.BookingMovePath(id), url.Values{"date": {start.Format(time.DateOnly)},
				"start": {x.WishStart.String()}})
		} else {
			w.Text = c.T("calsync_wish_deleted", "Name", b.Invitee.Name)
			w.DoLabel, w.DoURL = c.T("calsync_wish_cancel"), dash.BookingPath(id)
		}
		v.Wishes = append(v.Wishes, w)
	}
	return nil
}

func (c *Call) dayAndSpan(from, to when.Instant) string {
	return c.Day(c.At(from)) + ", " + c.Span(from, to)
}

// UnknownInput asks what is done while a calendar of a host or a resource can't be read.
func (c *Call) UnknownInput(now catalog.CalendarUnknown) dash.Input {
	return dash.Input{Name: "whenCalendarUnknown", Label: c.T("calsync_unknown"), Kind: "select",
		Value: string(now), Hint: c.T("calsync_unknown_hint"),
		Options: []dash.Option{{Value: string(catalog.BookAnyway), Label: c.T("calsync_unknown_book")},
			{Value: string(catalog.RefuseUnknown), Label: c.T("calsync_unknown_refuse")}}}
}
