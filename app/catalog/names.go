package catalog

import (
	"fmt"
	"slices"
	"strings"

	"daybook/app/fault"
	"daybook/app/id"
)

// HostNamed returns the host with that id or name, compared without case, among those that seen accepts. The error is
// not_found if there is none or several have the name, and lists similar names.
func (s *Setup) HostNamed(ref string, seen func(HostID) bool) (*Host, error) {
	var found []*Host
	var names []string
	ref = strings.TrimSpace(ref)
	byID, err := id.Parse[HostIDKind](ref)
	for i := range s.Hosts {
		h := &s.Hosts[i]
		if !seen(h.ID) {
			continue
		}
		if err == nil && h.ID == byID {
			return h, nil
		}
		if strings.EqualFold(h.Name, ref) {
			found = append(found, h)
		}
		names = append(names, h.Name)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, missingNear("host", ref, names)
	}
	return nil, fault.New(fault.NotFound, "", "Several hosts are called %q: %s and %s. Name one by its id.", ref, found[0].ID,
		found[1].ID)
}

// EventTypeNamed returns the event type with that slug, id or title, which is compared without case, among those that
// seen accepts. The error is like that of HostNamed.
func (s *Setup) EventTypeNamed(ref string, seen func(*EventType) bool) (*EventType, error) {
	ref = strings.TrimSpace(ref)
	if e := s.EventType(ref); e != nil && seen(e) {
		return e, nil
	}
	var found []*EventType
	var names []string
	for i := range s.EventTypes {
		e := &s.EventTypes[i]
		if !seen(e) {
			continue
		}
		if strings.EqualFold(e.Title, ref) {
			found = append(found, e)
		}
		if names = append(names, e.Slug); !strings.EqualFold(e.Title, e.Slug) {
			names = append(names, e.Title)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, missingNear("event type", ref, names)
	}
	return nil, fault.New(fault.NotFound, "", "Several event types are called %q: %s and %s. Name one by its slug.", ref,
		found[0].Slug, found[1].Slug)
}

// missingNear returns the not_found error that asks for the known name which was probably meant, or else names some.
func missingNear(what, ref string, known []string) *fault.Error {
	if near := fault.Nearest(ref, known); near != "" {
		return fault.New(fault.NotFound, "", "There is no %s %q in this workspace. Did you mean %s?", what, ref, near)
	}
	if n := min(len(known), 10); n > 0 {
		return fault.New(fault.NotFound, "", "There is no %s %q in this workspace. There are %s.", what, ref,
			strings.Join(known[:n], ", "))
	}
	return fault.Missing(what, ref)
}

// NoHost returns the hint for a list that is empty because no host has the id ref: similar names among the hosts that
// seen accepts.
func (s *Setup) NoHost(ref string, seen func(HostID) bool) string {
	h, err := s.HostNamed(ref, seen)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%q is a name: name the host by the id, %s.", ref, h.ID)
}

// NoEventType returns the hint for a list that is empty because no event type has the slug or id ref: similar names
// among the event types that seen accepts.
func (s *Setup) NoEventType(ref string, seen func(*EventType) bool) string {
	e, err := s.EventTypeNamed(ref, seen)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%q is a title: name the event type by its slug, %s.", ref, e.Slug)
}

// AddOnsNamed replaces titles of add-ons, compared without case, by their ids. Other texts stay.
func (e *EventType) AddOnsNamed(refs []string) []string {
	ids := slices.Clone(refs)
	for i, ref := range refs {
		if slices.ContainsFunc(e.AddOns, func(a AddOn) bool { return a.ID == ref }) {
			continue
		}
		var found []string
		for _, a := range e.AddOns {
			if strings.EqualFold(a.Title, strings.TrimSpace(ref)) {
				found = append(found, a.ID)
			}
		}
		if len(found) == 1 {
			ids[i] = found[0]
		}
	}
	return ids
}
