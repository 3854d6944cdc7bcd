package calendar

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views/dash"
)

// shortestGap is the shortest time without a booking that the day sheet shows.
const shortestGap = 15 * time.Minute

// sheet is the day of every host that the member sees: who is next, what is booked, over or not, and the gaps between.
func (c call) sheet(v *dash.TodayPage, now time.Time) error {
	day := catalog.Stretch{From: web.Midnight(now)}
	day.To = when.AddDays(day.From, 1)
	found, _, err := c.Subjects.Calendar(c.Context(), c.Actor, "", when.AddDays(day.From, -1), day.To, false)
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(b booking.Booking) bool { return !b.End.Time().After(day.From) })
	busy, _, err := c.Subjects.Calendars.BusyTimes(c.Context(), c.Actor, 0, day.From, day.To)
	if err != nil {
		return err
	}
	only := c.URL.Query().Get("host")
	var days []daySheet
	var off []string
	for i := range c.Setup.Hosts {
		h := &c.Setup.Hosts[i]
		if !c.Actor.Sees(h.ID) {
			continue
		}
		d := c.daySheet(h, day, now, found, busy[h.ID], only)
		if len(d.rows) == 0 && !d.free {
			if h.Active {
				off = append(off, h.Name)
			}
			continue
		}
		days = append(days, d)
	}
	v.Off = strings.Join(off, ", ")
	if slices.ContainsFunc(days, func(d daySheet) bool { return d.host.ID.String() == only }) {
		v.Host = only
	}
	v.Faces = c.faces(days, v.Host)
	v.Works = slices.ContainsFunc(days, daySheet.works)
	if v.Host != "" {
		days = slices.DeleteFunc(days, func(d daySheet) bool { return d.host.ID.String() != only })
	}
	c.now(v, c.together(days), now)
	if len(days) == 1 {
		v.Whose, v.Hours = days[0].host.Name, days[0].hours
	}
	found = slices.DeleteFunc(found, func(b booking.Booking) bool {
		return v.Host != "" && !b.With(days[0].host.ID) || b.Start.Time().Before(day.From)
	})
	v.Sums, err = c.sums(found, v.Host != "")
	return err
}

// faces are the people who work today or have a booking; none where it is one. The only one that is shown is marked, and
// then the first face leads back to all.
func (c call) faces(days []daySheet, only string) (faces []dash.Face) {
	days = slices.DeleteFunc(slices.Clone(days), func(d daySheet) bool { return !d.works() })
	if len(days) < 2 {
		return nil
	}
	if only != "" {
		faces = append(faces, dash.Face{Name: c.T("today_all_hosts"), Short: c.T("today_all_hosts"), URL: dash.TodayPath})
	}
	for i := range days {
		h := days[i].host
		f := dash.Face{Name: h.Name, Short: shortName(days, h.Name), Portrait: c.Portrait(h), Current: h.ID.String() == only, Hours: days[i].hours,
			URL: web.WithQuery(dash.TodayPath, url.Values{"host": {h.ID.String()}})}
		faces = append(faces, f)
	}
	return faces
}

// shortName is the first name, or the whole name where another has the same, or it is a title.
func shortName(days []daySheet, name string) string {
	first, _, _ := strings.Cut(name, " ")
	same := 0
	for i := range days {
		if other, _, _ := strings.Cut(days[i].host.Name, " "); other == first {
			same++
		}
	}
	if same > 1 || strings.HasSuffix(first, ".") {
		return name
	}
	return first
}

// sums returns the figures of the day; what was taken is of all.
func (c call) sums(found []booking.Booking, one bool) ([]dash.Stat, error) {
	var booked, missed, value, due int64
	for i := range found {
		b := &found[i]
		switch {
		case b.Status == booking.NoShow:
			missed++
		case b.Status.Stands():
			booked++
			if b.Price != nil && b.Price.Currency == c.Setup.Workspace.Currency {
				value += b.Price.Amount
			}
			if b.Due != nil && b.Due.Currency == c.Setup.Workspace.Currency {
				due += b.Due.Amount
			}
		}
	}
	all := []dash.Stat{
		{Label: c.T("today_sum_bookings"), Value: fmt.Sprint(booked)},
		{Label: c.T("today_sum_no_shows"), Value: fmt.Sprint(missed)},
	}
	money := func(n int64) string {
		return c.Money(&money.Money{Amount: n, Currency: c.Setup.Workspace.Currency})
	}
	if c.May(app.MaySeeAnalytics) {
		all = append(all, dash.Stat{Label: c.T("today_sum_value"), Value: money(value)})
	}
	if !c.May(app.MaySeeTill) {
		return all, nil
	}
	left := dash.Stat{Label: c.T("till_sum_due"), Value: money(due)}
	if one {
		return append(all, left), nil
	}
	day, err := c.Subjects.Counter.Day(c.Context(), c.Actor, "")
	if err != nil {
		return nil, err
	}
	taken := int64(0)
	for _, x := range day.Takings {
		if x.Currency == day.Currency {
			taken += x.Amount
		}
	}
	return append(all, dash.Stat{Label: c.T("till_sum_taken"), Value: money(taken), URL: dash.TillPath},
		left), nil
}

// daySheet is the day of one host.
type daySheet struct {
	host  *catalog.Host
	hours string // from when to when the host works
	free  bool   // at some time of the day, booked by anybody or not
	rows  []sheetItem
}

// works reports whether the host has a booking, or is not away all day.
func (d daySheet) works() bool {
	return d.free || slices.ContainsFunc(d.rows, func(p sheetItem) bool { return p.row.Kind != "off" })
}

// sheetItem is a row of the day: a booking, all of a visit, a gap, or a time in which a host is away.
type sheetItem struct {
	from, to time.Time
	row      dash.SheetRow
	of       []*booking.Booking // what the row is about; none for the others
	free     []string           // on the day of several people: who has this gap
}

// daySheet returns the day of a host; it has no rows when the host neither works nor has a booking.
func (c call) daySheet(h *catalog.Host, day catalog.Stretch, now time.Time, found []booking.Booking,
	busy []calsync.Span, only string) daySheet {
	d := daySheet{host: h}
	var taken []catalog.Stretch
	for i := range found {
		b := &found[i]
		if !b.With(h.ID) {
			continue
		}
		p := sheetItem{from: b.Start.Time(), to: b.End.Time(), of: []*booking.Booking{b}}
		if visit := visitOn(found, b); len(visit) > 1 && !(h.ID.String() == only && shared(visit, h.ID)) {
			p.of = visit
			if p.row = c.visitRow(h.ID, visit, b, now, only); p.row.Kind == "" {
				p.from, p.to = stretchOf(visit)
			}
		} else {
			p.row = c.sheetRow(b, now, only)
		}
		if p.row.Name != "" {
			d.rows = append(d.rows, p)
		}
		if b.Status.Live() {
			for _, w := range b.Works() {
				taken = append(taken, catalog.Stretch{From: when.Instant(w.Occupied.Start).Time(), To: when.Instant(w.Occupied.End).Time()})
			}
		}
	}
	open := h.OpenBetween(day.From, day.To)
	for _, x := range h.Away(day.From, day.To) {
		off := catalog.Stretch{From: latest(day.From, x.Start.Time()), To: earliest(day.To, x.End.Time())}
		taken = append(taken, off)
		if overlaps(open, off) {
			d.rows = append(d.rows, sheetItem{from: off.From, to: off.To, row: dash.SheetRow{Kind: "off", Time: c.spanText(off, day),
				Name: cmp.Or(c.AwayReason(&x), c.T("today_off")), Hosts: h.Name}})
		}
	}
	for _, x := range busy {
		off := catalog.Stretch{From: latest(day.From, time.UnixMilli(x.Start)), To: earliest(day.To, time.UnixMilli(x.End))}
		off.From, off.To = off.From.In(c.Zone()), off.To.In(c.Zone())
		taken = append(taken, off)
		if overlaps(open, off) {
			d.rows = append(d.rows, sheetItem{from: off.From, to: off.To, row: dash.SheetRow{Kind: "off", Time: c.spanText(off, day),
				Name: c.T("calsync_busy"), Hosts: h.Name}})
		}
	}
	for _, gap := range gaps(open, taken) {
		if !h.Active || gap.To.Sub(gap.From) < shortestGap {
			continue
		}
		d.free = true
		if gap.From = latest(gap.From, soon(now)); c.serves(h.ID) && gap.To.Sub(gap.From) >= shortestGap {
			d.rows = append(d.rows, sheetItem{from: gap.From, to: gap.To, row: c.gapRow(h, gap)})
		}
	}
	if len(open) > 0 {
		d.hours = c.Locale.Span(open[0].From.In(c.Zone()), open[len(open)-1].To.In(c.Zone()), "")
	}
	return d
}

// spanText returns a span in words: "All day" when it is the whole day.
func (c call) spanText(x, day catalog.Stretch) string {
	if x == day {
		return c.T("today_all_day")
	}
	return c.Locale.Span(x.From.In(c.Zone()), x.To.In(c.Zone()), "")
}

// gapStep is what the beginning of a gap that has begun is rounded up to.
const gapStep = 5 * time.Minute

// soon is the next time at which a gap that has begun can be booked.
func soon(now time.Time) time.Time { return now.Add(gapStep - 1).Truncate(gapStep) }

// serves reports whether something can be booked with the host.
func (c call) serves(host catalog.HostID) bool {
	return slices.ContainsFunc(c.Setup.EventTypes, func(e catalog.EventType) bool { return e.Active && e.ServedBy(host) })
}

// gapRow returns a time that can be booked and is not. It leads to where the calendar books or blocks it.
func (c call) gapRow(h *catalog.Host, gap catalog.Stretch) dash.SheetRow {
	host := h.ID.String()
	row := dash.SheetRow{Kind: "free", Hosts: h.Name,
		Name: c.T("today_free", "Span", c.Locale.Span(gap.From.In(c.Zone()), gap.To.In(c.Zone()), ""))}
	if c.newBookingURL(host) != "" && c.May(app.MayBook) {
		from := gap.From.In(c.Zone())
		until := earliest(gap.To, from.Add(time.Hour)).In(c.Zone())
		row.URL = web.WithQuery(dash.CalendarPath, url.Values{"date": {from.Format(time.DateOnly)}, "new": {host},
			"at": {from.Format(web.LocalTime)}, "until": {until.Format(web.LocalTime)}})
	}
	return row
}

// sheetRow returns a booking on the day sheet, with what can be marked now.
func (c call) sheetRow(b *booking.Booking, now time.Time, only string) dash.SheetRow {
	id := b.ID.String()
	row := dash.SheetRow{ID: id, URL: dash.BookingPath(id), Time: c.Span(b.Start, b.End), Name: c.Invitee(b),
		Hosts: b.Host.Name,
		Type:  c.Taking(b), Phone: c.Phone(b.Invitee.Phone), State: c.StateBadge(b), Price: c.Money(b.Price),
		Past: !b.End.Time().After(now) || b.DoneAt != 0 || !b.Status.Live()}
	if row.Phone != "" {
		row.Tel = "tel:" + web.Dialled(b.Invitee.Phone)
	}
	row.CardURL = c.cardURL(b)
	if p := b.Payment; p != nil && p.Kind != booking.ForCard && p.Status != string(booking.PaymentPaid) {
		row.Pay = c.T("today_pay_" + p.Status)
	}
	begun := !b.Start.Time().After(now)
	row.Now = begun && b.End.Time().After(now) && b.Status.Stands() && b.DoneAt == 0
	_, row.Says = c.ComingBadge(b)
	row.Plain = b.Status.Stands() && app.LastMark(b) == "" && !begun && !c.BeingCancelled(b) && !row.Says // its badge would say what every row does
	if row.Marks = c.marks(b); row.Marks.NoShow {
		row.Fee = c.Money(b.NoShowFee)
	}
	if begun || b.ArrivedAt != 0 {
		row.Till = c.Pay(b, web.WithQuery(dash.TodayPath, url.Values{"host": {only}}))
	}
	row.Paid, row.Settled = c.PaidText(b), b.Paid != nil && b.Paid.Amount > 0 && (b.Due == nil || b.Due.Amount == 0)
	for i := range b.Payments {
		if r := b.Payments[i].Receipt; r != nil {
			row.ReceiptURL = dash.ReceiptPath(r.String())
		}
	}
	return row
}

// gaps returns what is left of the open spans, which are in order, without those that are taken.
func gaps(open, taken []catalog.Stretch) (free []catalog.Stretch) {
	slices.SortFunc(taken, func(a, b catalog.Stretch) int { return a.From.Compare(b.From) })
	for _, o := range open {
		at := o.From
		for _, t := range taken {
			if t.From.After(at) && at.Before(o.To) {
				free = append(free, catalog.Stretch{From: at, To: earliest(t.From, o.To)})
			}
			at = latest(at, t.To)
		}
		if at.Before(o.To) {
			free = append(free, catalog.Stretch{From: at, To: o.To})
		}
	}
	return free
}

func overlaps(all []catalog.Stretch, x catalog.Stretch) bool {
	return slices.ContainsFunc(all, func(o catalog.Stretch) bool { return o.From.Before(x.To) && x.From.Before(o.To) })
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
