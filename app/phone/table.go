package phone

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// numbersTable has a line for each country: its ISO code, calling code, 1 where its rules hold for all of the calling
// code, trunk prefix, lengths, and expressions for the prefix of international calls, the prefix of national ones with
// what replaces it, and the numbers. Lines whose country is 001 are of calling codes that belong to no country. The
// facts are those of libphonenumber (https://github.com/google/libphonenumber, Apache License 2.0).
//
//go:embed numbers.tsv
var numbersTable string

// zonesTable has a line for each country: its ISO code and its time zones.
//
//go:embed zones.tsv
var zonesTable string

type tables struct {
	countries map[string]*country // by ISO code
	codes     map[string]*country // by calling code: the one whose rules hold
	zones     map[string]string
	sorted    []string
}

// known reads the tables when they are first needed.
var known = sync.OnceValue(func() *tables {
	t := &tables{countries: map[string]*country{}, codes: map[string]*country{}, zones: map[string]string{}}
	for line := range strings.Lines(numbersTable) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		c := &country{id: f[0], code: f[1], main: f[2] == "1", trunk: f[3], exit: begins(f[5]), prefix: begins(f[6]),
			into: f[7], pattern: begins(`(?:` + f[8] + `)$`)}
		for _, n := range strings.Split(f[4], ",") {
			length, err := strconv.Atoi(n)
			if err != nil || length > 31 {
				panic("phone: numbers.tsv: " + line)
			}
			c.lengths |= 1 << length
		}
		if c.id != "001" {
			t.countries[c.id] = c
			t.sorted = append(t.sorted, c.id)
		}
		if c.main {
			t.codes[c.code] = c
		}
	}
	slices.Sort(t.sorted)
	for line := range strings.Lines(zonesTable) {
		f := strings.Fields(line)
		for _, zone := range f[1:] {
			t.zones[zone] = f[0]
		}
	}
	return t
})

func begins(expr string) lazy {
	if expr == "" {
		return lazy{}
	}
	return lazy{expr, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + expr + `)`) })}
}
