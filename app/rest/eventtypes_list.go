package rest

import (
	"encoding/json"
	"net/http"

	"daybook/app"
)

var listEventTypes = route{
	method: http.MethodGet, path: "/v1/event-types", id: "listEventTypes", tag: "Event types",
	summary: "List event types",
	text:    "Lists the workspace's event types (its services) in the owner's order, inactive ones too.",
	params:  []param{limitParam(50), cursorParam},
	answers: []answerText{{status: 200, text: "A page of event types.", body: app.Page[app.EventType]{}}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return encoded(d.EventTypes(c.actor, c.query.number("limit"), c.query.text("cursor")))
	},
}

var getEventType = route{
	method: http.MethodGet, path: "/v1/event-types/{id}", id: "getEventType", tag: "Event types",
	summary: "Retrieve an event type",
	text:    "Answers one event type by its slug or id.",
	answers: []answerText{{status: 200, text: "The event type.", body: app.EventType{}}},
	errors:  []errorText{{app.NotFound, "There is no such event type in the workspace."}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return encoded(d.EventType(c.actor, c.id()))
	},
}

// encoded answers a value that is seldom asked for, or the error in its stead.
func encoded[T any](v T, err error) (app.Answer, error) {
	if err != nil {
		return app.Answer{}, err
	}
	text, err := json.Marshal(v)
	return app.Answer{Status: http.StatusOK, Body: text}, err
}
