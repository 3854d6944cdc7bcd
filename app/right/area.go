package right

import (
	"encoding/json"
	"strings"

	"daybook/app/fault"
)

// Areas is a set of rights that an API key may have besides those of every full key. Owners grant them when they make
// the key.
type Areas int

// The areas, as the contract's "Scopes and roles" describes them.
const (
	Contacts Areas = 1 << iota // change, merge, delete, export contacts
	Members
	Payments // the list of payments
	Keys
	Settings // the workspace, event types, hosts, their hours and time off
	// Hours is a part of Settings: hours and time off. No key has it by itself; an agent's sign-in for the desk does.
	Hours
)

// AreaNames lists the names of the areas, in their order.
var AreaNames = []string{"contacts", "members", "payments", "keys", "settings"}

// ParseAreas reads names of areas. The error is bad_request for the field areas.
func ParseAreas(names []string) (all Areas, err error) {
	for _, name := range names {
		at := -1
		for i, known := range AreaNames {
			if known == name {
				at = i
			}
		}
		if at < 0 {
			return 0, fault.Invalid("areas", "must be some of %s", strings.Join(AreaNames, ", "))
		}
		all |= 1 << at
	}
	return all, nil
}

// Names returns the names of the areas of the set, in their order; not nil.
func (a Areas) Names() []string {
	names := []string{}
	for i, name := range AreaNames {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String returns the names, joined by commas.
func (a Areas) String() string { return strings.Join(a.Names(), ",") }

// MarshalJSON writes the names as an array.
func (a Areas) MarshalJSON() ([]byte, error) { return json.Marshal(a.Names()) }

// Within reports whether the other set has all areas of this one.
func (a Areas) Within(other Areas) bool { return a&^other == 0 }

// MissingArea returns the error for an action that only keys with the area may do.
func MissingArea(a Areas) *fault.Error {
	return fault.New(fault.Forbidden, "area", "This API key lacks the area %q, which owners grant when they make a key.", a)
}
