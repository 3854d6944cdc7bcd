package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
)

var getEventType = route{
	method: http.MethodGet, path: "/v1/event-types/{id}", id: "getEventType", tag: "Event types",
	summary: "Retrieve an event type",
	text:    "Answers one event type by its slug or id.",
	answers: []answerText{{status: 200, text: "The event type.", body: catalog.EventType{}}},
	errors:  []errorText{{fault.NotFound, "There is no such event type in the workspace."}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return encoded(d.EventType(c.actor, c.id()))
	},
}
