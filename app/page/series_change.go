package page

import (
	"net/http"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/fault"
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

// datesWith returns the dates of the series that a booking is of, in their order; nil where it is of none, or the link doesn't
// reach another one.
func (c *call) datesWith(b *booking.Booking) ([]seriesDate, error) {
	if b.Series == nil {
		return nil, nil
	}
	made, err := c.service.Series(c.r.Context(), c.actor, b.Series.ID.String())
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
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
		return nil, nil
	}
	return all, nil
}

// seriesList lists the dates of the series that a booking is of, for its page; nil where there is no other.
func (c *call) seriesList(b *booking.Booking) (*views.SeriesList, error) {
	dates, err := c.datesWith(b)
	if err != nil || dates == nil {
		return nil, err
	}
	v := &views.SeriesList{Position: b.Series.Position, Of: b.Series.Of}
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
	return v, nil
}

// scopes asks of which dates of its series a change of the booking is to be; nil where there is no other that could change
// with it.
func (c *call) scopes(b *booking.Booking, picked string) ([]views.SeriesScope, error) {
	dates, err := c.datesWith(b)
	if err != nil {
		return nil, err
	}
	now, before, behind := when.At(c.service.Now()), 0, 0
	for _, d := range dates {
		switch position := d[0].Series.Position; {
		case !d.open(now):
		case position < b.Series.Position:
			before++
		case position > b.Series.Position:
			behind++
		}
	}
	if before+behind == 0 {
		return nil, nil
	}
	all := []views.SeriesScope{{Value: string(booking.SeriesThis), Label: c.locale.T("series_scope_this")}}
	if behind > 0 && before > 0 {
		all = append(all, views.SeriesScope{Value: string(booking.SeriesFollowing), Label: c.locale.T("series_scope_following", "Count", behind)})
	}
	all = append(all, views.SeriesScope{Value: string(booking.SeriesAll), Label: c.locale.T("series_scope_all", "Count", before+behind+1)})
	for i := range all {
		all[i].Picked = all[i].Value == picked || picked == "" && i == 0
	}
	return all, nil
}

// scope returns of which dates of its series the form says that a change of the booking is to be.
func (c *call) scope(b *booking.Booking) booking.SeriesScope {
	scope := booking.SeriesScope(c.r.PostForm.Get(scopeField))
	if b.Series == nil || !slices.Contains(booking.Scopes, scope) {
		return booking.SeriesThis
	}
	return scope
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
		key := "series_kept_late"
		if k.Reason == "late_fee" {
			key = "series_kept_fee"
		}
		all = append(all, c.locale.T(key, "When", c.moment(made.Bookings[at].Start)))
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
		return show(http.StatusOK, note)
	}
	return c.redirect(to)
}

// moveDates moves the dates of the scope, by as much as the booking moves to start.
func (c *call) moveDates(b *booking.Booking, scope booking.SeriesScope, start string) error {
	_, err := c.service.MoveSeries(c.r.Context(), c.actor, b.Series.ID.String(), booking.SeriesMoveInput{From: b.ID.String(),
		Scope: scope, Start: start, Reason: c.r.PostForm.Get("reason")})
	return err
}

// datesOf returns how many bookings a change of the scope is of.
func (c *call) datesOf(b *booking.Booking, scope booking.SeriesScope) (n int, err error) {
	dates, err := c.datesWith(b)
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
