package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/catalog"
)

// An agent finds the starts of two services one after the other, books them as a visit, moves and cancels all of it by the
// visit's id, and one of them by its own. Nothing is booked by a dry run, or by a key that may only read.
func TestVisitsByAgents(t *testing.T) {
	w := newWorld(t)
	w.Offer("wash", 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}} })
	call := w.fitting()
	get := func(tool, arguments string, to any) {
		t.Helper()
		a := call(tool, arguments)
		if a.IsError {
			t.Fatalf("%s %s: %s", tool, arguments, a.Structured)
		}
		must(t, json.Unmarshal(a.Structured, to))
	}
	type visit struct {
		ID, Start, End string
		Items          []struct{ ID, EventType, Status, Start, End string }
		Data           []struct {
			Start, End string
			Items      []struct{ EventType, Start, End string }
			Visit      *booking.VisitRef
		}
		Result *struct{ Items []any }
		Told   []any
	}
	var open, made, now visit
	const services = `"services":[{"service":"cut"},{"service":"wash"}]`
	get("check_availability", `{`+services+`,"from":"2026-12-01","days":1}`, &open)
	if len(open.Data) == 0 || len(open.Data[0].Items) != 2 || open.Data[0].Items[0].End != open.Data[0].Items[1].Start {
		t.Fatalf("%+v", open)
	}
	book := `{` + services + `,"start":"` + open.Data[0].Start + `","invitee":{"name":"Mei","email":"mei@x.example"}`
	get("create_booking", book+`,"dryRun":true}`, &now)
	if now.Result == nil || len(now.Result.Items) != 2 {
		t.Errorf("dry run: %+v", now)
	}
	count := func() int {
		t.Helper()
		var rows visit
		get("list_bookings", `{"detail":"full"}`, &rows)
		for _, row := range rows.Data {
			if row.Visit == nil {
				t.Errorf("a row without its visit: %+v", row)
			}
		}
		return len(rows.Data)
	}
	if n := count(); n != 0 {
		t.Fatalf("%d bookings after a dry run", n)
	}
	key := w.key
	w.key = w.readOnly
	if e := w.call("create_booking", book+`}`).failure(); e.Code != "forbidden" {
		t.Errorf("read-only: %+v", e)
	}
	w.key = key
	get("create_booking", book+`}`, &made)
	if !strings.HasPrefix(made.ID, "vi_") || len(made.Items) != 2 || made.Items[0].EventType != "cut" || made.Items[1].Start != made.Items[0].End || count() != 2 {
		t.Fatalf("booked: %+v", made)
	}
	get("check_availability", `{"excludeBooking":"`+made.ID+`","from":"2026-12-02","days":1}`, &open)
	if len(open.Data) == 0 {
		t.Fatal("the visit can't move")
	}
	get("reschedule_booking", `{"id":"`+made.ID+`","start":"`+open.Data[0].Start+`"}`, &now)
	if now.Start != open.Data[0].Start || now.ID != made.ID || now.Items[1].Status != "rescheduled" {
		t.Errorf("moved: %+v", now)
	}
	night := `{"id":"` + made.ID + `","start":"2026-12-03T02:00:00Z"`
	if e := w.call("reschedule_booking", night+`}`).failure(); fmt.Sprint(e.Details["reasons"]) != "[outside_hours]" {
		t.Errorf("moved into the night: %+v", e)
	}
	get("reschedule_booking", night+`,"override":["outside_hours"]}`, &now)
	if now.Start != "2026-12-03T02:00:00Z" || now.Items[1].Start != now.Items[0].End {
		t.Errorf("moved into the night: %+v", now)
	}
	second := strings.Replace(book, open.Data[0].Start, "2026-12-04T02:00:00Z", 1)
	second = strings.Replace(second, made.Start, "2026-12-04T02:00:00Z", 1)
	if e := w.call("create_booking", second+`}`).failure(); fmt.Sprint(e.Details["reasons"]) != "[outside_hours]" {
		t.Errorf("booked in the night: %+v", e)
	}
	get("create_booking", second+`,"override":["outside_hours"]}`, &now)
	if now.Start != "2026-12-04T02:00:00Z" || len(now.Items) != 2 {
		t.Errorf("booked in the night: %+v", now)
	}
	get("cancel_booking", `{"id":"`+now.ID+`"}`, &now)
	get("cancel_booking", `{"id":"`+made.Items[1].ID+`"}`, &now)
	if count() != 1 {
		t.Error("one cancelled isn't one left")
	}
	get("cancel_booking", `{"id":"`+made.ID+`","reason":"ill"}`, &now)
	if len(now.Items) != 2 || now.Items[0].Status != "cancelled" || now.Items[1].Status != "cancelled" || count() != 0 {
		t.Errorf("cancelled: %+v", now)
	}
	for _, wrong := range []struct{ tool, arguments, field string }{
		{"check_availability", `{` + services + `,"eventType":"cut"}`, "services"},
		{"check_availability", `{"services":[]}`, "services"},
		{"check_availability", `{"services":[{"service":"cut","start":"x"}]}`, "services[0].start"},
		{"create_booking", `{` + services + `,"host":"Ana","start":"2026-12-01T08:00:00Z",` + invitee + `}`, "host"},
		{"reschedule_booking", `{"id":"` + made.ID + `","start":"2026-12-01T08:00:00Z","host":"Ana"}`, "host"},
	} {
		if e := w.call(wrong.tool, wrong.arguments).failure(); e.Code != "bad_request" || e.Details["field"] != wrong.field {
			t.Errorf("%s %s: %+v", wrong.tool, wrong.arguments, e)
		}
	}
	if a := w.call("cancel_booking", `{"id":"vi_1p4s8yvz04k2c"}`); a.failure().Code != "not_found" || !strings.Contains(string(a.Structured), "list_bookings") {
		t.Errorf("an unknown visit: %s", a.Structured)
	}
}

// An agent says with whom each service of a visit is, by name or by id, in the search as in the booking.
func TestVisitsWithWhomAgentsName(t *testing.T) {
	w := newWorld(t)
	setup, err := w.Setup(w.Workspace.ID)
	must(t, err)
	if len(setup.Hosts) < 2 {
		t.Fatal("there must be two hosts")
	}
	a, b := setup.Hosts[0], setup.Hosts[1]
	for _, slug := range []string{"one", "two"} {
		w.Offer(slug, 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: a.ID}, {ID: b.ID}} })
	}
	call := w.fitting()
	var open struct {
		Data []struct {
			Start string
			Items []struct{ Host string }
		}
	}
	services := `"services":[{"service":"one","host":"` + b.Name + `"},{"service":"two","host":"` + a.ID.String() + `"}]`
	found := call("check_availability", `{`+services+`,"from":"2026-12-01","days":1}`)
	must(t, json.Unmarshal(found.Structured, &open))
	if found.IsError || len(open.Data) == 0 || len(open.Data[0].Items) != 2 {
		t.Fatalf("%s", found.Structured)
	}
	if first := open.Data[0].Items; first[0].Host != b.ID.String() || first[1].Host != a.ID.String() {
		t.Errorf("the search has %+v", first)
	}
	var made struct{ Items []struct{ Host string } }
	booked := call("create_booking", `{`+services+`,"start":"`+open.Data[0].Start+`","invitee":{"name":"Mei","email":"mei@x.example"}}`)
	must(t, json.Unmarshal(booked.Structured, &made))
	if got := made.Items; len(got) != 2 || !strings.HasPrefix(got[0].Host, b.Name) || !strings.HasPrefix(got[1].Host, a.Name) {
		t.Errorf("the booking has %+v, want %s and %s", got, b.Name, a.Name)
	}
	unknown := call("check_availability", `{"services":[{"service":"one","host":"Nobody"}],"from":"2026-12-01","days":1}`)
	if !unknown.IsError {
		t.Errorf("nobody is found: %s", unknown.Structured)
	}
}

// Somebody walks in and wants two services: they begin now, with whoever is free, and nobody is named. What can't be done now
// books nothing and says why.
func TestWalkInsForVisitsByAgents(t *testing.T) {
	w := newWorld(t)
	w.Offer("wash", 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}, {ID: 2}} })
	call := w.fitting()
	const both = `"services":[{"service":"CUT"},{"service":"wash"}]`
	count := func() int {
		t.Helper()
		var rows struct{ Data []struct{ ID string } }
		must(t, json.Unmarshal(call("list_bookings", `{"from":"2026-11-30","to":"2026-12-31"}`).Structured, &rows))
		return len(rows.Data)
	}
	w.Clock.Advance(7*time.Minute + 20*time.Second)
	key := w.key
	for name, as := range map[string]string{"read-only": w.readOnly, "without rules": w.keyLimited(account.Limits{Rights: []string{"bookings:read", "bookings:write"}})} {
		w.key = as
		if e := w.call("create_booking", `{`+both+`,"walkIn":true}`).failure(); e.Code != "forbidden" {
			t.Errorf("%s: %+v", name, e)
		}
	}
	w.key = key
	if a := call("create_booking", `{`+both+`,"walkIn":true,"dryRun":true}`); a.IsError || count() != 0 {
		t.Errorf("dry run: %s", a.Structured)
	}
	var made struct {
		ID, Local string
		Items     []struct{ ID, EventType, Host, Status, Local string }
	}
	a := call("create_booking", `{`+both+`,"walkIn":true}`)
	must(t, json.Unmarshal(a.Structured, &made))
	if a.IsError || !strings.HasPrefix(made.ID, "vi_") || made.Local != "2026-11-30T09:07:00+01:00" || len(made.Items) != 2 ||
		made.Items[1].Local != "2026-11-30T10:07:00+01:00" || made.Items[1].Status != "confirmed" || count() != 2 {
		t.Fatalf("booked: %s", a.Structured)
	}
	for _, item := range made.Items {
		b, err := w.Booking(t.Context(), w.Owner, item.ID)
		must(t, err)
		if b.Invitee != (booking.Invitee{Name: booking.WalkIn}) || b.ContactID != 0 {
			t.Errorf("%s is of %+v", item.EventType, b.Invitee)
		}
	}
	for _, wrong := range []struct{ arguments, code, says string }{
		{`{` + both + `,"walkIn":true}`, "conflict", "These are free"}, // who does the first has somebody
		{`{` + both + `,"start":"2026-12-01T08:00:00Z"}`, "bad_request", `"field":"invitee"`},
		{`{"services":[{"service":"wash","host":"Bo"},{"service":"colour","host":"Ana"}],"walkIn":true}`, "bad_request", "Ana does not serve COLOUR"},
		{`{"services":[{"service":"wash","host":"Nobody"}],"walkIn":true}`, "not_found", "Nobody"},
		{`{` + both + `,"walkIn":true,"repeat":{"every":1,"unit":"week","count":2}}`, "bad_request", `"field":"walkIn"`},
		{`{` + both + `,"walkIn":true,"payWith":{"pass":"PASS"}}`, "bad_request", `"field":"payWith"`},
		{`{` + both + `,"walkIn":true,"hold":"hd_0000000000000"}`, "bad_request", `"field":"start"`},
	} {
		if a := call("create_booking", wrong.arguments); a.failure().Code != wrong.code || !strings.Contains(string(a.Structured), wrong.says) {
			t.Errorf("%s: %s", wrong.arguments, a.Structured)
		}
	}
	w.Clock.Advance(7*time.Hour + 20*time.Minute) // 16:27: only the wash still ends before five
	late := `{"services":[{"service":"wash"},{"service":"colour"}],"walkIn":true`
	a = call("create_booking", late+`}`)
	if e := a.failure(); e.Code != "bad_request" || e.Details["field"] != "services[1].start" || fmt.Sprint(e.Details["reasons"]) != "[outside_hours]" ||
		!strings.Contains(e.Message, "details.reasons as override") || count() != 2 {
		t.Errorf("before closing: %s", a.Structured)
	}
	a = call("create_booking", late+`,"override":["outside_hours"],"invitee":{"name":"Bo Berg","phone":"030 901820"}}`)
	if a.IsError || !strings.Contains(string(a.Structured), `"local":"2026-11-30T16:27:00+01:00"`) || count() != 4 {
		t.Errorf("after closing: %s", a.Structured)
	}
}
