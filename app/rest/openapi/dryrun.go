package openapi

import (
	"strings"
)

// DryRun is the field of every POST's body, and the parameter of uploads, with which nothing is done.
const DryRun = "dryRun"

const dryRunText = "true only answers what this request would do, whom it would tell and what it would cost: a " +
	"`DryRun`, with 200. Nothing is changed, and nothing is kept for an Idempotency-Key."

const refPrefix = "#/components/schemas/"

// dryRun adds the field to the body of a POST, and the answer to it. Where 200 is the call's own answer, its
// description says so, and its schema stays what clients know.
func (s *describer) dryRun(rt *Route, op *Operation) {
	field := &Schema{Type: "boolean", Description: dryRunText} // a default makes generators require it
	switch {
	case rt.Body != nil:
		body := s.Named[strings.TrimPrefix(s.Of(rt.Body).Ref, refPrefix)]
		if body.Properties[DryRun] == nil {
			body.Properties[DryRun], body.Order = field, append(body.Order, DryRun)
		}
	case rt.Media == nil:
		s.Named["DryRunRequest"] = &Schema{Type: "object", Description: "The body of an operation without fields of " +
			"its own; none is needed.", Properties: map[string]*Schema{DryRun: field}, Order: []string{DryRun},
			AdditionalProperties: false}
		op.RequestBody = &Content{Content: jsonContent(&Schema{Ref: refPrefix + "DryRunRequest"}, nil)}
	}
	answer := s.Of(s.DryRun)
	own := s.Named[strings.TrimPrefix(answer.Ref, refPrefix)].Properties
	own[DryRun].Const = true // no resource has it, so that a union can be told apart by it
	result := own["result"]
	result.AnyOf, result.Type, result.AdditionalProperties = nil, []string{"object", "null"}, true // whatever the call answers
	if own := op.Responses["200"]; own != nil {
		own.Description += " With `dryRun`: a `DryRun` instead, whose `result` it is."
		return
	}
	op.Responses["200"] = &Response{Description: "With `dryRun`: what the request would do.",
		Headers: headersOf("X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),
		Content: jsonContent(answer, nil)}
}
