package page_test

import (
	"html"
	"strings"
	"testing"

	"daybook/app/page"
)

// A day on which the business is closed says so, in the calendar's names and when it is picked: with the name of a public
// holiday in the reader's language, and never with what the team has noted or with a host's own time off.
func TestClosedDays(t *testing.T) {
	w := newWorld(t, page.Options{})
	closing := strings.NewReplacer(
		"currency: EUR}\nhosts", "currency: EUR, holidays: {country: DE}, timeOff: [{start: 2026-12-28, end: 2026-12-28, reason: Team trip}]}\nhosts",
		`fri: ["09:00-17:00"]}}`, `fri: ["09:00-17:00"]}, timeOff: [{start: 2026-12-29, end: 2026-12-29, reason: Dentist}]}`,
	)
	w.Apply(closing.Replace(salon))
	for _, c := range []struct {
		query string
		has   []string // beside what the page says of the picked day
		said  string
	}{
		{"date=2026-12-25", []string{`aria-label="Friday, December 25, Closed: Christmas Day"`, `aria-label="Saturday, December 26, Closed: Boxing Day"`,
			`aria-label="Monday, December 28, Closed on this day"`, `aria-label="Tuesday, December 29, no free times"`,
			`aria-label="Sunday, December 27, no free times"`}, "Closed: Christmas Day."},
		{"date=2026-12-25&embed=inline", nil, "Closed: Christmas Day."},
		{"date=2026-12-25&lang=de", []string{`aria-label="Freitag, 25. Dezember, Geschlossen: Weihnachtstag"`}, "Geschlossen: Weihnachtstag."},
		{"date=2026-12-25&lang=fr", nil, "Fermé\u00a0: Noël."},
		{"date=2026-12-25&lang=es&timeZone=America/New_York", nil, "Cerrado: Navidad."},
		{"date=2026-12-28", nil, "Closed on this day."},
		{"date=2026-12-29", nil, "This day has no free times."},
		{"date=2026-12-27", nil, "This day has no free times."},
	} {
		a := w.get("/salon/cut?" + c.query)
		text := html.UnescapeString(a.text)
		if a.StatusCode != 200 || !strings.Contains(text, "<p>"+c.said+"</p>") {
			t.Errorf("%s: %d without %q but %q", c.query, a.StatusCode, c.said, a.all(`<p>([^<]*)</p>`))
		}
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s", c.query, want)
			}
		}
		if strings.Contains(text, "Team trip") || strings.Contains(text, "Dentist") {
			t.Errorf("%s tells why somebody is away", c.query)
		}
	}

	// One who works on holidays can be booked then.
	w.Apply(strings.Replace(closing.Replace(salon), `tue: ["09:00-17:00"]}}`, `fri: ["09:00-17:00"]}, worksOnHolidays: true}`, 1))
	if a := w.get("/salon/either?date=2026-12-25"); strings.Contains(a.text, "Christmas Day") || !strings.Contains(a.text, `data-start="2026-12-25`) {
		t.Error("the one who works on holidays can't be booked on one")
	}
}
