package agent_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
)

// Restricted keys are held to their limits in the tools as elsewhere, and public keys open none.
func TestRestrictedKeysInTheTools(t *testing.T) {
	w := newWorld(t)
	key := func(in account.KeyInput) (header []string) {
		in.Name = "narrow"
		k, err := w.Account.CreateKey(w.Context(), app.Operator(w.Workspace.ID), in)
		must(t, err)
		return []string{"Authorization", "Bearer " + k.Value}
	}
	full := account.FullScope
	service := key(account.KeyInput{Scope: full, Limits: account.Limits{EventTypes: []string{"cut"}}})
	if got := w.call("list_event_types", `{}`, service...); got.IsError || strings.Contains(string(got.Structured), `"colour"`) || !strings.Contains(string(got.Structured), `"cut"`) {
		t.Errorf("its services: %s", got.Structured)
	}
	if e := w.call("check_availability", `{"eventType":"colour"}`, service...).failure(); e.Code != "not_found" {
		t.Errorf("times of another service: %v", e)
	}
	if e := w.call("list_contacts", `{}`, service...).failure(); e.Code != "forbidden" || e.Details["reason"] != "right" {
		t.Errorf("contacts: %v", e)
	}
	reads := key(account.KeyInput{Scope: full, Limits: account.Limits{Rights: []string{"bookings:read"}}})
	if got := w.call("list_bookings", `{}`, reads...); got.IsError {
		t.Errorf("bookings: %s", got.Structured)
	}
	if e := w.call("create_contact", `{"name":"Bo","email":"bo@x.example"}`, reads...).failure(); e.Code != "forbidden" || e.Details["reason"] != "right" {
		t.Errorf("a contact: %v", e)
	}
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for name, header := range map[string][]string{
		"public_key":          key(account.KeyInput{Scope: account.PublicScope, Limits: account.Limits{Origins: []string{"https://salon.example"}}}),
		"address_not_allowed": key(account.KeyInput{Scope: full, Limits: account.Limits{Addresses: []string{"203.0.113.0/24"}}}),
	} {
		for _, at := range []string{"POST /api/mcp", "GET /api/sse"} {
			method, path, _ := strings.Cut(at, " ")
			res := w.request(method, path, list, header...)
			body, err := io.ReadAll(res.Body)
			must(t, err)
			if res.StatusCode != http.StatusForbidden || !strings.Contains(string(body), name) {
				t.Errorf("%s, %s: %d %s", at, name, res.StatusCode, body)
			}
		}
	}
}
