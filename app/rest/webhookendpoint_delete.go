package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var deleteEndpoint = route{Route: openapi.Route{
	Method: http.MethodDelete, Path: "/v1/webhook-endpoints/{id}", ID: "deleteWebhookEndpoint", Tag: "Webhooks",
	Summary: "Delete a webhook endpoint",
	Text:    "Forgets an endpoint and its secret. It is told of nothing any more; what waits for it is given up.",
	Answers: []openapi.Answer{{Status: 204, Text: "It is gone."}},
	Errors:  []openapi.Error{{Code: fault.NotFound, Text: "There is no such endpoint in the workspace."}},
}, handle: func(d *door, c *call) (app.Answer, error) {
	return app.Answer{Status: http.StatusNoContent}, d.Webhook.DeleteEndpoint(c.ctx, c.actor, c.id())
},
}
