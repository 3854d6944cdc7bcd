package page

import (
	"cmp"
	"errors"
	"math/bits"
	"net/http"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/views"
)

// series is what comes again of a form, of one service or of a visit: how often, and the dates once they were asked for.
type series struct {
	most  int // dates; below 2 nothing can come again
	per   int // bookings of each date
	asked booking.SeriesInput
	value func(*booking.SeriesDate) string               // a date as the form sends it back
	place func(value string) (booking.SeriesPlace, bool) // reads it
	of    func(*booking.SeriesDate) []*catalog.EventType // the services of a date, with the length and the price of who does them

	dates []booking.SeriesDate // what is shown; nil before they are asked for
	why   map[string]string    // why one can't be booked that was sent: by its value or, whoever does it, by its start
}

// asksForDates reports whether a form is of several dates, or asks to see them.
func asksForDates(f form) bool {
	return f.values.Has(views.ShowField) || f.values.Has(views.ListedField)
}

// seriesOfOne returns what can come again of one service.
func (c *call) seriesOfOne(e *catalog.EventType, f form) *series {
	s := &series{most: c.repeats(e), per: 1}
	s.asked = booking.SeriesInput{EventType: e.Slug, Host: c.hostRef(), AddOns: c.choice.AddOns, Seats: c.choice.Seats,
		Start: f.start.String(), Repeat: readRepeat(f, s.most)}
	s.value = func(d *booking.SeriesDate) string { return d.At().String() + "~" + d.Host.String() }
	s.place = func(value string) (p booking.SeriesPlace, ok bool) {
		p.Start, p.Host, _ = strings.Cut(value, "~")
		_, err := when.Parse(p.Start)
		host, unknown := id.Parse[catalog.HostIDKind](p.Host)
		return p, err == nil && unknown == nil && e.ServedBy(host) && c.setup.Host(host).Active && (c.host == nil || c.host.ID == host)
	}
	s.of = func(d *booking.SeriesDate) []*catalog.EventType { return []*catalog.EventType{e.With(*d.Host)} }
	return s
}

// seriesOfVisit returns what can come again of a visit.
func (c *call) seriesOfVisit(b *basket, f form) *series {
	asked := b.input()
	s := &series{most: c.repeats(b.services()...), per: len(b.items)}
	s.asked = booking.SeriesInput{Items: asked.Items, VisitChoice: asked.VisitChoice, Start: f.start.String(), Repeat: readRepeat(f, s.most)}
	s.value = func(d *booking.SeriesDate) string { return b.planOfItems(d.Items).String() }
	s.place = func(value string) (at booking.SeriesPlace, ok bool) {
		p := readPlan(value, len(b.items))
		if p == nil || slices.ContainsFunc(p, func(at booking.VisitPlace) bool { return !c.fits(b, at) }) {
			return at, false
		}
		at.Items = c.planItems(b, p)
		return at, true
	}
	s.of = func(d *booking.SeriesDate) (all []*catalog.EventType) {
		for _, at := range b.planOfItems(d.Items) {
			all = append(all, b.items[at.Item].event.With(at.Host))
		}
		return all
	}
	return s
}

// repeats returns how many dates of these services can be booked at once; below 2 is one.
func (c *call) repeats(services ...*catalog.EventType) int {
	if c.link != "" || c.draft != nil {
		return 0
	}
	return app.SeriesUpTo(services...)
}

// How often something comes again until the visitor says so, and how rarely at most.
const (
	usualEvery, mostEvery = 4, 12
	usualDates            = 6
)

// readRepeat reads how often it comes again, of at most so many dates.
func readRepeat(f form, most int) booking.SeriesRepeat {
	usual := booking.SeriesRepeat{Every: usualEvery, Unit: booking.SeriesWeek, Count: min(usualDates, most)}
	return usual.Typed(f.values.Get(views.EveryField), f.values.Get(views.UnitField), f.values.Get(views.TimesField),
		booking.SeriesRepeat{Every: mostEvery, Count: most}, booking.SeriesWeek, booking.SeriesMonth)
}

// first returns the first date of those that are shown which can be booked, or nil; of one service, it has a host.
func (s *series) first() *booking.SeriesDate {
	for i := range s.dates {
		if s.dates[i].State != booking.SeriesSkipped {
			return &s.dates[i]
		}
	}
	return nil
}

// The form sends a date that is ticked as the start that the repetition gives it and what is booked of it. By the former it
// remembers what was not ticked, whatever becomes of the date.
func (s *series) tick(d *booking.SeriesDate) string { return d.Start.String() + "=" + s.value(d) }

// ticked reads what tick writes; ok is false where that can't be booked.
func (s *series) ticked(value string) (p booking.SeriesPlace, ok bool) {
	_, what, _ := strings.Cut(value, "=")
	return s.place(what)
}

// unticked reports whether the date was shown when the form was sent, and not ticked.
func unticked(d *booking.SeriesDate, f form) bool {
	return slices.Contains(strings.Fields(f.values.Get(views.ListedField)), d.Start.String()) &&
		!slices.ContainsFunc(f.values[views.OnField], func(value string) bool { return strings.HasPrefix(value, d.Start.String()+"=") })
}

// seriesView returns the part of the form that asks whether it comes again; nil where it can't.
func (c *call) seriesView(s *series, f form) *views.Repeat {
	if s.most < 2 || f.taken != nil {
		return nil
	}
	r := s.asked.Repeat
	v := &views.Repeat{Every: r.Every, MostEvery: mostEvery, ByMonth: r.Unit == booking.SeriesMonth, Count: r.Count, Most: s.most}
	if s.dates == nil {
		return v
	}
	var listed []string
	for i := range s.dates {
		d := &s.dates[i]
		date := views.RepeatDate{Start: c.local(d.At())}
		if d.Instead != 0 {
			date.Was = c.local(d.Start)
		}
		if d.State != booking.SeriesFree {
			date.Why = c.whyNot(d.Reason, d.Holiday)
		}
		if d.State != booking.SeriesSkipped {
			listed = append(listed, d.Start.String())
			value := s.tick(d)
			if why := cmp.Or(s.why[value], s.why[d.At().String()]); why != "" {
				date.Why = why
			} else {
				date.Value, date.Picked = value, !unticked(d, f)
			}
			c.addDifference(&date, s, d)
		}
		v.Dates = append(v.Dates, date)
	}
	v.Hidden = []views.Pair{{Name: views.ListedField, Value: strings.Join(listed, " ")}, {Name: views.OfField, Value: s.asked.Rhythm()}}
	return v
}

// addDifference adds to a date who does it, how long it takes and what it costs, where that is other than on the first one.
func (c *call) addDifference(date *views.RepeatDate, s *series, d *booking.SeriesDate) {
	first := s.first()
	date.Host = c.otherHosts(d, first)
	paid := false
	for _, e := range s.of(d) {
		if e.Price == nil {
			continue
		}
		date.Prices = append(date.Prices, *shownMoney(e.Price))
		if now := c.dueNow(basketItem{event: e}); now != nil {
			date.First += now.Amount
			if e.SeriesPayment == catalog.SeriesPayAll {
				date.Later += now.Amount
			}
			date.Ahead = (date.Ahead || !paid) && e.SeriesPayment == catalog.SeriesPayEach
			paid = true
		}
	}
	if length := s.length(d); length != s.length(first) {
		date.Length = length
	}
	date.OtherPrice = !slices.EqualFunc(s.of(d), s.of(first), func(a, b *catalog.EventType) bool { return a.Price.Units() == b.Price.Units() })
}

// length returns how long a date takes.
func (s *series) length(d *booking.SeriesDate) time.Duration {
	if d.Host != nil {
		return time.Duration(s.of(d)[0].DurationMinutes) * time.Minute
	}
	end := d.At()
	for _, item := range d.Items {
		if at, err := when.Parse(item.End); err == nil {
			end = max(end, at)
		}
	}
	return end.Time().Sub(d.At().Time())
}

// otherHosts names who does a date where those are others than on the first one.
func (c *call) otherHosts(d, first *booking.SeriesDate) string {
	hosts := func(d *booking.SeriesDate) (all []string) {
		if d.Host != nil {
			all = append(all, c.setup.Host(*d.Host).Name)
		}
		for _, item := range d.Items {
			if host, err := id.Parse[catalog.HostIDKind](item.Host); err == nil && !slices.Contains(all, c.setup.Host(host).Name) {
				all = append(all, c.setup.Host(host).Name)
			}
		}
		return all
	}
	mine := hosts(d)
	if slices.Equal(mine, hosts(first)) {
		return ""
	}
	return strings.Join(mine, ", ")
}

// whyNot says why a date can't be booked where it lies.
func (c *call) whyNot(reason, onHoliday string) string {
	switch {
	case onHoliday != "":
		return Closing(c.setup, &catalog.ClosedDay{Holiday: onHoliday}, c.locale, "")
	case personal[reason] != "":
		return c.locale.T(personal[reason])
	case reason == "already_booked":
		return c.locale.T("series_yours")
	}
	return c.locale.T("series_taken")
}

// lookAtDates fills in the dates as they can be booked now.
func (c *call) lookAtDates(s *series) error {
	dates, err := c.service.SeriesDates(c.r.Context(), c.actor, s.asked)
	if err == nil {
		s.dates = dates
	}
	return err
}

// seriesForm is how a form of several dates is carried out.
type seriesForm struct {
	*series
	again   func(status int, f form) error // shows the form as it was typed, with the dates of f.series
	input   func(f form) (booking.BookInput, map[string]string)
	purpose string // names what is booked on each date
	to      func(*booking.Booking) string
}

// takeSeries handles a form of several dates: it shows them, or books those that are ticked, exactly as they were shown.
func (c *call) takeSeries(s seriesForm, f form) error {
	f.series = s.series
	if hold := f.values.Get(Hold); hold != "" { // it would be in the way of the first date
		if _, err := Time(c.r.Context(), c.service, c.actor, c.client(), "0",
			app.HoldInput{Visitor: &app.HoldVisitor{Before: hold}}); err != nil {
			return err
		}
		f.values.Del(Hold)
	}
	show := f.values.Get(views.ShowField)
	switch {
	case s.most < 2 || f.start == 0 || show == "0":
		for _, name := range []string{views.ListedField, views.OnField, views.OfField} {
			f.values.Del(name)
		}
		if show == "" {
			f.problem = c.locale.T("series_gone")
		}
		return s.again(http.StatusOK, f)
	case show != "" || f.values.Get(views.OfField) != s.asked.Rhythm():
		return c.showDates(s, http.StatusOK, f)
	}
	var places []booking.SeriesPlace
	for _, value := range f.values[views.OnField] {
		p, ok := s.ticked(value)
		if !ok {
			f.problem = c.locale.T("series_changed")
			return c.showDates(s, http.StatusConflict, f)
		}
		places = append(places, p)
	}
	if len(places) == 0 {
		f.problem = c.locale.T("series_none")
		return c.showDates(s, http.StatusUnprocessableEntity, f)
	}
	one, wrong := s.input(f)
	if f.wrong = wrong; len(wrong) > 0 {
		return c.showDates(s, http.StatusUnprocessableEntity, f)
	}
	return c.proveSeries(s, places, &one, f)
}

// showDates shows the form with its dates as they can be booked now. Each such search counts for its address.
func (c *call) showDates(s seriesForm, status int, f form) error {
	who := c.client()
	who.Most, who.What = perHour*who.Most, "series "
	if err := c.service.Gate.Count(c.r.Context(), who); err != nil {
		return err
	}
	if err := c.lookAtDates(s.series); err != nil {
		return c.notLookedAt(s, f, err)
	}
	return s.again(status, f)
}

// notLookedAt shows the form of one date where its series can't be had.
func (c *call) notLookedAt(s seriesForm, f form, err error) error {
	if e := fault.Refusal(err); e == nil || e.Code != fault.BadRequest {
		return err
	}
	f.problem = c.locale.T("series_gone")
	return s.again(http.StatusUnprocessableEntity, f)
}

// seriesWork is work for so many bookings, as for those of a visit.
func (c *call) seriesWork(n int) (int, error) {
	one, err := c.work()
	if err != nil || one == 0 {
		return 0, err
	}
	return one + bits.Len(uint(max(1, n)-1)), nil
}

// proveSeries looks at what was sent with the form, as book does, and books.
func (c *call) proveSeries(s seriesForm, places []booking.SeriesPlace, one *booking.BookInput, f form) error {
	n := len(places) * s.per
	need, err := c.seriesWork(n)
	if err != nil {
		return err
	}
	who := c.client()
	who.Times = n
	key, done := f.values.Get(gate.FormKeyField), f.values.Get(gate.ProofField)
	sent := gate.Form{Client: who, Proves: need > 0, Purpose: c.slug() + "/" + s.purpose + "@" +
		strings.Join(f.values[views.OnField], "+") + "/" + cmp.Or(fault.EmailKey(one.Invitee.Email), one.Invitee.Phone)}
	if c.challenge.Genuine(key) {
		sent.Key = key
	}
	switch met := c.challenge.Met(key, done, need); {
	case f.values.Get(views.HoneypotName) != "" || !met && done != "":
		f.problem = c.locale.T("failed_text")
		return c.showDates(s, http.StatusUnprocessableEntity, f)
	case !met && f.values.Has(views.ByMailName): // a mail's link books one date
		f.problem = c.locale.T("series_noscript")
		return c.showDates(s, http.StatusConflict, f)
	case !met: // the form was shown before work was asked for
		f.problem, f.again = c.locale.T("challenge_again"), true
		return c.showDates(s, http.StatusUnprocessableEntity, f)
	}
	in := s.asked
	in.Dates = places
	in.Invitee, in.Notes, in.Answers, in.Metadata, in.Participants = one.Invitee, one.Notes, one.Answers, one.Metadata, one.Participants
	in.ContactFields, in.MustGive = one.ContactFields, one.MustGive
	b, err := c.service.Gate.Book(c.r.Context(), sent, func(tx app.Tx) (booking.Booking, error) {
		made, err := c.service.In(tx).BookSeries(c.r.Context(), c.actor, in)
		if err != nil {
			return booking.Booking{}, err
		}
		return made.Bookings[0], c.tickTexts(tx, &made.Bookings[0], f)
	})
	switch {
	case errors.Is(err, gate.ErrSpent):
		f.problem = c.locale.T("failed_text")
		return c.showDates(s, http.StatusUnprocessableEntity, f)
	case err != nil:
		return c.refusedSeries(s, f, err)
	}
	c.service.Present(c.setup, c.actor, &b)
	return c.redirect(s.to(&b))
}

// refusedSeries shows why the Service did not book a series.
func (c *call) refusedSeries(s seriesForm, f form, err error) error {
	wrong := fault.Refusal(err)
	switch {
	case wrong == nil || wrong.Code == fault.NotFound || wrong.Code == fault.RateLimited:
		return err
	case wrong.Reason == "already_booked":
		return c.already(f.values.Get("email"))
	case wrong.Reason == "series_conflict":
		s.why = map[string]string{}
		dates, _ := wrong.Details["dates"].([]booking.SeriesDate)
		for i := range dates {
			d := &dates[i]
			if d.State != booking.SeriesSkipped {
				continue
			}
			why := c.whyNot(d.Reason, d.Holiday)
			if personal[d.Reason] != "" || d.Reason == "already_booked" {
				s.why[d.Start.String()] = why
			}
			for _, value := range f.values[views.OnField] {
				if p, _ := s.ticked(value); p.Begins() == d.Start {
					s.why[value] = why
				}
			}
		}
		f.problem = c.locale.T("series_changed")
		return c.showDates(s, http.StatusConflict, f)
	case personal[wrong.Reason] != "":
		f.problem = c.locale.T(personal[wrong.Reason])
		return c.showDates(s, http.StatusConflict, f)
	case wrong.Code == fault.Conflict || strings.HasPrefix(wrong.Field, "dates") || strings.HasPrefix(wrong.Field, "repeat"):
		f.problem = c.locale.T("series_changed")
		return c.showDates(s, http.StatusConflict, f)
	}
	c.log.WarnContext(c.r.Context(), "the form of a series was refused", "field", wrong.Field, "reason", wrong.Reason)
	f.problem = c.locale.T("failed_text")
	return c.showDates(s, http.StatusUnprocessableEntity, f)
}
