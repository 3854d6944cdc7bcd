package app

import (
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

// CheckZone refuses what is no IANA name; the machine's "Local" is none.
func CheckZone(field, name string) (*time.Location, error) {
	if name == "" || name == "Local" || len(name) > 64 {
		return nil, fault.Invalid(field, "must be an IANA time zone such as Europe/Berlin")
	}
	z, err := when.Zone(name)
	if err != nil {
		return nil, fault.Invalid(field, "%q is no time zone that is known here; use an IANA name such as Europe/Berlin", name)
	}
	return z, nil
}
