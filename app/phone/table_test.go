package phone

import (
	"bufio"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/nyaruka/phonenumbers"
)

var write = flag.Bool("write", false, "write numbers.tsv and formats.tsv from the library's metadata and zones.tsv from /usr/share/zoneinfo")

// numbersFrom makes the table of the metadata in github.com/nyaruka/phonenumbers, which follows libphonenumber. The
// library itself would add 2.5 MB to the program and read 2 MB of XML at each start.
func numbersFrom(t *testing.T) string {
	all, err := phonenumbers.MetadataCollection()
	if err != nil {
		t.Fatal(err)
	}
	shared := map[int32]int{}
	for _, m := range all.GetMetadata() {
		shared[m.GetCountryCode()]++
	}
	lines := []string{}
	for _, m := range all.GetMetadata() {
		main := "0"
		if m.GetMainCountryForCode() || shared[m.GetCountryCode()] == 1 || m.GetId() == "001" {
			main = "1"
		}
		var lengths []string
		for _, n := range m.GetGeneralDesc().GetPossibleLength() {
			lengths = append(lengths, fmt.Sprint(n))
		}
		cells := []string{m.GetId(), fmt.Sprint(m.GetCountryCode()), main, m.GetNationalPrefix(), strings.Join(lengths, ","),
			m.GetInternationalPrefix(), m.GetNationalPrefixForParsing(), braced(m.GetNationalPrefixTransformRule()),
			m.GetGeneralDesc().GetNationalNumberPattern()}
		for i, cell := range cells {
			if cells[i] = strings.Join(strings.Fields(cell), ""); strings.Contains(cells[i], "\t") {
				t.Fatalf("%q", cells)
			}
		}
		lines = append(lines, strings.Join(cells, "\t")+"\n")
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// formatsFrom makes the table of how numbers are grouped.
func formatsFrom(t *testing.T) string {
	all, err := phonenumbers.MetadataCollection()
	if err != nil {
		t.Fatal(err)
	}
	byCode := map[string][]string{}
	first := regexp.MustCompile(`\$\d`)
	add := func(m *phonenumbers.PhoneMetadata, f *phonenumbers.NumberFormat, national, international string) {
		leading := ""
		if all := f.GetLeadingDigitsPattern(); len(all) > 0 {
			leading = strings.Join(strings.Fields(all[len(all)-1]), "")
		}
		code := fmt.Sprint(m.GetCountryCode())
		cells := []string{code, f.GetPattern(), leading, braced(national), braced(international)}
		if line := strings.Join(cells, "\t"); strings.Count(line, "\t") == len(cells)-1 && !strings.Contains(line, "\n") {
			byCode[code] = append(byCode[code], line+"\n")
			return
		}
		t.Fatalf("%q", cells)
	}
	shared := map[int32]int{}
	for _, m := range all.GetMetadata() {
		shared[m.GetCountryCode()]++
	}
	for _, m := range all.GetMetadata() {
		if !m.GetMainCountryForCode() && shared[m.GetCountryCode()] > 1 && m.GetId() != "001" {
			continue
		}
		for _, f := range m.GetNumberFormat() {
			national, rule, international := f.GetFormat(), f.GetNationalPrefixFormattingRule(), f.GetFormat()
			if at := first.FindStringIndex(national); rule != "" && at != nil {
				national = national[:at[0]] + rule + national[at[1]:]
			}
			if len(m.GetIntlNumberFormat()) > 0 {
				international = ""
			}
			add(m, f, national, international)
		}
		for _, f := range m.GetIntlNumberFormat() {
			add(m, f, "", f.GetFormat())
		}
	}
	text := ""
	for _, code := range slices.Sorted(maps.Keys(byCode)) {
		text += strings.Join(byCode[code], "")
	}
	return text
}

// braced writes the groups of a replacement so that a digit may follow them.
func braced(rule string) string { return regexp.MustCompile(`\$(\d)`).ReplaceAllString(rule, `${$1}`) }

// zonesFrom makes the table of the countries of zones, older names of zones included.
func zonesFrom(t *testing.T) string {
	country := map[string]string{}
	each := func(name string, do func(cells []string)) {
		file, err := os.Open("/usr/share/zoneinfo/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for lines := bufio.NewScanner(file); lines.Scan(); {
			if cells := strings.Fields(lines.Text()); len(cells) > 2 && cells[0][0] != '#' {
				do(cells)
			}
		}
	}
	each("zone.tab", func(cells []string) { country[cells[2]] = cells[0] })
	each("tzdata.zi", func(cells []string) {
		if to := country[cells[1]]; cells[0] == "L" && to != "" && country[cells[2]] == "" && strings.Contains(cells[2], "/") &&
			!strings.HasPrefix(cells[2], "Etc/") {
			country[cells[2]] = to
		}
	})
	zones := map[string][]string{}
	for zone, id := range country {
		zones[id] = append(zones[id], zone)
	}
	var lines []string
	for id, of := range zones {
		slices.Sort(of)
		lines = append(lines, id+" "+strings.Join(of, " ")+"\n")
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// The table is that of the library's version in go.mod: a new version is taken over with -write.
func TestNumbersAreThoseOfTheLibrary(t *testing.T) {
	if *write {
		for name, text := range map[string]string{"numbers.tsv": numbersFrom(t), "formats.tsv": formatsFrom(t),
			"zones.tsv": zonesFrom(t)} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	if numbersFrom(t) != numbersTable || formatsFrom(t) != formatsTable {
		t.Error("the tables are not what the library knows: go test ./app/phone -run TestNumbersAreThoseOfTheLibrary -write")
	}
}

// Each country's zones exist.
func TestZonesOfCountries(t *testing.T) {
	for zone, id := range known().zones {
		if _, err := time.LoadLocation(zone); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	for zone, id := range map[string]string{"Europe/Berlin": "DE", "Europe/Vienna": "AT", "America/New_York": "US",
		"Asia/Calcutta": "IN", "US/Pacific": "US", "Atlantic/Canary": "ES", "UTC": "", "Etc/GMT+3": ""} {
		if got := CountryOf(zone); got != id || id != "" && !IsCountry(id) {
			t.Errorf("%s is in %q, want %q", zone, got, id)
		}
	}
}
