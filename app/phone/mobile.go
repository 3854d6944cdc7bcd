package phone

import (
	_ "embed"
	"strings"
	"sync"
)

// mobileTable has a line for each country: its ISO code, its calling code, how numbers within it begin where others share
// that code, and an expression for its mobile numbers, which may be any number where the two can't be told apart, as in
// North America. Premium numbers, pagers and the like are in none. The facts are those of libphonenumber.
//
//go:embed mobile.tsv
var mobileTable string

// mobile is a line of the table.
type mobile struct {
	country         string
	leading, number lazy
}

var mobiles = sync.OnceValue(func() map[string][]mobile {
	byCode := map[string][]mobile{}
	for line := range strings.Lines(mobileTable) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		m := mobile{country: f[0], leading: begins(f[2]), number: begins(`(?:` + f[3] + `)$`)}
		byCode[f[1]] = append(byCode[f[1]], m)
	}
	return byCode
})

// Mobile returns the ISO 3166 code of the country whose mobile number a number in E.164 is, or may be; ok is false for every
// other number, such as one of a land line or one that costs extra.
func Mobile(e164 string) (country string, ok bool) {
	digits, international := strings.CutPrefix(e164, "+")
	if !international || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	for n := 1; n <= 3 && n < len(digits); n++ {
		for _, m := range mobiles()[digits[:n]] {
			rest := digits[n:]
			if (m.leading.text == "" || m.leading.find(rest) != nil) && m.number.whole(rest) {
				return m.country, true
			}
		}
	}
	return "", false
}
