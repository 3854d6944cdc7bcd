package shop

import (
	"strconv"

	"daybook/app/catalog"
	"daybook/views/dash"
)

// limitInputs are how often an event type may be booked. A name is the field's place in the input.
var limitInputs = []struct {
	name, label string
	of          func(*catalog.Limits) *int
}{
	{"limits.personUpcoming", "limit_field_upcoming", func(l *catalog.Limits) *int { return &l.PersonUpcoming }},
	{"limits.personPerDay", "limit_field_day", func(l *catalog.Limits) *int { return &l.PersonPerDay }},
	{"limits.personPerWeek", "limit_field_week", func(l *catalog.Limits) *int { return &l.PersonPerWeek }},
	{"limits.hostPerWeek", "limit_field_host_week", func(l *catalog.Limits) *int { return &l.HostPerWeek }},
	{"limits.perWeek", "limit_field_all_week", func(l *catalog.Limits) *int { return &l.PerWeek }},
}

// typeLimits returns how often it may be booked; what is empty has no limit.
func (c call) typeLimits(e *catalog.EventType) dash.Group {
	g := dash.Group{ID: "limits", Title: c.T("limit_title"), Hint: c.T("limit_hint")}
	for _, l := range limitInputs {
		in := dash.Input{Name: l.name, Label: c.T(l.label), Kind: "number", Placeholder: c.T("form_no_limit"), Half: true,
			Min: "0"}
		if n := *l.of(&e.Limits); n > 0 {
			in.Value = strconv.Itoa(n)
		}
		g.Inputs = append(g.Inputs, in)
	}
	return g
}
