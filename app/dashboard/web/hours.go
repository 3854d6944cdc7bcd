package web

import (
	"net/url"
	"strings"

	"daybook/app/fault"
	"daybook/views/dash"
)

// WeekOrder are the days as forms and weekly hours name them.
var WeekOrder = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// DayNames are the names of the days of WeekOrder.
var DayNames = map[string]string{
	"mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday", "sat": "Saturday",
	"sun": "Sunday",
}

// Usual are the hours of a new host.
var Usual = map[string][]string{
	"mon": {"09:00-17:00"}, "tue": {"09:00-17:00"}, "wed": {"09:00-17:00"}, "thu": {"09:00-17:00"}, "fri": {"09:00-17:00"},
}

// HoursDays is a week as the form shows it; e names the days that are wrong.
func HoursDays(weekly map[string][]string, e *fault.Error) []dash.HoursDay {
	days := make([]dash.HoursDay, 0, 7)
	for _, key := range WeekOrder {
		d := dash.HoursDay{Key: key, Label: DayNames[key]}
		for _, text := range weekly[key] {
			d.Ranges = append(d.Ranges, HoursRange(text))
		}
		for _, e := range Parts(e) {
			if d.Error == "" && strings.Contains(e.Field, "weekly."+key) {
				d.Error = Sentence(e)
			}
		}
		days = append(days, d)
	}
	return days
}

// HoursRange is a range such as 09:00-17:00 as the form shows it; the end of the day is 00:00 there.
func HoursRange(text string) dash.HoursRange {
	from, to, _ := strings.Cut(text, "-")
	if to == "24:00" {
		to = "00:00"
	}
	return dash.HoursRange{From: from, To: to}
}

// ReadHours reads the week from a form. What is only half filled in stays that way, for the Service to refuse and the
// form to show.
func ReadHours(form url.Values) map[string][]string {
	weekly := map[string][]string{}
	for _, key := range WeekOrder {
		if spans := ReadSpans(form[key+".from"], form[key+".to"]); len(spans) > 0 {
			weekly[key] = spans
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
