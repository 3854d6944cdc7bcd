package phone

import (
	_ "embed"
	"strings"
	"sync"
)

// formatsTable has a line for each way in which the numbers of a calling code are grouped, in the order in which they
// are tried: the code, expressions for the whole number within the country and for how it begins, and what it is
// written as within the country and from abroad, "" where the line is not for that. The facts are those of
// libphonenumber.
//
//go:embed formats.tsv
var formatsTable string

// format is a line of the table.
type format struct {
	pattern, leading        lazy
	national, international string
}

var formats = sync.OnceValue(func() map[string][]format {
	byCode := map[string][]format{}
	for line := range strings.Lines(formatsTable) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		byCode[f[0]] = append(byCode[f[0]], format{pattern: begins(`(?:` + f[1] + `)$`), leading: begins(f[2]),
			national: f[3], international: f[4]})
	}
	return byCode
})

// Format writes a number in E.164 in groups, as people read it: as it is dialled within the country with that ISO 3166
// code if it is one of its numbers, else with its calling code. A text that is no number in E.164 stays as it is.
func Format(number, country string) string {
	digits, international := strings.CutPrefix(number, "+")
	if !international || strings.Trim(digits, "0123456789") != "" {
		return number
	}
	for n := 1; n <= 3 && n < len(digits); n++ {
		if c := known().codes[digits[:n]]; c != nil {
			home := known().countries[country]
			return c.format(digits[n:], home != nil && home.code == c.code)
		}
	}
	return number
}

// format writes a number within the country in groups.
func (c *country) format(number string, national bool) string {
	for _, f := range formats()[c.code] {
		into := f.international
		if national {
			into = f.national
		}
		if into == "" || f.leading.text != "" && f.leading.find(number) == nil || !f.pattern.whole(number) {
			continue
		}
		text := string(f.pattern.expand(into, number, f.pattern.find(number)))
		if national {
			return text
		}
		return "+" + c.code + " " + text
	}
	return "+" + c.code + " " + number
}
