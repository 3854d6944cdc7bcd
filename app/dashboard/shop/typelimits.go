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

// typeLimits returns how many may book it, and how often; what is empty has no limit.
func (c call) typeLimits(e *catalog.EventType) dash.Group {
	most := dash.Input{Name: "maxPerDay", Label: c.T("dash_type_most"), Kind: "number",
		Suffix: c.T("dash_type_per_host"), Placeholder: c.T("form_no_limit"), Half: true, Min: "0"}
	if e.MaxPerDay > 0 {
		most.Value = strconv.Itoa(e.MaxPerDay)
	}
	g := dash.Group{ID: "often", Hint: c.T("limit_hint"), Inputs: []dash.Input{
		{Name: "seats", Label: c.T("dash_seats"), Kind: "number", Value: strconv.Itoa(e.Seats), Half: true, Min: "1",
			Required: true, Hint: c.T("dash_seats_hint")},
		most,
	}}
	for _, l := range limitInputs {
		in := dash.Input{Name: l.name, Label: c.T(l.label), Kind: "number", Placeholder: c.T("form_no_limit"), Half: true,
			Min: "0"}
		if n := *l.of(&e.Limits); n > 0 {
			in.Value = strconv.Itoa(n)
		}
		g.Inputs = append(g.Inputs, in)
	}
	series := dash.Input{Name: "seriesUpTo", Label: c.T("limit_field_series"), Kind: "number", Placeholder: c.T("limit_no_series"),
		Half: true, Min: "0", Max: strconv.Itoa(catalog.MaxSeries), Hint: c.T("limit_series_hint")}
	if e.SeriesUpTo > 0 {
		series.Value = strconv.Itoa(e.SeriesUpTo)
	}
	g.Inputs = append(g.Inputs, series, dash.Input{Name: "requiresApproval", Label: c.T("dash_approve_each"), Kind: "check",
		Checked: e.RequiresApproval})
	return g
}
