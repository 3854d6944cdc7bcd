package rest

import (
	"encoding/json"
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

var listEvents = route{
	method: http.MethodGet, path: "/v1/events", id: "listEvents", tag: "Webhooks",
	summary: "List events",
	text: "Lists the workspace's events, oldest first: exactly the bodies that webhooks send; for read-only keys without `manageUrl` and the links to pay. A receiver behind a firewall polls it with `after`: " +
		"the id of the last event it has seen. Events are kept for 30 days unless the operator set another time.",
	params: []param{
		{name: "after", text: "Id of an event: only those behind it are listed. Without it the list begins with the oldest.", maxLength: 64, example: "evt_1p4s8ywa0g0m3"},
		limitParam(50), cursorParam,
	},
	answers: []answerText{{status: 200, text: "A page of events.", body: eventList{}}},
	handle: func(d *door, c *call) (app.Answer, error) {
		after := c.query.text("after")
		if next := c.query.text("cursor"); next != "" {
			after = next
		}
		page, err := d.Webhook.EventsAfter(c.ctx, c.actor, after, c.query.number("limit"))
		if err != nil {
			return app.Answer{}, err
		}
		c.out = appendEvents(c.out, &page)
		return found(c.out)
	},
}

type eventList struct {
	Data       []event `json:"data"`
	HasMore    bool    `json:"hasMore"`
	NextCursor *string `json:"nextCursor"`
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
	return append(appendValue(append(dst, `true,"nextCursor":`...), *page.NextCursor), '}')
}
