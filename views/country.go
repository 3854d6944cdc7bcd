package views

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// countriesTable has a line for each country: its ISO 3166 code and its name in each language of Locales, between tabs;
// the first line has the languages. The names are those of the Unicode CLDR.
//
//go:embed countries.tsv
var countriesTable string

// countries are the names of countries, by language and code.
var countries = sync.OnceValue(func() map[string]map[string]string {
	names := map[string]map[string]string{}
	var languages []string
	for line := range strings.Lines(countriesTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if languages == nil {
			languages = cells[1:]
		}
		for i, language := range languages {
			if names[language] == nil {
				names[language] = map[string]string{}
			}
			names[language][cells[0]] = cells[1+i]
		}
	}
	return names
})

// Country returns the name of the country with that ISO 3166 code; the code itself where no name is known.
func (l *Locale) Country(code string) string {
	if name := countries()[l.Language()][code]; name != "" {
		return name
	}
	return code
}

// SortedCountries returns the codes in the order of the countries' names.
func (l *Locale) SortedCountries(codes []string) []string {
	return slices.SortedFunc(slices.Values(codes), func(a, b string) int {
		return strings.Compare(plainLetters.Replace(l.Country(a)), plainLetters.Replace(l.Country(b)))
	})
}

// plainLetters takes the marks off the letters that names of countries have.
var plainLetters = strings.NewReplacer("Å", "A", "Ä", "A", "Á", "A", "É", "E", "Í", "I", "Î", "I", "Ö", "O", "Ú", "U",
	"à", "a", "á", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "ç", "c", "è", "e", "é", "e", "ê", "e", "ë", "e", "í", "i",
	"î", "i", "ï", "i", "ñ", "n", "ó", "o", "ô", "o", "õ", "o", "ö", "o", "ú", "u", "ü", "u", "’", "'")
