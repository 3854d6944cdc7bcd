package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/webhook"
)

var createEndpoint = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/webhook-endpoints", ID: "createWebhookEndpoint", Tag: "Webhooks",
	Summary: "Register a webhook endpoint",
	Text: "Registers an address that every event of the kinds it wants is sent to from now on, signed with the secret " +
		"in the answer, which is " +
		"shown this once. Because of the secret the answer is not kept for an Idempotency-Key: a repetition registers " +
		"another endpoint.",
	Body:     webhook.EndpointInput{},
	BodyType: openapi.Type{Name: "WebhookEndpointRequest", Fields: &webhook.EndpointInputFields},
	BodyExample: map[string]any{"url": "https://example.com/hooks/daybook",
		"events": []string{"booking.created", "booking.cancelled"}},
	Unstored: true,
	Successes: []openapi.Success{{Status: 201, Text: "The new endpoint, with its secret.", Body: NewEndpoint{},
		Location: "The new endpoint."}},
	Errors: []openapi.Error{{Code: fault.Conflict,
		Text: "`details.reason` is `too_many_endpoints`: the workspace has as many as there may be."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in webhook.EndpointInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	e, err := d.Webhook.CreateEndpoint(c.ctx, c.actor, in)
	answer, err := encoded(NewEndpointOf(e), err)
	if err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/webhook-endpoints/"+e.ID.String()
	}
	return answer, err
},
}
