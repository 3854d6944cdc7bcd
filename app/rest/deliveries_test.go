package rest_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/webhook"
)

// What was sent to endpoints is listed, newest first, of one endpoint or in one state, and sent again.
func TestDeliveries(t *testing.T) {
	w := newWorld(t)
	const hooks, path = "/api/v1/webhook-endpoints", "/api/v1/webhook-deliveries"
	first := w.do(w.full, "POST", hooks, hook(hookURL, "booking.created")).json(t)["id"].(string)
	second := w.do(w.full, "POST", hooks, hook(hookURL+"2", "booking.cancelled")).json(t)["id"].(string)
	booked := w.book("cut", cutAt, "bo@x.example")
	w.book("cut", nextCut, "di@x.example")
	w.do(w.full, "POST", "/api/v1/bookings/"+booked+"/cancel", "")

	list := func(key, query string) (all []map[string]any, next string) {
		t.Helper()
		got := w.do(key, "GET", path+query, "")
		if got.Code != 200 {
			t.Fatal(query, got.Code, got.text)
		}
		for _, d := range got.json(t)["data"].([]any) {
			all = append(all, object(d))
		}
		next, _ = got.json(t)["nextCursor"].(string)
		return all, next
	}
	all, _ := list(w.readOnly, "")
	if len(all) != 3 || all[0]["event"] != "booking.cancelled" || all[0]["endpointId"] != second || all[2]["endpointId"] != first ||
		all[0]["state"] != "pending" {
		t.Errorf("%v", all)
	}
	page, next := list(w.full, "?limit=1&endpoint="+first)
	rest, end := list(w.full, "?limit=1&endpoint="+first+"&cursor="+next)
	if len(page) != 1 || len(rest) != 1 || end != "" || page[0]["id"] != all[1]["id"] || rest[0]["id"] != all[2]["id"] {
		t.Errorf("%v, then %v", page, rest)
	}

	// It was given up, and is sent again.
	endpoint, err := id.Parse[catalog.EndpointIDKind](first)
	w.Must(err)
	claimed, err := w.Webhook.ClaimDeliveries(t.Context(), []webhook.Claim{{Lane: endpoint, Limit: 1}}, time.Minute)
	w.Must(err)
	sent := claimed[0].Deliveries[0]
	w.Must(w.Webhook.SettleDeliveries(t.Context(), []webhook.Outcome{{ID: sent.ID, Workspace: sent.Workspace, Endpoint: claimed[0].Endpoint,
		Lease: sent.Lease, State: webhook.DeliveryFailed, Error: "refused"}}))
	failed, _ := list(w.full, "?state=failed")
	if len(failed) != 1 || failed[0]["id"] != sent.ID.String() || failed[0]["attempts"] != 1.0 || failed[0]["error"] != "refused" {
		t.Fatalf("%v", failed)
	}
	again := path + "/" + sent.ID.String() + "/redeliver"
	if got := w.do(w.full, "POST", again, ""); got.Code != 202 || got.json(t)["state"] != "pending" {
		t.Error(got.Code, got.text)
	}
	if got := w.do(w.readOnly, "GET", path+"/"+sent.ID.String(), ""); got.Code != 200 || got.json(t)["state"] != "pending" {
		t.Error(got.Code, got.text)
	}
	if failed, _ := list(w.full, "?state=failed"); len(failed) > 0 {
		t.Errorf("it is to be sent again: %v", failed)
	}

	for _, c := range []struct {
		key, method, path, body string
		status                  int
		field                   string
	}{
		{w.readOnly, "POST", again, "", 403, ""}, {w.foreign, "POST", again, "", 404, ""}, {w.foreign, "GET", path + "/" + sent.ID.String(), "", 404, ""},
		{w.foreign, "GET", path + "?endpoint=" + first, "", 404, "endpoint"}, {w.full, "GET", path + "?endpoint=", "", 400, "endpoint"},
		{w.full, "GET", path + "?state=lost", "", 400, "state"}, {w.full, "GET", path + "?cursor=" + next, "", 400, "cursor"},
		{w.full, "POST", path + "/" + booked + "/redeliver", "", 404, ""},
	} {
		got := w.do(c.key, c.method, c.path, c.body)
		if _, _, field := got.errorOf(t); got.Code != c.status || field != c.field {
			t.Errorf("%s %s: %d %s", c.method, c.path, got.Code, got.text)
		}
	}
	if all, _ := list(w.foreign, ""); len(all) > 0 {
		t.Errorf("of another workspace: %v", all)
	}
	w.do(w.full, "PATCH", hooks+"/"+first, `{"enabled":false}`)
	if got := w.do(w.full, "POST", again, ""); got.Code != 409 || !strings.Contains(got.text, `"endpoint_disabled"`) {
		t.Error(got.Code, got.text)
	}
	blind := w.keyOf(account.KeyInput{Scope: account.FullScope, Limits: account.Limits{Rights: []string{"bookings:read"}}})
	if got := w.do(blind, "GET", path, ""); got.Code != 403 {
		t.Error(got.Code, got.text)
	}
}
