package web

import (
	"math"
	"strconv"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/views/dash"
)

// unitMinutes are the units in which a form gives a span, in minutes; a form without a unit gives minutes.
var unitMinutes = map[string]float64{"": 1, dash.Minutes: 1, dash.Hours: 60, dash.Days: 24 * 60}

// spanOf returns a span as the form shows it: in the largest unit of which it is at least two, as a whole number.
func spanOf(minutes int) (number, unit string) {
	for _, u := range []string{dash.Days, dash.Hours} {
		if in := int(unitMinutes[u]); minutes >= 2*in && minutes%in == 0 {
			return strconv.Itoa(minutes / in), u
		}
	}
	return strconv.Itoa(minutes), dash.Minutes
}

// SpanInput returns a field for a span of time that is kept in minutes.
func SpanInput(name, label, hint string, minutes int) dash.Input {
	in := dash.Input{Name: name, Label: label, Kind: "span", Hint: hint, Half: true, Min: "0", Required: true}
	in.Value, in.Unit = spanOf(minutes)
	return in
}

// Minutes returns a span, as a SpanInput asks for it, in minutes; "" is 0. Parts of a unit are taken, as in 1.5 hours,
// if they are whole minutes.
func (r *Reader) Minutes(field string) int {
	text := strings.TrimSpace(r.Form.Get(field))
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	unit, known := unitMinutes[r.Form.Get(field+".unit")]
	if err != nil || !known || math.IsNaN(n) {
		r.wrong(field, "must be a number")
		return 0
	}
	minutes := math.Round(n * unit)
	switch {
	case math.Abs(minutes) > math.MaxInt32:
		r.wrong(field, "is too long")
		return 0
	case math.Abs(n*unit-minutes) > 1e-6:
		r.wrong(field, "must be whole minutes")
		return 0
	}
	return int(minutes)
}

// spanSentence returns what is wrong with a span whose bounds an error gives in minutes, in units that people use; ""
// if it is something else.
func (c *Call) spanSentence(e *fault.Error) string {
	said := e.Text()
	if said.Format != "must lie between %d and %d" {
		return ""
	}
	text := func(bound any) string {
		n, _ := bound.(int) // as all are that say so
		if day := 24 * 60; n >= 2*day && n%day == 0 {
			return c.T("form_days_count", "Count", n/day)
		}
		return c.Locale.Duration(time.Duration(n) * time.Minute)
	}
	return c.T("form_between", "From", text(said.Args[0]), "To", text(said.Args[1]))
}
