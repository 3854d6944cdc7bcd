package web

import (
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/views"
	"daybook/views/dash"
)

// KindName returns the name of a kind of resources: of one, or of several.
func (c *Call) KindName(k catalog.ResourceKind, several bool) string {
	names := views.ResourceKinds[string(k)]
	if several {
		return c.T(names[1])
	}
	return c.T(names[0])
}

// ResourceFacts says who does a booking beside its host, and which rooms and things it takes.
func (c *Call) ResourceFacts(b *booking.Booking) (facts []dash.Fact) {
	if others := b.Others(); len(others) > 0 {
		facts = append(facts, dash.Fact{Name: c.T("together_with"), Value: names(others)})
	}
	for _, ref := range b.Resources {
		if r := c.Setup.Resource(ref.ID); r != nil {
			facts = append(facts, dash.Fact{Name: c.KindName(r.Kind, false), Value: r.Name})
		}
	}
	return facts
}

// Taking is the title of a booking's service with all who do it, where they are several, and the rooms and things that it
// takes: "Colour · Ana, Ben · Basin 2".
func (c *Call) Taking(b *booking.Booking) string {
	text := []string{c.TypeTitle(b)}
	if len(b.Hosts) > 0 {
		text = append(text, names(b.Hosts))
	}
	alone := *b
	alone.Hosts = nil
	for _, f := range c.ResourceFacts(&alone) {
		text = append(text, f.Value)
	}
	return strings.Join(text, " · ")
}

func names(hosts []catalog.HostRef) string {
	all := make([]string, len(hosts))
	for i, h := range hosts {
		all[i] = h.Name
	}
	return strings.Join(all, ", ")
}
