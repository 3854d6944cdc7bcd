package agent_test

import (
	"strings"
	"testing"
)

// TestNamesAndDays: hosts and services are found by name, an unknown one is an error with near names instead of an empty
// list, an empty filter is refused, and bare dates are days of the business, which is in Berlin.
func TestNamesAndDays(t *testing.T) {
	w := newWorld(t)
	call := w.fitting()
	made := call("create_booking", `{"eventType":"cut","start":"2026-12-02T23:30:00Z","invitee":{"name":"Mia","email":"mia@x.example"},
		"host":"hs_0000000001","override":["outside_hours","off_grid"]}`)
	if made.IsError {
		t.Fatal(string(made.Structured))
	}
	for _, c := range []struct{ tool, arguments, wants string }{
		{"list_bookings", `{"host":"ana"}`, `"mia@x.example"`},
		{"list_bookings", `{"host":"Anna"}`, `Did you mean Ana?`},
		{"list_bookings", `{"host":"Zacharias"}`, `There are Ana, Bo.`},
		{"list_bookings", `{"host":"hs_0000000009"}`, `"not_found"`},
		{"list_bookings", `{"eventType":"cutt"}`, `Did you mean cut?`},
		{"list_bookings", `{"eventType":"CUT"}`, `"mia@x.example"`},
		{"list_bookings", `{"invitee":"nobody@x.example"}`, `"hint":"Nobody has`},
		{"list_bookings", `{"host":""}`, `"field":"host"`},
		{"list_bookings", `{"invitee":""}`, `"field":"invitee"`},
		{"list_bookings", `{"from":"2026-12-03","to":"2026-12-04"}`, `"mia@x.example"`},
		{"list_bookings", `{"from":"2026-12-02","to":"2026-12-03"}`, `"data":[]`},
		{"list_contacts", `{"email":""}`, `"field":"email"`},
		{"list_contacts", `{"phone":""}`, `"field":"phone"`},
		{"check_availability", `{"eventType":"cut","host":"Ana","from":"2026-12-03","days":1}`, `"hosts":["hs_0000000001"]`},
		{"check_availability", `{"eventType":"cutt"}`, `Did you mean cut?`},
		{"analytics_overview", `{"from":"2026-12-03","to":"2026-12-04"}`, `"from":"2026-12-02T23:00:00Z"`},
	} {
		if got := string(call(c.tool, c.arguments).Structured); !strings.Contains(strings.ReplaceAll(got, ".000Z", "Z"), c.wants) {
			t.Errorf("%s %s: want %s in %.400s", c.tool, c.arguments, c.wants, got)
		}
	}
}
