package catalog

import (
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

// MaxZone is the most characters of the name of a time zone.
const MaxZone = 64

// Zone returns the location of an IANA name, and false if there is none.
func Zone(name string) (*time.Location, bool) {
	z, err := CheckZone("timeZone", name)
	return z, err == nil
}

// CheckZone returns the location of an IANA name. "Local", which depends on the machine, is not one. Errors:
// bad_request.
func CheckZone(field, name string) (*time.Location, error) {
	if name == "" || name == "Local" || len(name) > MaxZone {
		return nil, fault.Invalid(field, "must be an IANA time zone such as Europe/Berlin")
	}
	z, err := when.Zone(name)
	if err != nil {
		return nil, fault.Invalid(field, "%q is no time zone that is known here; use an IANA name such as Europe/Berlin",
			name)
	}
	return z, nil
}

// WallClock parses a day, or a day and a time, in the zone. A day alone means its first instant, wholeDays later.
// Errors: bad_request for the field.
func WallClock(field, text string, zone *time.Location, wholeDays int) (when.Instant, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, fault.Invalid(field, "is required")
	}
	if d, err := when.ParseDay(text, zone); err == nil {
		return when.At(when.AddDays(d, wholeDays)), nil
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := when.ParseWall(layout, text, zone); err == nil {
			return when.At(t), nil
		}
	}
	return 0, fault.Invalid(field, "must be a day and a time such as 2026-12-28T09:00")
}
