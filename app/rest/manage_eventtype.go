package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/setup"
	"daybook/app/subjects"
)

// EventTypeVersion returns the version of an event type.
func EventTypeVersion(e catalog.EventType) string {
	e.BookingURL = "" // it follows from the server's address
	return fault.ETag(e)
}

var (
	typeTaken = openapi.Error{Code: fault.Conflict, Text: "`details.reason` is `slug_taken`: another event type has it."}
	wrong     = openapi.Error{Code: fault.BadRequest, Text: "Something doesn't fit: `details.field` names it, and " +
		"`details.fields` all of it where there is more."}
)

var createEventType = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/event-types", ID: "createEventType", Tag: "Event types",
	Summary: "Create an event type",
	Text: "Makes a service that can be booked, as the last of the list. The fields are those of a set-up file: what is " +
		"left out gets its default; `hosts` are ids or e-mail addresses, the first host when they are left out; resources of " +
		"`needs` are ids or names.",
	Body: zero(eventTypeBody),
	BodyExample: map[string]any{"slug": "haircut", "title": "Haircut", "durationMinutes": 45,
		"price": map[string]any{"amount": 4500}, "hosts": []string{"ana@example.com"}},
	Successes: []openapi.Success{{Status: 201, Text: "The new event type.", Body: catalog.EventType{}, ETag: true,
		Location: "The new event type."}},
	Errors: []openapi.Error{wrong, lacks("settings"), {Code: fault.Conflict,
		Text: typeTaken.Text + " Or `too_many_event_types`."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	e, err := saveEventType(s, c, "")
	return created(e, c.Address("/v1/event-types/"+e.ID.String()), EventTypeVersion(e), err)
}}

var changeEventType = Route{openapi.Route{
	Method: http.MethodPatch, Path: "/v1/event-types/{id}", ID: "changeEventType", Tag: "Event types",
	Summary: "Change an event type",
	Text: "Changes what the body names, and leaves the rest; null clears. The fields are those of a set-up file: a list " +
		"replaces the one before, `hosts` are ids or e-mail addresses, resources of `needs` ids or names, and an amount " +
		"without `currency` keeps its own. " +
		"Bookings that there are stay as they were made.",
	IfMatch: ifMatch,
	Body:    zero(eventTypePatch), BodyExample: map[string]any{"price": map[string]any{"amount": 4800}, "seats": 1},
	Successes: []openapi.Success{{Status: 200, Text: "The event type as it is now.", Body: catalog.EventType{}, ETag: true}},
	Errors:    []openapi.Error{wrong, missing("event type"), lacks("settings"), changed("event type"), typeTaken},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	e, err := saveEventType(s, c, c.Path("id"))
	return tagged(e, EventTypeVersion(e), err)
}}

// saveEventType changes the event type as the body says; "" is a new one.
func saveEventType(s *subjects.Set, c Call, ref string) (e catalog.EventType, err error) {
	var in setup.EventTypeChange
	if err := c.Decode(&in); err != nil {
		return e, bare(err, "")
	}
	e, err = s.Shop.ChangeEventType(c.Context(), c.Actor(), ref, func(all *catalog.Setup, e *catalog.EventType) error {
		if ref != "" {
			if err := fault.CheckETag(c.Match(), EventTypeVersion(*e), "event type"); err != nil {
				return err
			}
		}
		return in.Apply(all, e)
	})
	if err != nil {
		return e, bare(err, "eventType.")
	}
	w, err := s.Setup(c.Actor().Workspace)
	if err == nil {
		e.BookingURL = s.BaseURL() + "/" + w.Workspace.Slug + "/" + e.Slug
	}
	return e, err
}

var retireEventType = Route{openapi.Route{
	Method: http.MethodDelete, Path: "/v1/event-types/{id}", ID: "retireEventType", Tag: "Event types",
	Summary: "Retire an event type",
	Text: "Switches it off: nobody can book it any more, and its bookings stay. It is still listed, with " +
		"`active: false`, and changing that brings it back.",
	IfMatch:   ifMatch,
	Successes: []openapi.Success{{Status: 204, Text: "It can't be booked any more."}},
	Errors:    []openapi.Error{missing("event type"), lacks("settings"), changed("event type")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	_, err := s.Shop.SwitchEventType(c.Context(), c.Actor(), c.Path("id"), false, func(e *catalog.EventType) error {
		return fault.CheckETag(c.Match(), EventTypeVersion(*e), "event type")
	})
	return gone, err
}}
