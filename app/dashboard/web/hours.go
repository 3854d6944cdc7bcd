package web

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/views"
	"daybook/views/dash"
)

// WeekOrder are the days as forms and weekly hours name them.
var WeekOrder = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// DayName returns the name of a day of WeekOrder, ShortDayName the one that has room above a column.
func (c *Call) DayName(key string) string { return views.Capital(c.Locale.WeekdayName(dayNamed(key))) }

func (c *Call) ShortDayName(key string) string {
	return views.Capital(c.Locale.Weekday(dayNamed(key)))
}

// dayNamed returns some day of that name.
func dayNamed(key string) time.Time {
	return time.Date(2024, 1, 1+slices.Index(WeekOrder, key), 0, 0, 0, 0, time.UTC)
}

// Usual are the hours of a new host.
var Usual = map[string][]string{
	"mon": {"09:00-17:00"}, "tue": {"09:00-17:00"}, "wed": {"09:00-17:00"}, "thu": {"09:00-17:00"}, "fri": {"09:00-17:00"},
}

// HoursDays returns a week as the form shows it, or with what was typed into it; e names the days that are wrong. A
// closed day has hours for when it is opened: those that were typed, else those of the first open day.
func (c *Call) HoursDays(weekly map[string][]string, typed url.Values, e *fault.Error) []dash.HoursDay {
	usual := Usual["mon"]
	for _, key := range slices.Backward(WeekOrder) {
		if len(weekly[key]) > 0 {
			usual = weekly[key]
		}
	}
	days := make([]dash.HoursDay, 0, 7)
	for _, key := range WeekOrder {
		spans := weekly[key]
		d := dash.HoursDay{Key: key, Label: c.DayName(key), Closed: len(spans) == 0}
		if d.Closed {
			if spans = ReadSpans(typed[key+".from"], typed[key+".to"]); len(spans) == 0 {
				spans = usual
			}
		}
		for _, text := range spans {
			d.Ranges = append(d.Ranges, HoursRange(text))
		}
		for _, e := range Parts(e) {
			if d.Error == "" && strings.Contains(e.Field, "weekly."+key) {
				d.Error = c.Sentence(e)
			}
		}
		days = append(days, d)
	}
	return days
}

// WeekGroup returns the days of a week as inputs, for the list of what is wrong with a form; HoursDays shows them.
func (c *Call) WeekGroup() dash.Group {
	var g dash.Group
	for _, key := range WeekOrder {
		g.Inputs = append(g.Inputs, dash.Input{Name: key, Label: c.DayName(key), Kind: "hours"})
	}
	return g
}

// CopyHours does in the form what its button Copy asks for, which gives the hours of a day to others, and reports
// whether it was that button: then the form is shown again, and nothing is saved. It is for browsers without scripts.
func CopyHours(form url.Values) bool {
	from := form.Get("copy")
	if !slices.Contains(WeekOrder, from) {
		return false
	}
	for _, to := range form["copy."+from] {
		for _, field := range []string{".from", ".to", ".open", ".switch"} {
			form[to+field] = form[from+field]
		}
	}
	return true
}

// HoursRange returns a range such as 09:00-17:00 as the form shows it; the end of the day is 00:00 there.
func HoursRange(text string) dash.HoursRange {
	from, to, _ := strings.Cut(text, "-")
	if to == "24:00" {
		to = "00:00"
	}
	return dash.HoursRange{From: from, To: to}
}

// ReadHours reads the week from a form. A day whose switch is off is closed, whatever its hours are; one that is on has
// hours. What is only half filled in stays that way, for the Service to refuse and the form to show.
func ReadHours(form url.Values) map[string][]string {
	weekly := map[string][]string{}
	for _, key := range WeekOrder {
		spans := ReadSpans(form[key+".from"], form[key+".to"])
		switch open := form.Has(key + ".open"); {
		case form.Has(key+".switch") && !open:
		case len(spans) > 0:
			weekly[key] = spans
		case open:
			weekly[key] = []string{"-"}
		}
	}
	return weekly
}

// ReadSpans makes ranges such as 09:00-17:00 from the fields of a form, without empty rows.
func ReadSpans(from, to []string) (spans []string) {
	for i := range from {
		if i >= len(to) || from[i] == "" && to[i] == "" {
			continue
		}
		end := to[i]
		if end == "00:00" {
			end = "24:00"
		}
		spans = append(spans, from[i]+"-"+end)
	}
	return spans
}
