package catalog

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Setup holds everything in a workspace that rarely changes. It is an immutable snapshot that all readers share.
type Setup struct {
	Workspace  Workspace
	Zone       *time.Location
	Hosts      []Host      // by id
	EventTypes []EventType // by position, then id
	Resources  []Resource  // by id
	// Subscriptions are the enabled webhook endpoints, by id.
	Subscriptions []Subscription

	neededBy map[ResourceID]int     // see Serving
	pictures map[PictureID]*Picture // those that it shows, see ShowPictures

	macs *sync.Pool // of hash.Hash, see SetLinkKey
	// TakesCards reports whether the workspace has an account at the payment provider.
	TakesCards bool
}

// NewSetup links the parts of a workspace and compiles the hosts' schedules.
func NewSetup(w Workspace, hosts []Host, types []EventType, resources []Resource) (*Setup, error) {
	s := &Setup{Workspace: w, Hosts: hosts, EventTypes: types, Resources: resources}
	s.SetLinkKey(nil)
	var err error
	if s.Zone, err = when.Zone(w.TimeZone); err != nil {
		return nil, err
	}
	for i := range s.Hosts {
		s.Hosts[i].closed, s.Hosts[i].closedZone = &s.Workspace.Closures, s.Zone
		if err := s.Hosts[i].compile(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.Hosts, func(a, b Host) int { return int(min(1, max(-1, a.ID-b.ID))) })
	for i := range s.Resources {
		if err := s.Resources[i].compile(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.Resources, func(a, b Resource) int { return cmp.Compare(a.ID, b.ID) })
	for i := range s.EventTypes {
		s.EventTypes[i].Link(s)
	}
	s.countNeeds()
	s.linkTerms()
	return s, nil
}

// HeldAt returns the time after which a hold must expire to count at now, or 0 if the workspace has never had one, so
// that queries can leave holds out. Holds expire at full seconds, so it is the beginning of the second.
func (s *Setup) HeldAt(now time.Time) when.Instant {
	if !s.Workspace.HasHolds {
		return 0
	}
	return when.At(now.Truncate(time.Second))
}

// ActiveHosts returns the hosts of the event type who can be booked, in its order; never nil.
func (s *Setup) ActiveHosts(e *EventType) []HostRef {
	active := []HostRef{}
	for _, ref := range e.Hosts {
		if h := s.Host(ref.ID); h != nil && h.Active {
			active = append(active, ref)
		}
	}
	return active
}

// Host returns the host with that id, or nil.
func (s *Setup) Host(id HostID) *Host {
	for i := range s.Hosts {
		if s.Hosts[i].ID == id {
			return &s.Hosts[i]
		}
	}
	return nil
}

// HostByEmail returns the host with that address, compared without case, or nil.
func (s *Setup) HostByEmail(email string) *Host {
	for i := range s.Hosts {
		if fault.SameEmail(s.Hosts[i].Email, email) {
			return &s.Hosts[i]
		}
	}
	return nil
}

// EventType returns the event type with that slug or id, or nil.
func (s *Setup) EventType(ref string) *EventType {
	for i := range s.EventTypes {
		if s.EventTypes[i].Slug == ref {
			return &s.EventTypes[i]
		}
	}
	if id, err := id.Parse[EventTypeIDKind](ref); err == nil {
		return s.EventTypeByID(id)
	}
	return nil
}

// EventTypeByID returns the event type with that id, or nil.
func (s *Setup) EventTypeByID(id EventTypeID) *EventType {
	for i := range s.EventTypes {
		if s.EventTypes[i].ID == id {
			return &s.EventTypes[i]
		}
	}
	return nil
}

// HostRef returns the id of the host with that id or e-mail; 0 for "". The error is not_found.
func (s *Setup) HostRef(ref string) (HostID, error) {
	if ref == "" {
		return 0, nil
	}
	if id, err := id.Parse[HostIDKind](ref); err == nil && s.Host(id) != nil {
		return id, nil
	}
	if h := s.HostByEmail(ref); h != nil {
		return h.ID, nil
	}
	return 0, fault.Missing("host", ref)
}

// Subscription is an enabled webhook endpoint and the events that it gets.
type Subscription struct {
	Endpoint EndpointID
	Kinds    []EventKind
}

// EventTypePage returns a page of the event types that seen accepts, in the owner's order, after the cursor. Errors:
// bad_request for limit and cursor.
func (s *Setup) EventTypePage(limit *int, after string, seen func(*EventType) bool) (fault.Page[EventType], error) {
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return fault.Page[EventType]{}, err
	}
	list := fault.List{"event-types"}
	rows := s.EventTypes
	if after != "" {
		var last int64
		if err := list.Read(after, &last); err != nil {
			return fault.Page[EventType]{}, err
		}
		i := slices.IndexFunc(rows, func(e EventType) bool { return e.ID == EventTypeID(last) })
		rows = rows[i+1:]
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(e EventType) bool { return !seen(&e) })
	return fault.PageOf(rows, n, func(e *EventType) string { return list.Cursor(int64(e.ID)) }), nil
}
