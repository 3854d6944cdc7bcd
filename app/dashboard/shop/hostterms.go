package shop

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// termsAt is the place of one of a host's terms in an input.
var termsAt = regexp.MustCompile(`eventTypes\[(\d+)\]`)

// served returns the event types that the host serves.
func (c call) served(host catalog.HostID) (all []*catalog.EventType) {
	for i := range c.Setup.EventTypes {
		if e := &c.Setup.EventTypes[i]; e.ServedBy(host) {
			all = append(all, e)
		}
	}
	return all
}

// tickName returns the name of the input that says whether somebody does an event type.
func tickName(e *catalog.EventType) string { return "services[" + e.ID.String() + "]" }

// wasName returns the name of the input that has what was shown of an event type, see ticked.
func wasName(e *catalog.EventType) string { return "was[" + e.ID.String() + "]" }

// termsName returns the name of the input for what a host takes for an event type in place of its own length or price.
func termsName(e *catalog.EventType, field string) string {
	return "eventTypes[" + e.Slug + "]." + field
}

// termsPart returns the names of the inputs for a host's own minutes of each part of an event type.
func termsPart(e *catalog.EventType) func(int) string {
	return func(n int) string { return termsName(e, partName(n)) }
}

// serviceParts returns the menu with what is ticked, and the inputs for what the host takes in place of lengths and
// prices; what is empty is the event type's.
func (c call) serviceParts(does map[catalog.EventTypeID]bool, h *catalog.Host) (parts []dash.ServicePart) {
	own := map[catalog.EventTypeID]catalog.Terms{}
	if h != nil {
		for _, t := range h.EventTypes {
			own[t.EventType] = t
		}
	}
	for _, category := range c.Setup.Menu() {
		part := dash.ServicePart{Title: category[0].Category}
		if part.Title == "" {
			part.Title = c.T("team_does")
			if len(parts) > 0 {
				part.Title = c.T("team_does_others")
			}
		}
		for _, e := range category {
			g := c.serviceGroup(e, does[e.ID], own[e.ID])
			part.Ticks = append(part.Ticks, dash.ServiceTick{Group: g, Title: e.Title,
				Usual: c.Length(e.DurationMinutes) + " · " + c.Price(e.Price), WasName: wasName(e), Was: shownOf(g)})
		}
		parts = append(parts, part)
	}
	return parts
}

// serviceGroup returns the tick of an event type, and the inputs for what is the host's own.
func (c call) serviceGroup(e *catalog.EventType, does bool, own catalog.Terms) dash.Group {
	return dash.Group{ID: e.ID.String(), Inputs: append([]dash.Input{
		{Name: tickName(e), Label: e.Title, Kind: "check", Checked: does}}, c.termsInputs(e, own)...)}
}

// shownOf returns what the inputs of a service have, in one line that is never empty.
func shownOf(g dash.Group) string {
	all := []string{strconv.FormatBool(g.Inputs[0].Checked)}
	for _, in := range g.Inputs[1:] {
		all = append(all, in.Value)
	}
	return strings.Join(all, "/")
}

// ticks are the groups of the services that were changed in what was typed, for what is wrong with them. The others are
// shown as they are.
func (c call) ticks(parts []dash.ServicePart, typed url.Values) (all []dash.Group) {
	changed := c.ticked(typed)
	for _, p := range parts {
		for _, t := range p.Ticks {
			if _, is := changed[c.Setup.EventType(t.ID).ID]; is {
				all = append(all, t.Group)
			}
		}
	}
	return all
}

// termsInputs ask for a length and a price of the host's own.
func (c call) termsInputs(e *catalog.EventType, t catalog.Terms) (all []dash.Input) {
	minutes := dash.Input{Name: termsName(e, "durationMinutes"), Label: c.T("terms_length", "Service", e.Title),
		Kind: "number", Min: "1", Half: true, Suffix: c.T("form_minutes"), Placeholder: strconv.Itoa(e.DurationMinutes)}
	if t.DurationMinutes != nil {
		minutes.Value = strconv.Itoa(*t.DurationMinutes)
	}
	price := dash.Input{Name: termsName(e, "price"), Label: c.T("terms_price", "Service", e.Title), Half: true,
		Value: web.AmountText(t.Price), Suffix: c.currencyOf(e), Placeholder: c.T("dash_free"), Decimal: true}
	if e.Price != nil {
		price.Placeholder = web.AmountText(e.Price)
	}
	if len(e.Parts) == 0 {
		return []dash.Input{minutes, price}
	}
	for n, p := range e.Parts {
		label, own := "parts_own_work", 0
		if p.Wait > 0 {
			label = "parts_own_wait"
		}
		if n < len(t.Parts) {
			own = t.Parts[n].Minutes()
		}
		in := partInput(termsPart(e)(n), c.T(label, "Service", e.Title, "Number", n+1), own)
		in.Suffix, in.Placeholder = c.T("form_minutes"), strconv.Itoa(p.Minutes())
		all = append(all, in)
	}
	return append(all, price)
}

// ticked returns which of the services that the form lists are ticked. What was added to the menu meanwhile isn't among
// them, nor is what the form has as it was shown: others may have changed it since.
func (c call) ticked(form url.Values) map[catalog.EventTypeID]bool {
	does := map[catalog.EventTypeID]bool{}
	for _, ref := range form["listed"] {
		e := c.Setup.EventType(ref)
		if e == nil {
			continue
		}
		g := c.serviceGroup(e, false, catalog.Terms{})
		c.Fill([]dash.Group{g}, form, nil)
		if shownOf(g) != form.Get(wasName(e)) {
			does[e.ID] = form.Has(tickName(e))
		}
	}
	return does
}

// readTerms reads the host's own lengths and prices of what is ticked. The error has what can't be read.
func (c call) readTerms(form url.Values, does map[catalog.EventTypeID]bool) (all []catalog.Terms, err error) {
	for i := range c.Setup.EventTypes {
		e := &c.Setup.EventTypes[i]
		if !does[e.ID] {
			continue
		}
		r := web.Reader{Form: form, Currency: c.currencyOf(e)}
		t := catalog.Terms{EventType: e.ID, Slug: e.Slug, Price: r.Money(termsName(e, "price"))}
		if name := termsName(e, "durationMinutes"); strings.TrimSpace(form.Get(name)) != "" {
			minutes := r.Whole(name)
			t.DurationMinutes = &minutes
		}
		if len(e.Parts) > 0 {
			if t.Parts = readParts(&r, termsPart(e), e.Parts); t.Parts != nil {
				t.DurationMinutes = nil // it is their sum
			}
		}
		all, err = append(all, t), fault.Join(err, r.Err)
	}
	return all, err
}

func (c call) hostServices() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	return c.showServices(&h, nil, nil)
}

func (c call) showServices(h *catalog.Host, typed url.Values, e *fault.Error) error {
	at := dash.HostServicesPath(h.ID.String())
	does := map[catalog.EventTypeID]bool{}
	for _, e := range c.served(h.ID) {
		does[e.ID] = true
	}
	v := dash.PersonServicesPage{HostFrame: c.hostFrame(h, at), Action: at, Parts: c.serviceParts(does, h)}
	v.Groups = c.ticks(v.Parts, typed)
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.PersonServices(v))
}

func (c call) saveHostServices() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	does := c.ticked(form)
	terms, err := c.readTerms(form, does)
	if err == nil {
		_, err = c.Subjects.Shop.SetServices(c.Context(), c.Actor, h.ID.String(), does, terms)
	}
	if e := web.Refused(err); e != nil {
		return c.showServices(&h, form, termsNamed(e, terms))
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.HostServicesPath(h.ID.String()), "saved")
}

// termsNamed gives errors of a host's terms, which count them, the names of their inputs.
func termsNamed(wrong *fault.Error, terms []catalog.Terms) *fault.Error {
	parts := web.Parts(wrong)
	if len(parts) == 0 {
		return nil
	}
	told := make([]error, len(parts))
	for i, e := range parts {
		told[i] = e
		at := termsAt.FindStringSubmatch(e.Field)
		if at == nil {
			continue
		}
		if n, err := strconv.Atoi(at[1]); err == nil && n < len(terms) {
			named := *e
			named.Others = nil
			named.Field = strings.Replace(e.Field, at[0], fmt.Sprintf("eventTypes[%s]", terms[n].Slug), 1)
			told[i] = &named
		}
	}
	return fault.As(fault.Join(told...))
}

// differing says what each host takes for the event type, where that depends on the host; "" where it does not.
func (c call) differing(e *catalog.EventType) string {
	if !e.Varies() {
		return ""
	}
	var all []string
	for _, h := range e.Hosts {
		own, name := e.With(h.ID), h.Name
		if host := c.Setup.Host(h.ID); host != nil {
			name = host.Name
		}
		all = append(all, c.Locale.Labelled(name, c.T("terms_takes", "Length", c.Length(own.DurationMinutes), "Price",
			c.Price(own.Price))))
	}
	return strings.Join(all, "; ")
}
