package web

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/views/dash"
)

// repeats are the repetitions that forms of time off offer, by their value in the form.
var repeats = []struct {
	value, text string
	repeat      catalog.Repeat
}{
	{"week", "off_every_week", catalog.Repeat{Every: 1, Unit: catalog.Weekly}},
	{"2weeks", "off_every_2_weeks", catalog.Repeat{Every: 2, Unit: catalog.Weekly}},
	{"3weeks", "off_every_3_weeks", catalog.Repeat{Every: 3, Unit: catalog.Weekly}},
	{"4weeks", "off_every_4_weeks", catalog.Repeat{Every: 4, Unit: catalog.Weekly}},
	{"month", "off_every_month", catalog.Repeat{Every: 1, Unit: catalog.Monthly}},
}

// RepeatInputs returns the fields of a time off that comes again: how often, and again on which days and until when.
func (c *Call) RepeatInputs() (repeat dash.Input, again []dash.Input) {
	repeat = dash.Input{Name: "repeat", Label: c.T("off_repeat"), Kind: "select",
		Options: []dash.Option{{Label: c.T("off_once")}}}
	for _, r := range repeats {
		repeat.Options = append(repeat.Options, dash.Option{Value: r.value, Label: c.T(r.text)})
	}
	days := dash.Input{Name: "days", Label: c.T("off_days"), Kind: "checks", Hint: c.T("off_days_hint")}
	for _, key := range WeekOrder {
		days.Options = append(days.Options, dash.Option{Value: key, Label: c.DayName(key)})
	}
	until := dash.Input{Name: "until", Label: c.T("off_until"), Kind: "date", Hint: c.T("off_until_hint")}
	return repeat, []dash.Input{days, until}
}

// RepeatOf returns what those fields say, nil for a time off that does not come again.
func RepeatOf(form url.Values) *catalog.Repeat {
	for _, r := range repeats {
		if r.value != form.Get("repeat") {
			continue
		}
		said := catalog.Repeat{Every: r.repeat.Every, Unit: r.repeat.Unit, Until: form.Get("until")}
		if said.Unit == catalog.Weekly {
			said.Days = form["days"]
		}
		return &said
	}
	return nil
}

// RepeatText is "Every other week on Tue, Thu until 30 June 2027", "" for nil. Its last day is one of that zone.
func (c *Call) RepeatText(t *catalog.Repeat, zone *time.Location) string {
	if t == nil {
		return ""
	}
	text := c.T("off_every_n_weeks", "Count", t.Every)
	for _, r := range repeats {
		if r.repeat.Every == t.Every && r.repeat.Unit == t.Unit {
			text = c.T(r.text)
		}
	}
	var days []string
	for _, key := range WeekOrder {
		if slices.Contains(t.Days, key) {
			days = append(days, c.ShortDayName(key))
		}
	}
	if len(days) > 0 {
		text += " · " + strings.Join(days, ", ")
	}
	if until, err := when.ParseDay(t.Until, zone); err == nil {
		text += " · " + c.T("off_until_day", "Day", c.Locale.Date(until))
	}
	return text
}
