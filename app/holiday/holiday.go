// Package holiday knows the public holidays of countries and their regions. The dates come from github.com/rickar/cal,
// which is compiled in; a newer release of that module brings newer laws.
package holiday

import (
	"cmp"
	"slices"
	"time"

	"github.com/rickar/cal/v2"
)

// Day is a public holiday, or the day on which one that falls on a weekend is observed.
type Day struct {
	Date time.Time // 00:00 UTC
	Name string    // in the language of the country
}

// Country is a country whose holidays are known.
type Country struct {
	Code    string // ISO 3166-1, two letters
	Regions []Region
	// NeedsRegion says that the country has no list for all its regions.
	NeedsRegion bool

	days []*cal.Holiday
}

// Region is a part of a country with holidays of its own.
type Region struct {
	Code string // ISO 3166-2 without the country: BE of DE-BE
	Name string // in the language of the region

	days []*cal.Holiday
}

// Countries lists the countries by code. The list is shared: it may not be changed.
func Countries() []Country { return countries }

// Find returns the country of that code, or nil.
func Find(code string) *Country {
	i, found := slices.BinarySearchFunc(countries, code,
		func(c Country, code string) int { return cmp.Compare(c.Code, code) })
	if !found {
		return nil
	}
	return &countries[i]
}

// Region returns the region of that code, or nil.
func (c *Country) Region(code string) *Region {
	for i := range c.Regions {
		if c.Regions[i].Code == code {
			return &c.Regions[i]
		}
	}
	return nil
}

// Days lists the holidays of the years from first to last, both included, by date. region is "" for those of the whole
// country. A country or region that is not known has none. Two holidays on one day are one Day with both names.
func Days(country, region string, first, last int) (all []Day) {
	c := Find(country)
	if c == nil {
		return nil
	}
	list := c.days
	if region != "" {
		r := c.Region(region)
		if r == nil {
			return nil
		}
		list = r.days
	}
	add := func(date time.Time, name string) {
		if date.Year() < first || date.Year() > last {
			return
		}
		date = time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, time.UTC)
		all = append(all, Day{date, name})
	}
	for _, h := range list {
		if h.Type != cal.ObservancePublic && h.Type != cal.ObservanceBank && h.Type != cal.ObservanceUnknown {
			continue
		}
		for year := first - 1; year <= last+1; year++ { // a holiday may be observed in the year beside its own
			actual, observed := h.Calc(year)
			add(actual, h.Name)
			if !observed.Equal(actual) {
				add(observed, h.Name)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Day) int { return a.Date.Compare(b.Date) })
	return together(all)
}

// both stands between the names of two holidays on one day.
const both = " / "

// together makes one day of those with the same date.
func together(all []Day) []Day {
	kept := all[:0]
	for _, d := range all {
		last := len(kept) - 1
		switch {
		case last < 0 || !kept[last].Date.Equal(d.Date):
			kept = append(kept, d)
		case kept[last].Name != d.Name:
			kept[last].Name += both + d.Name
		}
	}
	return kept
}
