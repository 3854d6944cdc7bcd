package agent_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app/apptest"
	"daybook/app/catalog"
)

// seriesTold is what the tools tell of a series.
type seriesTold struct {
	SeriesID string
	Dates    []dateTold
	Result   *seriesTold
	Money    struct{ OnSite *struct{ Amount int64 } }
}

type dateTold struct{ ID, Start, Local, Host, State, InsteadOf, Reason, Status string }

func (s *seriesTold) text() string {
	var all []string
	for _, d := range s.Dates {
		text := d.Local[5:16]
		if d.State == "moved" {
			text += " not " + d.InsteadOf[5:16]
		}
		if d.State == "skipped" {
			text = "-" + text
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// "Every six weeks on Friday at 10, ten times": one dry run shows all dates, one call books exactly those that the person takes.
// "Move all following ones to Thursday" is a dry run and a call, too, and so is the end of it.
func TestSeriesByAgents(t *testing.T) {
	w := newWorld(t)
	w.Offer("wash", 30, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: 1}} })
	w.Alter("cut", func(e *catalog.EventType) { e.BookingWindowDays = 365 })
	call := w.fitting()
	get := func(tool, arguments string) (got seriesTold, size int) {
		t.Helper()
		a := call(tool, arguments)
		if a.IsError {
			t.Fatalf("%s %s: %s", tool, arguments, a.Structured)
		}
		must(t, json.Unmarshal(a.Structured, &got))
		return got, tokens(t, string(a.Structured))
	}
	w.Booked("cut", "46T09:00", "Al") // on the second Friday
	const book = `"eventType":"cut","start":"2026-12-04T10:00:00+01:00","invitee":{"name":"Mei","email":"mei@x.example"},` +
		`"repeat":{"every":6,"unit":"week","count":10}`
	refused := call("create_booking", `{`+book+`}`)
	e := refused.failure()
	if e.Details["reason"] != "series_conflict" || !strings.Contains(string(refused.Structured), "call again with conflicts skip or nearest") ||
		tokens(t, string(refused.Structured)) > 900 {
		t.Errorf("%d tokens: %s", tokens(t, string(refused.Structured)), refused.Structured)
	}
	dry, size := get("create_booking", `{`+book+`,"conflicts":"nearest","dryRun":true}`)
	if dry.Result == nil {
		t.Fatal("no result")
	}
	if got := dry.Result.text(); !strings.HasPrefix(got, "12-04T10:00, 01-15T") || !strings.Contains(got, " not 01-15T10:00, 02-26T10:00, ") || len(dry.Result.Dates) != 10 {
		t.Errorf("%s", got)
	}
	if t.Logf("ten dates are %d tokens, and a refusal %d", size, tokens(t, string(refused.Structured))); size > 900 || dry.Result.SeriesID != "" || dry.Result.Dates[0].ID != "" {
		t.Errorf("%d tokens: %+v", size, dry)
	}
	var dates []json.RawMessage // as they were answered, the last one left out
	var answered struct {
		Result struct{ Dates []json.RawMessage }
	}
	must(t, json.Unmarshal(call("create_booking", `{`+book+`,"conflicts":"nearest","dryRun":true}`).Structured, &answered))
	dates = answered.Result.Dates[:9]
	text, err := json.Marshal(dates)
	must(t, err)
	made, _ := get("create_booking", `{`+book+`,"dates":`+string(text)+`}`)
	if len(made.Dates) != 9 || !strings.HasPrefix(made.SeriesID, "sr_") || made.Dates[1].Start != dry.Result.Dates[1].Start || made.Dates[1].Host != dry.Result.Dates[1].Host ||
		made.Dates[8].Status != "confirmed" {
		t.Fatalf("%+v", made)
	}
	a := call("list_bookings", `{"invitee":"mei@x.example"}`)
	if !strings.Contains(string(a.Structured), `"series":"3 of 9"`) {
		t.Errorf("%s", a.Structured)
	}
	third := `{"id":"` + made.Dates[2].ID + `","scope":"following"`
	dry, _ = get("reschedule_booking", third+`,"start":"2027-02-25T10:00:00+01:00","dryRun":true}`)
	if got := dry.Result.text(); !strings.HasPrefix(got, "02-25T10:00, 04-08T10:00, 05-20T10:00") || len(dry.Result.Dates) != 7 {
		t.Errorf("%s", got)
	}
	moved, _ := get("reschedule_booking", third+`,"start":"2027-02-25T10:00:00+01:00"}`)
	if moved.text() != dry.Result.text() || moved.Dates[0].Status != "rescheduled" || moved.Dates[0].ID != made.Dates[2].ID {
		t.Errorf("%+v", moved)
	}
	w.Booked("cut", "128T08:00", "Di") // 7 April 2027
	blocked := call("reschedule_booking", third+`,"start":"2027-02-24T10:00:00+01:00"}`)
	if e := blocked.failure(); e.Details["reason"] != "series_conflict" || !strings.Contains(string(blocked.Structured), "Nothing has moved") ||
		!strings.Contains(string(blocked.Structured), `"local":"2027-04-07T10:00:00+02:00"`) {
		t.Errorf("%s", blocked.Structured)
	}
	gone, _ := get("cancel_booking", `{"id":"`+made.Dates[1].ID+`","scope":"following"}`)
	if len(gone.Dates) != 8 || slices.ContainsFunc(gone.Dates, func(d dateTold) bool { return d.Status != "cancelled" }) {
		t.Errorf("%+v", gone)
	}

	const visit = `"services":[{"service":"cut"},{"service":"wash"}],"start":"2026-12-10T10:00:00+01:00","invitee":{"name":"Bo","email":"bo@x.example"},"repeat":{"every":1,"unit":"week","until":"2026-12-24"}`
	dry, _ = get("create_booking", `{`+visit+`,"dryRun":true}`)
	if dry.Result == nil || dry.Result.text() != "12-10T10:00, 12-17T10:00, 12-24T10:00" {
		t.Fatalf("%+v", dry)
	}
	made, _ = get("create_booking", `{`+visit+`,"dates":[{"start":"`+dry.Result.Dates[0].Start+`"},{"start":"`+dry.Result.Dates[2].Start+`"}]}`)
	if made.text() != "12-10T10:00, 12-24T10:00" || !strings.HasPrefix(made.Dates[0].ID, "vi_") {
		t.Fatalf("%+v", made)
	}
	moved, _ = get("reschedule_booking", `{"id":"`+made.Dates[0].ID+`","scope":"all","start":"2026-12-11T11:00:00+01:00"}`)
	if moved.text() != "12-11T11:00, 12-25T11:00" {
		t.Errorf("%+v", moved)
	}

	alone := w.Booked("cut", "2T10:00", "Fay").ID.String()
	for _, wrong := range []struct{ tool, arguments, field string }{
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z",` + invitee + `,"conflicts":"skip"}`, "conflicts"},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z",` + invitee + `,"dates":[]}`, "dates"},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z",` + invitee + `,"repeat":{"every":1,"unit":"year","count":2}}`, "repeat.unit"},
		{"create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z",` + invitee + `,"repeat":{"every":1,"unit":"week","times":2}}`, "repeat.times"},
		{"create_booking", `{` + book + `,"dates":[{"begin":"x"}]}`, "dates[0].begin"},
		{"cancel_booking", `{"id":"` + alone + `","scope":"all"}`, "scope"},
		{"cancel_booking", `{"id":"` + alone + `","scope":"some"}`, "scope"},
		{"reschedule_booking", `{"id":"` + alone + `","scope":"all","host":"Ana","start":"` + apptest.At("3T10") + `"}`, "host"},
	} {
		if e := w.call(wrong.tool, wrong.arguments).failure(); e.Code != "bad_request" || fmt.Sprint(e.Details["field"]) != wrong.field {
			t.Errorf("%s %s: %+v", wrong.tool, wrong.arguments, e)
		}
	}
}
