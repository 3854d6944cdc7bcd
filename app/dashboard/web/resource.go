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

// ResourceFacts says which rooms and things a booking takes.
func (c *Call) ResourceFacts(b *booking.Booking) (facts []dash.Fact) {
	for _, ref := range b.Resources {
		if r := c.Setup.Resource(ref.ID); r != nil {
			facts = append(facts, dash.Fact{Name: c.KindName(r.Kind, false), Value: r.Name})
		}
	}
	return facts
}

// Taking is the title of a booking's service with the rooms and things that it takes: "Colour · Basin 2".
func (c *Call) Taking(b *booking.Booking) string {
	text := []string{c.TypeTitle(b)}
	for _, f := range c.ResourceFacts(b) {
		text = append(text, f.Value)
	}
	return strings.Join(text, " · ")
}
