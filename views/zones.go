package views

import (
	_ "embed"
	"io"
	"strings"
	"time"

	"context"

	"github.com/a-h/templ"
)

// zones.txt is the third column of the time-zone database's zone.tab, and UTC.
//
//go:embed zones.txt
var zoneFile string

// Zones are the names of the time zones a visitor may choose from.
var Zones = strings.Fields(zoneFile)

var zoneOptions = func() string {
	var b strings.Builder
	for _, z := range Zones {
		b.WriteString(`<option value="` + templ.EscapeString(z) + `">`)
	}
	return b.String()
}()

// ZoneList returns the content of the datalist, made once.
func ZoneList() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, zoneOptions)
		return err
	})
}

// FindZone reads what a visitor typed into the time-zone field: a name in any case,
// with spaces or underscores, or only its city. Unknown is "".
func FindZone(typed string) string {
	typed = strings.ReplaceAll(strings.TrimSpace(typed), " ", "_")
	for _, z := range Zones {
		if strings.EqualFold(z, typed) {
			return z
		}
	}
	for _, z := range Zones {
		if _, city, ok := cutLast(z, "/"); ok && strings.EqualFold(city, typed) {
			return z
		}
	}
	return ""
}

// ZoneCity is "New York" for America/New_York.
func ZoneCity(zone string) string {
	_, city, _ := cutLast(zone, "/")
	return strings.ReplaceAll(city, "_", " ")
}

// ZoneLabel is "Berlin, GMT+1" of a zone at a time, and "UTC" where the zone has no place.
func ZoneLabel(zone *time.Location, at time.Time) string {
	if city := ZoneCity(zone.String()); city != "" && city != "UTC" && city != "Local" {
		return city + ", " + Offset(at)
	}
	return "UTC"
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}
