package app

import (
	"daybook/app/catalog"
	"daybook/app/fault"
)

// EventType returns one event type, by its slug or id. The error is not_found.
func (s *Service) EventType(a Actor, ref string) (catalog.EventType, error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return catalog.EventType{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return catalog.EventType{}, err
	}
	e := setup.EventType(ref)
	if e == nil || !a.SeesEventType(e) {
		return catalog.EventType{}, fault.Missing("event type", ref)
	}
	return *e, nil
}

// EventTypes lists the event types in the owner's order, after the cursor.
func (s *Service) EventTypes(a Actor, limit *int, after string) (fault.Page[catalog.EventType], error) {
	if err := a.May(MaySeeEventTypes); err != nil {
		return fault.Page[catalog.EventType]{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return fault.Page[catalog.EventType]{}, err
	}
	return setup.EventTypePage(limit, after, a.SeesEventType)
}
