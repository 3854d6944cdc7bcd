package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/webhook"
)

var getEndpoint = route{
	method: http.MethodGet, path: "/v1/webhook-endpoints/{id}", id: "getWebhookEndpoint", tag: "Webhooks",
	summary: "Retrieve a webhook endpoint",
	text:    "Answers one endpoint, with its latest delivery.",
	answers: []answerText{{status: 200, text: "The endpoint.", body: webhook.Endpoint{}}},
	errors:  []errorText{{fault.NotFound, "There is no such endpoint in the workspace."}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return encoded(d.Webhook.Endpoint(c.ctx, c.actor, c.id()))
	},
}
