package calendar

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/slot"
	"daybook/app/subjects"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// service is one of the services that the form for a new booking asks for, as they are chosen.
type service struct {
	of     *catalog.EventType
	host   string // "" is anybody
	choice catalog.Choice
}

// nth returns the name of a field for the n-th service of the form, counted from 1.
func nth(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + strconv.Itoa(n)
}

// inOrder numbers the services of a form anew, so that none is missing between two. gone says that one was dropped which
// can't be booked beside others any more.
func (c call) inOrder(q url.Values) (gone bool) {
	names := []string{"type", "host", "addOns"}
	var all []map[string][]string
	for n := 1; n <= booking.MaxVisitItems; n++ {
		of := map[string][]string{}
		for _, name := range names {
			of[name] = q[nth(name, n)]
		}
		switch slug := q.Get(nth("type", n)); {
		case slug == "" && (n > 1 || q.Has("type2")): // taken out of the form
		case n > 1 && !slices.ContainsFunc(c.besides(), func(o dash.Option) bool { return o.Value == slug }):
			gone = true
		default:
			all = append(all, of)
			continue
		}
		for _, name := range names {
			q.Del(nth(name, n))
		}
	}
	for i, of := range all {
		for _, name := range names {
			if q.Del(nth(name, i+1)); of[name] != nil {
				q[nth(name, i+1)] = of[name]
			}
		}
	}
	for n := max(len(all), 1) + 1; n <= booking.MaxVisitItems; n++ {
		for _, name := range names {
			q.Del(nth(name, n))
		}
	}
	if len(all) > 1 {
		q.Del("seats") // a visit is of one person
	}
	return gone
}

// besides returns the services that can be booked with others.
func (c call) besides() []dash.Option {
	on, _ := c.bookable()
	return on
}

// beside returns the services of the form after the first; the fields of the form are in order.
func (c call) beside(q url.Values) (all []service) {
	for n := 2; n <= booking.MaxVisitItems; n++ {
		e := c.Setup.EventType(q.Get(nth("type", n)))
		if e == nil {
			break
		}
		s := service{of: e, host: q.Get(nth("host", n)), choice: chosenOf(q[nth("addOns", n)], "", e)}
		if !hasOption(c.typeHosts(e), s.host) {
			s.host = ""
		}
		all = append(all, s)
	}
	return all
}

// rows ask for each service of a visit who does it and what is chosen with it; each can be taken out of the form.
func (c call) rows(all []service) (rows [][]dash.Input) {
	for i, s := range all {
		options := append(slices.Clone(c.besides()), dash.Option{Label: c.T("basket_remove", "Title", s.of.Title)})
		row := []dash.Input{{Name: nth("type", i+1), Label: c.T("book_nth", "Number", i+1), Kind: "select", Value: s.of.Slug,
			Options: options}}
		if own, err := s.of.Chosen(s.choice); err == nil && len(s.of.Hosts) > 1 && !c.Actor.Own() {
			row = append(row, dash.Input{Name: nth("host", i+1), Label: c.T("dash_host"), Kind: "select", Value: s.host,
				Options: c.hostsWithTerms(own)})
		}
		rows = append(rows, append(row, c.partInputs(s, i+1)...))
	}
	return rows
}

// partInputs ask what is booked of a service of a visit, which is of one person.
func (c call) partInputs(s service, n int) []dash.Input {
	alone := *s.of
	alone.Seats = 1
	return c.choiceInputs(&alone, s.choice, n)
}

// another asks for one more service, where one can be added.
func (c call) another(n int) (all []dash.Input) {
	on := c.besides()
	if n >= booking.MaxVisitItems || len(on) == 0 {
		return nil
	}
	return []dash.Input{{Name: nth("type", n+1), Label: c.T("basket_add"), Kind: "select",
		Options: append([]dash.Option{{Label: "–"}}, on...)}}
}

// carryServices has the links and forms of a page carry the services after the first on.
func carryServices(all []service, keep url.Values) (hidden []views.Pair) {
	for i, s := range all {
		for _, f := range []views.Pair{{Name: "type", Value: s.of.Slug}, {Name: "host", Value: s.host},
			{Name: "addOns", Value: strings.Join(s.choice.AddOns, ",")}} {
			if f.Value != "" {
				keep.Set(nth(f.Name, i+2), f.Value)
				hidden = append(hidden, views.Pair{Name: nth(f.Name, i+2), Value: f.Value})
			}
		}
	}
	return hidden
}

// visitOf returns the search for the times of the services, one after the other as the form has them.
func visitOf(all []service) availability.VisitInput {
	in := availability.VisitInput{VisitChoice: visitChoice}
	for _, s := range all {
		in.Items = append(in.Items, booking.VisitItem{EventType: s.of.Slug, Host: s.host, AddOns: s.choice.AddOns})
	}
	return in
}

// visitChoice is how services are arranged that the business books: in the order of its form.
var visitChoice = booking.VisitChoice{Order: booking.OrderGiven, SamePerson: booking.PreferSamePerson}

// againstVisit tells which rules stand against a visit.
func (c call) againstVisit(in availability.VisitInput) against {
	return func(start when.Instant) (slot.Reasons, bool, error) {
		_, rules, err := c.Subjects.VisitAgainst(c.Context(), c.Actor, in, start)
		return rules, err == nil, err
	}
}

// wantVisit picks the time as want does, and says who does what of the visit then.
func (c call) wantVisit(v *dash.PickPage, in availability.VisitInput, start, anyway string, refused *fault.Error) error {
	at, err := when.Parse(start)
	if err != nil {
		return nil
	}
	found, err := c.Subjects.VisitAt(c.Context(), c.Actor, in, at)
	if r := web.Refused(err); r != nil {
		v.Problem = c.Sentence(r)
		return nil
	}
	if err != nil {
		return err
	}
	against := personal(refused)
	if found == nil {
		anyhow, rules, err := c.Subjects.VisitAgainst(c.Context(), c.Actor, in, at)
		if e := web.Refused(err); e != nil {
			v.Problem = c.T("book_visit_not", "When", c.pickedText(start))
			if rules := reasonsOf(e); rules != 0 {
				v.Problem += " " + c.Rules(rules, false)
			}
			return nil
		}
		if err != nil {
			return err
		}
		found, against = anyhow, against|rules
	}
	c.pick(v, start, against, anyway)
	var sum booking.Visit
	for _, item := range found.Items {
		e := c.Setup.EventType(item.EventType)
		if e == nil {
			continue
		}
		own, err := e.Chosen(catalog.Choice{AddOns: item.AddOns})
		if err != nil {
			continue
		}
		own = own.With(item.Host)
		line := dash.Fact{Name: titled(own), Value: c.Span(item.Start, item.End)}
		if in.ExcludeVisit == "" { // what moves keeps its prices
			line.Value += " · " + c.Price(own.Price)
			sum.Items = append(sum.Items, booking.Booking{Price: own.Price})
		}
		if h := c.Setup.Host(item.Host); h != nil {
			line.Value = h.Name + " · " + line.Value
		}
		v.Terms = append(v.Terms, line)
	}
	length := c.Locale.Duration(time.Duration(found.End-found.Start) * time.Millisecond)
	v.Terms = append(v.Terms, dash.Fact{Name: c.T("visit_sum"), Value: c.Span(found.Start, found.End) + " · " + length +
		withMoney(c, sum.Sum())})
	return nil
}

func withMoney(c call, m *money.Money) string {
	if m == nil {
		return ""
	}
	return " · " + c.Money(m)
}

// visitLength says what the services take and cost together while no time is picked.
func (c call) visitLength(all []service) []dash.Fact {
	minutes, sum, varies := 0, booking.Visit{}, false
	services := make([]*catalog.EventType, len(all))
	for i, s := range all {
		services[i] = s.of
	}
	for _, s := range all {
		varies = varies || s.of.FillsWait(services)
		own, err := s.of.Chosen(s.choice)
		if err != nil {
			return nil
		}
		if h := c.hostOf(s.host); h != nil {
			own = own.With(h.ID)
		} else {
			varies = varies || own.Varies()
		}
		minutes += own.DurationMinutes
		sum.Items = append(sum.Items, booking.Booking{Price: own.Price})
	}
	if varies { // it is known once a time is picked
		return nil
	}
	return []dash.Fact{{Name: c.T("visit_sum"), Value: c.Locale.Duration(time.Duration(minutes)*time.Minute) +
		withMoney(c, sum.Sum())}}
}

func (c call) hostOf(ref string) *catalog.Host {
	for i := range c.Setup.Hosts {
		if h := &c.Setup.Hosts[i]; h.ID.String() == ref {
			return h
		}
	}
	return nil
}

// asking returns an event type with the questions of all services, each once.
func asking(all []service) *catalog.EventType {
	e := catalog.NewEventType()
	for _, s := range all {
		for _, q := range s.of.Questions {
			at := slices.IndexFunc(e.Questions, func(other catalog.Question) bool { return other.Key == q.Key })
			if at < 0 {
				e.Questions = append(e.Questions, q)
			}
		}
	}
	return &e
}

// newVisit books the services of the form at once.
func (c call) newVisit(form url.Values, all []service) error {
	one := c.typed(form, asking(all))
	in := booking.VisitInput{Items: visitOf(all).Items, Start: one.Start, VisitChoice: visitChoice, Invitee: one.Invitee,
		Notes: one.Notes, Answers: one.Answers, Override: one.Override}
	unnamed(&one.Invitee, form)
	in.Invitee = one.Invitee
	err := c.wrong(&one, asking(all))
	var b booking.Booking
	if err == nil {
		b, err = c.once(form, func(s *subjects.Set) (booking.Booking, error) {
			v, err := s.BookVisit(c.Context(), c.Actor, in)
			if err != nil {
				return booking.Booking{}, err
			}
			return v.Items[0], nil
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

// typed returns what the form says of a booking of the event type.
func (c call) typed(form url.Values, e *catalog.EventType) booking.BookInput {
	in := booking.BookInput{
		EventType: form.Get("type"), Start: form.Get("start"), Host: form.Get("host"), Notes: form.Get("notes"),
		Override: form["override"],
		Answers:  map[string]any{},
		Invitee:  booking.Invitee{Name: form.Get("name"), Email: form.Get("email"), Phone: form.Get("phone")},
	}
	if e == nil {
		return in
	}
	for _, q := range e.Questions {
		if q.Type == "checkbox" {
			in.Answers[q.Key] = form.Has("q." + q.Key)
		} else if a := form.Get("q." + q.Key); a != "" {
			in.Answers[q.Key] = a
		}
	}
	return in
}

// unnamed names somebody of whom nothing was typed a walk-in, where the form was sent for one: another booking without a
// name may be a slip.
func unnamed(p *booking.Invitee, form url.Values) {
	if strings.TrimSpace(p.Name+p.Email+p.Phone) == "" && (form.Has("nobody") || form.Has("walkin")) {
		p.Name = booking.WalkIn
	}
}

// wrong returns what is wrong with a booking of the event type that the business makes, which may do with a name, and
// without answers.
func (c call) wrong(in *booking.BookInput, e *catalog.EventType) error {
	var problems []error
	lenient := *e
	lenient.AsksFor, lenient.Where, lenient.Questions = catalog.AskEither, nil, catalog.Optional(e.Questions)
	for _, p := range in.Problems(&lenient, c.Setup.Workspace.PhoneCountry()) {
		if p.Reason != "contact_missing" {
			problems = append(problems, p)
		}
	}
	return fault.Join(problems...)
}
