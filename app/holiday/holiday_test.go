package holiday_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app/holiday"
)

// The dates of 2027 and 2028 as governments publish them.
func TestOfficialDates(t *testing.T) {
	for _, c := range []struct {
		country, region string
		year            int
		want            string
	}{
		{"DE", "BE", 2027, "01-01 03-08 03-26 03-29 05-01 05-06 05-17 10-03 12-25 12-26"},
		{"DE", "SN", 2027, "01-01 03-26 03-29 05-01 05-06 05-17 10-03 10-31 11-17 12-25 12-26"},
		{"DE", "NW", 2028, "01-01 04-14 04-17 05-01 05-25 06-05 06-15 10-03 11-01 12-25 12-26"},
		{"FR", "", 2027, "01-01 03-29 05-01 05-06 05-08 05-17 07-14 08-15 11-01 11-11 12-25"},
		{"NL", "", 2027, "01-01 03-29 04-27 05-06 05-17 12-25 12-26"},
		{"IT", "", 2027, "01-01 01-06 03-29 04-25 05-01 06-02 08-15 11-01 12-08 12-25 12-26"},
		{"ES", "", 2027, "01-01 01-06 03-26 05-01 08-15 10-12 11-01 12-06 12-08 12-25"},
		// With the days on which those of a weekend are observed.
		{"GB", "ENG", 2027, "01-01 03-26 03-29 05-03 05-31 08-30 12-25 12-26 12-27 12-28"},
		{"GB", "SCT", 2028, "01-01 01-02 01-03 01-04 04-14 05-01 05-29 08-07 11-30 12-25 12-26"},
		{"GB", "NIR", 2027, "01-01 03-17 03-26 03-29 05-03 05-31 07-12 08-30 12-25 12-26 12-27 12-28"},
		{"US", "", 2027, "01-01 01-18 02-15 05-31 06-18 06-19 07-04 07-05 09-06 10-11 11-11 11-25 12-24 12-25 12-31"},
		{"CH", "ZH", 2027, "01-01 03-26 03-29 05-01 05-06 05-17 08-01 12-25 12-26"},
		{"CH", "GE", 2027, ""},
		{"XX", "", 2027, ""},
	} {
		var got []string
		for _, d := range holiday.Days(c.country, c.region, c.year, c.year) {
			got = append(got, d.Date.Format("01-02"))
			if d.Name == "" || d.Date.Year() != c.year {
				t.Errorf("%s %s: %v", c.country, c.region, d)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %s %d\n got %s\nwant %s", c.country, c.region, c.year, strings.Join(got, " "), c.want)
		}
	}
	days := holiday.Days("DE", "BY", 2027, 2027)
	if days[0].Name != "Neujahrstag" || days[1].Name != "Heilige Drei Könige" {
		t.Errorf("Bavaria: %v", days)
	}
}

// Every list has a day of New Year, and codes find what they name.
func TestCountries(t *testing.T) {
	all := holiday.Countries()
	if !slices.IsSortedFunc(all, func(a, b holiday.Country) int { return strings.Compare(a.Code, b.Code) }) || len(all) < 40 {
		t.Fatalf("%d countries, sorted by code?", len(all))
	}
	newYear := func(country, region string) {
		days := holiday.Days(country, region, 2026, 2030)
		ok := slices.ContainsFunc(days, func(d holiday.Day) bool { return d.Date == time.Date(2029, 1, 1, 0, 0, 0, 0, time.UTC) })
		if !ok || !slices.IsSortedFunc(days, func(a, b holiday.Day) int { return a.Date.Compare(b.Date) }) {
			t.Errorf("%s-%s: %v", country, region, days)
		}
	}
	for _, c := range all {
		if holiday.Find(c.Code).Code != c.Code {
			t.Error(c.Code)
		}
		if !c.NeedsRegion {
			newYear(c.Code, "")
		}
		for _, r := range c.Regions {
			newYear(c.Code, r.Code)
			if holiday.Find(c.Code).Region(r.Code).Name != r.Name {
				t.Error(c.Code, r)
			}
		}
	}
}

// The holidays of a country are named in the reader's language where all of its list can be, and else all by the names
// that the country gives them: no list is in two languages.
func TestNames(t *testing.T) {
	named := map[string]bool{}
	text := func(key string) string { named[key] = true; return key }
	for _, c := range []struct{ country, name, language, want string }{
		{"DE", "Karfreitag", "en", "good_friday"}, {"DE", "Karfreitag", "de", "Karfreitag"}, {"AT", "Stefanitag", "de", "Stefanitag"},
		{"AT", "Stefanitag", "fr", "christmas_2"}, {"DE", "Tag der Deutschen Einheit", "es", "german_unity"},
		{"GB", "Boxing Day", "en", "Boxing Day"}, {"GB", "Early May", "de", "Early May"}, {"US", "Veterans Day", "de", "Veterans Day"},
		{"ES", "Viernes Santo", "fr", "good_friday"}, {"GR", "Μεγάλη Παρασκευή", "de", "Μεγάλη Παρασκευή"}, {"GB", "Good Friday", "de", "Good Friday"},
		{"XX", "A day", "de", "A day"}, {"FR", "Noël / Fête Nationale", "de", "christmas / national_day"},
	} {
		if got := holiday.Name(c.country, "", c.name, c.language, text); got != c.want {
			t.Errorf("%s %q for %s is %q, want %q", c.country, c.name, c.language, got, c.want)
		}
	}
	for _, c := range holiday.Countries() {
		for _, d := range holiday.Days(c.Code, "", 2027, 2028) {
			holiday.Name(c.Code, "", d.Name, "xx", text)
		}
	}
	for _, code := range []string{"DE", "AT", "FR", "ES"} {
		c := holiday.Find(code)
		for _, r := range append([]holiday.Region{{}}, c.Regions...) {
			for _, d := range holiday.Days(code, r.Code, 2027, 2028) {
				for part := range strings.SplitSeq(holiday.Name(code, r.Code, d.Name, "xx", func(string) string { return "known" }), " / ") {
					if part != "known" {
						t.Errorf("%s-%s: %s has no name in other languages", code, r.Code, d.Name)
					}
				}
			}
		}
	}
	if len(named) < 14 {
		t.Errorf("only %v have names in other languages", named)
	}
}
