package calendar

import (
	"net/http"
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views"
	"daybook/views/dash"
)

// whoStep takes the step of the form that asks for whom the booking is and doesn't book yet: finding somebody, choosing
// one of those found, or picking the service that they mostly have. It reports whether the form was sent for one.
func whoStep(form url.Values) bool {
	pick, usual := form.Get("pick"), form.Get("usual")
	switch {
	case pick != "":
		form.Set("contact", pick)
		for _, name := range reachFields {
			form.Del(name)
		}
	case usual != "":
		form.Set("type", usual)
	case !form.Has("find"):
		return false
	}
	anew(form)
	return true
}

// choiceStep takes the step of the form in which a service, a host or an extra was chosen, and reports whether the form
// was sent for that.
func choiceStep(form url.Values) bool {
	if !form.Has("choose") {
		return false
	}
	anew(form)
	return true
}

// nobodyNamed drops the host whom nobody chose: who was free when now was picked.
func nobodyNamed(form url.Values) {
	if form.Get("host") == form.Get("anyone") {
		form.Del("host")
	}
	form.Del("anyone")
}

// anew has a time found anew that depends on what was chosen: now, or the next that is free.
func anew(form url.Values) {
	nobodyNamed(form)
	switch {
	case form.Has("walkin"):
		form.Set("start", dash.NextStart)
	case form.Has("soon"):
		form.Set("start", dash.SoonStart)
	}
}

// reachFields are the fields of a form that a contact fills.
var reachFields = []string{"name", "email", "phone"}

// personOf returns the contact that a form names, and fills the form with it while none of its fields is there. It is
// nil for no contact, for one that is not the person whose address or number was typed, and for one whom the member
// doesn't see.
func (c call) personOf(q url.Values) (*contact.Known, error) {
	ref := q.Get("contact")
	if ref == "" || !c.May(app.MaySeeCustomers) {
		return nil, nil
	}
	k, err := c.Subjects.People.Known(c.Context(), c.Actor, ref)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	posted := c.Method == http.MethodPost
	if posted && !q.Has("name") || !posted && q.Get("email") == "" && q.Get("phone") == "" {
		q.Set("name", k.Name)
		q.Set("email", k.Email)
		q.Set("phone", k.Phone)
	}
	if !c.isPerson(&k.Contact, q) {
		return nil, nil
	}
	return &k, nil
}

// isPerson reports whether a booking with what was typed is one of the contact.
func (c call) isPerson(x *booking.Contact, q url.Values) bool {
	if email := strings.TrimSpace(q.Get("email")); email != "" || q.Get("phone") == "" {
		return email != "" && fault.EmailKey(email) == fault.EmailKey(x.Email)
	}
	r, ok := booking.ReadIdentity(q.Get("phone"), c.Setup.Workspace.PhoneCountry())
	return ok && r.HasPhone(x.Phone)
}

// carried returns the fields of whom the booking is for, as the links and forms of the page carry them on; it adds them
// to keep. What a contact says itself is left out.
func carried(q url.Values, person *contact.Known, keep url.Values) (all []views.Pair) {
	var own [3]string
	if person != nil {
		keep.Set("contact", person.ID.String())
		all = append(all, views.Pair{Name: "contact", Value: person.ID.String()})
		own = [3]string{person.Name, person.Email, person.Phone}
		if q.Get("name") == own[0] && q.Get("email") == own[1] && q.Get("phone") == own[2] {
			return all
		}
	}
	for _, name := range reachFields {
		if value := q.Get(name); value != "" {
			keep.Set(name, value)
			all = append(all, views.Pair{Name: name, Value: value})
		}
	}
	return all
}

// who asks for whom the booking is; nil for members who may see no contacts: they type the name.
func (c call) who(q url.Values, et *catalog.EventType, person *contact.Known) (*dash.Who, error) {
	if !c.May(app.MaySeeContacts) {
		return nil, nil
	}
	v := &dash.Who{Asked: q.Has("find") && q.Get("name")+q.Get("email")+q.Get("phone") != ""}
	if person != nil {
		v.Card = c.personCard(person, et)
	}
	if !v.Asked {
		return v, nil
	}
	for _, name := range []string{"email", "phone", "name"} { // what few people share first
		found, err := c.Subjects.People.Lookup(c.Context(), c.Actor, q.Get(name))
		if err != nil && web.Refused(err) == nil {
			return nil, err
		}
		if len(found) > 0 {
			v.People = c.persons(found)
			break
		}
	}
	return v, nil
}

// people answers what was typed with those who may be meant.
func (c call) people() error {
	found, err := c.Subjects.People.Lookup(c.Context(), c.Actor, c.URL.Query().Get("q"))
	if err != nil {
		return err
	}
	return c.Show(http.StatusOK, dash.People(c.persons(found)))
}

// personChosen answers with the card of a contact, within a form whose service is known.
func (c call) personChosen() error {
	q := c.URL.Query()
	k, err := c.Subjects.People.Known(c.Context(), c.Actor, q.Get("contact"))
	if err != nil {
		return err
	}
	return c.Show(http.StatusOK, dash.PersonChosen(*c.personCard(&k, c.Setup.EventType(q.Get("type")))))
}

func (c call) persons(found []booking.Contact) []dash.Person {
	all := make([]dash.Person, len(found))
	for i := range found {
		all[i] = c.person(&found[i])
	}
	return all
}

func (c call) person(x *booking.Contact) dash.Person {
	p := dash.Person{ID: x.ID.String(), Name: x.Name, Email: x.Email, Phone: x.Phone, PhoneShown: c.Phone(x.Phone),
		NoShows: x.NoShows, NoShowsText: c.T("dash_no_shows_count", "Count", x.NoShows)}
	switch {
	case x.NextBookingAt != 0:
		p.Last = c.T("dash_contact_next", "Day", c.Day(c.At(x.NextBookingAt)))
	case x.LastVisitAt != 0:
		p.Last = c.T("dash_contact_last", "Day", c.Day(c.At(x.LastVisitAt)))
	}
	return p
}

// personCard returns what is known of a contact; et is the event type that is chosen, nil for none.
func (c call) personCard(k *contact.Known, et *catalog.EventType) *dash.PersonCard {
	card := &dash.PersonCard{Person: c.person(&k.Contact), URL: dash.ContactPath(k.ID.String()), Notes: k.Notes}
	for i := range k.Past {
		b := &k.Past[i]
		card.Past = append(card.Past, c.Day(c.At(b.Start))+" · "+c.TypeTitle(b)+" · "+b.Host.Name)
	}
	if usual := c.Setup.EventTypeByID(k.Usual); usual != nil {
		card.Usual = usual.Title
		if et == nil || usual.ID != et.ID {
			card.UsualValue = usual.Slug
		}
	}
	return card
}
