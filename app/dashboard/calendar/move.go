package calendar

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
	"daybook/app/slot"
	"daybook/app/waive"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// cameFrom is the calendar that a form was sent from.
func (c call) cameFrom(form url.Values) (*board, error) {
	q := url.Values{}
	if back := form.Get("back"); dash.IsCalendar(back) {
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

// move moves a booking to where it was dropped, or back.
func (c call) move() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	b, err := c.cameFrom(form)
	if err != nil {
		return err
	}
	id := form.Get("booking")
	start, wrong := when.ParseWall(localTime, form.Get("start"), c.Zone())
	if wrong != nil {
		e := fault.Invalid("start", "must be a time such as 2026-11-24T10:20")
		return b.refused(e, c.Sentence(e))
	}
	in := app.RescheduleInput{Start: when.At(start).String(), Host: form.Get("host"), Override: form["override"]}
	if form.Get("undo") != "" {
		in.Override = waive.Names(undoWaives)
	}
	_, err = c.Rooms.Reschedule(c.Context(), c.Actor, id, in)
	if e := web.Refused(err); e != nil {
		why, err := b.whyNot(e, id, b.hostFor(cmp.Or(form.Get("host"), "-")), start)
		if err != nil {
			return err
		}
		b.anyway(e, why, form, when.At(start))
		return b.show(web.RefusedStatus(e))
	}
	if err != nil {
		return err
	}
	if form.Get("undo") != "" {
		return c.Redirect(b.at("undone", id), "")
	}
	return c.Redirect(b.at("moved", id), "")
}

// undoWaives are the rules that don't stand against the old time of a booking that is moved back. What has come into
// its
// way meanwhile does: another booking, time off.
var undoWaives = slot.ReasonsOf(slot.Inactive, slot.InPast, slot.TooSoon, slot.TooFar, slot.OutsideHours, slot.OffGrid)

// anyway says why a booking was not moved, and offers to move it against those rules where that is possible.
func (b *board) anyway(e *fault.Error, why string, form url.Values, start when.Instant) {
	b.view.Toast = &dash.CalToast{Text: why, Bad: true}
	reasons, _ := e.Details["reasons"].([]slot.Reason)
	against := slot.ReasonsOf(reasons...)
	if against == 0 || !waive.Possible(against, start, when.At(b.Now()), b.Zone()) {
		return
	}
	if against.Len() > 1 {
		b.view.Toast.Text += " " + b.Rules(against, true)
	}
	b.view.Toast.Action, b.view.Toast.Label = dash.CalendarMove, b.T("waive_move")
	b.view.Toast.Hidden = append([]views.Pair{{Name: "booking", Value: form.Get("booking")},
		{Name: "start", Value: form.Get("start")}, {Name: "host", Value: form.Get("host")},
		{Name: "back", Value: form.Get("back")}}, web.Overrides(against)...)
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
