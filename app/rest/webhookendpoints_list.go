package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/webhook"
)

var listEndpoints = route{
	method: http.MethodGet, path: "/v1/webhook-endpoints", id: "listWebhookEndpoints", tag: "Webhooks",
	summary: "List webhook endpoints",
	text:    "Lists the workspace's endpoints, oldest first, each with its latest delivery.",
	params:  []param{limitParam(50), cursorParam},
	answers: []answerText{{status: 200, text: "A page of endpoints.", body: fault.Page[webhook.Endpoint]{}}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return encoded(d.Webhook.EndpointPage(c.ctx, c.actor, c.query.number("limit"), c.query.text("cursor")))
	},
}
