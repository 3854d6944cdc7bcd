package app

import (
	"slices"

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
	if e == nil {
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
	n, err := fault.PageLimit(limit, 50)
	if err != nil {
		return fault.Page[catalog.EventType]{}, err
	}
	rows := setup.EventTypes
	if after != "" {
		var last int64
		if err := fault.ParseCursor(after, &last); err != nil {
			return fault.Page[catalog.EventType]{}, err
		}
		i := slices.IndexFunc(rows, func(e catalog.EventType) bool { return e.ID == catalog.EventTypeID(last) })
		rows = rows[i+1:]
	}
	return fault.PageOf(rows, n, func(e *catalog.EventType) string { return fault.Cursor(int64(e.ID)) }), nil
}
