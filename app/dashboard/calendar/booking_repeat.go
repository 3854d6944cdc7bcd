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
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// The fields of the form of a new booking by which it comes again; see views.EveryField and the others.
const (
	repeatedField = "repeated" // its dates are shown
	shownNow      = "now"      // its value in the answer to that step, so that the dates are looked at
	insteadField  = "instead"  // a date for which another time is asked, and where it lies
	otherField    = "other."   // and the start of a date: another day and time for it
	asideField    = "aside"    // the start of a date that was told with the rules against it, and these: set aside for it alone
)

// repeats reports whether the form is of several dates.
func repeats(form url.Values) bool { return form.Get(repeatedField) != "" }

// repeatStep takes the step of the form in which its dates are shown, or only the first one again, and reports whether the form
// was sent for that.
func repeatStep(form url.Values) bool {
	show := form.Get(views.ShowField)
	form.Del(views.ShowField)
	switch show {
	case "":
		return false
	case "1":
		form.Set(repeatedField, shownNow)
	default:
		form.Del(repeatedField)
	}
	return true
}

// readRepeat reads how often it comes again.
func readRepeat(form url.Values) booking.SeriesRepeat {
	usual := booking.SeriesRepeat{Every: usuallyAgain, Unit: booking.SeriesWeek, Count: 10}
	return usual.Typed(form.Get(views.EveryField), form.Get(views.UnitField), form.Get(views.TimesField),
		booking.SeriesRepeat{Every: 52, Count: booking.MaxSeries}, booking.SeriesDay, booking.SeriesWeek, booking.SeriesMonth)
}

// seriesIn returns what comes again by the form: these services from the start on.
func seriesIn(form url.Values, services []service, start string) booking.SeriesInput {
	in := booking.SeriesInput{Repeat: readRepeat(form), Start: start, Override: form["override"]}
	if len(services) > 1 {
		asked := visitOf(services)
		in.Items, in.VisitChoice = asked.Items, asked.VisitChoice
		return in
	}
	in.EventType, in.Host, in.AddOns, in.Seats = services[0].of.Slug, services[0].host, services[0].choice.AddOns, services[0].choice.Seats
	return in
}

// dateValue writes a date as the form sends it back: when it begins and with whom, or when and with whom each service of it is.
func dateValue(d *booking.SeriesDate) string {
	if d.Host != nil {
		return d.At().String() + "~" + d.Host.String()
	}
	var all []string
	for _, item := range d.Items {
		all = append(all, strings.Join([]string{item.EventType, item.Host, item.Start, item.End}, "~"))
	}
	return strings.Join(all, ",")
}

// placeOf reads what dateValue writes; services are those of the form. What is wrong in it, the Service says.
func placeOf(value string, services []service) (p booking.SeriesPlace) {
	if len(services) == 1 {
		p.Start, p.Host, _ = strings.Cut(value, "~")
		return p
	}
	for of := range strings.SplitSeq(value, ",") {
		fields := append(strings.Split(of, "~"), "", "", "")
		item := booking.VisitItem{EventType: fields[0], Host: fields[1], Start: fields[2], End: fields[3]}
		for _, s := range services {
			if s.of.Slug == item.EventType {
				item.AddOns = s.choice.AddOns
			}
		}
		p.Items = append(p.Items, item)
	}
	return p
}

// startOf returns when the date begins that dateValue has written.
func startOf(value string) (start string) {
	for of := range strings.SplitSeq(value, ",") {
		fields := strings.Split(of, "~")
		at := fields[0]
		if len(fields) > 2 { // of a visit
			at = fields[2]
		}
		if start == "" || at < start {
			start = at
		}
	}
	return start
}

// aside returns the field by which the form says that these rules were told of a date.
func aside(start when.Instant, rules slot.Reasons) views.Pair {
	return views.Pair{Name: asideField, Value: start.String() + " " + strings.Join(booking.OverrideNames(rules), ",")}
}

// asides are those of the dates that could not be booked, and of those for which rules were set aside before.
func asides(e *fault.Error) (all []views.Pair) {
	if e == nil {
		return nil
	}
	dates, _ := e.Details["dates"].([]booking.SeriesDate)
	for i := range dates {
		if d := &dates[i]; d.State != booking.SeriesMoved && rulesOf(d) != 0 {
			all = append(all, aside(d.Start, rulesOf(d)))
		}
	}
	return all
}

// setAside returns the rules that the form has told of the date that begins then.
func setAside(form url.Values, start string) (rules []string) {
	for _, told := range form[asideField] {
		if at, names, _ := strings.Cut(told, " "); at == start {
			rules = append(rules, strings.Split(names, ",")...)
		}
	}
	return rules
}

// repeat asks whether the booking comes again, and shows its dates once that was asked for; nil where it can't.
func (c call) repeat(form url.Values, services []service, start string, v *dash.PickPage) error {
	if v.WalkIn || slices.ContainsFunc(services, func(s service) bool { return !s.of.Active }) {
		return nil
	}
	in := seriesIn(form, services, start)
	in.Override = nil
	for _, p := range v.Hidden {
		if p.Name == "override" {
			in.Override = append(in.Override, p.Value)
		}
	}
	r := in.Repeat
	v.Repeat = &dash.Repeat{Open: repeats(form), Inputs: []dash.Input{
		{ID: "repeat-every", Name: views.EveryField, Label: c.T("series_every"), Kind: "number", Value: strconv.Itoa(r.Every), Min: "1", Max: "52"},
		{ID: "repeat-unit", Name: views.UnitField, Label: c.T("series_unit"), Kind: "select", Value: string(r.Unit), Options: []dash.Option{
			{Value: string(booking.SeriesDay), Label: c.T("series_days")}, {Value: string(booking.SeriesWeek), Label: c.T("series_weeks")},
			{Value: string(booking.SeriesMonth), Label: c.T("series_months")}}},
		{ID: "repeat-times", Name: views.TimesField, Label: c.T("series_times"), Kind: "number", Value: strconv.Itoa(r.Count), Min: "2",
			Max: strconv.Itoa(booking.MaxSeries)},
	}}
	if !repeats(form) {
		return nil
	}
	dates, err := c.Subjects.SeriesDates(c.Context(), c.Actor, in)
	if e := web.Refused(err); e != nil {
		v.Problem += c.Sentence(e)
		return nil
	}
	if err != nil {
		return err
	}
	if c.dateRows(v.Repeat, dates, services, form) {
		v.Submit = c.T("waive_book")
	} else {
		v.Submit = c.T("series_book")
	}
	v.Repeat.What, v.Repeat.Asked = c.whatComesAgain(services), form.Get(repeatedField) == shownNow && v.Problem == ""
	v.Repeat.Hidden = append(v.Repeat.Hidden, views.Pair{Name: repeatedField, Value: "1"}, views.Pair{Name: views.OfField, Value: in.Rhythm()})
	return nil
}

// whatComesAgain says which services come again, and with whom where that was chosen.
func (c call) whatComesAgain(services []service) string {
	var all []string
	for _, s := range services {
		title := s.of.Title
		if own, err := s.of.Chosen(s.choice); err == nil {
			title = titled(own)
		}
		if h := c.hostOf(s.host); h != nil {
			title += " · " + h.Name
		}
		all = append(all, title)
	}
	return strings.Join(all, ", ")
}

// dateRows shows the dates, each with its tick, and another time to be typed for what doesn't fit or is against a rule. It
// reports whether one of those that can be booked is.
func (c call) dateRows(v *dash.Repeat, dates []booking.SeriesDate, services []service, form url.Values) (waives bool) {
	listed, sent, fit := strings.Fields(form.Get(views.ListedField)), form[views.OnField], 0
	var all []string
	for i := range dates {
		d := &dates[i]
		row := dash.RepeatRow{Day: c.Day(c.At(d.At())) + ", " + c.Clock(d.At())}
		switch rules := rulesOf(d); {
		case d.State != booking.SeriesFree:
			row.Why = c.whyNot(d)
		case rules != 0:
			row.Why, waives = c.Rules(rules, true), true
			v.Hidden = append(v.Hidden, aside(d.At(), rules))
		default:
			fit++
		}
		if row.Why != "" {
			row.Other = dash.Input{ID: "other-" + strconv.Itoa(i), Name: otherField + d.Start.String(), Kind: "datetime", Label: c.T("series_other"),
				Value: form.Get(otherField + d.Start.String())}
		}
		if d.State == booking.SeriesMoved {
			row.Was = c.Day(c.At(d.Start)) + ", " + c.Clock(d.Start)
		}
		if d.Host != nil && services[0].host == "" { // else all are with who was chosen
			if h := c.Setup.Host(*d.Host); h != nil {
				row.Host = h.Name
			}
		}
		if d.State != booking.SeriesSkipped {
			row.Value = dateValue(d)
			all = append(all, row.Value)
			at := func(value string) bool { return startOf(value) == startOf(row.Value) } // whoever takes it
			row.Picked = !slices.ContainsFunc(listed, at) || slices.ContainsFunc(sent, at)
			if row.Other.Name != "" {
				v.Hidden = append(v.Hidden, views.Pair{Name: insteadField, Value: row.Value + " " + d.Start.String()})
			}
		}
		v.Rows = append(v.Rows, row)
	}
	v.Hidden = append(v.Hidden, views.Pair{Name: views.ListedField, Value: strings.Join(all, " ")})
	v.Fit = c.T("series_fit_every", "Fit", fit, "Count", len(dates))
	return waives
}

// chosenDates returns the dates of the form that are ticked, and those for which another time was typed;
// problem is the message of what is wrong with them.
func (c call) chosenDates(form url.Values, services []service) (places []booking.SeriesPlace, problem string) {
	moved := map[string]bool{} // dates whose tick doesn't count: another time was typed
	for name, values := range form {
		was, is := strings.CutPrefix(name, otherField)
		if !is || values[0] == "" {
			continue
		}
		at, err := when.ParseWall("2006-01-02T15:04", values[0], c.Zone())
		if err != nil {
			return nil, "waive_no_time"
		}
		moved[was] = true
		places = append(places, booking.SeriesPlace{Start: when.At(at).String(), Host: services[0].host})
		if len(services) > 1 {
			places[len(places)-1].Host = ""
		}
	}
	insteadOf := form[insteadField] // the value and the start of each date that was moved
	for _, value := range form[views.OnField] {
		if slices.ContainsFunc(insteadOf, func(pair string) bool {
			of, was, _ := strings.Cut(pair, " ")
			return of == value && moved[was]
		}) {
			continue
		}
		places = append(places, placeOf(value, services))
	}
	slices.SortFunc(places, func(a, b booking.SeriesPlace) int { return cmp.Compare(a.Begins(), b.Begins()) })
	if len(places) == 0 {
		return nil, "series_none"
	}
	return places, ""
}

// newSeries books the dates of the form, all or none.
func (c call) newSeries(form url.Values, services []service) error {
	in := seriesIn(form, services, form.Get("start"))
	if form.Get(views.OfField) != in.Rhythm() { // another rhythm was chosen than the dates are of
		return c.showNewBooking(form, nil)
	}
	var problem string
	if in.Dates, problem = c.chosenDates(form, services); problem != "" {
		return c.showNewBooking(form, &fault.Error{Code: fault.BadRequest, Field: repeatedField + "." + problem})
	}
	in.Override = nil // rules are set aside for the dates of which they were told
	for i := range in.Dates {
		in.Dates[i].Override = setAside(form, in.Dates[i].Begins().String())
	}
	of := services[0].of
	if len(services) > 1 {
		of = asking(services)
	}
	one := c.typed(form, of)
	c.choose(&one, form)
	unnamed(&one.Invitee, form)
	in.Invitee, in.Notes, in.Answers, in.Participants = one.Invitee, one.Notes, one.Answers, one.Participants
	err := c.wrong(&one, of)
	var b booking.Booking
	if err == nil {
		b, err = c.once(form, func(s *subjects.Set) (booking.Booking, error) {
			made, err := s.BookSeries(c.Context(), c.Actor, in)
			if err != nil {
				return booking.Booking{}, err
			}
			return made.Bookings[0], nil
		})
	}
	if e := web.Refused(err); e != nil {
		return c.showNewBooking(form, e)
	}
	if err != nil {
		return err
	}
	return c.booked(b.ID, form)
}

// waivable returns the rules that stand against dates which can't be booked, and those that the form has told before, where the
// member may set all of them aside.
func (c call) waivable(e *fault.Error, form url.Values) (all slot.Reasons) {
	if e == nil || e.Reason != "series_conflict" || c.Actor.May(app.MayWaive) != nil {
		return 0
	}
	dates, _ := e.Details["dates"].([]booking.SeriesDate)
	for i := range dates {
		d := &dates[i]
		if d.State != booking.SeriesSkipped || d.Reason == booking.SeriesExcept {
			continue
		}
		rules := rulesOf(d)
		if rules == 0 || rules.Has(slot.Offered) || !booking.MayWaive(rules, d.Start, when.At(c.Now()), c.Zone()) {
			return 0
		}
		all |= rules
	}
	if all != 0 {
		for _, rule := range form["override"] {
			all |= slot.ReasonsOf(slot.Reason(rule))
		}
	}
	return all
}
