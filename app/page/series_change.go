package page

import (
	"net/http"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views"
)

// scopeField says of which dates of a series a change is.
const scopeField = "scope"

// seriesDate is a date of a series: its booking, or those of its visit.
type seriesDate []booking.Booking

// open reports whether the date can still be changed with others: it has not begun.
func (d seriesDate) open(now when.Instant) bool {
	return slices.ContainsFunc(d, func(b booking.Booking) bool { return b.Status.Live() && b.Start > now && b.DoneAt == 0 })
}

// start returns when the date begins, by what is live of it.
func (d seriesDate) start() (start, end when.Instant) {
	live := slices.ContainsFunc(d, func(b booking.Booking) bool { return b.Status.Live() })
	for i := range d {
		if b := &d[i]; b.Status.Live() == live {
			if start == 0 || b.Start < start {
				start = b.Start
			}
			end = max(end, b.End)
		}
	}
	return start, end
}

// datesWith returns the dates that the link reaches of the series that a booking is of, in their order, and that series; nil
// where it is of none, or the link doesn't reach another one.
func (c *call) datesWith(b *booking.Booking) ([]seriesDate, *booking.Series, error) {
	if b.Series == nil {
		return nil, nil, nil
	}
	made, err := c.service.Series(c.r.Context(), c.actor, b.Series.ID.String())
	if fault.Is(err, fault.NotFound) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	var all []seriesDate
	for _, of := range made.Bookings {
		if n := len(all); n > 0 && all[n-1][0].Series.Position == of.Series.Position {
			all[n-1] = append(all[n-1], of)
		} else {
			all = append(all, seriesDate{of})
		}
	}
	if len(all) < 2 {
		return nil, nil, nil
	}
	return all, &made, nil
}

// seriesList lists the dates of the series that a booking is of, for its page; nil where there is no other.
func (c *call) seriesList(b *booking.Booking) (*views.SeriesList, error) {
	dates, _, err := c.datesWith(b)
	if err != nil || dates == nil {
		return nil, err
	}
	v := &views.SeriesList{Position: b.Series.Position, Of: b.Series.Of}
	payments := 0
	for _, d := range dates {
		first := &d[0]
		start, end := d.start()
		row := views.SeriesRow{Start: c.local(start), End: c.local(end), Here: first.Series.Position == b.Series.Position,
			Past: end < when.At(c.service.Now()), URL: views.BookingPath(token(first), c.query.Look())}
		if first.InVisit() {
			row.URL = views.VisitPath(lastPart(c.service.VisitURL(c.setup, first.Visit.ID)), c.query.Look())
		}
		gone := func(b booking.Booking) bool { return b.Status == booking.Cancelled }
		row.Pending = slices.ContainsFunc(d, func(b booking.Booking) bool { return b.Status == booking.Pending })
		row.Unpaid = slices.ContainsFunc(d, func(b booking.Booking) bool { return b.Status == booking.Pending && b.NeedsPay })
		paid := paidOnline(d)
		row.Paid = paid != nil
		if paid != nil {
			v.Paid, payments = addMoney(v.Paid, paid), payments+1
		}
		row.Cancelled = !slices.ContainsFunc(d, func(b booking.Booking) bool { return !gone(b) })
		var hosts []string
		for i := range d {
			if d[i].Status.Live() && !slices.Contains(hosts, d[i].Host.Name) {
				hosts = append(hosts, d[i].Host.Name)
			}
		}
		row.Host = strings.Join(hosts, ", ")
		v.Rows = append(v.Rows, row)
	}
	if payments < 2 {
		v.Paid = nil
	}
	return v, nil
}

// scopes asks of which dates of its series a change of the booking is to be; nil where there is no other that could change
// with it and is the invitee's. Those are left out that reach what isn't.
func (c *call) scopes(b *booking.Booking, picked string) ([]views.SeriesScope, error) {
	dates, made, err := c.datesWith(b)
	if err != nil || made == nil {
		return nil, err
	}
	return c.scopesOf(made, dates, b, picked), nil
}

func (c *call) scopesOf(made *booking.Series, dates []seriesDate, b *booking.Booking, picked string) []views.SeriesScope {
	own, before, behind := 0, 0, 0
	for _, d := range dates {
		switch position := d[0].Series.Position; {
		case !d.open(when.At(c.service.Now())):
		case position < b.Series.Position:
			before++
		case position > b.Series.Position:
			behind++
		default:
			own = 1
		}
	}
	reaches := func(scope booking.SeriesScope) bool { return made.Reaches(scope, b.Series.Position) }
	all := []views.SeriesScope{{Value: string(booking.SeriesThis), Label: c.locale.T("series_scope_this")}}
	if behind > 0 && (before > 0 || !reaches(booking.SeriesAll)) && reaches(booking.SeriesFollowing) {
		all = append(all, views.SeriesScope{Value: string(booking.SeriesFollowing), Label: c.locale.T("series_scope_following", "Count", behind)})
	}
	if before+behind > 0 && reaches(booking.SeriesAll) {
		all = append(all, views.SeriesScope{Value: string(booking.SeriesAll), Label: c.locale.T("series_scope_all", "Count", before+behind+own)})
	}
	if len(all) < 2 {
		return nil
	}
	for i := range all {
		all[i].Picked = all[i].Value == picked || picked == "" && i == 0
	}
	return all
}

// askScope is scopes for a page that asks whether to cancel: each scope says what comes back of what was paid for its dates, what
// doesn't, and which dates stay because they can't be cancelled with others any more. fee is what cancelling the booking alone
// costs; nil is nothing.
func (c *call) askScope(p *views.CancelPage, b *booking.Booking, picked string, fee *money.Money) error {
	dates, made, err := c.datesWith(b)
	if err != nil || made == nil {
		return err
	}
	p.Scopes = c.scopesOf(made, dates, b, picked)
	for i := range p.Scopes {
		scope := &p.Scopes[i]
		var ends []booking.Booking
		for _, d := range dates {
			own := d[0].Series.Position == b.Series.Position
			if scope.Value == string(booking.SeriesThis) && own {
				ends = append(ends, d...)
			}
			if scope.Value == string(booking.SeriesThis) || !d.open(when.At(c.service.Now())) ||
				scope.Value == string(booking.SeriesFollowing) && d[0].Series.Position < b.Series.Position {
				continue
			}
			late, err := c.staysFor(d)
			if err != nil {
				return err
			}
			if late == "" {
				ends = append(ends, d...)
			} else {
				scope.Notes = append(scope.Notes, c.staying(&d[0], late))
			}
		}
		scope.Cancels = datesIn(ends)
		refund, lost := c.comesBack(ends)
		if refund != nil {
			scope.Notes = append(scope.Notes, c.locale.T("cancel_refund", "Amount", c.locale.Money(*refund)))
		}
		if lost != nil {
			scope.Notes = append(scope.Notes, c.locale.T("series_not_refunded", "Amount", c.locale.Money(*lost)))
		}
		if fee != nil && scope.Value == string(booking.SeriesThis) {
			scope.Notes = append(scope.Notes, c.locale.T("deposit_cancel_costs", "Fee", c.locale.Money(*shownMoney(fee))))
		}
	}
	if len(p.Scopes) > 0 { // each says it
		p.Refund, p.Kept, p.NoRefund, p.Lost = nil, nil, false, nil
		p.Title = c.locale.T("series_cancel_title")
	}
	p.AgreesToThis()
	return nil
}

// staysFor returns the reason for which a date is not cancelled with others, as Series.Kept has it; "" where it is.
func (c *call) staysFor(d seriesDate) (reason string, err error) {
	for i := range d {
		if b := &d[i]; b.Status.Live() && !c.changeable(b) {
			fee, err := c.lateFee(b)
			if err != nil || fee == nil {
				return "too_late", err
			}
			reason = "late_fee"
		}
	}
	return reason, nil
}

// staying says that a date stays, and why.
func (c *call) staying(b *booking.Booking, reason string) string {
	key := "series_kept_late"
	if reason == "late_fee" {
		key = "series_kept_fee"
	}
	return c.locale.T(key, "When", c.moment(b.Start))
}

// comesBack returns how much of what was paid for bookings their invitee gets back by cancelling them now, and how much not;
// nil is nothing.
func (c *call) comesBack(all []booking.Booking) (refund, lost *views.Money) {
	for i := range all {
		b := &all[i]
		if !b.Status.Live() || b.Payment == nil || b.Payment.Status != "paid" {
			continue
		}
		left := &views.Money{Amount: b.Payment.Amount - b.Payment.RefundedAmount, Currency: b.Payment.Currency}
		switch {
		case left.Amount <= 0:
		case c.refunds(b):
			refund = addMoney(refund, left)
		default:
			lost = addMoney(lost, left)
		}
	}
	return refund, lost
}

// dueOf returns what is to be paid online at once for the dates of a series that wait for it; nil is nothing.
func (c *call) dueOf(b *booking.Booking) (due *views.Money, err error) {
	dates, _, err := c.datesWith(b)
	for _, d := range dates {
		for i := range d {
			if p := d[i].Payment; p != nil && d[i].NeedsPay && d[i].Status.Live() && p.Amount > 0 {
				due = addMoney(due, &views.Money{Amount: p.Amount, Currency: p.Currency})
			}
		}
	}
	return due, err
}

// scope returns of which dates of its series the form says that a change of the booking is to be.
func (c *call) scope(b *booking.Booking) booking.SeriesScope {
	scope := booking.SeriesScope(c.r.PostForm.Get(scopeField))
	if b.Series == nil || !slices.Contains(booking.Scopes, scope) {
		return booking.SeriesThis
	}
	return scope
}

// datesIn counts the dates that live bookings of a series are of.
func datesIn(all []booking.Booking) int {
	seen := map[int]bool{}
	for i := range all {
		if all[i].Status.Live() {
			seen[all[i].Series.Position] = true
		}
	}
	return len(seen)
}

// cancelledWith returns the bookings of a series that were cancelled at once with b, and how many dates they are of; b alone
// where the link reaches no other.
func (c *call) cancelledWith(b *booking.Booking) (all []booking.Booking, dates int, err error) {
	all, dates = []booking.Booking{*b}, 1
	of, _, err := c.datesWith(b)
	if err != nil || of == nil {
		return all, dates, err
	}
	all, dates = nil, 0
	for _, d := range of {
		n := len(all)
		for i := range d {
			if x := d[i].Cancellation; x != nil && x.At == b.Cancellation.At && x.By == b.Cancellation.By {
				all = append(all, d[i])
			}
		}
		if len(all) > n {
			dates++
		}
	}
	return all, dates, nil
}

// kept says which dates were not cancelled with the others, and why; "" for none.
func (c *call) kept(made *booking.Series) string {
	var all []string
	seen := map[int]bool{}
	for _, k := range made.Kept {
		at := slices.IndexFunc(made.Bookings, func(b booking.Booking) bool { return b.ID == k.ID })
		if at < 0 || seen[made.Bookings[at].Series.Position] {
			continue
		}
		seen[made.Bookings[at].Series.Position] = true
		all = append(all, c.staying(&made.Bookings[at], k.Reason))
	}
	return strings.Join(all, " ")
}

// cancelDates cancels the dates of the scope, and shows what was kept, or the page to.
func (c *call) cancelDates(b *booking.Booking, scope booking.SeriesScope, in booking.CancelInput, to string,
	show func(status int, note string) error) error {
	made, err := c.service.CancelSeries(c.r.Context(), c.actor, b.Series.ID.String(),
		booking.SeriesCancelInput{From: b.ID.String(), Scope: scope, CancelInput: in})
	if err != nil {
		return err
	}
	if note := c.kept(&made); note != "" {
		if n := cancelledLast(&made, b); n > 0 {
			note = c.locale.T("series_cancelled", "Count", n) + ". " + note
		}
		return show(http.StatusOK, note)
	}
	return c.redirect(to)
}

// cancelledLast counts the dates that were cancelled last, where b is none of them: its page then tells of no cancellation.
func cancelledLast(made *booking.Series, b *booking.Booking) int {
	last, dates := when.Instant(0), map[int]bool{}
	for i := range made.Bookings {
		one := &made.Bookings[i]
		if one.Cancellation == nil {
			continue
		}
		if one.ID == b.ID {
			return 0
		}
		if one.Cancellation.At > last {
			last = one.Cancellation.At
			clear(dates)
		}
		if one.Cancellation.At == last {
			dates[one.Series.Position] = true
		}
	}
	return len(dates)
}

// moveDates moves the dates of the scope, by as much as the booking moves to start.
func (c *call) moveDates(b *booking.Booking, scope booking.SeriesScope, start string) error {
	_, err := c.service.MoveSeries(c.r.Context(), c.actor, b.Series.ID.String(), booking.SeriesMoveInput{From: b.ID.String(),
		Scope: scope, Start: start, Reason: c.r.PostForm.Get("reason")})
	return err
}

// datesOf returns how many bookings a change of the scope is of.
func (c *call) datesOf(b *booking.Booking, scope booking.SeriesScope) (n int, err error) {
	dates, _, err := c.datesWith(b)
	for _, d := range dates {
		if d.open(when.At(c.service.Now())) && (scope == booking.SeriesAll || d[0].Series.Position >= b.Series.Position) {
			n += len(d)
		}
	}
	return max(1, n), err
}

// notMovedTogether says why the dates of a series didn't move; "" where that is to be said as of one booking.
func (c *call) notMovedTogether(err error) string {
	wrong := fault.Refusal(err)
	if wrong == nil {
		return ""
	}
	switch wrong.Reason {
	case "too_late":
		return c.locale.T("series_move_late")
	case "series_conflict":
		dates, _ := wrong.Details["dates"].([]booking.SeriesDate)
		text := []string{c.locale.T("series_move_conflict", "Count", len(dates))}
		for i := range dates {
			text = append(text, c.locale.Labelled(c.moment(dates[i].Start), c.whyNot(dates[i].Reason, dates[i].Holiday)))
		}
		return strings.Join(text, " ")
	}
	return ""
}
