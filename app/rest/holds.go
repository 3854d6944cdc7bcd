package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var createHold = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/holds", ID: "createHold", Tag: "Holds",
	Summary: "Hold a time",
	Text: "Keeps a time for 1 to 15 minutes, while somebody fills in a form or pays elsewhere: nobody else can book or " +
		"hold it, and availability doesn't offer it. Give its `id` as `hold` when you book. A hold takes a host's time as " +
		"a booking does, with its buffers, or the seats of a session. It ends by itself. A key holds at most 20 times at " +
		"once. No event tells of it.\n\nA visit is one hold: give `items` as createVisit takes them, with a `start` or with those " +
		"of a slot, and its `id` as `hold` when you book the visit with the same items.",
	Body:        app.HoldInput{},
	BodyType:    openapi.Type{Name: "HoldRequest", Fields: &app.HoldInputFields},
	BodyExample: map[string]any{"eventType": "haircut", "start": "2026-12-01T09:00:00Z", "minutes": 5},
	Successes:   []openapi.Success{{Status: 201, Text: "The hold.", Body: app.Hold{}}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed, or `start` can never be booked, with the reasons of a " +
			"booking: none can be overridden."},
		{Code: fault.NotFound, Text: "The event type or the host is unknown."},
		{Code: fault.Conflict, Text: "`details.reason` is `slot_taken`, with `details.alternatives`; `too_many_holds`: " +
			"the key has 20 holds; or `visit_overlap`: items with starts of their own meet."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in app.HoldInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	answer, err := encoded(d.Hold(c.ctx, c.actor, in))
	if err == nil {
		answer.Status = http.StatusCreated
	}
	return answer, err
},
}

var releaseHold = route{Route: openapi.Route{
	Method: http.MethodDelete, Path: "/v1/holds/{id}", ID: "releaseHold", Tag: "Holds",
	Summary:   "Release a hold",
	Text:      "Ends a hold before its time: the time can be booked again at once.",
	Successes: []openapi.Success{{Status: 204, Text: "The time is free."}},
	Errors: []openapi.Error{{Code: fault.NotFound,
		Text: "There is no such hold in the workspace: it may have expired, or have become a booking."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return app.Response{Status: http.StatusNoContent}, d.ReleaseHold(c.ctx, c.actor, c.id())
},
}
