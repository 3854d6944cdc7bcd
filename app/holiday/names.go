package holiday

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/aa"
)

// shared are the holidays that many countries have under names of their own, by the key of their name in other
// languages.
var shared = map[string]*cal.Holiday{
	"new_year": aa.NewYear, "epiphany": aa.Epiphany, "maundy_thursday": aa.MaundyThursday, "good_friday": aa.GoodFriday,
	"easter": aa.Easter, "easter_monday": aa.EasterMonday, "labour_day": aa.WorkersDay, "ascension": aa.AscensionDay,
	"pentecost": aa.Pentecost, "pentecost_monday": aa.PentecostMonday, "corpus_christi": aa.CorpusChristi,
	"assumption": aa.AssumptionOfMary, "all_saints": aa.AllSaintsDay, "immaculate_conception": aa.ImmaculateConception,
	"christmas": aa.ChristmasDay, "christmas_2": aa.ChristmasDay2,
}

// notShared are those on whose date a country celebrates something else.
var notShared = map[string]string{"SI": "christmas_2", "AR": "maundy_thursday"}

// own are the holidays of one country that have names in other languages, by country and name.
var own = map[[2]string]string{
	{"DE", "Frauentag"}: "womens_day", {"DE", "Weltkindertag"}: "childrens_day", {"DE", "Reformationstag"}: "reformation",
	{"DE", "Buß- und Bettag"}: "repentance", {"DE", "Tag der Deutschen Einheit"}: "german_unity",
	{"AT", "Nationalfeiertag"}: "national_day", {"FR", "Fête Nationale"}: "national_day",
	{"ES", "Fiesta Nacional de España"}: "national_day", {"FR", "Fête de la Victoire"}: "victory_1945",
	{"FR", "Armistice de 1918"}: "armistice_1918", {"ES", "Día de la Constitución"}: "constitution_day",
}

// languages are those in which the module names the holidays of a country, where they are spoken there.
var languages = map[string][]string{
	"de": {"AT", "CH", "DE"}, "fr": {"FR", "NC"}, "es": {"AR", "ES"},
	"en": {"AU", "CA", "GB", "IE", "KE", "MW", "MT", "NZ", "US", "ZA"},
}

// keys are those of shared and own, by country and name.
var keys = sync.OnceValue(func() map[[2]string]string {
	all := map[[2]string]string{}
	for i := range countries {
		c := &countries[i]
		lists := [][]*cal.Holiday{c.days}
		for j := range c.Regions {
			lists = append(lists, c.Regions[j].days)
		}
		for _, h := range slices.Concat(lists...) {
			at := [2]string{c.Code, h.Name}
			if known, twice := all[at]; twice && known != keyOf(c.Code, h) { // one name for several days
				all[at] = ""
			} else {
				all[at] = keyOf(c.Code, h)
			}
		}
	}
	maps.Copy(all, own)
	return all
})

func keyOf(country string, h *cal.Holiday) string {
	for key, s := range shared {
		if notShared[country] != key && sameDays(h, s) {
			return key
		}
	}
	return ""
}

// sameDays reports whether two holidays go by the same rule, be it by the Julian Easter.
func sameDays(h, s *cal.Holiday) bool {
	if h.Func == nil || h.Month != s.Month || h.Day != s.Day || h.Offset != s.Offset || h.CalcOffset != 0 {
		return false
	}
	s = s.Clone(nil)
	s.Julian = h.Julian
	for year := 2027; year < 2032; year++ { // rules with the same figures can be different functions
		if !h.Func(h, year).Equal(s.Func(s, year)) {
			return false
		}
	}
	return true
}

// Name returns the name of a country's holiday for a reader of a language such as de; region is whose list it is of, as
// for Days. text is what a key such as good_friday is called in that language. A list is in one language: where one of
// its holidays has no key, or the country speaks the reader's language, all keep the names that the country gives them. A
// day with two names has both.
func Name(country, region, name, language string, text func(key string) string) string {
	if slices.Contains(languages[language], country) || !allNamed(country, region) {
		return name
	}
	parts := strings.Split(name, both)
	for i, part := range parts {
		if key := keys()[[2]string{country, part}]; key != "" {
			parts[i] = text(key)
		}
	}
	return strings.Join(parts, both)
}

// allNamed reports whether all holidays of the list have keys.
func allNamed(country, region string) bool {
	c := Find(country)
	if c == nil {
		return false
	}
	list := c.days
	if r := c.Region(region); r != nil {
		list = r.days
	}
	return !slices.ContainsFunc(list, func(h *cal.Holiday) bool { return keys()[[2]string{country, h.Name}] == "" })
}
