package catalog

import "slices"

// AskedTogether returns an event type with the questions of all these services, each once, that asks for the contact details
// that any of them needs.
func AskedTogether(services ...*EventType) *EventType {
	e := NewEventType()
	email, phone := false, false
	for _, s := range services {
		for _, q := range s.Questions {
			at := slices.IndexFunc(e.Questions, func(other Question) bool { return other.Key == q.Key })
			if at < 0 {
				e.Questions = append(e.Questions, q)
			} else if q.Required {
				e.Questions[at].Required = true
			}
		}
		asks := s.Asks()
		email = email || asks == AskEmail || asks == AskBoth
		phone = phone || asks == AskPhone || asks == AskBoth
	}
	switch {
	case email && phone:
		e.AsksFor = AskBoth
	case phone:
		e.AsksFor = AskPhone
	case !email:
		e.AsksFor = AskEither
	}
	return &e
}
