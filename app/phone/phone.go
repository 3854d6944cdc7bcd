// Package phone reads telephone numbers as people write them and writes them in E.164, the form in which they are kept
// and compared: a plus, the country's calling code and the number within the country, digits only.
//
// What it knows of countries are tables that table_test.go writes: numbers.tsv and formats.tsv from the metadata of
// libphonenumber, and zones.tsv from the time zone database.
package phone

import (
	"regexp"
	"strings"
)

// Parse returns the number in E.164; ok is false for a text that is no number, or whose length no number of its
// country has. country is the ISO 3166 code of the country whose national form a number without a calling code has;
// with "" only international numbers are read.
func Parse(text, country string) (e164 string, ok bool) {
	digits, international := clean(text)
	if len(digits) < 2 || len(digits) > maxDigits {
		return "", false
	}
	home := known().countries[country]
	if home != nil && !international {
		digits, international = home.withoutExit(digits)
	}
	if !international {
		if home == nil {
			return "", false
		}
		if rest, in := home.withoutCode(digits); in {
			digits = rest
		} else {
			digits = home.withoutTrunk(digits)
		}
		return home.number(digits)
	}
	for n := 1; n <= 3 && n < len(digits); n++ {
		if abroad := known().codes[digits[:n]]; abroad != nil {
			return abroad.number(abroad.withoutTrunk(digits[n:]))
		}
	}
	return "", false
}

const maxDigits = 30

// separators may stand between digits.
const separators = " \u00a0\u202f()[]./-\u2010\u2011\u2012\u2013"

// clean returns the digits of a text, and whether a plus stands before them; "" for a text with anything else in it.
func clean(text string) (digits string, international bool) {
	text = strings.TrimSpace(text)
	text = strings.TrimPrefix(strings.TrimPrefix(text, "tel:"), "(")
	for _, plus := range []string{"+", "\uff0b"} {
		if rest, is := strings.CutPrefix(text, plus); is {
			text, international = rest, true
			break
		}
	}
	var all strings.Builder
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			all.WriteRune(r)
		case r >= '\u0660' && r <= '\u0669': // Arabic
			all.WriteRune(r - '\u0660' + '0')
		case r >= '\u06f0' && r <= '\u06f9': // Persian
			all.WriteRune(r - '\u06f0' + '0')
		case !strings.ContainsRune(separators, r):
			return "", false
		}
	}
	return all.String(), international
}

// country is what is known of the numbers of one.
type country struct {
	id, code string
	main     bool   // the one whose rules hold for its calling code
	trunk    string // the prefix of national calls, as people write it; "" for none
	lengths  uint32 // bit n: numbers of n digits exist
	exit     lazy   // the prefix of calls to other countries
	prefix   lazy   // what may stand before a number dialled within the country
	into     string // what the prefix is replaced by where its last group is in use
	pattern  lazy   // numbers within the country
}

func (c *country) possible(number string) bool {
	return len(number) < 32 && c.lengths&(1<<len(number)) != 0
}

// longest returns the most digits of a number within the country.
func (c *country) longest() (n int) {
	for i := range 32 {
		if c.lengths&(1<<i) != 0 {
			n = i
		}
	}
	return n
}

func (c *country) number(digits string) (string, bool) {
	if !c.possible(digits) {
		return "", false
	}
	return "+" + c.code + digits, true
}

// withoutExit takes off the prefix of calls to other countries.
func (c *country) withoutExit(digits string) (rest string, international bool) {
	at := c.exit.find(digits)
	if at == nil || at[1] == len(digits) || digits[at[1]] == '0' { // no calling code begins with 0
		return digits, false
	}
	return digits[at[1]:], true
}

// withoutCode takes off the country's own calling code, written without a plus, where the digits are no number with it.
func (c *country) withoutCode(digits string) (rest string, was bool) {
	rest, was = strings.CutPrefix(digits, c.code)
	if !was {
		return digits, false
	}
	rest = c.dialled(rest)
	if !c.pattern.whole(digits) && c.pattern.whole(rest) || len(digits) > c.longest() {
		return rest, true
	}
	return digits, false
}

// withoutTrunk is dialled where that has a length that numbers have.
func (c *country) withoutTrunk(digits string) string {
	if rest := c.dialled(digits); c.possible(rest) {
		return rest
	}
	return digits
}

// dialled takes off what is dialled before a number within the country only, and adds what is left out there.
func (c *country) dialled(digits string) string {
	at := c.prefix.find(digits)
	if at == nil {
		return digits
	}
	rest := digits[at[1]:]
	if last := len(at) - 2; c.into != "" && at[last] >= 0 {
		rest = string(c.prefix.expand(c.into, digits, at)) + rest
	}
	if c.pattern.whole(digits) && !c.pattern.whole(rest) {
		return digits
	}
	return rest
}

// Forms returns the digits under which somebody may have written, or may look for, a number in E.164: the international
// form first, then those used within its country.
func Forms(e164 string) []string {
	digits := strings.TrimPrefix(e164, "+")
	for n := 1; n <= 3 && n < len(digits); n++ {
		c := known().codes[digits[:n]]
		if c == nil {
			continue
		}
		forms := []string{digits}
		if c.trunk != "" && c.trunk != c.code {
			forms = append(forms, c.trunk+digits[n:])
		}
		return append(forms, digits[n:], "00"+digits, c.code+c.trunk+digits[n:])
	}
	return []string{digits}
}

// Searched returns those of Forms by which a contact is found while somebody types.
func Searched(e164 string) []string {
	forms := Forms(e164)
	return forms[:min(2, len(forms))]
}

// CountryOf returns the ISO 3166 code of the country of an IANA time zone; "" where there is none, as for UTC.
func CountryOf(zone string) string { return known().zones[zone] }

// IsCountry reports whether numbers of the country with that ISO 3166 code are known.
func IsCountry(code string) bool { return known().countries[code] != nil }

// Countries returns the codes of all countries, sorted.
func Countries() []string { return known().sorted }

// lazy is an expression that is compiled when it is first needed.
type lazy struct {
	text string
	expr func() *regexp.Regexp
}

func (l *lazy) find(digits string) []int {
	if l.text == "" {
		return nil
	}
	return l.expr().FindStringSubmatchIndex(digits)
}

func (l *lazy) whole(digits string) bool {
	at := l.find(digits)
	return at != nil && at[1] == len(digits)
}

func (l *lazy) expand(into, digits string, at []int) []byte {
	return l.expr().ExpandString(nil, into, digits, at)
}
