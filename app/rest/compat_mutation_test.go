package rest_test

import (
	"os"
	"strings"
	"testing"
)

// mutation changes a copy of the released document; want is part of what breaks must say, "" when it must pass.
type mutation struct {
	name   string
	change func(doc map[string]any)
	want   string
}

// at walks into an object by keys.
func at(v any, keys ...string) map[string]any {
	for _, k := range keys {
		if list, ok := v.([]any); ok {
			v = find(list, k)
			continue
		}
		v = object(v)[k]
	}
	return object(v)
}

func find(list []any, name string) any {
	for _, p := range list {
		if object(p)["name"] == name {
			return p
		}
	}
	return nil
}

func schemaOf(doc map[string]any, name string) map[string]any {
	return at(doc, "components", "schemas", name)
}

func without(list any, gone string) []any {
	kept := []any{}
	for _, v := range list.([]any) {
		if v != gone && object(v)["name"] != gone {
			kept = append(kept, v)
		}
	}
	return kept
}

var mutations = []mutation{
	{"nothing", func(map[string]any) {}, ""},
	{"texts and examples", func(d map[string]any) {
		schemaOf(d, "Booking")["description"] = "x"
		at(d, "paths", "/api/v1/bookings", "get")["summary"] = "x"
	}, ""},
	{"a new operation", func(d map[string]any) { at(d, "paths", "/api/v1/bookings")["put"] = map[string]any{"operationId": "x"} }, ""},
	{"a new field of an answer", func(d map[string]any) {
		at(schemaOf(d, "Booking"), "properties")["color"] = map[string]any{"type": "string"}
		schemaOf(d, "Booking")["required"] = append(schemaOf(d, "Booking")["required"].([]any), "color")
	}, ""},
	{"a new optional field of a body", func(d map[string]any) {
		at(schemaOf(d, "BookingRequest"), "properties")["color"] = map[string]any{"type": "string"}
	}, ""},
	{"a new optional parameter", func(d map[string]any) {
		op := at(d, "paths", "/api/v1/bookings", "get")
		op["parameters"] = append(op["parameters"].([]any), map[string]any{"name": "color", "in": "query", "schema": map[string]any{"type": "string"}})
	}, ""},
	{"a new status", func(d map[string]any) {
		s := at(schemaOf(d, "Booking"), "properties", "status")
		s["enum"] = append(s["enum"].([]any), "held")
	}, ""},
	{"a wider bound", func(d map[string]any) { at(schemaOf(d, "BookingRequest"), "properties", "notes")["maxLength"] = 9999.0 }, ""},
	{"a body may be left out", func(d map[string]any) {
		delete(at(d, "paths", "/api/v1/bookings/{id}/reschedule", "post", "requestBody"), "required")
	}, ""},
	{"a required field of a body made optional", func(d map[string]any) {
		s := schemaOf(d, "BookingRequest")
		s["required"] = without(s["required"], "start")
	}, ""},

	{"a path gone", func(d map[string]any) { delete(at(d, "paths"), "/api/v1/contacts") }, "GET /api/v1/contacts: is gone"},
	{"a method gone", func(d map[string]any) { delete(at(d, "paths", "/api/v1/contacts"), "post") }, "POST /api/v1/contacts: is gone"},
	{"a parameter gone", func(d map[string]any) {
		op := at(d, "paths", "/api/v1/bookings", "get")
		op["parameters"] = without(op["parameters"], "scope")
	}, "query parameter scope is gone"},
	{"a parameter renamed", func(d map[string]any) {
		at(d, "paths", "/api/v1/bookings", "get", "parameters", "scope")["name"] = "when"
	}, "query parameter scope is gone"},
	{"a parameter required", func(d map[string]any) {
		at(d, "paths", "/api/v1/bookings", "get", "parameters", "scope")["required"] = true
	}, "scope is required now"},
	{"a parameter's value gone", func(d map[string]any) {
		s := at(d, "paths", "/api/v1/bookings", "get", "parameters", "scope", "schema")
		s["enum"] = without(s["enum"], "past")
	}, "the value past is gone"},
	{"another default", func(d map[string]any) {
		at(d, "paths", "/api/v1/bookings", "get", "parameters", "limit", "schema")["default"] = 10.0
	}, "the default was 50"},
	{"a new required parameter", func(d map[string]any) {
		op := at(d, "paths", "/api/v1/bookings", "get")
		op["parameters"] = append(op["parameters"].([]any), map[string]any{"name": "color", "in": "query", "required": true})
	}, "color is new and required"},
	{"a field of an answer gone", func(d map[string]any) { delete(at(schemaOf(d, "Invitee"), "properties"), "email") }, "the field email is gone"},
	{"a field of an answer maybe absent", func(d map[string]any) {
		s := schemaOf(d, "Booking")
		s["required"] = without(s["required"], "end")
	}, "the field end may be absent now"},
	{"a field of an answer maybe null", func(d map[string]any) {
		at(schemaOf(d, "Booking"), "properties", "end")["type"] = []any{"string", "null"}
	}, "end: the type was"},
	{"a field of an answer retyped", func(d map[string]any) { at(schemaOf(d, "Money"), "properties", "amount")["type"] = "number" }, "the type was [integer] and is [number]"},
	{"a status gone", func(d map[string]any) {
		s := at(schemaOf(d, "Booking"), "properties", "status")
		s["enum"] = without(s["enum"], "no_show")
	}, "the value no_show is gone"},
	{"a new required field of a body", func(d map[string]any) {
		s := schemaOf(d, "BookingRequest")
		at(s, "properties")["color"] = map[string]any{"type": "string"}
		s["required"] = append(s["required"].([]any), "color")
	}, "the field color is required now"},
	{"a field of a body gone", func(d map[string]any) { delete(at(schemaOf(d, "BookingRequest"), "properties"), "notes") }, "the field notes is gone"},
	{"a narrower bound", func(d map[string]any) { at(schemaOf(d, "BookingRequest"), "properties", "notes")["maxLength"] = 10.0 }, "maxLength is narrower"},
	{"a body required", func(d map[string]any) {
		at(d, "paths", "/api/v1/bookings/{id}/cancel", "post", "requestBody")["required"] = true
	}, "the body is required now"},
	{"unknown fields refused", func(d map[string]any) {
		object(object(schemaOf(d, "BookingRequest")["properties"])["answers"])["additionalProperties"] = false
	}, "unknown fields are refused now"},
	{"an answer gone", func(d map[string]any) { delete(at(d, "paths", "/api/v1/bookings", "post", "responses"), "409") }, "the answer 409 is gone"},
	{"a header gone", func(d map[string]any) {
		delete(at(d, "paths", "/api/v1/bookings", "post", "responses", "201", "headers"), "Location")
	}, "the header Location is gone"},
	{"another format", func(d map[string]any) { delete(at(schemaOf(d, "Booking"), "properties", "start"), "format") }, "the format was date-time"},
	{"an operation renamed", func(d map[string]any) { at(d, "paths", "/api/v1/bookings", "get")["operationId"] = "x" }, "operationId was listBookings"},
}

func TestBreaks(t *testing.T) {
	text, err := os.ReadFile(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutations {
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			was, now := parse(t, text), parse(t, text)
			m.change(now)
			found := strings.Join(breaks(was, now), "\n")
			if m.want == "" && found != "" || !strings.Contains(found, m.want) {
				t.Errorf("said %q instead of %q", found, m.want)
			}
		})
	}
}
