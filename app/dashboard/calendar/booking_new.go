package calendar

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// showPick answers with the choice of a time.
func (c call) showPick(status int, v dash.PickPage) error { return c.Show(status, dash.Pick(v)) }

func (c call) newBookingForm() error {
	q := c.URL.Query()
	if again := q.Get("again"); again != "" { // book for the same person again
		if b, err := c.Subjects.Booking(c.Context(), c.Actor, again); err == nil {
			if b.Invitee.Name != booking.WalkIn {
				q.Set("name", b.Invitee.Name)
			}
			if b.ContactID != 0 {
				q.Set("email", b.Invitee.Email)
				q.Set("phone", b.Invitee.Phone)
				q.Set("contact", b.ContactID.String())
			}
			if q.Has("seats") {
				q.Set("participants", strings.Join(b.Participants, "\n"))
			}
			q.Del("again")
		}
	}
	return c.showNewBooking(q, nil)
}

// bookable returns the event types that the actor may book for a customer: those that are on, and the others.
func (c call) bookable() (on, off []dash.Option) {
	for i := range c.Setup.EventTypes {
		e := &c.Setup.EventTypes[i]
		if c.Actor.Own() && !servedBy(e, c.Actor.Host) {
			continue
		}
		option := dash.Option{Value: e.Slug, Label: e.Title + " · " + c.Lengths(e)}
		if e.Active {
			on = append(on, option)
		} else if c.May(app.MayWaive) {
			off = append(off, option)
		}
	}
	return on, off
}

// firstKind returns what a form begins with that names no event type: what the person mostly has, else the first of all;
// with a host that they do, while there is one.
func (c call) firstKind(all []dash.Option, person *contact.Known, host string) string {
	first := ""
	for _, o := range all {
		e := c.Setup.EventType(o.Value)
		switch {
		case host != "" && !hasOption(c.typeHosts(e), host):
		case person != nil && e.ID == person.Usual:
			return o.Value
		case first == "":
			first = o.Value
		}
	}
	return cmp.Or(first, all[0].Value)
}

func servedBy(e *catalog.EventType, id catalog.HostID) bool {
	for _, h := range e.Hosts {
		if h.ID == id {
			return true
		}
	}
	return false
}

func (c call) showNewBooking(q url.Values, e *fault.Error) error {
	v := dash.PickPage{Frame: c.Frame(c.T("dash_booking_new"), "bookings"), BackURL: dash.BookingsPath,
		BackLabel: c.T("dash_bookings"), Action: dash.NewBookingPath, Submit: c.T("book_create"),
		Text: c.T("book_text")}
	dates, waivable, told := c.datesProblem(e, "series_conflict"), c.waivable(e, q), asides(e)
	if dates == "" && e != nil && repeats(q) {
		if problem, is := strings.CutPrefix(e.Field, repeatedField+"."); is {
			dates = c.T(problem)
		} else if e.Reason == "already_booked" {
			dates = c.Sentence(e)
		}
	}
	if dates != "" { // they stand below the time, which stays
		v.Status, e = web.RefusedStatus(e), nil
	}
	back := web.BackTo(q.Get("back"), "")
	if back != "" {
		v.BackURL, v.BackLabel = back, c.T("shell_back")
	}
	on, off := c.bookable()
	if len(on)+len(off) == 0 {
		v.Problem = c.T("book_no_types")
		return c.showPick(200, v)
	}
	gone := c.inOrder(q)
	person, err := c.personOf(q)
	if err != nil {
		return err
	}
	kind := q.Get("type")
	et := c.Setup.EventType(kind)
	if et == nil {
		kind = c.firstKind(slices.Concat(on, off), person, q.Get("host"))
		et = c.Setup.EventType(kind)
	}
	host, date := q.Get("host"), q.Get("date")
	if !hasOption(c.typeHosts(et), host) {
		host = ""
	}
	start, wrong := c.typedTime(q)
	soon := start == dash.SoonStart || start == "" && date == "" && wrong == ""
	v.WalkIn = start == dash.NextStart && date == c.Now().Format(time.DateOnly)
	anyone := q.Get("anyone")
	if v.WalkIn && host == "" {
		if host, err = c.whoIsFree(q, et); err != nil {
			return err
		}
		anyone = host
	}
	keep := url.Values{"type": {kind}, "host": {host}, "back": {back}}
	v.Carried = append(carried(q, person, keep), views.Pair{Name: "back", Value: back})
	choice := chosenIn(q, et)
	chosen := carryChoice(choice, keep)
	own, err := et.Chosen(choice)
	if err != nil {
		return err
	}
	services := append([]service{{et, host, choice}}, c.beside(q)...)
	visit := len(services) > 1
	chosen = append(chosen, carryServices(services[1:], keep)...)
	v.ChooseURL = web.WithQuery(dash.NewBookingPath, keep, "date", date)
	var extras []dash.Input
	if visit {
		v.Services = c.rows(services)
	} else {
		v.Choose = []dash.Input{{Name: "type", Label: c.T("dash_type"), Kind: "select", Value: kind, Options: on, Rest: off,
			RestLabel: c.T("contact_types_off")}}
		if len(et.Hosts) > 1 && !c.Actor.Own() {
			v.Choose = append(v.Choose,
				dash.Input{Name: "host", Label: c.T("dash_host"), Kind: "select", Value: host,
					Options: c.hostsWithTerms(own)})
		}
		extras = c.choiceInputs(et, choice, 1)
		v.Choose = append(v.Choose, extras...)
	}
	if et.Active && choice.Seats < 2 {
		v.Choose = append(v.Choose, c.another(len(services))...)
	}
	v.Choose = append(v.Choose, dash.Input{Name: "date", Label: c.T("dash_from_day"), Kind: "date", Value: date})
	in := availability.Input{EventType: kind, Host: host, SwitchedOff: !et.Active, Choice: choice}
	if c.Actor.Own() {
		if in.Host, err = c.Actor.NamedHost(c.Setup, host); err != nil {
			return err
		}
	}
	find := c.timesOf(in)
	if visit {
		find = c.timesOfVisit(visitOf(services))
	}
	next := ""
	switch {
	case v.WalkIn && visit:
		start, next, err = c.walkIn(find, c.againstVisit(visitOf(services)))
	case v.WalkIn:
		start, next, err = c.walkIn(find, c.against(in))
	case soon:
		start, err = c.soonest(find)
	}
	if err != nil && web.Refused(err) == nil {
		return err
	}
	v.Hidden = []views.Pair{{Name: "type", Value: kind}, {Name: "host", Value: host},
		{Name: "start", Value: start}, {Name: "date", Value: date}, {Name: "back", Value: back},
		{Name: onceField, Value: cmp.Or(q.Get(onceField), rand.Text())}}
	switch {
	case v.WalkIn:
		v.Hidden = append(v.Hidden, views.Pair{Name: "walkin", Value: "1"})
	case soon, q.Has("soon") && e != nil && e.Code != fault.Conflict:
		v.Hidden, v.Soon = append(v.Hidden, views.Pair{Name: "soon", Value: "1"}), true
	}
	if anyone != "" && anyone == host {
		v.Hidden = append(v.Hidden, views.Pair{Name: "anyone", Value: host})
	}
	asked := et
	if visit {
		asked = asking(services)
	}
	v.Groups = c.bookGroups(asked, choice)
	v.Nobody = c.T("book_walk_in")
	if v.WalkIn {
		v.Submit = c.T("book_now")
		v.Groups[0].Inputs[0].Focus = false // the button is what is tapped
	}
	v.Problem = c.Fill(v.Groups, q, e) + wrong + dates
	if gone && v.Problem == "" {
		v.Problem = c.T("basket_gone")
	}
	v.What = titled(own)
	if h, err := id.Parse[catalog.HostIDKind](cmp.Or(host, in.Host)); err == nil && c.Setup.Host(h) != nil {
		v.What += " · " + c.Setup.Host(h).Name
	}
	if visit {
		v.What = ""
	}
	if e == nil || e.Code != fault.Conflict || e.Details["reasons"] != nil {
		if e != nil && e.Details["reasons"] != nil { // want tells them
			v.Problem = c.T("waive_again")
		}
		if visit {
			err = c.wantVisit(&v, visitOf(services), start, "waive_book", e)
		} else {
			err = c.want(&v, in, start, "waive_book", e)
		}
	}
	if err != nil {
		return err
	}
	if visit && v.Picked == "" {
		v.Terms = c.visitLength(services)
	}
	if v.Picked == "" {
		start = ""
	}
	if !visit {
		if v.Terms, err = c.terms(own, in, start); err != nil {
			return err
		}
	}
	if v.Who, err = c.who(q, et, person); err != nil {
		return err
	}
	v.Unsaved = c.Method == http.MethodPost
	if v.Who != nil && v.Who.Card != nil && v.Picked == "" && v.Who.Card.UsualValue != "" {
		v.Who.Card.UsualURL = web.WithQuery(dash.NewBookingPath, keep, "type", v.Who.Card.UsualValue, "date", date)
	}
	if v.Picked != "" {
		if err := c.repeat(q, services, start, &v); err != nil {
			return err
		}
		if waivable != 0 {
			v.Submit = c.T("waive_book")
			if v.Repeat != nil { // of the dates, not of the time above
				v.Repeat.Waives = c.Rules(waivable, true)
			}
			v.Hidden = append(append(v.Hidden, web.Overrides(waivable)...), told...)
		}
		v.Chosen = c.chosenSets(&v, len(extras))
		v.Hidden = unasked(append(v.Hidden, chosen...), v.Chosen)
		today := c.Now().Format(time.DateOnly)
		v.Now = url.Values{"date": {today}, "start": {dash.NextStart}}.Encode()
		v.Other = url.Values{"date": {cmp.Or(date, today)}}.Encode()
		if v.Waives != "" && !v.WalkIn {
			if next, err = c.nextFree(find, start); err != nil {
				return err
			}
		}
		if next != "" {
			v.NextURL = web.WithQuery(dash.NewBookingPath, keep, "date", date, "start", next)
			v.NextLabel = c.T("waive_next", "Time", c.pickedClock(next))
			if v.WalkIn {
				v.Picked = c.T("waive_now", "When", v.Picked)
			}
		}
		return c.showPick(cmp.Or(v.Status, web.RefusedStatus(e)), v)
	}
	c.anyTime(&v, q, keep)
	v.Week, err = c.slotWeek(find, web.DayOr(date, c.Zone(), c.Now()), func(date, start string) string {
		return web.WithQuery(dash.NewBookingPath, keep, "date", date, "start", start)
	})
	if r := web.Refused(err); r != nil && visit { // these services don't go together
		v.Problem, err = c.Sentence(r), nil
	}
	if err != nil {
		return err
	}
	c.keep(v.Week, q, dash.NewBookingPath)
	if v.Week != nil && v.Week.Action != "" {
		v.Again = append(slices.Clone(v.Week.Kept), views.Pair{Name: "choose", Value: "1"})
	}
	return c.showPick(web.RefusedStatus(e), v)
}

// unasked returns the hidden fields without those for which the form has inputs.
func unasked(hidden []views.Pair, sets []dash.ChoiceSet) []views.Pair {
	return slices.DeleteFunc(hidden, func(p views.Pair) bool {
		return slices.ContainsFunc(sets, func(s dash.ChoiceSet) bool {
			return slices.ContainsFunc(s.Inputs, func(in dash.Input) bool { return in.Name == p.Name })
		})
	})
}

// chosenSets asks once more what is booked, beside the picked time: what decides the times, of which so many inputs are
// extras of the only service.
func (c call) chosenSets(v *dash.PickPage, extras int) (sets []dash.ChoiceSet) {
	for _, row := range v.Services {
		sets = append(sets, dash.ChoiceSet{Title: row[0].Label, Inputs: row})
	}
	add := func(title string, inputs []dash.Input) {
		if len(inputs) > 0 {
			sets = append(sets, dash.ChoiceSet{Title: title, Inputs: inputs})
		}
	}
	asked := slices.DeleteFunc(slices.Clone(v.Choose), func(in dash.Input) bool { return in.Name == "date" })
	of := 0 // the inputs for the service and its host come first
	for of < len(asked) && (asked[of].Name == "type" || asked[of].Name == "host") {
		of++
	}
	if len(v.Services) == 0 {
		asked[0].Tiles = c.tiles(asked[0])
	}
	add("", asked[:of])
	add(c.T("choice_extras"), asked[of:of+extras])
	add("", asked[of+extras:])
	return sets
}

// tiles shows the services of an input with their pictures, lengths and prices.
func (c call) tiles(in dash.Input) (all []dash.Tile) {
	for _, o := range slices.Concat(in.Options, in.Rest) {
		e := c.Setup.EventType(o.Value)
		if e == nil {
			continue
		}
		t := dash.Tile{Value: e.Slug, Title: e.Title, Text: c.Lengths(e) + " · " + c.Price(e.Price)}
		if !e.Active {
			t.Text = in.RestLabel
		}
		if p := c.Setup.Picture(e.Picture); p != nil {
			t.Image = web.Image(p, "")
		}
		all = append(all, t)
	}
	return all
}

// soonest returns the first time from now on that can be booked, or "" when none is known.
func (c call) soonest(find finder) (string, error) {
	now := c.Now()
	found, err := find(now.Format(time.RFC3339), when.AddDays(web.Midnight(now), 7).Format(time.RFC3339), "")
	switch {
	case err != nil:
		return "", err
	case len(found.starts) > 0:
		return found.starts[0].String(), nil
	case found.next != 0:
		return found.next.String(), nil
	}
	return "", nil
}

// nextToday returns the first time today that can still be booked, or "" when there is none.
func (c call) nextToday(find finder) (string, error) {
	return firstOfDay(find, web.Midnight(c.Now()))
}

// nextFree returns the first time after start that can be booked on its day, or "" when there is none.
func (c call) nextFree(find finder, start string) (string, error) {
	at, err := when.Parse(start)
	if err != nil {
		return "", nil
	}
	next, err := firstOfDay(find, c.At(at))
	if web.Refused(err) != nil { // the page says it
		return "", nil
	}
	return next, err
}

// firstOfDay returns the first time that can be booked from a moment to the end of its day, or "".
func firstOfDay(find finder, from time.Time) (string, error) {
	found, err := find(from.Format(time.RFC3339), when.AddDays(web.Midnight(from), 1).Format(time.RFC3339), "")
	if err != nil || len(found.starts) == 0 {
		return "", err
	}
	return found.starts[0].String(), nil
}

func hasOption(options []dash.Option, value string) bool {
	for _, o := range options {
		if o.Value == value {
			return true
		}
	}
	return false
}

// bookGroups returns the questions of the booking form, as the business sees them.
func (c call) bookGroups(e *catalog.EventType, choice catalog.Choice) []dash.Group {
	groups := []dash.Group{{Title: c.T("dash_contact"), Inputs: []dash.Input{
		{Name: "name", Label: c.T("dash_name"), Required: true, Focus: true, Data: "who"},
		{Name: "email", Label: c.T("dash_email"), Kind: "email", Half: true, Hint: c.T("book_name_is_enough"),
			Data: "who"},
		{Name: "phone", Label: c.T("dash_phone"), Kind: "tel", Half: true, Data: "who"},
	}}}
	if choice.Seats > 1 {
		groups[0].Inputs = append(groups[0].Inputs, dash.Input{Name: "participants", Label: c.T("choice_names"),
			Kind: "area", Hint: c.T("choice_names_hint")})
	}
	notes := dash.Group{Inputs: []dash.Input{{Name: "notes", Label: c.T("dash_notes"), Kind: "area"}}}
	if len(e.Questions) == 0 {
		return append(groups, notes)
	}
	asked := dash.Group{Title: c.T("dash_questions")}
	for _, q := range e.Questions {
		in := dash.Input{Name: "q." + q.Key, Label: q.Label}
		switch q.Type {
		case "long_text":
			in.Kind = "area"
		case "checkbox":
			in.Kind = "check"
		case "phone":
			in.Kind = "tel"
		case "choice":
			in.Kind = "select"
			in.Options = []dash.Option{{Label: "–"}}
			for _, o := range q.Options {
				in.Options = append(in.Options, dash.Option{Value: o, Label: o})
			}
		}
		asked.Inputs = append(asked.Inputs, in)
	}
	return append(groups, asked, notes)
}

func (c call) newBooking() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	gone := c.inOrder(form)
	if whoStep(form) || timeStep(form) || choiceStep(form) || repeatStep(form) {
		return c.showNewBooking(form, nil)
	}
	if gone { // what is left isn't what was asked for
		return c.showNewBooking(form, fault.New(fault.Conflict, "slot_taken", "%s", c.T("basket_gone")))
	}
	e := c.Setup.EventType(form.Get("type"))
	if e != nil {
		services := append([]service{{e, form.Get("host"), chosenIn(form, e)}}, c.beside(form)...)
		switch {
		case repeats(form):
			return c.newSeries(form, services)
		case len(services) > 1:
			return c.newVisit(form, services)
		}
	}
	in := c.typed(form, e)
	c.choose(&in, form)
	unnamed(&in.Invitee, form)
	if e != nil {
		err = c.wrong(&in, e)
	}
	var b booking.Booking
	if err == nil {
		b, err = c.once(form, func(s *subjects.Set) (booking.Booking, error) { return s.Book(c.Context(), c.Actor, in) })
	}
	if e := web.Refused(err); e != nil {
		if form.Has("walkin") && e.Code != fault.Conflict { // the time is now, however long the form was open
			form.Set("start", dash.NextStart)
		}
		return c.showNewBooking(form, e)
	}
	if err != nil {
		return err
	}
	return c.booked(b.ID, form)
}

// onceField is the field of a form of a booking with its key, by which it is known when it is sent again.
const onceField = "once"

// once books what the form says, unless this same form has booked already: it then returns that booking.
func (c call) once(form url.Values, book func(*subjects.Set) (booking.Booking, error)) (booking.Booking, error) {
	f := gate.Form{Purpose: c.Actor.User.String() + " " + form.Encode()}
	if key := form.Get(onceField); key != "" {
		f.Key = c.Actor.Workspace.String() + " " + key
	}
	return c.Subjects.Gate.Book(c.Context(), f, func(tx app.Tx) (booking.Booking, error) { return book(c.Subjects.In(tx)) })
}

// booked goes back to the page that the form of a new booking was opened from, or else to the booking.
func (c call) booked(id booking.BookingID, form url.Values) error {
	back, err := url.Parse(web.BackTo(form.Get("back"), ""))
	if err != nil || back.Path == "" {
		return c.Redirect(dash.BookingPath(id.String()), "booked")
	}
	return c.Redirect(web.WithQuery(back.Path, back.Query(), "booked", id.String()), "booked")
}

// newBookingURL returns the form for a new booking with a host, or with any for ""; it is "" while nothing can be
// booked.
func (c call) newBookingURL(host string) string {
	if len(c.Setup.EventTypes) == 0 || len(c.Setup.Hosts) == 0 {
		return ""
	}
	return web.WithQuery(dash.NewBookingPath, url.Values{"host": {host}})
}
