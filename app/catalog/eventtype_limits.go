package catalog

import (
	"daybook/app/fault"
	"daybook/app/field"
)

const (
	maxOfPerson = 100
	maxPerWeek  = 1000
)

// Limits says how often an event type may be booked; 0 means no limit. Weeks begin on Monday in the workspace's zone.
type Limits struct {
	PersonUpcoming int `json:"personUpcoming"` // bookings of one person that are still to come
	PersonPerDay   int `json:"personPerDay"`   // bookings of one person on one day
	PersonPerWeek  int `json:"personPerWeek"`  // and in one week
	HostPerWeek    int `json:"hostPerWeek"`    // sessions of one host in one week
	PerWeek        int `json:"perWeek"`        // sessions of all hosts in one week
}

// LimitsFields describes limits.
var LimitsFields = field.Resource{
	Text: "How often it may be booked; 0 is no limit.",
	Fields: []field.Field{
		{Name: "personUpcoming", Text: "Bookings of one person that are still to come.", Most: maxOfPerson,
			InFile: true},
		{Name: "personPerDay", Text: "Bookings of one person on one day.", Most: maxOfPerson, InFile: true},
		{Name: "personPerWeek", Text: "Bookings of one person in one week.", Most: maxOfPerson, InFile: true},
		{Name: "hostPerWeek", Text: "Sessions of one host in one week.", Most: maxPerWeek, InFile: true},
		{Name: "perWeek", Text: "Sessions of all hosts in one week.", Most: maxPerWeek, InFile: true},
	},
}

// Check returns bad_request for limits out of bounds. at names their place in the input.
func (l *Limits) Check(at string) error {
	for _, f := range LimitsFields.Fields {
		if n := int(field.In(l, f.Name).Int()); n < 0 || n > f.Most {
			return fault.Invalid(at+"."+f.Name, "must lie between %d and %d", 0, f.Most)
		}
	}
	return nil
}
