package rest

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"

	"daybook/app/access"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/when"
)

// TestEncoding holds the hand-written JSON of bookings against encoding/json's, for bookings whose every field is set
// at random, and for empty ones.
func TestEncoding(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	page := fault.Page[booking.Booking]{Data: []booking.Booking{{ID: 1, EventTypeID: 1, Host: catalog.HostRef{ID: 1}}, {ID: 2, EventTypeID: 1, Host: catalog.HostRef{ID: 1}, Notes: "a\u2028\"<b>\\\n\x7f\xff", Answers: map[string]any{}}}}
	for range 300 {
		var b booking.Booking
		fill(t, reflect.ValueOf(&b).Elem(), random)
		page.Data = append(page.Data, b)
	}
	for i := range page.Data {
		one, err := page.Data[i].AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		same(t, one, page.Data[i])
	}
	same(t, pageText(t, &page), page)
	next := "abc-_"
	page.HasMore, page.NextCursor, page.Data = true, &next, page.Data[:0]
	same(t, pageText(t, &page), page)
}

func pageText(t *testing.T, page *fault.Page[booking.Booking]) []byte {
	t.Helper()
	text, err := access.AppendPage(nil, page, (*booking.Booking).AppendJSON)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func same(t *testing.T, got []byte, v any) {
	t.Helper()
	want, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
}

// fill sets every field, so that one which the encoder forgets is missed.
func fill(t *testing.T, v reflect.Value, random *rand.Rand) {
	t.Helper()
	switch v.Type() {
	case reflect.TypeFor[map[string]any]():
		v.Set(reflect.ValueOf(map[string]any{"b": true, "a": "x<", "n": 1.5, "z": nil}))
		return
	case reflect.TypeFor[when.Instant]():
		v.SetInt(random.Int63n(4e12))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), random)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), random)
	case reflect.Int64:
		v.SetInt(random.Int63())
	default:
		value, ok := quick.Value(v.Type(), random)
		if !ok {
			t.Fatalf("can't make a %s", v.Type())
		}
		v.Set(value)
	}
}

// TestTexts: every text of fieldTexts and typeTexts is of something that there is.
func TestTexts(t *testing.T) {
	doc := describeRoutes("", "")
	for name := range openapi.Objects {
		if doc.Components.Schemas[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	known := map[string]bool{}
	for name, s := range doc.Components.Schemas {
		for field := range s.Properties {
			known[name+"."+field] = true
		}
	}
	for path := range openapi.Fields {
		if !known[path] {
			t.Errorf("there is no %s", path)
		}
	}
	for i := range routes {
		if len(routes[i].Params) > maxParams {
			t.Errorf("%s has more than %d parameters", routes[i].ID, maxParams)
		}
	}
}
