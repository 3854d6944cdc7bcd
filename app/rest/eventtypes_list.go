package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var listEventTypes = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/event-types", ID: "listEventTypes", Tag: "Event types",
	Summary:   "List event types",
	Text:      "Lists the workspace's event types (its services) in the owner's order, inactive ones too.",
	Params:    []openapi.Param{limitParam(50), cursorParam},
	Successes: []openapi.Success{{Status: 200, Text: "A page of event types.", Body: fault.Page[catalog.EventType]{}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.EventTypes(c.actor, c.query.number("limit"), c.query.text("cursor")))
},
}
