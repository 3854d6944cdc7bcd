package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app/account"
	"daybook/app/right"
)

// TestAllWrongFields sends bodies with several wrong fields: the error names each of them, up to ten.
func TestAllWrongFields(t *testing.T) {
	w := newWorld(t)
	w.full = w.keyWith(w.Salon, account.FullScope, right.Settings|right.Contacts|right.Members|right.Keys|right.Payments)
	id := w.book("color", "2026-12-01T11:00:00Z", "bo@x.example")
	invitee := `"invitee":{"name":"Bo","email":"bo@x.example"}`
	long := `"` + strings.Repeat("x", 6000) + `"`
	many := `{"eventType":"color"`
	for i := range 12 {
		many += fmt.Sprintf(`,"x%02d":1`, i)
	}
	for _, c := range []struct{ method, path, body, fields string }{
		// Names that aren't there, and wrong types.
		{"POST", "bookings", `{"event":"color","startTime":"x","invitee":{"mail":"x","name":7}}`, "event invitee.mail invitee.name startTime"},
		{"POST", "bookings", `{"start":[],"eventType":7,"notes":null,"metadata":{"a":1,"b":{}},` + invitee + `}`, "eventType metadata.a metadata.b notes start"},
		{"POST", "bookings/" + id + "/reschedule", `{"startAt":1,"host":2}`, "host startAt"},
		{"POST", "bookings/" + id + "/cancel", `{"reason":1,"why":2}`, "reason why"},
		{"PATCH", "bookings/" + id, `{"internalNote":1,"color":2,"invitee":{"nam":"x"}}`, "color internalNote invitee.nam"},
		{"POST", "visits", `{"items":[{"eventType":1},{"x":"y"}],"starts":1,` + invitee + `}`, "items.0.eventType items.1.x starts"},
		{"POST", "event-types", `{"title":1,"duration":30}`, "duration title"},
		{"POST", "contacts", `{"nome":"x","emails":"y"}`, "emails nome"},
		{"POST", "webhook-endpoints", `{"uri":"x","events":7}`, "events uri"},
		{"POST", "bookings", many + `}`, "x00 x01 x02 x03 x04 x05 x06 x07 x08 x09"},
		// Values out of bounds.
		{"POST", "bookings", `{"eventType":` + long + `,"start":"soon","notes":` + long + `,"host":` + long + `,"metadata":{"a":` + long + `,"b":` + long + `},"seats":2,"participants":["","\u0007"],"invitee":{"name":"","email":"x","phone":"1","timeZone":"Mars","locale":"?"}}`,
			"eventType host invitee.email invitee.locale invitee.name invitee.phone invitee.timeZone metadata.a metadata.b notes participants[0] participants[1] start"},
		{"POST", "bookings/" + id + "/reschedule", `{"start":"soon","host":` + long + `,"reason":` + long + `}`, "host reason start"},
		{"PATCH", "bookings/" + id, `{"internalNote":` + long + `,"notes":` + long + `,"end":"soon","metadata":{"a":` + long + `},"invitee":{"name":""}}`,
			"end internalNote invitee.name metadata.a notes"},
		{"POST", "contacts", `{"name":` + long + `,"email":"x","phone":"1","timeZone":"Mars","notes":` + long + `}`, "email name notes phone timeZone"},
		{"POST", "event-types", `{"slug":"?","title":` + long + `,"durationMinutes":-1,"description":` + long + `,"location":` + long + `}`, "description durationMinutes location slug title"},
		{"POST", "hosts", `{"name":` + long + `,"email":"x","timeZone":"Mars"}`, "email name timeZone"},
		{"POST", "webhook-endpoints", `{"url":"x","events":["nothing"]}`, "events url"},
		{"POST", "visits", `{"items":[{"eventType":` + long + `,"host":` + long + `}],"start":"soon","notes":` + long + `,"invitee":{"name":"","email":"x"}}`, "invitee.email invitee.name items[0].eventType items[0].host notes start"},
		{"POST", "bookings/" + id + "/payments", `{"amount":-1,"tip":-1,"method":"shells","note":` + long + `}`, "amount method note tip"},
		{"POST", "holds", `{"eventType":` + long + `,"start":"soon","minutes":900}`, "eventType minutes start"},
		{"POST", "invitations", `{"eventType":"cut","uses":-1,"expiresAt":"soon","email":"x"}`, "email expiresAt uses"},
		{"POST", "members", `{"email":"x","role":"king"}`, "email role"},
		{"POST", "resources", `{"name":` + long + `,"kind":"?"}`, "kind name"},
		{"POST", "till/close", `{"counted":-1,"opening":-1,"day":"soon","note":` + long + `}`, "counted note opening"},
		{"POST", "hosts/" + ana.String() + "/overrides", `{"date":"x","hours":["9"]}`, "date hours[0]"},
		{"POST", "hosts/" + ana.String() + "/time-off", `{"start":"x","end":"y","reason":` + long + `}`, "end start"},
	} {
		got := w.do(w.full, c.method, "/api/v1/"+c.path, c.body)
		details := object(object(got.json(t)["error"])["details"])
		var names []string
		all, _ := details["fields"].([]any)
		for _, f := range all {
			names = append(names, object(f)["field"].(string))
		}
		slices.Sort(names)
		if told := strings.Join(names, " "); got.Code != 400 || told != c.fields {
			t.Errorf("%s %s %.80s: %d %s, want %s\n%.600s", c.method, c.path, c.body, got.Code, told, c.fields, got.text)
		}
	}
}
