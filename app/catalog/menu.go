package catalog

import "slices"

// ByCategory puts what is offered under its categories, in the order in which these come first; what has none is the
// last. No part is empty.
func ByCategory[E any](all []E, category func(E) string) (parts [][]E) {
	at := map[string]int{}
	var rest []E
	for _, e := range all {
		name := category(e)
		if name == "" {
			rest = append(rest, e)
			continue
		}
		i, known := at[name]
		if !known {
			i = len(parts)
			at[name] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], e)
	}
	if len(rest) > 0 {
		parts = append(parts, rest)
	}
	return parts
}

// Menu returns all event types by category, in the order in which customers see them. Those that customers don't see
// stand where they would be, and categories with none but those after the others.
func (s *Setup) Menu() [][]*EventType {
	var shown, others []*EventType
	place := map[EventTypeID]int{}
	for i := range s.EventTypes {
		e := &s.EventTypes[i]
		place[e.ID] = i
		if e.Listed() {
			shown = append(shown, e)
		} else {
			others = append(others, e)
		}
	}
	menu := ByCategory(append(shown, others...), func(e *EventType) string { return e.Category })
	for _, part := range menu {
		slices.SortFunc(part, func(a, b *EventType) int { return place[a.ID] - place[b.ID] })
	}
	return menu
}
