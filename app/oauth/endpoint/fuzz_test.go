package endpoint_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daybook/app/oauth"
)

// However a program asks, the browser is led to an address that its client registered, or to none; nothing panics.
func FuzzAuthorize(f *testing.F) {
	for _, q := range []string{"", "client_id=CLIENT", "client_id=CLIENT&redirect_uri=" + url.QueryEscape(claude), "client_id=CLIENT&redirect_uri=https://evil.example/",
		"client_id=CLIENT&redirect_uri=http://127.0.0.1:99/cb&response_type=code", "client_id=https://127.0.0.1/x", "redirect_uri=//evil.example&client_id=CLIENT&client_id=CLIENT",
		"client_id=CLIENT&redirect_uri=cursor://x/cb&response_type=code&code_challenge_method=S256&code_challenge=" + challenge(verifier) + "&state=%0d%0aLocation:x"} {
		f.Add(q, "allow", "write")
	}
	w := newWorld(f)
	client := w.register(`{"redirect_uris":["` + claude + `","http://127.0.0.1/cb","cursor://x/cb"]}`)
	b := w.signedIn(w.owner)
	f.Fuzz(func(t *testing.T, query, say, scope string) {
		w.T = t
		query = strings.ReplaceAll(query, "CLIENT", client)
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		r := w.answer(b, oauth.AuthorizePath+"?"+values.Encode(), "do", say, "scope", scope)
		to := r.header.Get("Location")
		switch {
		case to == "":
			if r.status != http.StatusBadRequest {
				t.Errorf("%q: %d", query, r.status)
			}
			return
		case r.status != http.StatusSeeOther:
			t.Errorf("%q: %d to %q", query, r.status, to)
		}
		at, err := url.Parse(to)
		if err != nil {
			t.Fatal(err)
		}
		q := at.Query()
		ours := strings.HasPrefix(to, claude+"?") || strings.HasPrefix(to, "cursor://x/cb?") || at.Scheme == "http" && at.Hostname() == "127.0.0.1" && at.Path == "/cb"
		if !ours || q.Get("iss") != w.BaseURL() || q.Has("code") == q.Has("error") || q.Has("code") && say != "allow" {
			t.Errorf("%q leads to %q", query, to)
		}
	})
}

// However a program asks for tokens, it gets none without a code, and an answer of the protocol.
func FuzzToken(f *testing.F) {
	for _, body := range []string{"", "grant_type=authorization_code&code=dbc_x&client_id=CLIENT&code_verifier=" + verifier, "grant_type=refresh_token&refresh_token=dbr_&client_id=CLIENT",
		"grant_type=refresh_token&grant_type=x", "%zz", "token=dba_x", "resource=x&resource=y"} {
		f.Add(body)
	}
	w := newWorld(f)
	client := w.register(`{"redirect_uris":["` + claude + `"]}`)
	f.Fuzz(func(t *testing.T, body string) {
		w.T = t
		body = strings.ReplaceAll(body, "CLIENT", client)
		for path, status := range map[string]int{oauth.TokenPath: http.StatusBadRequest, oauth.RevokePath: http.StatusOK} {
			r := w.send(program, "POST", path, body, "Content-Type", "application/x-www-form-urlencoded")
			refused := (r.status == http.StatusBadRequest || r.status == http.StatusUnauthorized) && r.code() != ""
			if !refused && (path == oauth.TokenPath || r.status != status) || strings.Contains(r.body, "access_token\"") {
				t.Errorf("%s %q: %d %s", path, body, r.status, r.body)
			}
		}
	})
}
