package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var getEventType = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/event-types/{id}", ID: "getEventType", Tag: "Event types",
	Summary:   "Retrieve an event type",
	Text:      "Answers one event type by its slug or id.",
	Successes: []openapi.Success{{Status: 200, Text: "The event type.", Body: catalog.EventType{}, ETag: true}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such event type in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	e, err := d.EventType(c.actor, c.id())
	answer, err := encoded(e, err)
	answer.ETag = EventTypeVersion(e)
	return answer, err
},
}
