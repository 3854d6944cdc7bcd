package calendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/when"
	"daybook/assets"
	"daybook/views/dash"
)

// columns returns the hosts shown beside each other: those that are switched on, and others who have bookings.
func (b *board) columns() (all []*catalog.Host) {
	for i := range b.Setup.Hosts {
		h := &b.Setup.Hosts[i]
		shown := b.host == nil && b.Actor.Sees(h.ID) && (h.Active || len(b.of[h.ID]) > 0) || h == b.host
		if shown && len(all) < maxColumns {
			all = append(all, h)
		} else if shown {
			b.view.TooMany = true
		}
	}
	return all
}

// hostDay is a host's day, or that of a room or a thing, with what stands in it.
type hostDay struct {
	host  *catalog.Host      // nil for a room
	room  catalog.ResourceID // 0 for a host
	name  string
	day   time.Time
	open  []span
	away  []catalog.Absence
	busy  []span // in other calendars
	items []item
}

func (b *board) hostDay(h *catalog.Host, day time.Time) hostDay {
	return hostDay{host: h, name: h.Name, day: day, open: openOn(h, day), away: h.Away(day, when.AddDays(day, 1)),
		busy: b.busyOn(h.ID, day), items: inParts(itemsOn(b.Setup, b.of[h.ID], day), day)}
}

// subject returns whose day it is, as the booking has it: the zero one is its host.
func (d *hostDay) subject(k *booking.Booking) catalog.Subject {
	switch {
	case d.host == nil:
		return catalog.OfResource(d.room)
	case d.host.ID != k.Host.ID:
		return catalog.OfHost(d.host.ID)
	}
	return catalog.Subject{}
}

// grid returns a day with a column for each host, or a week of one host.
func (b *board) grid() *dash.CalGrid {
	var all []hostDay
	var used []span
	if b.rooms {
		all = b.roomDays()
		used = b.roomHours(b.day)
	} else if b.span == "week" {
		h := b.hostFor("")
		for i := range b.days {
			if h != nil {
				all = append(all, b.hostDay(h, when.AddDays(b.first, i)))
			}
		}
	} else {
		for _, h := range b.columns() {
			all = append(all, b.hostDay(h, b.day))
		}
	}
	shortest := dayMinutes
	for _, d := range all {
		if d.host != nil {
			used = append(used, d.open...)
		}
		for _, i := range d.items {
			used = append(used, i.span)
			shortest = min(shortest, i.to-i.from)
		}
	}
	from, till := hoursShown(used)
	g := &dash.CalGrid{Class: assets.GridHours(from, till) + " " + zoomFor(shortest)}
	for hour := from; hour < till; hour++ {
		g.Hours = append(g.Hours, dash.CalHour{Class: assets.GridTime(hour*60, hour*60+60),
			Label: brief(b.Locale.Time(wall(b.day, hour*60), ""))})
	}
	now := b.Now()
	if minute := now.Hour()*60 + now.Minute(); now.Hour() >= from && now.Hour() < till {
		g.Now = assets.GridTime(minute, minute+1)
	}
	for _, d := range all {
		g.Columns = append(g.Columns, b.column(d, span{from * 60, till * 60}))
	}
	return g
}

func (b *board) column(d hostDay, shown span) dash.CalColumn {
	count := 0
	for _, i := range d.items {
		if !i.more {
			count += len(i.all)
		}
	}
	id := ""
	if d.host != nil {
		id = d.host.ID.String()
	}
	col := dash.CalColumn{Host: id, Day: d.day.Format(time.DateOnly), Today: web.SameDay(d.day, b.Now()),
		Place: b.columnName(d), Name: b.columnName(d) + ", " + b.Locale.T("calendar_bookings", "Count", count)}
	if b.span == "week" {
		col.Sub, col.Label = b.Locale.Weekday(d.day), strconv.Itoa(d.day.Day())
		col.URL = b.at("span", "", "date", col.Day)
	} else {
		col.Label = d.name
		if d.host != nil {
			col.Portrait = b.Portrait(d.host)
		}
		if d.host != nil && b.host == nil && len(b.Setup.Hosts) > 1 {
			col.URL = b.at("span", "week", "host", id)
		}
	}
	var open []string
	for _, s := range d.open {
		open = append(open, strconv.Itoa(s.from)+"-"+strconv.Itoa(s.to))
	}
	col.Open = strings.Join(open, " ")
	col.Past = b.over(d.day)
	col.Off = b.off(d, shown)
	if d.host != nil {
		col.Off = append(col.Off, b.waits(d)...)
	}
	col.Gaps = b.gaps(d, shown)
	spans := make([]span, len(d.items))
	for i := range d.items {
		spans[i] = d.items[i].span
	}
	for i, at := range lanes(spans) {
		lane := assets.GridLane(at.lane, at.of)
		col.Off = append(col.Off, b.buffers(d, &d.items[i], lane)...)
		e := b.event(&d.items[i])
		if d.host == nil {
			e.Drag, e.Grow = false, false // the mark is no handle either
			e.Text += " · " + d.items[i].all[0].Host.Name
		}
		e.Class = strings.TrimSpace(placed(e.From, e.To) + " " + lane)
		col.Events = append(col.Events, e)
	}
	return col
}

// over returns which minute of a day it is now: less than 0 before the day, more than dayMinutes after it.
func (b *board) over(day time.Time) int {
	now := b.Now()
	if web.SameDay(day, now) {
		return now.Hour()*60 + now.Minute()
	}
	return int(now.Sub(day).Minutes())
}

// brief returns a time, or times, of the 12-hour clock without the minutes of full hours: "9 AM".
func brief(text string) string {
	if !strings.HasSuffix(text, "M") {
		return text // only that clock ends with AM or PM
	}
	return strings.ReplaceAll(text, ":00", "")
}

// placed returns the class of a time in a column.
func placed(from, to int) string { return assets.GridTime(from, to) }

func (b *board) columnName(d hostDay) string {
	if b.span == "week" {
		return d.host.Name + ", " + b.Locale.Day(d.day)
	}
	return d.name
}

// off returns when the host is not at work: closed hours, breaks between hours, and time off with its reason.
func (b *board) off(d hostDay, shown span) (all []dash.CalBlock) {
	t := b.Locale.T
	for i, gap := range less(shown, d.open) {
		kind, text := "shut", t("calendar_closed")
		if d.host != nil {
			text = t("calendar_off_duty")
		}
		if i > 0 && gap.to < shown.to || i == 0 && len(d.open) > 0 && gap.from > shown.from && gap.to < shown.to {
			kind, text = "pause", t("calendar_break")
		}
		all = append(all, dash.CalBlock{Kind: kind, Text: text, Class: placed(gap.from, gap.to)})
	}
	for _, a := range d.away {
		s, on := spanOn(d.day, a.Start.Time(), a.End.Time())
		s.from, s.to = max(s.from, shown.from), min(s.to, shown.to)
		if !on || s.from >= s.to {
			continue
		}
		text := t("calendar_away")
		if why := b.AwayReason(&a); why != "" {
			text += " · " + why
		}
		block := dash.CalBlock{Kind: "away", Text: text, Class: placed(s.from, s.to)}
		if d.host != nil {
			block.URL = b.at("away", absenceKey(d.host, &a))
		}
		all = append(all, block)
	}
	for _, s := range d.busy {
		if from, to := max(s.from, shown.from), min(s.to, shown.to); from < to {
			all = append(all, dash.CalBlock{Kind: "busy", Text: b.busyText(d.day, s), Class: placed(from, to)})
		}
	}
	return all
}

// buffers returns the times before and after a booking that whoever, or whatever, has the day keeps free.
func (b *board) buffers(d hostDay, i *item, lane string) (all []dash.CalBlock) {
	k := i.all[0]
	if !k.Status.Live() || i.more {
		return nil
	}
	busyStart, busyEnd := k.Around(d.subject(k))
	for _, part := range [][2]time.Time{{busyStart.Time(), k.Start.Time()}, {k.End.Time(), busyEnd.Time()}} {
		if !part[0].Before(part[1]) || k.BusyStart == 0 {
			continue
		}
		if s, on := spanOn(d.day, part[0], part[1]); on {
			all = append(all, dash.CalBlock{Kind: "buffer", Of: k.ID.String(), Text: b.Locale.T("calendar_buffer"),
				Class: strings.TrimSpace(placed(s.from, s.to) + " " + lane)})
		}
	}
	return all
}

// waits returns the times in which the host is free because the customer of a booking in parts waits, each with the way
// to book somebody else then.
func (b *board) waits(d hostDay) (all []dash.CalBlock) {
	for _, i := range d.items {
		k := i.all[0]
		if i.part == 0 || i.more || !k.Status.Live() {
			continue
		}
		for _, p := range k.Parts {
			s, on := spanOn(d.day, p.Start.Time(), p.End.Time())
			if p.Kind != booking.Wait || !on {
				continue
			}
			var booked []span
			for _, o := range d.items {
				if o.from < s.to && o.to > s.from {
					booked = append(booked, o.span)
				}
			}
			for _, free := range less(s, booked) {
				until := wall(d.day, free.to)
				block := dash.CalBlock{Kind: "wait", Class: placed(free.from, free.to),
					Text: b.Locale.T("parts_free", "Time", b.Locale.Time(until, ""))}
				if free.to-free.from < 20 { // too low for a line of the usual size
					block.Class += " off-low"
				}
				if b.May(app.MayBook) && until.After(b.Now()) {
					block.Text, block.URL = "+ "+block.Text, b.gapURL(d.host, wall(d.day, free.from))
				}
				all = append(all, block)
			}
		}
	}
	return all
}

// gaps returns the hours of a day in which something can be booked or blocked: those that are not over.
func (b *board) gaps(d hostDay, shown span) (all []dash.CalGap) {
	if d.host == nil || !b.May(app.MayBook) && !b.May(app.MaySetHours) {
		return nil
	}
	now := b.Now()
	for m := shown.from; m < shown.to; m += 60 {
		at := wall(d.day, m)
		if !at.Add(time.Hour).After(now) {
			continue
		}
		all = append(all, dash.CalGap{Class: placed(m, m+60), URL: b.gapURL(d.host, at),
			Name: b.Locale.T("calendar_gap", "Time", b.Locale.Time(at, ""), "Host", d.host.Name)})
	}
	return all
}

// event returns what the calendar shows of a booking, or of a session.
func (b *board) event(i *item) dash.CalEvent {
	k := i.all[0]
	now := b.Now()
	id := k.ID.String()
	e := dash.CalEvent{
		ID: id, URL: b.bookingURL(id), Time: b.Clock(k.Start), Name: b.Invitee(k), Text: b.TypeTitle(k),
		Hue: b.hue(k.EventTypeID), Pending: k.Status == booking.Pending, Missed: !k.Status.Live(),
		Over: !k.End.Time().After(now), From: i.from, To: i.to, Short: i.to-i.from < 30,
		Rest:    b.Locale.T("calendar_until_time", "Time", b.Clock(k.End)) + ", " + k.Host.Name,
		Current: b.open == id,
	}
	if of := k.Visit; of != nil && of.Of > 1 && len(i.all) == 1 {
		e.Visit, e.Nth = of.ID.String(), strconv.Itoa(of.Position)+"/"+strconv.Itoa(of.Of)
		e.Rest += ", " + b.T("calendar_visit_nth", "Number", of.Position, "Of", of.Of)
	}
	if i.part > 1 {
		e.Time = b.Clock(k.Parts[i.part-1].Start)
	}
	et := b.Setup.EventTypeByID(k.EventTypeID)
	switch {
	case et != nil && et.Seats > 1:
		taken := 0
		for _, one := range i.all {
			if one.Status.Live() {
				taken += one.Seats
			}
		}
		e.Name, e.Text = et.Title, b.Locale.T("calendar_seats", "Taken", taken, "Seats", et.Seats)
		e.Seats = fmt.Sprint(k.EventTypeID, " ", taken, " ", et.Seats-taken)
		e.Missed = taken == 0
	case e.Pending:
		e.State = b.Locale.T("calendar_state_pending")
		if k.PendingReason != nil && *k.PendingReason == booking.ForPayment {
			e.State = b.Locale.T("calendar_state_unpaid")
		}
	case e.Missed:
		e.State = b.StatusName(k.Status)
	default:
		if says, known := b.ComingBadge(k); known {
			e.State, e.Says = says.Text, says.Tone
		}
	}
	if slices.ContainsFunc(i.all, b.BeingCancelled) {
		e.State = b.Locale.T("cancel_badge")
	}
	if slices.ContainsFunc(i.all, func(k *booking.Booking) bool { _, _, clash := b.met(k); return clash }) {
		e.Clash, e.Rest = true, e.Rest+", "+b.Locale.T("calendar_clash_said")
		e.State = strings.TrimPrefix(e.State+" · "+b.Locale.T("calendar_clash"), " · ")
	}
	if et != nil && len(i.all) == 1 && i.part <= 1 && k.Status.Live() && b.May(app.MayMove) {
		e.Drag, e.Step, e.Notice = true, et.SlotStepMinutes, et.MinimumNoticeMinutes
		e.Takes = takes(i)
		if b.span == "day" && b.host == nil {
			e.Hosts = b.doing(et, k)
		}
		e.Grow = b.May(app.MayEdit) && i.ends && i.part == 0
	}
	return e
}

// takes returns when a booking takes its host, in minutes after its start: of each work when it begins and ends, and what
// is kept free before and after it. "" is for the time shown, with nothing around it.
func takes(i *item) string {
	k := i.all[0]
	if i.part == 0 && (k.BusyStart == 0 || k.BusyStart == k.Start && k.BusyEnd == k.End) {
		return ""
	}
	var all []string
	for _, w := range k.Works() {
		from, to := int(w.Own.Start-int64(k.Start))/60_000, int(w.Own.End-int64(k.Start))/60_000
		if i.part == 0 {
			to = i.to - i.from // on that day
		}
		all = append(all, fmt.Sprintf("%d-%d-%d-%d", from, to, (w.Own.Start-w.Occupied.Start)/60_000, (w.Occupied.End-w.Own.End)/60_000))
	}
	return strings.Join(all, " ")
}

// doing returns the hosts in whose columns the booking can be dropped: who offers its service, and who does it now.
func (b *board) doing(et *catalog.EventType, k *booking.Booking) string {
	var all []string
	for i := range b.Setup.Hosts {
		if h := &b.Setup.Hosts[i]; k.With(h.ID) || et.ServedBy(h.ID) && h.Active {
			all = append(all, h.ID.String())
		}
	}
	return strings.Join(all, " ")
}

// hue returns the colour of an event type.
func (b *board) hue(id catalog.EventTypeID) int {
	for i := range b.Setup.EventTypes {
		if e := &b.Setup.EventTypes[i]; e.ID == id {
			if chosen := slices.Index(catalog.Colors, e.Color); chosen >= 0 {
				return chosen
			}
			return i % len(catalog.Colors)
		}
	}
	return 0
}
