package calendar

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/dashboard/web"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views/dash"
)

// sameVisit reports whether two bookings are of one visit.
func sameVisit(a, b *booking.Booking) bool {
	return a.Visit != nil && b.Visit != nil && a.Visit.ID == b.Visit.ID
}

func sameSeries(a, b *booking.Booking) bool {
	return a.Series != nil && b.Series != nil && a.Series.ID == b.Series.ID
}

// visitOn returns those of the bookings that are of the visit of b, by their starts.
func visitOn(found []booking.Booking, b *booking.Booking) (all []*booking.Booking) {
	if b.Visit == nil || b.Visit.Of < 2 {
		return nil
	}
	for i := range found {
		if sameVisit(&found[i], b) {
			all = append(all, &found[i])
		}
	}
	slices.SortStableFunc(all, func(x, y *booking.Booking) int { return cmp.Compare(x.Start, y.Start) })
	return all
}

// shared reports whether others than the host do a part of the visit. Then what the host does stands on the host's own day
// by itself, at its time, with its price.
func shared(visit []*booking.Booking, host catalog.HostID) bool {
	return slices.ContainsFunc(visit, func(b *booking.Booking) bool { return !b.With(host) })
}

// visitRow returns what the sheet of a host shows of a visit for one of its bookings. The person stands on it once, with
// all that is done: with the host of the first booking, or of the first of the only host that is shown. For the other
// bookings of that host it is no row, which has no name; for those of others, and for who does a booking beside its host, a
// line that leads to the booking.
func (c call) visitRow(host catalog.HostID, visit []*booking.Booking, b *booking.Booking, now time.Time, only string) dash.SheetRow {
	lead := visit[0]
	if i := slices.IndexFunc(visit, func(x *booking.Booking) bool { return x.Host.ID.String() == only }); i >= 0 {
		lead = visit[i]
	}
	switch {
	case b.ID == lead.ID && b.Host.ID == host:
		return c.visitCard(visit, lead, now, only)
	case lead.Host.ID == host:
		return dash.SheetRow{}
	}
	return dash.SheetRow{Kind: "visit", ID: b.ID.String(), URL: dash.BookingPath(b.ID.String()), Time: c.Span(b.Start, b.End),
		Name: c.Invitee(b), Type: c.Taking(b), Hosts: b.Host.Name, Past: !b.End.Time().After(now) || b.DoneAt != 0}
}

// visitCard is the row of a person with several services.
func (c call) visitCard(visit []*booking.Booking, lead *booking.Booking, now time.Time, only string) dash.SheetRow {
	row := c.sheetRow(lead, now, only)
	from, to := stretchOf(visit)
	row.Time, row.Visit = c.Span(when.At(from), when.At(to)), true
	var hosts, services []string
	row.Type, row.Price, row.Pay, row.Paid, row.ReceiptURL = "", "", "", "", ""
	row.Marks, row.Till, row.Past, row.Now = dash.Marks{}, nil, true, false
	undo, fee := string(app.LastMark(lead)), &money.Money{}
	var all []booking.Booking
	for _, b := range visit {
		all = append(all, *b)
		one := c.sheetRow(b, now, only)
		part := dash.SheetPart{URL: one.URL, Time: c.Clock(b.Start), Text: one.Type}
		if b.Host.ID != lead.Host.ID {
			part.Text += " · " + b.Host.Name
		}
		if app.LastMark(b) != app.LastMark(lead) || b.Status != lead.Status || b.SaysComing() != lead.SaysComing() {
			part.State = one.State
		}
		row.Parts = append(row.Parts, part)
		services = append(services, one.Type)
		if !slices.Contains(hosts, b.Host.Name) {
			hosts = append(hosts, b.Host.Name)
		}
		row.Past, row.Now = row.Past && one.Past, row.Now || one.Now
		m := one.Marks
		row.Marks.Arrived, row.Marks.Done = row.Marks.Arrived || m.Arrived, row.Marks.Done || m.Done
		row.Marks.DoneFirst = row.Marks.DoneFirst || m.DoneFirst
		row.Marks.NoShow = row.Marks.NoShow || m.NoShow
		if m.NoShow && b.NoShowFee != nil {
			fee = &money.Money{Amount: fee.Amount + b.NoShowFee.Amount, Currency: b.NoShowFee.Currency}
		}
		if m.Undo != undo {
			undo = ""
		}
	}
	for _, b := range visit {
		if app.LastMark(b) != "" && app.LastMark(b) != app.NoShowMark { // who is there has not stayed away
			row.Marks.NoShow = false
		}
	}
	row.Hosts, row.Services = strings.Join(hosts, ", "), strings.Join(services, ", ")
	row.Now = row.Now || !row.Past && !from.After(now) && to.After(now) && lead.Status.Stands() // between two services
	row.Marks.Undo, row.Fee = undo, ""
	if row.Marks.NoShow && fee.Amount > 0 {
		row.Fee = c.Money(fee)
	}
	due, paid := counter.Due(all)
	sum := booking.Visit{Items: all}
	row.Price = c.Money(sum.Sum())
	row.Paid = c.PaidText(&booking.Booking{Due: due, Paid: paid})
	row.Settled = paid != nil && due == nil
	if visit[0].Start <= when.At(now) || slices.ContainsFunc(visit, func(b *booking.Booking) bool { return b.ArrivedAt != 0 }) {
		row.Till = c.PayVisit(all, lead, web.WithQuery(dash.TodayPath, url.Values{"host": {only}}))
	}
	return row
}

// stretchOf returns from when to when a visit is.
func stretchOf(visit []*booking.Booking) (from, to time.Time) {
	last := slices.MaxFunc(visit, func(a, b *booking.Booking) int { return cmp.Compare(a.End, b.End) })
	return visit[0].Start.Time(), last.End.Time()
}

// tookVisit says what was just paid for all of a visit.
func (c call) tookVisit(b *booking.Booking) (*dash.Toast, error) {
	if b.Visit == nil {
		return nil, nil
	}
	v, err := c.Subjects.Visit(c.Context(), c.Actor, b.Visit.ID.String())
	if web.Refused(err) != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var last []booking.CounterPayment // those that were made at once
	for i := range v.Items {
		if n := len(v.Items[i].Payments); n > 0 {
			last = append(last, v.Items[i].Payments[n-1])
		}
	}
	if len(last) == 0 {
		return nil, nil
	}
	newest := slices.MaxFunc(last, func(a, b booking.CounterPayment) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) })
	sum := money.Money{Currency: newest.Currency}
	for _, p := range last {
		if p.CreatedAt == newest.CreatedAt && p.Method == newest.Method && p.RefundedAmount == 0 {
			sum.Amount += p.Amount + p.Tip
		}
	}
	return &dash.Toast{Text: c.T("till_said_took_from", "Name", c.Invitee(b), "Amount", c.Money(&sum), "Method",
		c.MethodName(newest.Method))}, nil
}
