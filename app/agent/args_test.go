package agent_test

import (
	"strings"
	"testing"
)

// TestWrongArguments reads what an agent is told.
func TestWrongArguments(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ tool, arguments, field, message string }{
		{"check_availability", `{"eventType":"cut","days":"seven"}`, "days", `days: must be a whole number, got "seven"`},
		{"check_availability", `{"eventType":"cut","days":1.5}`, "days", `days: must be a whole number, got the number 1.5`},
		{"check_availability", `{"eventType":"cut","days":63}`, "days", `days: must be a whole number from 1 to 62`},
		{"check_availability", `{"eventType":"cut","days":[1]}`, "days", `days: must be a whole number, got a list`},
		{"check_availability", `{"eventType":"cut","explain":"yes"}`, "explain", `explain: must be true or false, got "yes"`},
		{"check_availability", `{"eventType":7}`, "eventType", `eventType: must be a text, got the number 7`},
		{"check_availability", `{}`, "eventType", `eventType: is required: a slug or id of the event type`},
		{"check_availability", `{"eventType":"cut","from":"tomorrow"}`, "from", `from: expected a date or an ISO 8601 time, such as 2026-12-01 or 2026-12-01T09:00:00Z`},
		{"check_availability", `{"eventType":"cut","timeZone":"Mars/Base"}`, "timeZone", `timeZone: "Mars/Base" is no time zone that is known here; use an IANA name such as Europe/Berlin`},
		{"list_bookings", `{"limit":0}`, "limit", `limit: must be a whole number from 1 to 100`},
		{"list_bookings", `{"status":"done"}`, "status", `status: must be one or more of confirmed, pending, cancelled, no_show, rescheduled, joined by commas`},
		{"list_bookings", `[1]`, "arguments", `arguments: must be an object with the tool's arguments by name, got a list`},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z"}`, "invitee", `invitee: is required: an object with name, and email or phone`},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":"Mei"}`, "invitee", `invitee: must be an object, got "Mei"`},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Mei","email":true}}`, "invitee.email", `invitee.email: must be a text, got true`},
		{"create_booking", `{"eventType":"cut","start":1764579600,"invitee":{"name":"Mei","email":"m@x.example"}}`, "start", `start: must be a text, got the number 1764579600`},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00","invitee":{"name":"Mei","email":"m@x.example"}}`, "start", `start: expected an ISO 8601 time with a zone, such as 2026-12-01T09:00:00Z`},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Mei","email":"m@x.example"},"metadata":{"k":1}}`, "metadata.k", `metadata.k: must be a text, got the number 1`},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:10:00Z","invitee":{"name":"Mei","email":"m@x.example"}}`, "start",
			`start is not on the grid: CUT begins every 60 minutes from the beginning of the working hours. Ask for availability to see the open times. check_availability lists them, and explain says why a time is closed. Only if the business itself wants this time anyway: call again with details.reasons as override.`},
		{"cancel_booking", `{"id":"bk_x","refunds":false}`, "refunds", `refunds: is no argument of this tool; did you mean refund?`},
		{"cancel_booking", `{"id":"bk_x","dry_run":true}`, "dry_run", `dry_run: is no argument of this tool; did you mean dryRun?`},
		{"create_booking", `{"eventtype":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Mei","Email":"m@x.example"}}`, "eventtype", `eventtype: is no argument of this tool; did you mean eventType?`},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Mei","email":"m@x.example","mail":"m"}}`, "invitee.mail", `invitee.mail: is no argument of this tool; did you mean invitee.email?`},
		{"list_bookings", `{"email":"mei@x.example"}`, "email", `email: is no argument of this tool; did you mean invitee?`},
		{"list_bookings", `{"colleague":"Bo"}`, "colleague", `colleague: is no argument of this tool; it takes scope, from, to, timeZone, status, eventType, invitee, host, limit, cursor, q, detail`},
		{"list_bookings", `{"detail":"short"}`, "detail", `detail: must be brief or full, got "short"`},
		{"list_contacts", `{"query":"mei"}`, "query", `query: is no argument of this tool; it takes q, email, phone, tags, minNoShows, since, limit, cursor`},
		{"list_contacts", `{"q":"mei","email":"mei@x.example"}`, "email", `email: must not be given together with q`},
		{"create_contact", `{"name":"a\ud800b","email":"a@x.example"}`, "name", "name: is not valid JSON: invalid surrogate pair `\\ud800b\",\"em` in string."},
		{"create_contact", "{\"name\":\"a\xff\xfeb\",\"email\":\"a@x.example\"}", "name", `name: is not valid JSON: invalid UTF-8.`},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"\udc00","email":"m@x.example"}}`, "invitee.name", "invitee.name: is not valid JSON: invalid surrogate pair `\\udc00\",\"ema` in string."},
		{"create_contact", `{"email":"nobody@x.example"}`, "name", `name: is required for a new contact`},
		{"cancel_booking", `{}`, "id", `id: is required: the id of a booking, such as bk_06f9…; list_bookings has them`},
		{"mark_no_show", `{"id":{}}`, "id", `id: must be a text, got an object`},
		{"cancel_booking", `{"id":"bk_x"}`, "", `There is no booking "bk_x" in this workspace. list_bookings has the ids of the bookings that will take place; with a status, of others too.`},
		{"check_availability", `{"eventType":"hair"}`, "", `There is no event type "hair" in this workspace. There are cut, colour. list_event_types has the slugs and the hosts' ids.`},
	} {
		e := w.call(c.tool, c.arguments).failure()
		field, _ := e.Details["field"].(string)
		if e.Message != c.message || field != c.field {
			t.Errorf("%s %s:\n got %q, %q\nwant %q, %q", c.tool, c.arguments, field, e.Message, c.field, c.message)
		}
	}
	// What a query takes in a text, and what is left out by null.
	for _, arguments := range []string{`{"eventType":"cut","days":"7","limit":7.0,"explain":1,"host":null,"_meta":{"progressToken":1}}`, `{"eventType":"cut","limit":1e30}`} {
		if a := w.call("check_availability", arguments); a.IsError {
			t.Errorf("%s: %s", arguments, a.Structured)
		}
	}
}

func TestTakenNamesWhatIsFree(t *testing.T) {
	w := newWorld(t)
	w.call("create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Mei","email":"mei@x.example"}}`)
	e := w.call("create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Bo","email":"bo@x.example","timeZone":"America/New_York"}}`).failure()
	want := "2026-12-01T08:00:00Z is taken. Choose one of details.alternatives, or ask for availability again. These are free: " +
		"2026-12-01T09:00:00Z (2026-12-01T10:00:00+01:00), 2026-12-01T10:00:00Z (2026-12-01T11:00:00+01:00), 2026-12-01T11:00:00Z (2026-12-01T12:00:00+01:00); " +
		"the local times are those of Europe/Berlin."
	if e.Message != want || e.Details["timeZone"] != "Europe/Berlin" || len(e.Details["alternatives"].([]any)) != 3 {
		t.Errorf("%+v", e)
	}
}

// TestSeveralWrongArguments: all are told at once, those that the tool does not know first.
func TestSeveralWrongArguments(t *testing.T) {
	w := newWorld(t)
	for arguments, want := range map[string]string{
		`{"eventType":7,"Start":"x","invitee":{"name":true}}`:                               "Start eventType invitee.name",
		`{"eventType":"cut","start":"soon","invitee":{}}`:                                   "start invitee.name invitee.email",
		`{"eventType":"cut","start":"soon","invitee":{"name":"Mei","email":"m@x.example"}}`: "",
	} {
		var fields []string
		list, _ := w.call("create_booking", arguments).failure().Details["fields"].([]any)
		for _, f := range list {
			fields = append(fields, f.(map[string]any)["field"].(string))
		}
		if got := strings.Join(fields, " "); got != want {
			t.Errorf("%s: fields %q, want %q", arguments, got, want)
		}
	}
}
