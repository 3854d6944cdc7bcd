package oauth_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daybook/app/oauth"
)

// However a program asks, the browser is led to an address that its client registered, or to none; nothing panics.
func FuzzAuthorize(f *testing.F) {
	for _, q := range []string{"", "client_id=CLIENT", "client_id=CLIENT&redirect_uri=" + url.QueryEscape(claude), "client_id=CLIENT&redirect_uri=https://evil.example/",
		"client_id=CLIENT&redirect_uri=http://127.0.0.1:99/cb&response_type=code", "client_id=https://127.0.0.1/x", "redirect_uri=//evil.example&client_id=CLIENT&client_id=CLIENT",
		"client_id=CLIENT&redirect_uri=cursor://x/cb&response_type=code&code_challenge_method=S256&code_challenge=" + challengeOf(siteVerifier) + "&state=%0d%0aLocation:x"} {
		f.Add(q, "allow", "write")
	}
	w := newSite(f)
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
	for _, body := range []string{"", "grant_type=authorization_code&code=dbc_x&client_id=CLIENT&code_verifier=" + siteVerifier, "grant_type=refresh_token&refresh_token=dbr_&client_id=CLIENT",
		"grant_type=refresh_token&grant_type=x", "%zz", "token=dba_x", "resource=x&resource=y"} {
		f.Add(body)
	}
	w := newSite(f)
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

// Whatever a stranger registers, the client has no secret and only redirects that may be: https, a private scheme of a
// program on the person's device, or its loopback; an answer that is none is one of the protocol.
func FuzzRegister(f *testing.F) {
	for _, body := range []string{"", "{}", "null", "[]", `{"redirect_uris":["` + claude + `"]}`, `{"redirect_uris":["http://127.0.0.1/cb","http://[::1]:9/cb","cursor://x/cb"],"client_name":"x"}`,
		`{"redirect_uris":["http://evil.example/cb"]}`, `{"redirect_uris":["javascript:alert(1)","data:text/html,x"]}`, `{"redirect_uris":["https://a.example/#x"]}`, `{"redirect_uris":["https://u:p@a.example/"]}`,
		`{"redirect_uris":["https://a.example/cb"],"client_id":"mine","client_secret":"s","token_endpoint_auth_method":"client_secret_basic"}`, `{"redirect_uris":["//a.example/cb","/cb",""]}`,
		`{"redirect_uris":["https://a.example/\u0000","https://a.example\\@b.example/"],"grant_types":["implicit","password"]}`, `{"redirect_uris":["HTTP://localhost:1/cb","https://a.example\tx/"]}`} {
		f.Add(body)
	}
	w := newSite(f)
	f.Fuzz(func(t *testing.T, body string) {
		w.T = t
		w.Clock.Advance(time.Hour) // ten are let in an hour
		r := w.json(oauth.RegisterPath, body)
		if r.status != http.StatusCreated {
			if r.status != http.StatusBadRequest || r.code() != "invalid_client_metadata" && r.code() != "invalid_redirect_uri" {
				t.Errorf("%q: %d %s", body, r.status, r.body)
			}
			return
		}
		var c struct {
			ID        string   `json:"client_id"`
			Secret    *string  `json:"client_secret"`
			Method    string   `json:"token_endpoint_auth_method"`
			Redirects []string `json:"redirect_uris"`
		}
		r.into(t, &c)
		if !strings.HasPrefix(c.ID, "oc_") || c.Secret != nil || c.Method != "none" || len(c.Redirects) == 0 {
			t.Errorf("%q: %s", body, r.body)
		}
		for _, text := range c.Redirects {
			u, err := url.Parse(text)
			if err != nil || u.Fragment != "" || u.User != nil || strings.ContainsAny(text, " \t\r\n\\#\x00") {
				t.Errorf("%q: %q", body, text)
				continue
			}
			host := u.Hostname()
			loopback := host == "127.0.0.1" || host == "::1" || host == "localhost"
			switch u.Scheme {
			case "https":
				if host == "" {
					t.Errorf("%q: no host in %q", body, text)
				}
			case "http":
				if !loopback {
					t.Errorf("%q: %q is in the clear", body, text)
				}
			case "javascript", "data", "file", "blob", "about", "vbscript", "view-source", "ws", "wss", "ftp", "mailto", "tel", "":
				t.Errorf("%q: %q is no program's", body, text)
			}
		}
	})
}
