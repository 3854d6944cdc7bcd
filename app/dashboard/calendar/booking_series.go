package calendar

import (
	"net/url"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/views/dash"
)

// seriesOf returns the series of a booking, with what the member sees of it; nil where it is of none.
func (c call) seriesOf(b *booking.Booking) (*booking.Series, error) {
	if b.Series == nil {
		return nil, nil
	}
	made, err := c.Subjects.Series(c.Context(), c.Actor, b.Series.ID.String())
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	return &made, err
}

// seriesRows lists the other bookings of the series of a booking.
func (c call) seriesRows(b *booking.Booking, v *dash.BookingDetail) error {
	made, err := c.seriesOf(b)
	if err != nil || made == nil {
		return err
	}
	v.SeriesTitle = c.T("series_dates", "Position", b.Series.Position, "Of", b.Series.Of)
	for i := range made.Bookings {
		o := &made.Bookings[i]
		row := dash.PastBooking{Day: c.Day(c.At(o.Start)), What: c.Clock(o.Start) + " · " + c.TypeTitle(o), Host: o.Host.Name}
		if o.ID != b.ID {
			row.URL = dash.BookingPath(o.ID.String())
		}
		if o.Status != booking.Confirmed && o.Status != booking.Rescheduled {
			row.State = c.StateBadge(o)
		}
		v.Series = append(v.Series, row)
	}
	return nil
}

// scopeInput asks of which dates of its series a change of the booking is to be; nil where no other can change with it.
func (c call) scopeInput(b *booking.Booking, picked string) (*dash.Input, error) {
	made, err := c.seriesOf(b)
	if err != nil || made == nil {
		return nil, err
	}
	before, behind := map[int]bool{}, map[int]bool{}
	for i := range made.Bookings {
		switch o := &made.Bookings[i]; {
		case !o.Status.Live() || o.Start <= when.At(c.Subjects.Now()) || o.DoneAt != 0:
		case o.Series.Position < b.Series.Position:
			before[o.Series.Position] = true
		case o.Series.Position > b.Series.Position:
			behind[o.Series.Position] = true
		}
	}
	n := len(before) + len(behind)
	if n == 0 {
		return nil, nil
	}
	in := &dash.Input{Name: "scope", Label: c.T("series_scope"), Kind: "select", Value: picked,
		Options: []dash.Option{{Value: string(booking.SeriesThis), Label: c.T("series_scope_this")}}}
	if len(behind) > 0 {
		in.Options = append(in.Options, dash.Option{Value: string(booking.SeriesFollowing), Label: c.T("series_scope_following", "Count", len(behind))})
	}
	if len(before) > 0 {
		if b.Status.Live() && b.Start > when.At(c.Subjects.Now()) {
			n++
		}
		in.Options = append(in.Options, dash.Option{Value: string(booking.SeriesAll), Label: c.T("series_scope_all", "Count", n)})
	}
	return in, nil
}

// scopeOf returns the series of the booking with the id and of which of its dates the form is; "" where it is of that
// booking alone.
func (c call) scopeOf(id string, form url.Values) (series string, scope booking.SeriesScope, err error) {
	scope = booking.SeriesScope(form.Get("scope"))
	if scope != booking.SeriesFollowing && scope != booking.SeriesAll {
		return "", "", nil
	}
	b, err := c.Subjects.Booking(c.Context(), c.Actor, id)
	if err != nil || b.Series == nil {
		return "", "", err
	}
	return b.Series.ID.String(), scope, nil
}

// cancelDates cancels the dates of the series.
func (c call) cancelDates(series, from string, scope booking.SeriesScope, in app.CancelInput) error {
	in.ChargeLateFee = false // a fee is for one date
	_, err := c.Subjects.CancelSeries(c.Context(), c.Actor, series, booking.SeriesCancelInput{From: from, Scope: scope, CancelInput: in})
	return err
}

// moveDates moves the dates of the series, by as much as the booking from moves.
func (c call) moveDates(series, from string, scope booking.SeriesScope, form url.Values) error {
	_, err := c.Subjects.MoveSeries(c.Context(), c.Actor, series, booking.SeriesMoveInput{From: from, Scope: scope,
		Start: form.Get("start"), Override: form["override"], Reason: form.Get("reason")})
	return err
}

// datesProblem says which dates of a series stand in the way, and why; "" where the refusal is of none.
func (c call) datesProblem(e *fault.Error, key string) string {
	if e == nil || e.Reason != "series_conflict" {
		return ""
	}
	dates, _ := e.Details["dates"].([]booking.SeriesDate)
	var all []string
	for i := range dates {
		if d := &dates[i]; d.State == booking.SeriesSkipped && d.Reason != booking.SeriesExcept {
			all = append(all, c.Locale.Labelled(c.Day(c.At(d.Start))+", "+c.Clock(d.Start), c.whyNot(d)))
		}
	}
	return c.T(key, "Count", len(all)) + " " + strings.Join(all, " ")
}

// whyNot says why a date can't be booked where it lies.
func (c call) whyNot(d *booking.SeriesDate) string {
	switch reason := slot.Reason(d.Reason); {
	case d.Holiday != "":
		return c.T("series_holiday", "Holiday", d.Holiday)
	case d.Reason == "already_booked":
		return c.T("series_theirs")
	case slot.ReasonsOf(reason) != 0:
		return c.Rules(slot.ReasonsOf(reason), false)
	}
	return c.T("series_taken")
}

// moveScope adds to the form of a move of which dates it is to be.
func (c call) moveScope(b *booking.Booking, v *dash.PickPage, picked string, alone bool) error {
	if alone && b.InVisit() { // one service of a visit moves by itself
		return nil
	}
	in, err := c.scopeInput(b, picked)
	if err != nil || in == nil {
		return err
	}
	v.Groups[0].Inputs = slices.Insert(v.Groups[0].Inputs, 0, *in)
	return nil
}

// soonAgain returns the form for the same again, after as many weeks as the customer usually lets pass, and what it is called;
// "" where that can't be booked.
func (c call) soonAgain(b *booking.Booking) (address, label string, err error) {
	e := c.Setup.EventTypeByID(b.EventTypeID)
	if e == nil || !e.Active || !c.May(app.MayBook) || b.Invitee.Erased() || b.Invitee.Name == booking.WalkIn && b.ContactID == 0 {
		return "", "", nil
	}
	weeks, err := c.usualWeeks(b)
	if err != nil {
		return "", "", err
	}
	day := c.At(b.Start)
	for day = day.AddDate(0, 0, 7*weeks); day.Before(c.Now()); {
		day = day.AddDate(0, 0, 7)
	}
	host := ""
	if h := c.Setup.Host(b.Host.ID); h != nil && h.Active && e.ServedBy(h.ID) {
		host = h.ID.String()
	}
	start := when.Wall(day, c.Zone())
	return web.WithQuery(dash.NewBookingPath, url.Values{"type": {e.Slug}, "again": {b.ID.String()}, "host": {host},
		"date": {start.Format("2006-01-02")}, "start": {when.At(start).String()}}), c.T("series_again", "Count", weeks), nil
}

// usuallyAgain is after how many weeks somebody comes again of whom nothing else is known.
const usuallyAgain = 6

// usualWeeks returns after how many weeks the customer of a booking usually comes again.
func (c call) usualWeeks(b *booking.Booking) (int, error) {
	if b.ContactID == 0 || c.cardURL(b) == "" {
		return usuallyAgain, nil
	}
	card, err := c.Subjects.People.Card(c.Context(), c.Actor, b.ContactID.String())
	if web.Refused(err) != nil {
		return usuallyAgain, nil
	}
	if err != nil || card.EveryDays == 0 {
		return usuallyAgain, err
	}
	return max(1, min(52, (card.EveryDays+3)/7)), nil
}
