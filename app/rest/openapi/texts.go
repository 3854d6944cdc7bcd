package openapi

import (
	"reflect"

	"daybook/app"
	"daybook/app/fault"
)

const introduction = "Daybook takes bookings for a business. Every request carries an API key of one workspace: " +
	"`Authorization: Bearer <API_KEY>`.\n\n" +
	"**Times** are ISO 8601 in UTC; input with an offset is converted. A time without a zone is UTC in a query, and " +
	"refused in a body. **Money** is in minor units. " +
	"**Lists** are `{data, hasMore, nextCursor}`; pass `nextCursor` as `cursor` to go on. " +
	"**Unknown** fields and parameters are refused, and the error names the nearest known one. Fields may be added to " +
	"answers at any time: ignore those that you do not know.\n\n" +
	"**Retries**: send an `Idempotency-Key` with a POST and repeat it as it was: the first answer, success or 409, " +
	"comes back with " +
	"`Idempotency-Replayed: true` for 24 hours. **Rate**: 120 requests in any 60 seconds per key unless the operator " +
	"set another limit; beyond it, 429 with `Retry-After`."

var tags = []Tag{
	{"Bookings", "One invitee's time with one host: made, moved, cancelled."},
	{"Visits", "Several services for one person, one after the other: booked, moved and cancelled together."},
	{"Series", "Bookings that come again: booked at once, moved and cancelled together or one by one."},
	{"Sales", "What a customer pays together: services, products, a tip, with discounts."},
	{"Passes and vouchers", "What customers have paid ahead: ten cuts, an amount for a friend."},
	{"Payments", "Money that was taken at the counter, its receipts, and how a day was closed."},
	{"Event types", "The services that can be booked, and their rules."},
	{"Hosts", "The people and rooms that can be booked, their hours and time off."},
	{"Resources", "The rooms, chairs and equipment that bookings take besides their host, and when they can be used."},
	{"Products", "What is sold at the counter besides services, and how many there are."},
	{"Availability", "The times that can be booked."},
	{"Holds", "Times that are kept for some minutes, and become bookings."},
	{"Waitlist", "Who waits for a time that comes free."},
	{"Web pages", "What web pages do with a public key: list what can be booked, find open times, book."},
	{"Contacts", "The people who book."},
	{"Pictures", "Uploaded pictures, which the booking page shows: the logo, those of hosts and of event types; and those of products."},
	{"Invitations", "Links by which one event type can be booked, a hidden one, too."},
	{"Members", "Those who may sign in to the dashboard."},
	{"Analytics", "Figures of bookings."},
	{"Key", "The key of the request."},
	{"Webhooks", "What tells other programs of changes: endpoints that are sent every event, signed, and the events " +
		"themselves for those who ask."},
}

var idempotencyKey = Parameter{
	Name: "Idempotency-Key", In: "header", Example: "7f0c2a5e-order-1042",
	Description: "Makes a repetition of this request safe: its answer is kept for 24 hours, and given again. Another " +
		"request with the same key is 409.",
	Schema: &Schema{Type: "string", MinLength: 1, MaxLength: app.MaxIdempotencyKey},
}

// visitor comes with public keys.
var visitor = Parameter{
	Name: "Daybook-Visitor", In: "header", Example: "c1f0b7a2-6a1d-4d0e-9a55-0f6f5d9d7f10",
	Description: "Must come with an Idempotency-Key: a random text that the page draws for each visitor, so that no " +
		"other visitor gets the stored answer.",
	Schema: &Schema{Type: "string", MinLength: MinVisitor, MaxLength: MaxVisitor},
}

// How long a visitor's text is, in bytes.
const MinVisitor, MaxVisitor = 16, 128

var headers = map[string]Header{
	"X-Request-Id": {Description: "The id of this request, for the operator's logs.",
		Schema: &Schema{Type: "string"}},
	"RateLimit-Limit": {Description: "Requests that this key has in any 60 seconds.",
		Schema: &Schema{Type: "integer"}},
	"RateLimit-Remaining": {Description: "Requests left now.", Schema: &Schema{Type: "integer"}},
	"RateLimit-Reset": {Description: "Seconds until all of them are free again.",
		Schema: &Schema{Type: "integer"}},
	"Retry-After": {Description: "Seconds to wait.", Schema: &Schema{Type: "integer"}},
	"WWW-Authenticate": {Description: "The scheme to authenticate with.",
		Schema: &Schema{Type: "string", Examples: []any{"Bearer"}}},
	"Idempotency-Replayed": {Description: "`true` when this is the stored answer to an earlier request with the same " +
		"Idempotency-Key.", Schema: &Schema{Type: "string", Enum: Values("true")}},
}

// exampleError returns the body of an error as an operation would answer it.
func (s *describer) exampleError(rt *Route, code fault.Code) fault.ErrorBody {
	e := fault.ErrorObject{Code: code, RequestID: ExampleRequestID}
	switch code {
	case fault.BadRequest:
		e.Message, e.Details = exampleBadRequest(rt)
	case fault.Unauthorized:
		e.Message = "Send an API key as Authorization: Bearer <API_KEY>."
	case fault.Forbidden:
		e.Message, e.Details = "This API key is read-only. Use a key of scope full to change anything.",
			map[string]any{"reason": "read_only_key"}
		if rt.Method == "GET" {
			e.Message, e.Details = "This API key is restricted and lacks a right.", map[string]any{"reason": "right"}
		}
		if rt.Public {
			e.Message, e.Details = "Pages of https://other.example may not use this key.",
				map[string]any{"reason": "foreign_origin"}
		}
	case fault.NotFound:
		e.Message = "There is no such thing in this workspace."
	case fault.Conflict:
		e.Message, e.Details = exampleConflict(rt)
	case fault.PreconditionFailed:
		e.Message = "The booking has changed since: get it again, and send the ETag of that answer as If-Match."
	case fault.PayloadTooLarge, fault.UnsupportedMediaType:
		e.Message, e.Details = s.Errors[code].Error(), s.Errors[code].Details
		if rt.Media != nil && code == fault.PayloadTooLarge {
			e.Message, e.Details = "The picture is larger than 10 MB.", map[string]any{"maxBytes": rt.MaxBytes}
		} else if rt.Media != nil {
			e.Message = "Send the file itself as the body, with its Content-Type: image/jpeg, image/png or image/webp."
		}
	case fault.RateLimited:
		e.Message, e.Details = "Too many requests with this key.", map[string]any{"retryAfter": 12}
	case fault.Unavailable:
		e.Message, e.Details = "The database can't be reached right now, so nothing was done. Try again in a moment.",
			map[string]any{"reason": "database", "retryAfter": 1}
	case fault.Internal:
		e.Message = "Something went wrong on our side."
	}
	return fault.ErrorBody{Error: e}
}

func exampleBadRequest(rt *Route) (string, map[string]any) {
	field, message := "expand", "expand: is no parameter of this request; it takes none"
	switch {
	case len(rt.Params) > 0:
		field, message = "limit", "limit: must be a whole number of at least 1"
	case rt.Media != nil:
		return "This file is no JPEG, PNG or WebP picture, or it is damaged. Save the picture as JPEG, PNG or WebP.",
			map[string]any{"reason": "not_a_picture"}
	case rt.BodyExample != nil:
		e := fault.Unknown("", "coupon", "field of this request", FieldNames(reflect.TypeOf(rt.Body)))
		field, message = e.Field, e.Error()
	}
	return message, map[string]any{"reason": "invalid", "field": field}
}

func exampleConflict(rt *Route) (string, map[string]any) {
	switch rt.ID {
	case "createBooking", "createPublicBooking", "rescheduleBooking", "editBooking":
		return "2026-12-01T09:00:00Z is taken. Choose one of details.alternatives, or ask for availability again.",
			map[string]any{
				"reason": "slot_taken", "alternatives": []any{map[string]any{
					"start": "2026-12-01T09:45:00Z", "end": "2026-12-01T10:30:00Z", "local": "2026-12-01T10:45:00+01:00",
					"hosts": []any{ExampleHost},
				}}, "timeZone": "Europe/Berlin"}
	case "createHold":
		return "At most 20 times may be held at once. Book or release one, or wait until one expires.",
			map[string]any{"reason": "too_many_holds"}
	case "createInvitation":
		return "This workspace has 10000 invitation links, the most there may be. Those that were used, have expired or " +
			"were revoked are forgotten after a while.", map[string]any{"reason": "too_many_invitations"}
	case "resendMail", "resendInvitation":
		return "This mail was sent less than a minute ago. Wait 42 seconds.",
			map[string]any{"reason": "sent_lately", "retryAfter": 42}
	case "createWebhookEndpoint":
		return "This workspace has 50 webhook endpoints, the most there may be; delete one first.",
			map[string]any{"reason": "too_many_endpoints"}
	case "deletePicture":
		return "This picture is shown as the logo, as a photo, or as that of a host, an event type or a product. Choose another one there first.",
			map[string]any{"reason": "picture_in_use"}
	case "uploadPicture":
		return "A workspace has at most 50 MB of pictures, and 2000 of them.", map[string]any{"reason": "too_many_pictures"}
	case "createContact":
		return "This Idempotency-Key was used for another request in the last 24 hours.",
			map[string]any{"reason": "idempotency_mismatch"}
	}
	return "The booking is no_show, which does not allow this.",
		map[string]any{"reason": "wrong_state", "status": "no_show"}
}

// apiVersion is the version of the API as the document tells it: the second number counts what was added, the last one
// what was only described better.
const apiVersion = "1.2.0"
