package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/webhook"
	"daybook/app/when"
)

var createEndpoint = route{
	method: http.MethodPost, path: "/v1/webhook-endpoints", id: "createWebhookEndpoint", tag: "Webhooks",
	summary: "Register a webhook endpoint",
	text: "Registers an address that every event of the kinds it wants is sent to from now on, signed with the secret in the answer, which is " +
		"shown this once. Because of the secret the answer is not kept for an Idempotency-Key: a repetition registers another endpoint.",
	body:        endpointBody{},
	bodyExample: map[string]any{"url": "https://example.com/hooks/daybook", "events": []string{"booking.created", "booking.cancelled"}},
	unstored:    true,
	answers:     []answerText{{status: 201, text: "The new endpoint, with its secret.", body: newEndpoint{}, location: "The new endpoint."}},
	errors:      []errorText{{fault.Conflict, "`details.reason` is `too_many_endpoints`: the workspace has as many as there may be."}},
	handle: func(d *door, c *call) (app.Answer, error) {
		var in endpointBody
		if err := c.decode(&in); err != nil {
			return app.Answer{}, err
		}
		e, err := d.Webhook.CreateEndpoint(c.ctx, c.actor, webhook.EndpointInput(in))
		answer, err := encoded(newEndpoint{e.ID, e.URL, e.Events, e.Secret, e.Enabled, e.CreatedAt}, err)
		if err == nil {
			answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/webhook-endpoints/"+e.ID.String()
		}
		return answer, err
	},
}

// endpointBody is the body of createEndpoint.
type endpointBody struct {
	URL    string   `json:"url" rule:"required"`
	Events []string `json:"events" rule:"required"`
}

// newEndpoint is an endpoint with its secret.
type newEndpoint struct {
	ID        catalog.EndpointID  `json:"id"`
	URL       string              `json:"url"`
	Events    []catalog.EventKind `json:"events"`
	Secret    string              `json:"secret"`
	Enabled   bool                `json:"enabled"`
	CreatedAt when.Instant        `json:"createdAt"`
}
