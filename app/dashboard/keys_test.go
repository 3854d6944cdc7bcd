package dashboard

import (
	"strings"
	"testing"

	"daybook/app/account"
	"daybook/app/apptest/browser"
	"daybook/views/dash"
)

// An owner makes restricted and public keys by the form; the list says what each may, and shows the public one again.
func TestKeysWithLimits(t *testing.T) {
	w := newWorld(t)
	owner := w.asOwner()
	types, hosts := w.setup().EventTypes, w.setup().Hosts
	made := owner.post(dash.NewKeyPath, "name", "Narrow", "scope", "full", "rateLimit", "120", "rights", "bookings:read",
		"eventTypes", types[0].ID.String(), "hosts", hosts[0].ID.String(), "until", "2030-01-31", "addresses", "203.0.113.7\n203.0.113.128/25")
	if made.status != 200 || !strings.Contains(made.body, "dbk_") {
		t.Fatalf("%d %s", made.status, made.body)
	}
	made = owner.post(dash.NewKeyPath, "name", "Website", "scope", "public", "rateLimit", "60", "origins", "https://salon.example\nhttps://www.salon.example")
	if made.status != 200 || !strings.Contains(made.body, "pk_") || strings.Contains(made.body, "mcp") {
		t.Fatalf("%d %s", made.status, made.body)
	}
	keys, err := w.Account.Keys(t.Context(), w.Owner)
	w.Must(err)
	public, narrow := keys[0], keys[1]
	if public.Scope != account.PublicScope || len(public.Limits.Origins) != 2 || strings.Join(narrow.Limits.Rights.List(), " ") != "availability:read bookings:read" ||
		narrow.Limits.EventTypes[0] != types[0].ID || narrow.Limits.Hosts[0] != hosts[0].ID || len(narrow.Limits.Addresses) != 2 || narrow.Limits.Until == 0 {
		t.Errorf("made %+v and %+v", public, narrow)
	}
	list := owner.get(dash.KeysPath).body
	for _, want := range []string{"Restricted", "See bookings", types[0].Title, hosts[0].Name, "203.0.113.128/25", public.Public, "https://www.salon.example"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
	for _, wrong := range [][]string{{"scope", "public"}, {"scope", "full", "origins", "https://x.example"}, {"scope", "public", "origins", "x.example"},
		{"scope", "full", "addresses", "here"}, {"scope", "read-only", "rights", "bookings:write"},
		{"scope", "full", "rights", "contacts:read", "eventTypes", types[0].ID.String()}, {"scope", "full", "until", "2001-01-01"}} {
		if got := owner.post(dash.NewKeyPath, append([]string{"name", "x", "rateLimit", "120"}, wrong...)...); got.status != 422 || !strings.Contains(got.body, "error") {
			t.Errorf("%v: %d", wrong, got.status)
		}
	}
	b := w.browse()
	b.signIn(w)
	axe := browser.Axe(t)
	b.accessible("keys", dash.KeysPath, axe)
	b.accessible("keys-new", dash.NewKeyPath, axe)
	b.look("light", 1440, 900)
	b.open(dash.KeysPath)
	shot(b, "keys-1440-light")
	b.open(dash.NewKeyPath)
	shot(b, "keys-new-1440-light")
	b.look("dark", 390, 844)
	shot(b, "keys-new-390-dark")
	owner.post("/dashboard/account/language", "locale", "de")
	b.open(dash.KeysPath)
	shot(b, "keys-390-dark-de")
}
