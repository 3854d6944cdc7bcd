package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/webhook"
)

var getEndpoint = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/webhook-endpoints/{id}", ID: "getWebhookEndpoint", Tag: "Webhooks",
	Summary:   "Retrieve a webhook endpoint",
	Text:      "Answers one endpoint, with its latest delivery.",
	Successes: []openapi.Success{{Status: 200, Text: "The endpoint.", Body: webhook.Endpoint{}, ETag: true}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such endpoint in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	e, err := d.Webhook.Endpoint(c.ctx, c.actor, c.id())
	answer, err := encoded(e, err)
	answer.ETag = EndpointVersion(&e)
	return answer, err
},
}
