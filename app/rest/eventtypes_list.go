package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
)

var listEventTypes = route{
	method: http.MethodGet, path: "/v1/event-types", id: "listEventTypes", tag: "Event types",
	summary: "List event types",
	text:    "Lists the workspace's event types (its services) in the owner's order, inactive ones too.",
	params:  []param{limitParam(50), cursorParam},
	answers: []answerText{{status: 200, text: "A page of event types.", body: fault.Page[catalog.EventType]{}}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return encoded(d.EventTypes(c.actor, c.query.number("limit"), c.query.text("cursor")))
	},
}
