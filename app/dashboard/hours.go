package dashboard

import (
	"net/url"
	"strings"

	"daybook/app/fault"
	"daybook/views/dash"
)

var weekOrder = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

var dayNames = map[string]string{
	"mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday", "sat": "Saturday", "sun": "Sunday",
}

// usual are the hours that a new host begins with.
var usual = map[string][]string{
	"mon": {"09:00-17:00"}, "tue": {"09:00-17:00"}, "wed": {"09:00-17:00"}, "thu": {"09:00-17:00"}, "fri": {"09:00-17:00"},
}

// hoursDays is a week as the form shows it; e names the days that are wrong.
func hoursDays(weekly map[string][]string, e *fault.Error) []dash.HoursDay {
	days := make([]dash.HoursDay, 0, 7)
	for _, key := range weekOrder {
		d := dash.HoursDay{Key: key, Label: dayNames[key]}
		for _, text := range weekly[key] {
			d.Ranges = append(d.Ranges, hoursRange(text))
		}
		for _, e := range parts(e) {
			if d.Error == "" && strings.Contains(e.Field, "weekly."+key) {
				d.Error = sentence(e)
			}
		}
		days = append(days, d)
	}
	return days
}

func hoursRange(text string) dash.HoursRange {
	from, to, _ := strings.Cut(text, "-")
	if to == "24:00" {
		to = "00:00"
	}
	return dash.HoursRange{From: from, To: to}
}

// readHours reads the week of a form. What is half filled in stays so, for the Service to refuse and the form to show.
func readHours(form url.Values) map[string][]string {
	weekly := map[string][]string{}
	for _, key := range weekOrder {
		if spans := readSpans(form[key+".from"], form[key+".to"]); len(spans) > 0 {
			weekly[key] = spans
		}
	}
	return weekly
}

func readSpans(from, to []string) (spans []string) {
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
