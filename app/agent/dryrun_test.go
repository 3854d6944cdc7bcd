package agent_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"daybook/app/agent"
	"daybook/store/enginetest"
)

// A dry run that ends in an internal error says that nothing was changed, and the call itself that this isn't certain: where
// the database refuses to write, and where the time is up.
func TestDryRunAfterAnInternalError(t *testing.T) {
	for name, w := range map[string]*world{
		"refused": newWorld(t),
		"late":    newWorld(t, func(o *agent.Options) { o.CallTimeout = time.Nanosecond }),
	} {
		raw := enginetest.Raw(t, w.Store.Engine)
		enginetest.Break(t, raw, "contacts", "INSERT", "")
		before := enginetest.Dump(t, raw)
		dry := w.call("create_contact", `{"dryRun":true,"name":"Ed","email":"ed@x.example"}`).failure()
		if dry.Code != "internal" || !strings.Contains(dry.Message, "nothing was changed") || strings.Contains(dry.Message, "not certain") {
			t.Errorf("%s: %+v", name, dry)
		}
		if changed := enginetest.Differences(before, enginetest.Dump(t, raw)); changed != "" {
			t.Errorf("%s: %s", name, changed)
		}
		real := w.call("create_contact", `{"name":"Ed","email":"ed@x.example"}`).failure()
		if real.Code != "internal" || !strings.Contains(real.Message, "not certain") || strings.Contains(real.Message, "dry run") {
			t.Errorf("%s: %+v", name, real)
		}
	}
}

// TestDryRun calls every tool that changes something dry: the answer fits its schema, no table differs, and the call
// itself then does what it said. The tools that only read don't know dryRun.
func TestDryRun(t *testing.T) {
	w := newWorld(t)
	call := w.fitting()
	raw := enginetest.Raw(t, w.Store.Engine)
	id := ""
	for _, c := range []struct{ tool, arguments, told, money string }{
		{"create_booking", `"eventType":"cut","start":"2026-11-30T12:00:00Z","invitee":{"name":"Mei","email":"mei@x.example"}`, `{"who":"invitee","by":"mail","to":"mei@x.example"}`, `"onSite":{"amount":4500,"currency":"EUR"}`},
		{"reschedule_booking", `"id":"$id","start":"2026-12-01T09:00:00Z"`, `{"who":"host","by":"mail","to":"hs_0000000001"}`, `"now":null`},
		{"create_contact", `"name":"Bo","email":"bo@x.example"`, `[]`, `"onSite":null`},
		{"mark_no_show", `"id":"$id"`, ``, ``}, // it has not begun
		{"cancel_booking", `"id":"$id"`, `{"who":"invitee","by":"mail","to":"mei@x.example"}`, `"refund":null`},
	} {
		arguments := strings.ReplaceAll(c.arguments, "$id", id)
		before := enginetest.Dump(t, raw)
		dry := call(c.tool, `{"dryRun":true,`+arguments+`}`)
		if changed := enginetest.Differences(before, enginetest.Dump(t, raw)); changed != "" {
			t.Errorf("%s changed the database:\n%s", c.tool, changed)
		}
		real := call(c.tool, `{`+arguments+`}`)
		if dry.IsError != real.IsError || dry.IsError != (c.told == "") {
			t.Fatalf("%s: dry %s\nreal %s", c.tool, dry.Structured, real.Structured)
		}
		if dry.IsError {
			continue
		}
		var run struct {
			DryRun              bool
			Result, Told, Money json.RawMessage
		}
		must(t, json.Unmarshal(dry.Structured, &run))
		if !run.DryRun || !strings.Contains(string(run.Told), c.told) || !strings.Contains(string(run.Money), c.money) || len(run.Result) < 50 {
			t.Errorf("%s: %s", c.tool, dry.Structured)
		}
		for _, found := range regexp.MustCompile(`[a-z]+_[0-9a-z]{10,}|https?://[^"]+`).FindAllString(string(run.Result), -1) {
			if !strings.Contains(string(real.Structured), found) {
				t.Errorf("%s dry: %s is made up: %s", c.tool, found, run.Result)
			}
		}
		if invents := c.tool == "create_booking" || c.tool == "create_contact"; invents == strings.HasPrefix(string(run.Result), `{"id":"`) {
			t.Errorf("%s dry: %s", c.tool, run.Result)
		}
		var made struct{ ID string }
		must(t, json.Unmarshal(real.Structured, &made))
		if id == "" {
			id = made.ID
		}
	}
	for _, tool := range w.tools() {
		reads := strings.HasPrefix(tool.Name, "list_") || tool.Name == "check_availability" || tool.Name == "analytics_overview"
		if takes := strings.Contains(string(tool.InputSchema), `"dryRun"`); takes == reads {
			t.Errorf("%s takes dryRun: %v", tool.Name, takes)
		}
		if got := w.call(tool.Name, `{"dryRun":"perhaps"}`); !strings.Contains(string(got.Structured), "dryRun: ") {
			t.Errorf("%s: %s", tool.Name, got.Structured)
		}
	}
}
