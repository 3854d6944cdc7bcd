package catalog

import (
	"net/url"
	"slices"
	"strings"

	"daybook/app/fault"
	"daybook/app/field"
)

// MaxLinkedCalendars is the most calendars of a host that a file may list.
const MaxLinkedCalendars = 20

// LinkedCalendar is a connection to an account with calendars, or to an iCalendar file.
type LinkedCalendar struct {
	Name     string   `json:"name"`    // finds it among those that files list
	Kind     string   `json:"kind"`    // ics or caldav
	Address  string   `json:"address"` // of a CalDAV server; of a file a reference
	User     string   `json:"user,omitempty"`
	Password string   `json:"password,omitempty"` // a reference
	Blocks   []string `json:"blocks,omitzero"`    // names of calendars; nil is all that can be written
	Target   string   `json:"target,omitempty"`   // the name of the calendar that bookings are written into
	Details  []string `json:"details,omitempty"`
}

// The kinds that files may list.
const (
	ICS    = "ics"
	CalDAV = "caldav"
)

// CalendarOwner is whose time is taken by the calendars of a connection: a host's or a resource's. The other is 0.
type CalendarOwner struct {
	Host     HostID
	Resource ResourceID
}

// Locks returns what must be locked to change when the owner is busy.
func (o CalendarOwner) Locks() (l Locks) {
	if o.Host != 0 {
		l = append(l, OfHost(o.Host))
	}
	if o.Resource != 0 {
		l = append(l, OfResource(o.Resource))
	}
	return l
}

// LinkedCalendarDetails lists the details of a booking that can be written into a calendar besides its service and the
// first name.
var LinkedCalendarDetails = []string{"name", "phone", "notes", "link"}

// LinkedCalendarFields describes a Calendar.
var LinkedCalendarFields = field.Resource{
	Text: "Calendars elsewhere, in which it is seen when a host is busy.",
	Fields: []field.Field{
		{Name: "name", Text: "What the business calls the connection.", Key: true, Required: true, InFile: true},
		{Name: "kind", Text: "`ics`, the address of an iCalendar file, or `caldav`.", Enum: field.Values(ICS, CalDAV),
			Required: true, InFile: true},
		{Name: "address", Text: "Of a CalDAV server; of a file where its secret address is.", Required: true,
			InFile: true},
		{Name: "user", Text: "Who signs in at a CalDAV server.", InFile: true},
		{Name: "password", Text: "Where the password for apps of a CalDAV server is.", InFile: true},
		{Name: "blocks", Text: "The names of the calendars that block.", InFile: true},
		{Name: "target", Text: "The name of the calendar that bookings are written into.", InFile: true, Clears: true},
		{Name: "details", Text: "What is written of a booking.", InFile: true},
	},
}

// Reference returns where the secret is: the address of a file, or a password.
func (c *LinkedCalendar) Reference() string {
	if c.Kind == ICS {
		return c.Address
	}
	return c.Password
}

// ReferenceField returns the name of the field that holds the reference.
func (c *LinkedCalendar) ReferenceField() string {
	if c.Kind == ICS {
		return "address"
	}
	return "password"
}

// SameChoice reports whether both choose the same calendars of an account.
func (c *LinkedCalendar) SameChoice(o *LinkedCalendar) bool {
	return c.Target == o.Target && slices.Equal(c.Details, o.Details) && (c.Blocks == nil) == (o.Blocks == nil) &&
		slices.Equal(c.Blocks, o.Blocks)
}

// LinkedCalendarOutcome says what was done with a list of calendars.
type LinkedCalendarOutcome struct {
	Replaced []int    // places in the list whose secret is another one now
	Unset    []int    // those whose reference leads nowhere now: the secret that is stored stays
	Written  []string // names of connections that ended, and that bookings were written into: they stay there
}

const (
	maxText  = 2000
	maxNames = 100
)

// ParseCalendarAddress returns the address of a file or a server as it is stored, with https:// in place of webcal://.
// at names its place in the input. The error does not quote the address, which may be a secret.
func ParseCalendarAddress(at, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil {
		return nil, fault.Invalid(at, "must be an https:// address, without a name or password in it")
	}
	switch u.Scheme {
	case "webcal", "webcals":
		u.Scheme = "https"
	case "https", "http":
	default:
		return nil, fault.Invalid(at, "must be an https:// address")
	}
	return u, nil
}

// Check returns bad_request for a calendar that can't be connected, and sorts the names in it. at names its place in
// the file.
func (c *LinkedCalendar) Check(at string) error {
	var p fault.Problems
	line := func(name string, text *string, least, most int) {
		checked, err := fault.CheckLine(at+"."+name, *text, least, most)
		*text = checked
		p.Add(err)
	}
	line("name", &c.Name, 1, fault.MaxName)
	switch c.Kind {
	case ICS:
		p.Add(CheckReference(at+".address", c.Address))
		for _, x := range []struct {
			name  string
			given bool
		}{{"user", c.User != ""}, {"password", c.Password != ""}, {"blocks", c.Blocks != nil}, {"target", c.Target != ""},
			{"details", len(c.Details) > 0}} {
			if x.given {
				p.Add(fault.Invalid(at+"."+x.name, "isn't for ics: such an address has one calendar, which blocks and is never "+
					"written"))
			}
		}
	case CalDAV:
		line("address", &c.Address, 1, maxText)
		if u, err := ParseCalendarAddress(at+".address", c.Address); err != nil {
			p.Add(err)
		} else {
			c.Address = u.String()
		}
		line("user", &c.User, 1, fault.MaxName)
		p.Add(CheckReference(at+".password", c.Password))
	case "google", "microsoft":
		return fault.Invalid(at+".kind", "%s is connected by signing in there: in the dashboard, Integrations, Calendars. "+
			"A file lists ics and caldav", c.Kind)
	default:
		return fault.Invalid(at+".kind", "must be ics or caldav")
	}
	if len(c.Blocks) > maxNames {
		p.Add(fault.Invalid(at+".blocks", "at most %d", maxNames))
	}
	slices.Sort(c.Blocks)
	c.Blocks = slices.Compact(c.Blocks)
	for i := range c.Blocks {
		line("blocks", &c.Blocks[i], 1, fault.MaxName)
	}
	line("target", &c.Target, 0, fault.MaxName)
	for _, d := range c.Details {
		if !slices.Contains(LinkedCalendarDetails, d) {
			p.Add(fault.Invalid(at+".details", "%q is none of %s", d, strings.Join(LinkedCalendarDetails, ", ")))
		}
	}
	c.Details = slices.DeleteFunc(slices.Clone(LinkedCalendarDetails), func(d string) bool { return !slices.Contains(c.Details, d) })
	if c.Target == "" && len(c.Details) > 0 {
		p.Add(fault.Invalid(at+".details", "are of the target, and there is none"))
	}
	return p.Err()
}
