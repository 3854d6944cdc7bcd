package agenda

import (
	"cmp"
	"net/url"
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

// cameFrom is the calendar that a form was sent from.
func (c call) cameFrom(form url.Values) (*board, error) {
	q := url.Values{}
	if back := form.Get("back"); isCalendar(back) {
		if u, err := url.Parse(back); err == nil {
			q = u.Query()
		}
	}
	return c.board(q)
}

// refused shows the calendar again, with why something was not done.
func (b *board) refused(e *fault.Error, text string) error {
	b.view.Toast = &dash.CalToast{Text: text, Bad: true}
	return b.show(web.RefusedStatus(e))
}

// calendarMove moves a booking to where it was dropped, or back.
func (c call) calendarMove() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	b, err := c.cameFrom(form)
	if err != nil {
		return err
	}
	id := form.Get("booking")
	start, wrong := time.ParseInLocation(localTime, form.Get("start"), c.Zone())
	if wrong != nil {
		e := fault.Invalid("start", "must be a time such as 2026-11-24T10:20")
		return b.refused(e, c.Sentence(e))
	}
	_, err = c.Rooms.Reschedule(c.Context(), c.Actor, id,
		app.RescheduleInput{Start: when.At(start).String(), Host: form.Get("host")})
	if e := web.Refused(err); e != nil {
		why, err := b.whyNot(e, id, b.hostFor(cmp.Or(form.Get("host"), "-")), start)
		if err != nil {
			return err
		}
		return b.refused(e, why)
	}
	if err != nil {
		return err
	}
	if form.Get("undo") != "" {
		return c.Redirect(b.at("undone", id), "")
	}
	return c.Redirect(b.at("moved", id), "")
}

// whyNot says in words why a booking can't be moved to that time of the host.
func (b *board) whyNot(e *fault.Error, id string, h *catalog.Host, start time.Time) (string, error) {
	t := b.Locale.T
	k, err := b.Rooms.Booking(b.Context(), b.Actor, id)
	if err != nil {
		return "", err
	}
	host := k.Host.Name
	if h != nil {
		host = h.Name
	}
	et := b.Setup.EventTypeByID(k.EventTypeID)
	title := b.TypeTitle(&k)
	switch e.Reason {
	case "slot_taken":
		return b.whyTaken(e, &k, h, start), nil
	case "outside_hours":
		return t("calendar_why_hours", "Host", host, "Time", b.Locale.Time(start, "")), nil
	case "off_grid":
		if et != nil {
			return t("calendar_why_grid", "Service", title, "Minutes", et.SlotStepMinutes), nil
		}
	case "too_soon":
		if et != nil {
			return t("calendar_why_soon", "Service", title, "Length",
				b.Locale.Duration(time.Duration(et.MinimumNoticeMinutes)*time.Minute)), nil
		}
	case "too_far":
		if et != nil {
			return t("calendar_why_far", "Service", title, "Days", et.BookingWindowDays), nil
		}
	case "in_past":
		return t("calendar_why_past"), nil
	case "day_full":
		return t("calendar_why_full", "Service", title), nil
	case "inactive":
		return t("calendar_why_inactive", "Service", title), nil
	case "wrong_state":
		return t("calendar_why_state"), nil
	}
	if e.Field == "host" {
		return t("calendar_why_host", "Host", host, "Service", title), nil
	}
	return b.Sentence(e), nil
}

// whyTaken names what is in the way, and when the host is free instead.
func (b *board) whyTaken(e *fault.Error, k *record.Booking, h *catalog.Host, start time.Time) string {
	t := b.Locale.T
	if h == nil {
		return b.Sentence(e)
	}
	end := start.Add(time.Duration(k.End-k.Start) * time.Millisecond)
	text := t("calendar_why_taken", "Host", h.Name, "Time", b.Locale.Time(start, ""))
	if away := h.Away(start, end); len(away) > 0 {
		text = t("calendar_why_away", "Host", h.Name, "When", b.awayText(&away[0]))
	}
	before, after := k.Start-k.BusyStart, k.BusyEnd-k.End
	for i := range b.found {
		o := &b.found[i]
		if o.Host.ID != h.ID || o.ID == k.ID || !o.Status.Live() {
			continue
		}
		name := o.Invitee.Name + " (" + b.Span(o.Start, o.End) + ")"
		if o.Start < when.At(end) && o.End > when.At(start) {
			text = t("calendar_why_booked", "Name", name)
			break
		}
		if o.BusyStart < when.At(end)+after && o.BusyEnd > when.At(start)-before {
			text = t("calendar_why_buffer", "Name", name)
		}
	}
	free, _ := e.Details["alternatives"].([]availability.Slot)
	var times []string
	for _, s := range free {
		if at := b.At(s.Start); web.SameDay(at, start) && len(times) < 4 {
			times = append(times, b.Locale.Time(at, ""))
		}
	}
	if len(times) > 0 {
		text += " " + t("calendar_why_free", "Times", strings.Join(times, ", "))
	}
	return text
}

// calendarBlock gives a host time off for a part of a day.
func (c call) calendarBlock() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	b, err := c.cameFrom(form)
	if err != nil {
		return err
	}
	h := b.hostFor(cmp.Or(form.Get("host"), "-"))
	if h == nil {
		return fault.Missing("host", form.Get("host"))
	}
	day := form.Get("day")
	from, err1 := time.ParseInLocation(localTime, day+"T"+form.Get("from"), c.Zone())
	to, err2 := time.ParseInLocation(localTime, day+"T"+form.Get("to"), c.Zone())
	if err2 == nil && to.Equal(web.Midnight(to)) {
		to = to.AddDate(0, 0, 1) // midnight is the end of the day
	}
	if err1 != nil || err2 != nil || !to.After(from) {
		return b.notBlocked(form, fault.Invalid("to", "must come after the start"), c.Locale.T("calendar_why_end"))
	}
	zoned := func(t time.Time) string { return t.In(h.Location()).Format(localTime) }
	saved, err := c.Rooms.Shop.AddTimeOff(c.Context(), c.Actor, h.ID.String(), zoned(from), zoned(to), form.Get("reason"))
	if e := web.Refused(err); e != nil {
		return b.notBlocked(form, e, c.Sentence(e))
	}
	if err != nil {
		return err
	}
	off := catalog.TimeOff{Start: when.At(from), End: when.At(to)}
	hit, err := c.Rooms.Shop.InTimeOff(c.Context(), c.Actor, saved.ID, off, 1)
	if err != nil {
		return err
	}
	key := awayKey(h, off)
	if len(hit) > 0 {
		return c.Redirect(b.at("blocked", key, "away", key), "")
	}
	return c.Redirect(b.at("blocked", key), "")
}

// notBlocked shows the form again as it was filled in.
func (b *board) notBlocked(form url.Values, e *fault.Error, why string) error {
	at := form.Get("from")
	if _, err := time.Parse("15:04", at); err != nil {
		at = "09:00"
	}
	if err := b.newPanel(url.Values{"new": {form.Get("host")}, "at": {form.Get("day") + "T" + at}}); err != nil {
		return err
	}
	if p := b.view.Panel; p != nil {
		p.Problem = why
		p.Gap.From, p.Gap.To, p.Gap.Reason = form.Get("from"), form.Get("to"), form.Get("reason")
	}
	return b.show(web.RefusedStatus(e))
}

// calendarFree removes a time off.
func (c call) calendarFree() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	b, err := c.cameFrom(form)
	if err != nil {
		return err
	}
	if h, a := b.away(form.Get("away")); a != nil {
		if _, err := c.Rooms.Shop.RemoveTimeOff(c.Context(), c.Actor, h.ID.String(), a.Start, a.End); err != nil {
			return err
		}
	}
	return c.Redirect(b.at("freed", "1"), "")
}

// undoFor is how long after a move the calendar offers to undo it.
const undoFor = time.Minute

// toast adds what the address says was just done, and how to undo it.
func (b *board) toast(q url.Values) error {
	t := b.Locale.T
	switch {
	case q.Get("freed") != "":
		b.view.Toast = &dash.CalToast{Text: t("calendar_freed")}
	case q.Get("blocked") != "":
		key := q.Get("blocked")
		if h, a := b.away(key); a != nil {
			b.view.Toast = &dash.CalToast{Action: dash.CalendarFree, Hidden: b.awayFields(key),
				Text: t("calendar_blocked", "Host", h.Name, "When", b.awayText(a))}
		}
	case q.Get("moved") != "" || q.Get("undone") != "":
		k, err := b.Rooms.Booking(b.Context(), b.Actor, q.Get("moved")+q.Get("undone"))
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return b.movedToast(&k, q.Get("undone") != "")
	}
	return nil
}

// movedToast says where a booking went. A move that the member has just made can be undone.
func (b *board) movedToast(k *record.Booking, undone bool) error {
	at := b.Locale.ShortDay(b.At(k.Start)) + ", " + b.Clock(k.Start)
	key := "calendar_moved"
	if undone {
		key = "calendar_moved_back"
	}
	b.view.Toast = &dash.CalToast{Text: b.Locale.T(key, "Name", k.Invitee.Name, "When", at, "Host", k.Host.Name)}
	history, err := b.Rooms.History(b.Context(), b.Actor, k.ID.String())
	if n := len(history); err != nil || undone || n < 2 || history[n-1].Action != record.ActRescheduled ||
		history[n-1].By != b.Actor.User.String() || history[n-1].At < when.At(b.Now().Add(-undoFor)) {
		return err
	}
	before := history[len(history)-2]
	if before.Host == 0 {
		return nil // it was booked before the history named the host
	}
	b.view.Toast.Action = dash.CalendarMove
	b.view.Toast.Hidden = []views.Pair{{Name: "booking", Value: k.ID.String()},
		{Name: "start", Value: b.At(before.Start).Format(localTime)},
		{Name: "host", Value: before.Host.String()}, {Name: "back", Value: b.at()}, {Name: "undo", Value: "1"}}
	return nil
}
