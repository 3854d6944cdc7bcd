package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

var deleteEndpoint = route{
	method: http.MethodDelete, path: "/v1/webhook-endpoints/{id}", id: "deleteWebhookEndpoint", tag: "Webhooks",
	summary: "Delete a webhook endpoint",
	text:    "Forgets an endpoint and its secret. It is told of nothing any more; what waits for it is given up.",
	answers: []answerText{{status: 204, text: "It is gone."}},
	errors:  []errorText{{fault.NotFound, "There is no such endpoint in the workspace."}},
	handle: func(d *door, c *call) (app.Answer, error) {
		return app.Answer{Status: http.StatusNoContent}, d.Webhook.DeleteEndpoint(c.ctx, c.actor, c.id())
	},
}
