package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app/account"
)

// What a query or a body names and isn't there is told with its field, and with what is near; a path that leads nowhere has
// none.
func TestReferencesThatAreNotThere(t *testing.T) {
	w := newWorld(t)
	invitee := `"invitee":{"name":"Bo","email":"bo@x.example"}`
	start := `"start":"2026-12-08T08:45:00Z"`
	for _, c := range []struct{ method, path, body, field, says string }{
		{"POST", "bookings", `{"eventType":"cutt",` + start + `,` + invitee + `}`, "eventType", "Did you mean cut?"},
		{"POST", "bookings", `{"eventType":" cutt ",` + start + `,"notes":"cutt",` + invitee + `}`, "eventType", "Did you mean cut?"},
		{"POST", "bookings", `{"eventType":"cut",` + start + `,"host":"Ana",` + invitee + `}`, "host", "name the host by the id, " + ana.String()},
		{"POST", "visits", `{"items":[{"eventType":"cut"},{"eventType":"kut"}],` + start + `,` + invitee + `}`, "items[1].eventType", "Did you mean cut?"},
		{"GET", "availability?eventType=cutt", "", "eventType", "Did you mean cut?"},
		{"GET", "availability?eventType=cut&host=hs_0000000009", "", "host", "There is no host"},
		{"GET", "availability?items=cut,%20kut", "", "items", "Did you mean cut?"},
		{"GET", "availability?items=cut,cut&hosts=,Ana", "", "hosts", "name the host by the id, " + ana.String()},
		{"POST", "bookings", `{"eventType":"bookings",` + start + `,` + invitee + `}`, "eventType", "There is no event type"},
		{"POST", "bookings", `{"eventType":"v1",` + start + `,` + invitee + `}`, "eventType", "There is no event type"},
		{"GET", "event-types/cutt", "", "", "There is no event type"},
		{"POST", "bookings/bk_0000000000000/cancel", `{"reason":"bk_0000000000000"}`, "", "There is no booking"},
	} {
		got := w.do(w.full, c.method, "/api/v1/"+c.path, c.body)
		e := object(got.json(t)["error"])
		field, _ := object(e["details"])["field"].(string)
		if message := fmt.Sprint(e["message"]); got.Code != 404 || field != c.field || !strings.Contains(message, c.says) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, got.Code, got.text)
		}
	}
	// A key that may not know of an event type is not told of it.
	narrow := w.keyOf(account.KeyInput{Scope: account.FullScope, Limits: account.Limits{EventTypes: []string{"talk"}}})
	got := w.do(narrow, "POST", "/api/v1/bookings", `{"eventType":"cutt",`+start+`,`+invitee+`}`)
	if got.Code != 404 || !strings.Contains(got.text, `"field":"eventType"`) || strings.Contains(got.text, "cut?") || strings.Contains(got.text, "cut,") {
		t.Error(got.Code, got.text)
	}
}

// All that is missing is told at once.
func TestAllThatIsMissingIsTold(t *testing.T) {
	w := newWorld(t)
	for path, want := range map[string]string{"bookings": "invitee eventType start", "visits": "invitee items"} {
		got := w.do(w.full, "POST", "/api/v1/"+path, "{}")
		details := object(object(got.json(t)["error"])["details"])
		var fields []string
		all, _ := details["fields"].([]any)
		for _, f := range all {
			fields = append(fields, object(f)["field"].(string))
		}
		if got.Code != 400 || details["field"] != "invitee" || strings.Join(fields, " ") != want {
			t.Errorf("%s: %d %s", path, got.Code, got.text)
		}
	}
}

// Where several hosts do it, the reasons against a start are said to be of the one for whom they are the easiest to
// override: another one may be taken.
func TestReasonsAreOfAHost(t *testing.T) {
	w := newWorld(t)
	w.book("cut", cutAt, "a@x.example") // ana is taken
	w.full = w.manager()
	if got := w.do(w.full, "POST", "/api/v1/hosts/"+bob.String()+"/overrides", `{"date":"2026-12-01","hours":[]}`); got.Code > 299 {
		t.Fatal(got.text)
	}
	ask := func(more string) map[string]any {
		t.Helper()
		got := w.do(w.full, "POST", "/api/v1/bookings", `{"eventType":"color","start":"`+cutAt+`","invitee":{"name":"Bo","email":"bo@x.example"}`+more+`}`)
		if got.Code != 409 {
			t.Fatal(got.Code, got.text)
		}
		return details(t, got)
	}
	d := ask("")
	if of := object(d["reasonsOf"]); d["reason"] != "slot_taken" || fmt.Sprint(d["reasons"]) != "[outside_hours]" || of["id"] != bob.String() || of["name"] != "bob" {
		t.Errorf("%v", d)
	}
	if d := ask(`,"host":"` + ana.String() + `"`); d["reasonsOf"] != nil || fmt.Sprint(d["reasons"]) != "[booked]" {
		t.Errorf("of one host: %v", d)
	}
}
