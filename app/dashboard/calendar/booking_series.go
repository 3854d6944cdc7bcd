package calendar

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
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
		if !o.Status.Stands() {
			row.State = c.StateBadge(o)
		}
		v.Series = append(v.Series, row)
	}
	return nil
}

// toCome reports whether the booking is still to come, so that a change of several dates of its series is of it, too.
func (c call) toCome(b *booking.Booking) bool {
	return b.Status.Live() && b.Start > when.At(c.Subjects.Now()) && b.DoneAt == 0
}

// scopeInput asks of which dates of its series a change of the booking is to be: scopes of which the member sees all, named by
// what they change. It is nil where no other date can change with it.
func (c call) scopeInput(b *booking.Booking, made *booking.Series, picked string) *dash.Input {
	if made == nil {
		return nil
	}
	before, behind := map[int]bool{}, map[int]bool{}
	for i := range made.Bookings {
		switch o := &made.Bookings[i]; {
		case !c.toCome(o):
		case o.Series.Position < b.Series.Position:
			before[o.Series.Position] = true
		case o.Series.Position > b.Series.Position:
			behind[o.Series.Position] = true
		}
	}
	in := &dash.Input{Name: "scope", Label: c.T("series_scope"), Kind: "select", Value: picked,
		Options: []dash.Option{{Value: string(booking.SeriesThis), Label: c.T("series_scope_this")}}}
	if len(behind) > 0 && made.Reaches(booking.SeriesFollowing, b.Series.Position) {
		text := "series_scope_following"
		if !c.toCome(b) { // it stays as it is
			text = "series_scope_after"
		}
		in.Options = append(in.Options, dash.Option{Value: string(booking.SeriesFollowing), Label: c.T(text, "Count", len(behind))})
	}
	if len(before) > 0 && made.Reaches(booking.SeriesAll, b.Series.Position) {
		n := len(before) + len(behind)
		if c.toCome(b) {
			n++
		}
		in.Options = append(in.Options, dash.Option{Value: string(booking.SeriesAll), Label: c.T("series_scope_all", "Count", n)})
	}
	if len(in.Options) == 1 {
		return nil
	}
	return in
}

// offersField is the tick by which what several dates free is offered to who waits.
const offersField = "offers"

// offersInput asks whether what several dates free is offered to who waits, where anybody does.
func (c call) offersInput(ticked bool) []dash.Input {
	if !c.Setup.Workspace.Waits {
		return nil
	}
	return []dash.Input{{Name: offersField, Label: c.T("freed_offer_all"), Kind: "check", Checked: ticked, Hint: c.T("freed_offer_dates_hint")}}
}

// several reports whether the scope is of more than one date.
func several(scope string) bool {
	return scope == string(booking.SeriesFollowing) || scope == string(booking.SeriesAll)
}

// scopeOf returns the series of the booking with the id and of which of its dates the form is; "" where it is of that
// booking alone.
func (c call) scopeOf(id string, form url.Values) (series string, scope booking.SeriesScope, err error) {
	if scope = booking.SeriesScope(form.Get("scope")); !several(form.Get("scope")) {
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
	_, err := c.Subjects.CancelSeries(c.Context(), c.Actor, series, booking.SeriesCancelInput{From: from, Scope: scope,
		OfferToWaitlist: c.PostForm.Has(offersField), CancelInput: in})
	return err
}

// toldField is the field of a form that moves several dates with those of which it has told what stands against them: only
// of these are rules set aside.
const toldField = "told"

// told names the dates that a form moves.
func told(form url.Values) string { return form.Get("scope") + "@" + form.Get("start") }

// moveDates moves the dates of the series, by as much as the booking from moves. What stands against any of them is told
// before it is set aside.
func (c call) moveDates(series, from string, scope booking.SeriesScope, form url.Values) error {
	if form.Get("host") != "" {
		return fault.New(fault.BadRequest, "", "%s", c.T("series_move_host"))
	}
	in := booking.SeriesMoveInput{From: from, Scope: scope, Start: form.Get("start"), Reason: form.Get("reason"),
		OfferToWaitlist: form.Has(offersField)}
	if form.Get(toldField) == told(form) {
		in.Override = form["override"]
	}
	_, err := c.Subjects.MoveSeries(c.Context(), c.Actor, series, in)
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
	switch rules := rulesOf(d); {
	case d.Holiday != "":
		return c.T("series_holiday", "Holiday", d.Holiday)
	case d.Reason == "already_booked":
		return c.T("series_theirs")
	case rules != 0:
		return c.Rules(rules, false)
	}
	return c.T("series_taken")
}

// rulesOf returns the rules that stand against a date, or are set aside for it.
func rulesOf(d *booking.SeriesDate) slot.Reasons {
	return slot.ReasonsOf(append(slices.Clone(d.Reasons), slot.Reason(d.Reason))...)
}

// moveScope adds to the form of a move of which dates it is to be. One that has begun moves alone, and so does one that gets
// another host.
func (c call) moveScope(b *booking.Booking, v *dash.PickPage, q url.Values, host string, alone bool) error {
	if alone && b.InVisit() || !c.toCome(b) { // one service of a visit moves by itself
		return nil
	}
	made, err := c.seriesOf(b)
	if err != nil {
		return err
	}
	in := c.scopeInput(b, made, q.Get("scope"))
	if in == nil {
		return nil
	}
	if host != "" {
		in.Options, in.Value, in.Hint = in.Options[:1], "", c.T("series_move_host")
	}
	v.Groups[0].Inputs = slices.Insert(v.Groups[0].Inputs, 0, *in)
	if host == "" {
		v.Groups[0].Inputs = append(v.Groups[0].Inputs, c.offersInput(q.Has(offersField))...)
	}
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
	same, began, err := c.sameAgain(b)
	if err != nil || same == nil {
		return "", "", err
	}
	day := c.At(began).AddDate(0, 0, 7*weeks)
	for day.Before(c.Now()) {
		day = day.AddDate(0, 0, 7)
	}
	start := when.Wall(day, c.Zone())
	same.Set("again", b.ID.String())
	same.Set("date", start.Format("2006-01-02"))
	same.Set("start", when.At(start).String())
	return web.WithQuery(dash.NewBookingPath, same), c.T("series_again", "Count", weeks), nil
}

// sameAgain returns the fields of the form for a new booking of the same: all services of a visit that took place or will, each
// with its host and add-ons, or the service with its seats; and when that began. It is nil where one of them can't be booked any
// more.
func (c call) sameAgain(b *booking.Booking) (q url.Values, began when.Instant, err error) {
	all := []booking.Booking{*b}
	if b.InVisit() {
		visit, err := c.Subjects.Visit(c.Context(), c.Actor, b.Visit.ID.String())
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, 0, err
		}
		if stands := slices.DeleteFunc(visit.Items, func(o booking.Booking) bool { return !o.Status.Stands() }); len(stands) > 0 {
			slices.SortStableFunc(stands, func(a, b booking.Booking) int { return cmp.Compare(a.Start, b.Start) })
			all = stands
		}
	}
	q = url.Values{}
	for i := range all {
		o := &all[i]
		e := c.Setup.EventTypeByID(o.EventTypeID)
		if e == nil || !e.Active || c.Actor.Own() && !servedBy(e, c.Actor.Host) {
			return nil, 0, nil
		}
		q.Set(nth("type", i+1), e.Slug)
		if h := c.Setup.Host(o.Host.ID); h != nil && h.Active && e.ServedBy(h.ID) {
			q.Set(nth("host", i+1), h.ID.String())
		}
		for _, x := range o.AddOns {
			q.Add(nth("addOns", i+1), x.ID)
		}
	}
	if len(all) == 1 && b.Seats > 1 {
		q.Set("seats", strconv.Itoa(b.Seats))
	}
	return q, all[0].Start, nil
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
