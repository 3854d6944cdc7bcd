package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
	"daybook/app/webhook"
)

var listDeliveries = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/webhook-deliveries", ID: "listWebhookDeliveries", Tag: "Webhooks",
	Summary: "List deliveries",
	Text: "Lists what was sent to the workspace's webhook endpoints, or is to be, the newest first, and what became of it. " +
		"Deliveries are kept as long as events are.",
	Params: []openapi.Param{
		{Name: "endpoint", Text: "Only those to the endpoint with this id.", MaxLength: maxID, Example: "wh_1p4s8yvz04k2c"},
		{Name: "state", Text: "Only those in this state.", Enum: wordsOf(webhook.DeliveryStates), Example: "failed"},
		openapi.Limit(50), openapi.Cursor,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of deliveries.", Body: fault.Page[webhook.Delivery]{}}},
	Errors:    []openapi.Error{missing("endpoint")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	page, err := s.Webhook.Deliveries(c.Context(), c.Actor(), webhook.ListDeliveriesInput{Endpoint: c.Text("endpoint"),
		State: c.Text("state"), Limit: c.Number("limit"), Cursor: c.Text("cursor")})
	return respond(http.StatusOK, page, err)
}}

var getDelivery = Route{openapi.Route{
	Method: http.MethodGet, Path: "/v1/webhook-deliveries/{id}", ID: "getWebhookDelivery", Tag: "Webhooks",
	Summary:   "Retrieve a delivery",
	Text:      "Answers what became of one event that was sent to one endpoint.",
	Successes: []openapi.Success{{Status: 200, Text: "The delivery.", Body: webhook.Delivery{}}},
	Errors:    []openapi.Error{missing("delivery")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	d, err := s.Webhook.Delivery(c.Context(), c.Actor(), c.Path("id"))
	return respond(http.StatusOK, d, err)
}}

var redeliver = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/webhook-deliveries/{id}/redeliver", ID: "redeliverWebhook", Tag: "Webhooks",
	Summary: "Send a delivery again",
	Text: "Sends the event of a delivery again, at once and with all its retries: the same body with the same `webhook-id`, " +
		"whether it was delivered or given up. One that is just being sent goes on.",
	Successes: []openapi.Success{{Status: 202, Text: "The delivery, which waits to be sent.", Body: webhook.Delivery{}}},
	Errors: []openapi.Error{missing("delivery"),
		{Code: fault.Conflict, Text: "`details.reason` is `endpoint_disabled`: the endpoint is switched off; or `event_forgotten`: " +
			"the event is too old."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	d, err := s.Webhook.Redeliver(c.Context(), c.Actor(), c.Path("id"))
	return respond(http.StatusAccepted, d, err)
}}
