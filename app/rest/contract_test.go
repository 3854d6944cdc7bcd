package rest_test

import (
	"fmt"
	stdmaps "maps" // maps is a function of this package
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"daybook/app/contracttest"
	"daybook/app/fault"
	"daybook/app/rest"
	"daybook/app/rooms"
)

// The contract and the OpenAPI document have the same routes, fields, values, codes and reasons.
func TestContract(t *testing.T) {
	rec := httptest.NewRecorder()
	rest.New(rooms.New(rooms.Config{}), rest.Options{Version: "1"}).ServeHTTP(rec, httptest.NewRequest("GET", "/api/v1/openapi.json", nil))
	doc := parse(t, rec.Body.Bytes())
	schemas := object(object(doc["components"])["schemas"])

	t.Run("routes", func(t *testing.T) { contractRoutes(t, doc) })
	t.Run("fields", func(t *testing.T) { contractFields(t, schemas) })
	t.Run("values", func(t *testing.T) { contractValues(t, schemas) })
	t.Run("codes", func(t *testing.T) {
		var codes []string
		for _, row := range contracttest.Table(t, "Errors") {
			codes = append(codes, row.Word(0))
			if status, err := strconv.Atoi(row[1]); err != nil || status != fault.Code(row.Word(0)).Status() {
				t.Errorf("contract.md gives %s the status %s, the program %d", row.Word(0), row[1], fault.Code(row.Word(0)).Status())
			}
		}
		contracttest.Same(t, "codes", codes, enumOf(schemas, "ErrorObject", "code"))
	})
	t.Run("reasons", func(t *testing.T) {
		var ours []string
		for _, row := range contracttest.Table(t, "Reasons") {
			if row[1] == "API" {
				ours = append(ours, row.Word(0))
			}
		}
		contracttest.Same(t, "reasons of the API", ours, enumOf(schemas, "ErrorDetails", "reason"))
	})
}

func contractRoutes(t *testing.T, doc map[string]any) {
	listed := map[string][]string{}
	for _, row := range contracttest.Table(t, "Routes") {
		listed[row[0]+" "+row.Word(1)] = append(row.Words(2), row.Words(3)...)
	}
	var served []string
	for path, item := range object(doc["paths"]) {
		for method, op := range object(item) {
			route := strings.ToUpper(method) + " " + path
			served = append(served, route)
			contracttest.Same(t, route, listed[route], shapeOf(object(op)))
		}
	}
	contracttest.Same(t, "routes", slices.Collect(stdmaps.Keys(listed)), served)
}

// shapeOf is what a route takes and answers: query parameters, and the names of its bodies.
func shapeOf(op map[string]any) (names []string) {
	parameters, _ := op["parameters"].([]any)
	for _, p := range parameters {
		if p := object(p); p["in"] == "query" {
			names = append(names, fmt.Sprint(p["name"]))
		}
	}
	add := func(body any) {
		schema := object(object(object(object(body)["content"])["application/json"])["schema"])
		if ref, ok := schema["$ref"].(string); ok {
			name := ref[strings.LastIndexByte(ref, '/')+1:]
			everyPosts := name == "DryRun" || name == "DryRunRequest" // in the contract's section Dry run
			if !everyPosts && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	add(op["requestBody"])
	for status, answer := range object(op["responses"]) {
		if strings.HasPrefix(status, "2") {
			add(answer)
		}
	}
	return names
}

func contractFields(t *testing.T, schemas map[string]any) {
	listed := contracttest.Map(t, "Fields", 1)
	booking := listed["Booking"]
	for _, event := range []string{"BookingEventData", "NoShowEventData"} { // "the booking", and what the event adds
		listed[event] = append(listed[event], booking...)
		listed[event] = slices.DeleteFunc(listed[event], func(f string) bool { return f == "internalNote?" })
	}
	var described []string
	for name, schema := range schemas {
		properties := object(object(schema)["properties"])
		if len(properties) == 0 || name == "DryRunRequest" {
			continue // a union, or nothing but dryRun
		}
		described = append(described, name)
		required, _ := object(schema)["required"].([]any)
		var fields []string
		for field := range properties {
			if field == "dryRun" && strings.HasSuffix(name, "Request") { // of every POST, in the section Dry run
				continue
			}
			if !slices.Contains(required, any(field)) {
				field += "?"
			}
			fields = append(fields, field)
		}
		contracttest.Same(t, "fields of "+name, listed[name], fields)
	}
	contracttest.Same(t, "resources", slices.Collect(stdmaps.Keys(listed)), described)
}

// contractValues holds the values of each field against the document. What several schemas share stands once in the
// contract, at the field that it comes from.
func contractValues(t *testing.T, schemas map[string]any) {
	shared := map[string]string{
		"BookingEventData.by": "Cancellation.by", "NoShowEventData.by": "Cancellation.by",
		"BookingEventData.status": "Booking.status", "NoShowEventData.status": "Booking.status", "ErrorDetails.status": "Booking.status",
		"BookingEventData.pendingReason": "Booking.pendingReason", "NoShowEventData.pendingReason": "Booking.pendingReason",
		"BookingPatchRequest.override": "BookingRequest.override",
		"CounterPayment.by":            "Cancellation.by", "CounterPaymentEventData.by": "Cancellation.by", "TillClose.by": "Cancellation.by",
		"ReceiptPayment.method": "CounterPayment.method", "TillTaking.method": "CounterPayment.method",
		"PaymentRequest.method": "CounterPayment.method", "CounterPaymentEventData.method": "CounterPayment.method",
		"PublicBooking.status": "Booking.status", "PublicBooking.pendingReason": "Booking.pendingReason",
		"PublicEventType.asksFor": "EventType.asksFor", "PublicEventType.payment": "EventType.payment",
		"EventTypePatchRequest.asksFor":        "EventType.asksFor",
		"EventTypePatchRequest.color":          "EventType.color",
		"EventTypePatchRequest.mailsOff":       "EventType.mailsOff",
		"EventTypePatchRequest.payment":        "EventType.payment",
		"EventTypePatchRequest.refundOnCancel": "EventType.refundOnCancel",
		"EventTypeRequest.asksFor":             "EventType.asksFor",
		"EventTypeRequest.color":               "EventType.color",
		"EventTypeRequest.mailsOff":            "EventType.mailsOff",
		"EventTypeRequest.payment":             "EventType.payment",
		"EventTypeRequest.refundOnCancel":      "EventType.refundOnCancel",
		"HostPatchRequest.whenCalendarUnknown": "HostDetails.whenCalendarUnknown",
		"HostRequest.whenCalendarUnknown":      "HostDetails.whenCalendarUnknown",
		"QuestionRequest.type":                 "Question.type",
		"RepeatRequest.unit":                   "Repeat.unit",
		"WhereRequest.kind":                    "Where.kind",
		"WordsRequest.kind":                    "Words.kind",
		"MemberRequest.role":                   "Member.role", "MemberPatchRequest.role": "Member.role", "NewMember.role": "Member.role",
		"NewWebhookEndpoint.events": "WebhookEndpoint.events", "WebhookDelivery.event": "WebhookEndpoint.events",
	}
	listed := contracttest.Map(t, "Values", 1)
	known := map[string]bool{}
	for name, schema := range schemas {
		for field := range object(object(schema)["properties"]) {
			at, values := name+"."+field, enumOf(schemas, name, field)
			switch at {
			case "ErrorDetails.reason", "ErrorObject.code": // tables of their own
				continue
			case "BookingEvent.event", "NoShowEvent.event", "PaymentEvent.event", "CounterPaymentEvent.event", "ContactEvent.event", "CalendarEvent.event":
				for _, kind := range values {
					if !slices.Contains(listed["WebhookEndpoint.events"], kind) {
						t.Errorf("contract.md lacks the event %s", kind)
					}
				}
				continue
			case "WebhookEndpointRequest.events", "WebhookEndpointPatchRequest.events":
				values, at = slices.DeleteFunc(values, func(v string) bool { return v == "*" }), "WebhookEndpoint.events"
			}
			if from, ok := shared[at]; ok {
				at = from
			}
			if len(values) > 0 {
				known[at] = true
				contracttest.Same(t, "values of "+name+"."+field, listed[at], values)
			}
		}
	}
	for at := range listed {
		if strings.Contains(at, ".") && !known[at] {
			t.Errorf("contract.md has values of %s, the document has none", at)
		}
	}
}

// enumOf are the values that a field, or each of its items, may have.
func enumOf(schemas map[string]any, name, field string) (values []string) {
	p := object(object(object(schemas[name])["properties"])[field])
	enum, ok := p["enum"].([]any)
	if !ok {
		enum, _ = object(p["items"])["enum"].([]any)
	}
	for _, v := range enum {
		if text, ok := v.(string); ok {
			values = append(values, text)
		}
	}
	return values
}
