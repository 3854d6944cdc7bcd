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

// termsName returns the name of the input for what a host takes for an event type in place of its own length or price.
func termsName(e *catalog.EventType, field string) string {
	return "eventTypes[" + e.Slug + "]." + field
}

// termsPart returns the names of the inputs for a host's own minutes of each part of an event type.
func termsPart(e *catalog.EventType) func(int) string {
	return func(n int) string { return termsName(e, partName(n)) }
}

// termsGroup returns the host's own lengths and prices; what is empty is the event type's. It has no inputs where the
// host serves nothing.
func (c call) termsGroup(h *catalog.Host) dash.Group {
	g := dash.Group{ID: "terms", Title: c.T("terms_title"), Hint: c.T("terms_hint")}
	own := map[catalog.EventTypeID]catalog.Terms{}
	for _, t := range h.EventTypes {
		own[t.EventType] = t
	}
	for _, e := range c.served(h.ID) {
		t := own[e.ID]
		minutes := dash.Input{Name: termsName(e, "durationMinutes"), Label: c.T("terms_length", "Service", e.Title),
			Kind: "number", Min: "1", Half: true, Suffix: c.T("form_minutes"), Placeholder: strconv.Itoa(e.DurationMinutes)}
		if t.DurationMinutes != nil {
			minutes.Value = strconv.Itoa(*t.DurationMinutes)
		}
		price := dash.Input{Name: termsName(e, "price"), Label: c.T("terms_price", "Service", e.Title), Half: true,
			Value: web.AmountText(t.Price), Suffix: c.currencyOf(e), Placeholder: c.T("dash_free")}
		if e.Price != nil {
			price.Placeholder = web.AmountText(e.Price)
		}
		if len(e.Parts) == 0 {
			g.Inputs = append(g.Inputs, minutes, price)
			continue
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
			g.Inputs = append(g.Inputs, in)
		}
		g.Inputs = append(g.Inputs, price)
	}
	return g
}

// readTerms reads the inputs of termsGroup. The error has what can't be read.
func (c call) readTerms(form url.Values, host catalog.HostID) (all []catalog.Terms, err error) {
	for _, e := range c.served(host) {
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
