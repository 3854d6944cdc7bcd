package rest

import (
	"reflect"

	"daybook/app/fault"
)

const introduction = "Daybook takes bookings for a business. Every request carries an API key of one workspace: `Authorization: Bearer <API_KEY>`.\n\n" +
	"**Times** are ISO 8601 in UTC; input with an offset is converted. A time without a zone is UTC in a query, and refused in a body. **Money** is in minor units. " +
	"**Lists** are `{data, hasMore, nextCursor}`; pass `nextCursor` as `cursor` to go on. " +
	"**Unknown** fields and parameters are refused, and the error names the nearest known one. Fields may be added to answers at any time: ignore those that you do not know.\n\n" +
	"**Retries**: send an `Idempotency-Key` with a POST and repeat it as it was: the first answer, success or 409, comes back with " +
	"`Idempotency-Replayed: true` for 24 hours. **Rate**: 120 requests in any 60 seconds per key unless the operator set another limit; beyond it, 429 with `Retry-After`."

var tags = []tag{
	{"Bookings", "One invitee's time with one host: made, moved, cancelled."},
	{"Event types", "The services that can be booked, and their rules."},
	{"Availability", "The times that can be booked."},
	{"Contacts", "The people who book."},
	{"Webhooks", "What tells other programs of changes: endpoints that are sent every event, signed, and the events themselves for those who ask."},
}

var idempotencyKey = parameter{
	Name: "Idempotency-Key", In: "header", Example: "7f0c2a5e-order-1042",
	Description: "Makes a repetition of this request safe: its answer is kept for 24 hours, and given again. Another request with the same key is 409.",
	Schema:      &schema{Type: "string", MinLength: 1, MaxLength: 255},
}

var headers = map[string]header{
	"X-Request-Id":         {Description: "The id of this request, for the operator's logs.", Schema: &schema{Type: "string"}},
	"RateLimit-Limit":      {Description: "Requests that this key has in any 60 seconds.", Schema: &schema{Type: "integer"}},
	"RateLimit-Remaining":  {Description: "Requests left now.", Schema: &schema{Type: "integer"}},
	"RateLimit-Reset":      {Description: "Seconds until all of them are free again.", Schema: &schema{Type: "integer"}},
	"Retry-After":          {Description: "Seconds to wait.", Schema: &schema{Type: "integer"}},
	"WWW-Authenticate":     {Description: "The scheme to authenticate with.", Schema: &schema{Type: "string", Examples: []any{"Bearer"}}},
	"Idempotency-Replayed": {Description: "`true` when this is the stored answer to an earlier request with the same Idempotency-Key.", Schema: &schema{Type: "string", Enum: list("true")}},
}

const (
	exampleID        = "bk_1p4s8ywa0g0m3"
	exampleHost      = "hs_1p4s8yvz00n1b"
	exampleEventType = "et_1p4s8yvz04k2c"
	exampleRequestID = "req_01kb3j7v2m9q4x8w"
)

var exampleBooking = map[string]any{
	"id": exampleID, "eventType": "haircut", "eventTypeId": exampleEventType, "start": "2026-12-01T09:00:00Z", "end": "2026-12-01T09:45:00Z",
	"status": "confirmed", "invitee": map[string]any{"name": "Bo Berg", "email": "bo@example.com", "timeZone": "Europe/Berlin"},
	"host": map[string]any{"id": exampleHost, "name": "Ana"}, "location": "Lindenstr. 4, Berlin", "notes": "", "answers": map[string]any{},
	"metadata": map[string]any{}, "price": map[string]any{"amount": 4500, "currency": "EUR"}, "payment": nil, "pendingReason": nil,
	"expiresAt": nil, "previousStart": nil, "rescheduleCount": 0, "cancellation": nil, "noShow": nil,
	"manageUrl": "https://book.example.com/booking/1p4s8ywa0g0m3x2k9", "createdAt": "2026-11-30T08:12:45.120Z", "updatedAt": "2026-11-30T08:12:45.120Z",
}

// exampleError is the body of an error as an operation would answer it.
func exampleError(rt *route, code fault.Code) fault.ErrorBody {
	e := fault.ErrorObject{Code: code, RequestID: exampleRequestID}
	switch code {
	case fault.BadRequest:
		e.Message, e.Details = exampleBadRequest(rt)
	case fault.Unauthorized:
		e.Message = "Send an API key as Authorization: Bearer <API_KEY>."
	case fault.Forbidden:
		e.Message, e.Details = "This API key is read-only. Use a key of scope full to change anything.", map[string]any{"reason": "read_only_key"}
	case fault.NotFound:
		e.Message = "There is no such thing in this workspace."
	case fault.Conflict:
		e.Message, e.Details = exampleConflict(rt)
	case fault.PayloadTooLarge:
		e.Message, e.Details = errTooLarge.Message, errTooLarge.Details
	case fault.UnsupportedMediaType:
		e.Message = errNotJSON.Message
	case fault.RateLimited:
		e.Message, e.Details = "Too many requests with this key.", map[string]any{"retryAfter": 12}
	case fault.Unavailable:
		e.Message, e.Details = "Too many searches for open times are running.", map[string]any{"reason": "busy", "retryAfter": 3}
	case fault.Internal:
		e.Message = "Something went wrong on our side."
	}
	return fault.ErrorBody{Error: e}
}

func exampleBadRequest(rt *route) (string, map[string]any) {
	field, message := "expand", "expand: is no parameter of this request; it takes none"
	switch {
	case len(rt.params) > 0:
		field, message = "limit", "limit: must be a whole number of at least 1"
	case rt.bodyExample != nil:
		e := fault.Unknown("", "dryRun", "field of this request", fieldsOf(reflect.TypeOf(rt.body)))
		field, message = e.Field, e.Message
	}
	return message, map[string]any{"reason": "invalid", "field": field}
}

func exampleConflict(rt *route) (string, map[string]any) {
	switch rt.id {
	case "createBooking", "rescheduleBooking":
		return "2026-12-01T09:00:00Z is taken. Choose one of details.alternatives, or ask for availability again.", map[string]any{
			"reason": "slot_taken", "alternatives": []any{map[string]any{
				"start": "2026-12-01T09:45:00Z", "end": "2026-12-01T10:30:00Z", "local": "2026-12-01T10:45:00+01:00", "hosts": []any{exampleHost},
			}}, "timeZone": "Europe/Berlin"}
	case "createWebhookEndpoint":
		return "This workspace has 50 webhook endpoints, the most there may be; delete one first.", map[string]any{"reason": "too_many_endpoints"}
	case "createContact":
		return "This Idempotency-Key was used for another request in the last 24 hours.", map[string]any{"reason": "idempotency_mismatch"}
	}
	return "The booking is no_show, which does not allow this.", map[string]any{"reason": "wrong_state", "status": "no_show"}
}

// apiVersion is the version of the API as the document tells it: the second number counts what was added, the last one
// what was only described better.
const apiVersion = "1.1.0"
