package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/webhook"
)

var listEndpoints = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/webhook-endpoints", ID: "listWebhookEndpoints", Tag: "Webhooks",
	Summary:   "List webhook endpoints",
	Text:      "Lists the workspace's endpoints, oldest first, each with its latest delivery.",
	Params:    []openapi.Param{limitParam(50), cursorParam},
	Successes: []openapi.Success{{Status: 200, Text: "A page of endpoints.", Body: fault.Page[webhook.Endpoint]{}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return encoded(d.Webhook.EndpointPage(c.ctx, c.actor, c.query.number("limit"), c.query.text("cursor")))
},
}
