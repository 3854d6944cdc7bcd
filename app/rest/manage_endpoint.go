package rest

import (
	"net/http"
	"time"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
	"daybook/app/webhook"
)

// EndpointVersion returns the version of what can be changed about an endpoint: deliveries don't change it.
func EndpointVersion(e *webhook.Endpoint) string {
	return fault.ETag([]any{e.ID, e.URL, e.Events, e.Enabled})
}

var changeEndpoint = Route{openapi.Route{
	Method: http.MethodPatch, Path: "/v1/webhook-endpoints/{id}", ID: "changeWebhookEndpoint", Tag: "Webhooks",
	Summary: "Change a webhook endpoint",
	Text: "Changes where events are sent, which, or whether. Its secret stays. What waits for it when it is switched " +
		"off is given up; switched on it is sent what happens from then on.",
	IfMatch:     ifMatch,
	Body:        webhook.EndpointPatch{},
	BodyType:    openapi.Type{Name: "WebhookEndpointPatchRequest", Fields: &webhook.EndpointPatchFields},
	BodyExample: map[string]any{"events": []string{"booking.created", "booking.cancelled"}, "enabled": true},
	Successes:   []openapi.Success{{Status: 200, Text: "The endpoint as it is now.", Body: webhook.Endpoint{}, ETag: true}},
	Errors:      []openapi.Error{missing("endpoint"), changed("endpoint")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in webhook.EndpointPatch
	if err := c.Decode(&in); err != nil {
		return app.Response{}, err
	}
	e, err := s.Webhook.ChangeEndpoint(c.Context(), c.Actor(), c.Path("id"), in, func(e *webhook.Endpoint) error {
		return fault.CheckETag(c.Match(), EndpointVersion(e), "endpoint")
	})
	return tagged(e, EndpointVersion(&e), err)
}}

var deleteEndpoint = Route{openapi.Route{
	Method: http.MethodDelete, Path: "/v1/webhook-endpoints/{id}", ID: "deleteWebhookEndpoint", Tag: "Webhooks",
	Summary:   "Delete a webhook endpoint",
	Text:      "Forgets an endpoint and its secret. It is told of nothing any more; what waits for it is given up.",
	IfMatch:   ifMatch,
	Successes: []openapi.Success{{Status: 204, Text: "It is gone."}},
	Errors:    []openapi.Error{missing("endpoint"), changed("endpoint")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	return gone, s.Webhook.DeleteEndpoint(c.Context(), c.Actor(), c.Path("id"), func(e *webhook.Endpoint) error {
		return fault.CheckETag(c.Match(), EndpointVersion(e), "endpoint")
	})
}}

var testEndpoint = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/webhook-endpoints/{id}/test", ID: "testWebhookEndpoint", Tag: "Webhooks",
	Summary: "Send a test event",
	Text: "Sends the endpoint a made-up event of the first kind that it wants, with `\"test\": true`, at once and " +
		"through the same queue as real ones. `latestDelivery` of the endpoint tells what became of it.",
	Successes: []openapi.Success{{Status: 202, Text: "The delivery, which is under way.", Body: webhook.Delivery{}}},
	Errors: []openapi.Error{missing("endpoint"),
		{Code: fault.Conflict, Text: "`details.reason` is `endpoint_disabled`: it is switched off."}},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	d, err := s.Webhook.TestEndpoint(c.Context(), c.Actor(), c.Path("id"))
	return respond(http.StatusAccepted, d, err)
}}

// rotateBody is the body of a rotation.
type rotateBody struct {
	OverlapMinutes *int `json:"overlapMinutes"`
}

var rotateFields = field.Resource{
	Text: "How to renew a secret.",
	Fields: []field.Field{{Name: "overlapMinutes", Most: 30 * 24 * 60, Example: 1440,
		Text: "For how long the old secret signs too, in minutes; a day when it is left out, 0 ends it at once."}},
}

var rotateSecret = Route{openapi.Route{
	Method: http.MethodPost, Path: "/v1/webhook-endpoints/{id}/rotate", ID: "rotateWebhookSecret", Tag: "Webhooks",
	Summary: "Renew a webhook endpoint's secret",
	Text: "Gives the endpoint another signing secret, which is shown this once. The old one signs too until the overlap " +
		"is over. Because of the secret the answer is not kept for an Idempotency-Key.",
	Body:        rotateBody{},
	BodyType:    openapi.Type{Name: "RotateRequest", Fields: &rotateFields},
	BodyExample: map[string]any{"overlapMinutes": 1440}, BodyOptional: true, Unstored: true,
	Successes: []openapi.Success{{Status: 200, Text: "The endpoint, with its new secret.", Body: NewEndpoint{}}},
	Errors:    []openapi.Error{missing("endpoint")},
}, func(s *subjects.Set, c Call) (app.Response, error) {
	var in rotateBody
	if err := c.Decode(&in); err != nil {
		return app.Response{}, err
	}
	minutes := 24 * 60
	if in.OverlapMinutes != nil {
		minutes = *in.OverlapMinutes
	}
	if minutes < 0 || minutes > 30*24*60 {
		return app.Response{}, fault.Invalid("overlapMinutes", "must lie between 0 and %d", 30*24*60)
	}
	e, err := s.Webhook.RotateSecret(c.Context(), c.Actor(), c.Path("id"), time.Duration(minutes)*time.Minute)
	return respond(http.StatusOK, NewEndpointOf(e), err)
}}
