package agent_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/netip"
	"net/url"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/oauth"
)

// tokenOf is the access token of a program that the member has let in.
func (w *world) tokenOf(u app.User) string { return w.token(u, true) }

// token is that of a sign-in that may write, or only look.
func (w *world) token(u app.User, write bool) string {
	if write {
		return w.signedIn(u, "/api/mcp", oauth.WriteScope)
	}
	return w.signedIn(u, "/api/mcp", oauth.ReadScope)
}

// signedIn is the access token of a program that asked for all scopes at the path, and was allowed that one.
func (w *world) signedIn(u app.User, path string, scope oauth.Scope) string {
	w.Helper()
	const back, verifier = "https://claude.ai/api/mcp/auth_callback", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	r, err := w.OAuth.Register(w.Context(), netip.MustParseAddr("127.0.0.1"),
		[]byte(`{"client_name":"Claude","redirect_uris":["`+back+`"]}`))
	w.Must(err)
	sum := sha256.Sum256([]byte(verifier))
	to, err := w.OAuth.Consent(w.Context(), u.Actor(), url.Values{"response_type": {"code"}, "client_id": {r.ClientID},
		"redirect_uri": {back}, "state": {"s"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])},
		"code_challenge_method": {"S256"}, "scope": {"read write desk settings"}, "resource": {w.server.URL + path}},
		oauth.Consent{Allow: true, Scope: scope})
	w.Must(err)
	at, err := url.Parse(to)
	w.Must(err)
	t, err := w.OAuth.Token(w.Context(), url.Values{"grant_type": {"authorization_code"}, "code": {at.Query().Get("code")},
		"client_id": {r.ClientID}, "redirect_uri": {back}, "code_verifier": {verifier}})
	w.Must(err)
	return t.Access
}

// The assistant of a member of staff who names a colleague, by id or by name, is refused by every tool: it is shown no
// times of theirs, and books nothing with its own member instead.
func TestStaffsAssistantThatNamesAColleague(t *testing.T) {
	w := newWorld(t)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	ana, bo := setup.Hosts[0].ID, setup.Hosts[1].ID
	w.Offer("priced", 60, func(e *catalog.EventType) { e.Hosts = []catalog.HostRef{{ID: ana}, {ID: bo}} })
	u, err := w.Account.CreateUser(t.Context(), app.Operator(w.Workspace.ID),
		account.UserInput{Email: "bo@salon.example", Role: app.StaffRole, Password: "correct horse battery", Host: bo})
	w.Must(err)
	bearer := []string{"Authorization", "Bearer " + w.tokenOf(u)}
	book := func(host, start string) answer {
		return w.call("create_booking", fmt.Sprintf(`{"eventType":"priced","start":%q,"host":%q,
			"invitee":{"name":"Pat","email":"pat@x.example"}}`, start, host), bearer...)
	}
	start := apptest.At("1T10")
	for _, host := range []string{ana.String(), "Ana"} {
		for tool, a := range map[string]answer{
			"check_availability": w.call("check_availability", fmt.Sprintf(`{"eventType":"priced","host":%q}`, host), bearer...),
			"list_bookings":      w.call("list_bookings", fmt.Sprintf(`{"host":%q}`, host), bearer...),
			"create_booking":     book(host, start),
		} {
			e := a.failure()
			if e.Code != "forbidden" || e.Details["reason"] != "role" {
				t.Errorf("%s with %s: %s", tool, host, a.Structured)
			}
		}
	}
	page, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{})
	w.Must(err)
	if len(page.Data) != 0 {
		t.Errorf("it was booked: %+v", page.Data)
	}
	if a := book(bo.String(), start); a.IsError {
		t.Errorf("with themselves: %s", a.Structured)
	}
}
