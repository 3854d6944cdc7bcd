package rest

import (
	"encoding/json"
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var listEvents = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/events", ID: "listEvents", Tag: "Webhooks",
	Summary: "List events",
	Text: "Lists the workspace's events, oldest first: exactly the bodies that webhooks send; for read-only keys " +
		"without `manageUrl` and the links to pay. A receiver behind a firewall polls it with `after`: " +
		"the id of the last event it has seen. Events are kept for 30 days unless the operator set another time.",
	Params: []openapi.Param{
		{Name: "after", Text: "Id of an event: only those behind it are listed. Without it the list begins with the oldest.",
			MaxLength: maxID, Example: "evt_1p4s8ywa0g0m3"},
		limitParam(50), cursorParam,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of events.", Body: eventList{}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	after := c.query.text("after")
	if next := c.query.text("cursor"); next != "" {
		after = next
	}
	page, err := d.Webhook.EventsAfter(c.ctx, c.actor, after, c.query.number("limit"))
	if err != nil {
		return app.Response{}, err
	}
	c.out = appendEvents(c.out, &page)
	return found(c.out)
},
}

type eventList struct {
	Data       []openapi.Event `json:"data"`
	HasMore    bool            `json:"hasMore"`
	NextCursor *string         `json:"nextCursor"`
}

func appendEvents(dst []byte, page *fault.Page[json.RawMessage]) []byte {
	dst = append(dst, `{"data":[`...)
	for i, body := range page.Data {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, body...)
	}
	dst = append(dst, `],"hasMore":`...)
	if page.NextCursor == nil {
		return append(dst, `false,"nextCursor":null}`...)
	}
	return append(booking.AppendText(append(dst, `true,"nextCursor":`...), *page.NextCursor), '}')
}
