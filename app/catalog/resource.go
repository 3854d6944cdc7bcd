package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/slot"
	"daybook/app/when"
)

// Resource is a room, a chair or a piece of equipment that bookings take besides their host; see Need.
type Resource struct {
	ID          ResourceID   `json:"id"`
	WorkspaceID WorkspaceID  `json:"-"`
	Name        string       `json:"name"` // no other resource of the workspace has it
	Kind        ResourceKind `json:"kind"`
	Active      bool         `json:"active"` // whether new bookings take it
	Shown       bool         `json:"shown"`  // whether customers are told of it
	TimeZone    string       `json:"timeZone"`
	// Weekly, Overrides and TimeOff are as those of a host, but for Always.
	Weekly    map[string][]string `json:"weekly,omitempty"`
	Overrides []Override          `json:"overrides,omitempty"`
	TimeOff   []TimeOff           `json:"timeOff,omitempty"`
	// WhenCalendarUnknown says what happens while a calendar of the resource can't be read.
	WhenCalendarUnknown CalendarUnknown `json:"whenCalendarUnknown"`
	CreatedAt           when.Instant    `json:"createdAt"`
	Connected           bool            `json:"-"` // it has calendars of its own

	hours Host // with the compiled hours
}

// ResourceKind says what a resource is.
type ResourceKind string

const (
	Room      ResourceKind = "room"
	Chair     ResourceKind = "chair"
	Equipment ResourceKind = "equipment"
)

// ResourceKinds lists the kinds.
var ResourceKinds = []ResourceKind{Room, Chair, Equipment}

const (
	MaxResources = 200
	MaxNeeds     = 5  // of an event type
	maxOneOf     = 50 // resources of a need
)

// ResourceFields describes the fields of resources. Check uses their bounds.
var ResourceFields = field.Resource{
	Text: "A room, a chair or a piece of equipment that bookings take besides their host.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the resource.", Example: "rs_1p4s8yvz04k2c", InFile: true},
		{Name: "name", Text: "Its name; no other resource of the workspace has it.", Least: 1, Most: fault.MaxName,
			InFile: true, Key: true, Required: true},
		{Name: "kind", Text: "What it is.", Enum: field.Values(ResourceKinds...), InFile: true},
		{Name: "active", Text: "Whether new bookings take it.", InFile: true},
		{Name: "shown", Text: "Whether customers are told of it, on their page and in mails.", InFile: true},
		{Name: "timeZone", Text: "IANA time zone of its hours; the workspace's when left out.", InFile: true},
		{Name: "weekly", Text: "The hours of each day of the week in which it can be used; where no day has any, it " +
			"always can.", InFile: true},
		{Name: "overrides", Text: "Other hours on single days.", InFile: true},
		{Name: "timeOff", Text: "When it can't be used, once or again and again.", InFile: true},
		{Name: "whenCalendarUnknown", Text: "What is done while a connected calendar of the resource can't be read: `book` " +
			"anyway and show a clash later, or `refuse`.", Enum: field.Values(BookAnyway, RefuseUnknown), InFile: true},
		{Name: "createdAt", Text: "When it was made."},
	},
}

// ResourceKey returns the name of a resource as names are told apart: whatever its case.
func ResourceKey(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// ResourceRef names a resource within another one.
type ResourceRef struct {
	ID   ResourceID `json:"id"`
	Name string     `json:"name"`
	// During is DuringWork where a booking in parts has it only while its host works.
	During During `json:"during,omitempty"`
}

// ResourceRefFields describes a resource within another one.
var ResourceRefFields = field.Resource{
	Text: "A room, a chair or a piece of equipment.",
	Fields: []field.Field{
		{Name: "id", Text: "Id of the resource.", Agents: "Id of the resource, rs_….", Example: "rs_1p4s8yvz04k2c"},
		{Name: "name", Text: "Name of the resource.", Agents: "Its name."},
		{Name: "during", Text: "`work` where a booking in parts has it only while its host works; else left out.",
			Agents: "work where a booking in parts has it only while its host works.", Enum: field.Values(DuringWork)},
	},
}

// Check normalises the resource and compiles its hours. zone is the workspace's; field names the resource's place in the
// input, for errors. Errors: bad_request.
func (r *Resource) Check(at string, zone *time.Location) error {
	var p fault.Problems
	var err error
	name := ResourceFields.Field("name")
	r.Name, err = fault.CheckLine(at+".name", r.Name, name.Least, name.Most)
	p.Add(err)
	if r.Kind == "" {
		r.Kind = Room
	}
	if !slices.Contains(ResourceKinds, r.Kind) {
		p.Add(fault.Invalid(at+".kind", "must be %s, %s or %s", Room, Chair, Equipment))
	}
	r.WhenCalendarUnknown = cmp.Or(r.WhenCalendarUnknown, BookAnyway)
	if r.WhenCalendarUnknown != BookAnyway && r.WhenCalendarUnknown != RefuseUnknown {
		p.Add(fault.Invalid(at+".whenCalendarUnknown", "must be book or refuse"))
	}
	if r.TimeZone == "" {
		r.TimeZone = zone.String()
	}
	err = r.compile()
	if e := fault.As(err); e != nil {
		e.Field = at + "." + e.Field
	} else if err != nil {
		return err
	}
	p.Add(err)
	return p.Err()
}

// compile turns the texts of the hours into the form that the slot engine reads.
func (r *Resource) compile() error {
	weekly := r.Weekly
	if r.Always() {
		weekly = roundTheClock
	}
	r.hours = Host{TimeZone: r.TimeZone, Hours: Hours{Weekly: weekly, Overrides: r.Overrides, TimeOff: r.TimeOff}}
	return r.hours.compile()
}

// roundTheClock are the hours of a resource that has none.
var roundTheClock = func() map[string][]string {
	week := map[string][]string{}
	for _, day := range Weekdays {
		week[day] = []string{"00:00-24:00"}
	}
	return week
}()

// CheckNights does for the resource what Host.CheckNights does for a host.
func (r *Resource) CheckNights(at string, old *Resource) error {
	if old == nil {
		old = &Resource{}
	}
	return r.hours.CheckNights(at, &Host{Hours: Hours{Weekly: old.Weekly, Overrides: old.Overrides}})
}

// Location returns the zone of the resource's hours, after Check.
func (r *Resource) Location() *time.Location { return r.hours.schedule.Zone }

// Calendar returns the resource for the slot engine, without bookings.
func (r *Resource) Calendar() slot.Resource {
	if r.Always() && len(r.Overrides) == 0 {
		return slot.Resource{TimeOff: r.hours.timeOff, Absences: r.absences()}
	}
	return slot.Resource{Schedule: r.hours.schedule, TimeOff: r.hours.timeOff, Absences: r.hours.absences}
}

// Always reports whether it has no weekly hours: then it can be used at any time but its times off, and has other hours
// on single days where Overrides says so.
func (r *Resource) Always() bool {
	for _, hours := range r.Weekly {
		if len(hours) > 0 {
			return false
		}
	}
	return true
}

// OpenBetween returns the hours within [from, to), by start.
func (r *Resource) OpenBetween(from, to time.Time) []Stretch { return r.hours.OpenBetween(from, to) }

// Away returns the times off that meet [from, to), by start.
func (r *Resource) Away(from, to time.Time) []Absence { return r.hours.Away(from, to) }

// absences returns the times off that come again, each with the zone that a missing schedule can't give.
func (r *Resource) absences() []slot.Absence {
	all := slices.Clone(r.hours.absences)
	for i := range all {
		if all[i].Zone == nil {
			all[i].Zone = r.hours.schedule.Zone
		}
	}
	return all
}

// Need is what an event type needs for each of its sessions besides the host: a room or a thing, with OneOf and During;
// or other hosts, with Hosts and perhaps Of.
type Need struct {
	// OneOf are the resources of which one that is free is taken: the one that the fewest active event types name, ties
	// by the order here.
	OneOf  []ResourceID `json:"oneOf,omitempty"`
	During During       `json:"during,omitempty"`
	// Hosts is how many hosts work together, the one who leads among them; the others are the first of Of who are free.
	// With nil in Of they are the event type's hosts.
	Hosts int      `json:"hosts,omitempty"`
	Of    []HostID `json:"of,omitzero"` // empty, not nil, for a key that sees none of them
}

// During says for how long a need lasts.
type During string

const (
	DuringAll  During = "all"  // with the buffers, and while nobody works
	DuringWork During = "work" // exactly while the host is taken
)

// NeedFields describes needs.
var NeedFields = field.Resource{
	Text: "What each session takes besides the host: a room or a thing (`oneOf` and `during`), or other hosts (`hosts` and " +
		"`of`).",
	Fields: []field.Field{
		{Name: "oneOf", Text: "Ids of the resources of which one that is free is taken.",
			Agents: "Ids of the resources of which one that is free is taken.", Each: "Id of a resource."},
		{Name: "during", Text: "Of a resource. `all`: from the buffer before to the buffer after. `work`: exactly while the " +
			"host is taken.",
			Agents: "Of a resource. all: buffers included; work: exactly while the host is taken.",
			Enum:   field.Values(DuringAll, DuringWork)},
		{Name: "hosts", Text: "How many hosts work together, the one who leads among them; all are taken.",
			Agents: "How many hosts work together, the one who leads among them.", Least: 2, Most: MaxTogether},
		{Name: "of", Text: "Ids of the hosts who may be taken beside the one who leads, the first who are free; left out, all " +
			"who serve the event type. A key of some hosts reads its own of them only: an empty list says that others are taken.",
			Agents: "Ids of the hosts who may be taken beside the one who leads.", Each: "Id of a host."},
	},
}

// CheckNeeds normalises the needs. field names the event type's place in the input, for errors. Errors: bad_request.
func (e *EventType) CheckNeeds(at string, resources []Resource, hosts []Host) error {
	if len(e.Needs) > MaxNeeds {
		return fault.Invalid(at+".needs", "at most %d", MaxNeeds)
	}
	for i := range e.Needs {
		n, at := &e.Needs[i], fmt.Sprintf("%s.needs[%d]", at, i)
		if n.Together() {
			if err := e.checkTogether(at, i, hosts); err != nil {
				return err
			}
			continue
		}
		if n.During == "" {
			n.During = DuringAll
		}
		switch {
		case n.During != DuringAll && n.During != DuringWork:
			return fault.Invalid(at+".during", "must be %s or %s", DuringAll, DuringWork)
		case len(n.OneOf) == 0:
			return fault.Invalid(at+".oneOf", "needs at least one resource: the ids of GET /api/v1/resources")
		case len(n.OneOf) > maxOneOf:
			return fault.Invalid(at+".oneOf", "at most %d", maxOneOf)
		}
		for j, id := range n.OneOf {
			switch {
			case !slices.ContainsFunc(resources, func(r Resource) bool { return r.ID == id }):
				return fault.Invalid(fmt.Sprintf("%s.oneOf[%d]", at, j), "there is no resource %s", id)
			case slices.Contains(n.OneOf[:j], id):
				return fault.Invalid(fmt.Sprintf("%s.oneOf[%d]", at, j), "%s stands twice", id)
			}
		}
	}
	return nil
}

// Resource returns the resource with that id, or nil.
func (s *Setup) Resource(id ResourceID) *Resource {
	for i := range s.Resources {
		if s.Resources[i].ID == id {
			return &s.Resources[i]
		}
	}
	return nil
}

// Shown returns those of the resources that customers are told of.
func (s *Setup) Shown(refs []ResourceRef) (shown []*Resource) {
	for _, ref := range refs {
		if r := s.Resource(ref.ID); r != nil && r.Shown {
			shown = append(shown, r)
		}
	}
	return shown
}

// Serving returns the active resources that can meet the need: first those that the fewest active event types need, then
// by the order of OneOf.
func (s *Setup) Serving(n *Need) []ResourceID {
	ids := slices.DeleteFunc(slices.Clone(n.OneOf), func(id ResourceID) bool {
		r := s.Resource(id)
		return r == nil || !r.Active
	})
	slices.SortStableFunc(ids, func(a, b ResourceID) int { return s.neededBy[a] - s.neededBy[b] })
	return ids
}

// countNeeds counts the active event types that need each resource.
func (s *Setup) countNeeds() {
	if len(s.Resources) == 0 {
		return
	}
	s.neededBy = map[ResourceID]int{}
	for i := range s.EventTypes {
		if e := &s.EventTypes[i]; e.Active {
			for _, id := range e.Needed() {
				s.neededBy[id]++
			}
		}
	}
}

// Needed returns the resources that any need of the event type names, by id.
func (e *EventType) Needed() []ResourceID { return Needed(e.Needs) }

// Needed returns the resources that any of the needs names, by id.
func Needed(needs []Need) (ids []ResourceID) {
	for _, n := range needs {
		ids = append(ids, n.OneOf...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
