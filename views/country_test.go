package views

import (
	"flag"
	"os"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"daybook/app/phone"
)

var writeCountries = flag.Bool("countries", false, "write countries.tsv")

// Every country has a name in every language, and the table is what golang.org/x/text knows; -countries writes it.
func TestNamesOfCountries(t *testing.T) {
	text := "code"
	var namers []display.Namer
	for _, l := range Locales {
		if !strings.Contains(text, "\t"+l.Language()) {
			text += "\t" + l.Language()
			namers = append(namers, display.Regions(language.MustParse(l.Language())))
		}
	}
	for _, code := range phone.Countries() {
		text += "\n" + code
		for _, namer := range namers {
			text += "\t" + namer.Name(language.MustParseRegion(code))
		}
	}
	text += "\n"
	if *writeCountries {
		if err := os.WriteFile("countries.tsv", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != countriesTable {
		t.Error("countries.tsv is not what golang.org/x/text knows: go test ./views -run TestNamesOfCountries -countries")
	}
	for tag, want := range map[string][3]string{
		"de": {"Deutschland", "Österreich", "Afghanistan Ägypten Ålandinseln Albanien"},
		"fr": {"Allemagne", "Autriche", "Afghanistan Afrique"}, "es": {"Alemania", "Austria", "Afganistán"},
		"en": {"Germany", "Austria", "Afghanistan"},
	} {
		l := MatchLocale(tag, "")
		var sorted []string
		for _, code := range l.SortedCountries(phone.Countries()) {
			sorted = append(sorted, l.Country(code))
		}
		if got := strings.Join(sorted, " "); l.Country("DE") != want[0] || l.Country("AT") != want[1] || !strings.HasPrefix(got, want[2]) {
			t.Errorf("%s: %s, %s, %.100s", tag, l.Country("DE"), l.Country("AT"), got)
		}
		if got := l.Country("XX"); got != "XX" {
			t.Error(got)
		}
	}
}
