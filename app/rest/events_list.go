package rest

import (
	"encoding/json"
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/webhook"
)

var listEvents = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/events", ID: "listEvents", Tag: "Webhooks",
	Summary: "List events",
	Text: "Lists the workspace's events, oldest first unless `order` says otherwise: exactly the bodies that webhooks send; for read-only keys " +
		"without `manageUrl` and the links to pay. A receiver behind a firewall polls it with `after`: " +
		"the id of the last event it has seen. Events are kept for 30 days unless the operator set another time.",
	Params: []openapi.Param{
		{Name: "after", Text: "Id of an event: only those behind it are listed. Without it the list begins with the oldest.",
			MaxLength: maxID, Example: "evt_1p4s8ywa0g0m3"},
		{Name: "event", Text: "Only events of this kind, or of one of several joined by commas: " +
			booking.NamesOf(catalog.CommonKinds, "`", ", ") + ".", List: true, Enum: wordsOf(catalog.CommonKinds),
			Example: "booking.cancelled"},
		{Name: "booking", Text: "Only events about the booking with this id.", MaxLength: maxID, Example: openapi.ExampleID},
		{Name: "order", Text: "`asc`: oldest first; `desc`: newest first, where `after` and `cursor` go on to older ones.",
			Enum: []string{"asc", "desc"}, Default: "asc"},
		limitParam(50), cursorParam,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of events.", Body: eventList{}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	after := c.query.text("after")
	if next := c.query.text("cursor"); next != "" {
		after = next
	}
	page, err := d.Webhook.Events(c.ctx, c.actor, webhook.ListEventsInput{After: after, Booking: c.query.text("booking"),
		Kinds: c.query.text("event"), Order: c.query.text("order"), Limit: c.query.number("limit")})
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
