package calendar

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// cameFrom returns the calendar that a form was sent from.
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
	if form.Get("alone") == "" {
		var whole *booking.Visit
		k, err := c.Subjects.Booking(c.Context(), c.Actor, id)
		if err == nil { // else the move is refused below
			whole, err = c.wholeVisit(&k)
		}
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if whole != nil {
			return b.moveVisit(whole, &k, when.At(start), form)
		}
	}
	in := app.RescheduleInput{Start: when.At(start).String(), Host: form.Get("host"), Override: form["override"]}
	in.Host = b.leads(id, in.Host)
	if form.Get("undo") != "" {
		waives := undoWaives
		if k, err := c.Subjects.Booking(c.Context(), c.Actor, id); err == nil && k.InVisit() {
			waives |= slot.ReasonsOf(slot.Buffer) // its neighbour in the visit has its own back
		}
		in.Override = booking.OverrideNames(waives)
	}
	_, err = c.Subjects.Reschedule(c.Context(), c.Actor, id, in)
	if e := web.Refused(err); e != nil {
		k, err := c.Subjects.Booking(c.Context(), c.Actor, id)
		if err != nil {
			return err
		}
		end := start.Add(time.Duration(k.End-k.Start) * time.Millisecond)
		why := c.Locale.T("calendar_not_moved", "Why", b.whyNot(e, &k, b.hostFor(cmp.Or(form.Get("host"), "-")), start, end))
		b.anyway(e, why, form, when.At(start), dash.CalToast{Action: dash.CalendarMove, Label: c.T("waive_move")})
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

// leads returns the host whom a booking that was dropped in the column of ref is moved to: the one who leads, where ref only
// does it beside them; for staff, who don't see that host, nobody, which keeps them.
func (b *board) leads(id, ref string) string {
	for host, all := range b.of {
		for _, k := range all {
			if k.ID.String() != id || host.String() != ref || k.Host.ID == host {
				continue
			}
			if !b.Actor.Sees(k.Host.ID) {
				return ""
			}
			return k.Host.ID.String()
		}
	}
	return ref
}

// undoWaives are the rules that don't stand against the old time of a booking that is put back. What has come into its
// way meanwhile does: another booking, time off.
var undoWaives = slot.ReasonsOf(slot.Inactive, slot.InPast, slot.TooSoon, slot.TooFar, slot.OutsideHours, slot.OffGrid)

// anyway says why a booking was not changed, and offers to send the form again against those rules where that is
// possible: by says where to, and what the button says.
func (b *board) anyway(e *fault.Error, why string, form url.Values, start when.Instant, by dash.CalToast) {
	b.view.Toast = &dash.CalToast{Text: why, Bad: true}
	against := reasonsOf(e)
	if against == 0 || !booking.MayWaive(against, start, when.At(b.Now()), b.Zone()) {
		return
	}
	if against.Len() > 1 {
		b.view.Toast.Text += " " + b.Rules(against, true)
	}
	b.view.Toast.Action, b.view.Toast.Label = by.Action, by.Label
	for _, name := range []string{"booking", "start", "end", "host", "alone", "back"} {
		if form.Has(name) {
			b.view.Toast.Hidden = append(b.view.Toast.Hidden, views.Pair{Name: name, Value: form.Get(name)})
		}
	}
	b.view.Toast.Hidden = append(b.view.Toast.Hidden, web.Overrides(against)...)
}

// whyNot says in words why a booking can't have that time of the host.
func (b *board) whyNot(e *fault.Error, k *booking.Booking, h *catalog.Host, start, end time.Time) string {
	t := b.Locale.T
	host := k.Host.Name
	if h != nil {
		host = h.Name
	}
	et := b.Setup.EventTypeByID(k.EventTypeID)
	title := b.TypeTitle(k)
	switch ruleOf(e) {
	case "slot_taken":
		return b.whyTaken(e, k, h, start, end)
	case "outside_hours":
		return t("calendar_why_hours", "Host", host, "Time", b.Locale.Time(start, ""))
	case "off_grid":
		if et != nil {
			return t("calendar_why_grid", "Service", title, "Minutes", et.SlotStepMinutes)
		}
	case "too_soon":
		if et != nil {
			return t("calendar_why_soon", "Service", title, "Length",
				b.Locale.Duration(time.Duration(et.MinimumNoticeMinutes)*time.Minute))
		}
	case "too_far":
		if et != nil {
			return t("calendar_why_far", "Service", title, "Days", et.BookingWindowDays)
		}
	case "in_past":
		return t("calendar_why_past")
	case "day_full":
		return t("calendar_why_full", "Service", title)
	case string(slot.ResourceTaken):
		return t("calendar_why_resource", "Service", title, "Time", b.Locale.Time(start, ""))
	case string(slot.HostsTaken):
		return t("calendar_why_hosts", "Service", title, "Time", b.Locale.Time(start, ""))
	case "inactive":
		return t("calendar_why_inactive", "Service", title)
	case "wrong_state":
		return t("calendar_why_state")
	}
	if e.Field == "host" {
		return t("calendar_why_host", "Host", host, "Service", title)
	}
	return b.Sentence(e)
}

// ruleOf returns the rule to name for a refusal: the first that stands against the host asked for, also where the
// refusal is that another host would be free.
func ruleOf(e *fault.Error) string {
	against, _ := e.Details["reasons"].([]slot.Reason)
	taken := slot.ReasonsOf(slot.Booked, slot.Held, slot.Buffer, slot.TimeOff, slot.Busy)
	if e.Reason != "slot_taken" || len(against) == 0 || slot.ReasonsOf(against...)&taken != 0 {
		return e.Reason
	}
	return string(against[0])
}

// whyTaken names what is in the way, and when the host is free instead.
func (b *board) whyTaken(e *fault.Error, k *booking.Booking, h *catalog.Host, start, end time.Time) string {
	t := b.Locale.T
	if h == nil {
		return b.Sentence(e)
	}
	taken := t("calendar_why_taken", "Host", h.Name, "Time", b.Locale.Time(start, ""))
	text := taken
	if away := h.Away(start, end); len(away) > 0 {
		text = t("calendar_why_away", "Host", h.Name, "When", b.awayText(&away[0]))
	}
	own, wide := worksAt(k, start, end)
	for _, o := range b.of[h.ID] {
		if o.ID == k.ID || !o.Status.Live() {
			continue
		}
		if o.EventTypeID == k.EventTypeID && k.Host.ID == h.ID && o.Start == k.Start && k.Start == when.At(start) {
			return t("calendar_why_session")
		}
		name := b.Invitee(o) + " (" + b.Span(o.Start, o.End) + ")"
		if meets(own, o, func(w slot.Work) slot.Span { return w.Own }) {
			text = t("calendar_why_booked", "Name", name)
			break
		}
		if meets(wide, o, func(w slot.Work) slot.Span { return w.Occupied }) {
			text = t("calendar_why_buffer", "Name", name)
		}
	}
	if against, _ := e.Details["reasons"].([]slot.Reason); text == taken && slices.Equal(against, []slot.Reason{slot.Buffer}) {
		return b.Sentence(e) // it is that of a room, which another host uses
	}
	if against, _ := e.Details["reasons"].([]slot.Reason); text == taken && slices.Equal(against, []slot.Reason{slot.Busy}) &&
		!slices.ContainsFunc(b.busy[h.ID], func(x calsync.Span) bool {
			return slices.ContainsFunc(wide, func(s slot.Span) bool { return s.Meets(slot.Span(x)) })
		}) { // it is a room that is
		text = t("calendar_why_resource", "Service", b.TypeTitle(k), "Time", b.Locale.Time(start, ""))
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

// worksAt returns when the host would work for the booking from start to end, without and with the time around it.
func worksAt(k *booking.Booking, start, end time.Time) (own, wide []slot.Span) {
	by := int64(when.At(start) - k.Start)
	if len(k.Parts) == 0 {
		one := slot.Span{Start: int64(when.At(start)), End: int64(when.At(end))}
		return []slot.Span{one}, []slot.Span{{Start: one.Start - int64(k.Start-k.BusyStart), End: one.End + int64(k.BusyEnd-k.End)}}
	}
	for _, w := range k.Works() {
		w = w.At(by)
		own, wide = append(own, w.Own), append(wide, w.Occupied)
	}
	return own, wide
}

// meets reports whether any of the spans meets what the other booking takes of its host.
func meets(spans []slot.Span, o *booking.Booking, takes func(slot.Work) slot.Span) bool {
	return slices.ContainsFunc(o.Works(), func(w slot.Work) bool { return slices.ContainsFunc(spans, takes(w).Meets) })
}
