package oauth_test

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"daybook/app/oauth"
	"daybook/store/enginetest"
)

// The page that asks tells no other site anything: it sends no Referer, has nothing of others' on it but the way to the
// program, and no script of another page may read it (RFC 9700 §2.6, §4.2.4). A redirect is a 303.
func TestTheQuestionTellsNobody(t *testing.T) {
	w := newSite(t)
	client := w.register(`{"client_name":"Claude","redirect_uris":["` + claude + `"]}`)
	b := w.signedIn(w.owner)
	for _, ask := range []string{w.ask(client, claude), w.ask(client, claude, "scope", "nonsense"), w.ask(client, "https://evil.example/cb")} {
		for _, origin := range []string{"https://evil.example", "https://claude.ai", "null"} {
			r := w.send(b, "GET", ask, "", "Origin", origin)
			for name := range r.header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s may read the page: %s", origin, name)
				}
			}
			if policy := r.header.Get("Referrer-Policy"); policy != "no-referrer" && policy != "same-origin" {
				t.Errorf("Referrer-Policy is %q", policy)
			}
			for _, to := range regexp.MustCompile(`(?:href|src|action)="([^"]+)"`).FindAllStringSubmatch(r.body, -1) {
				u, err := url.Parse(to[1])
				if err != nil || u.Host != "" && !strings.HasPrefix(to[1], w.BaseURL()) && u.Host != "claude.ai" {
					t.Errorf("the page has %s", to[1])
				}
			}
		}
	}
	r := w.send(b, "OPTIONS", w.ask(client, claude), "", "Origin", "https://claude.ai", "Access-Control-Request-Method", "POST")
	if r.header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("a page may ask by itself")
	}
}

// Codes and tokens are secrets: no table has one as it is (RFC 9700 §4.9.3), nor an address that anybody is sent to but
// the program with its code.
func TestTokensAreNowhereReadable(t *testing.T) {
	w := newSite(t)
	client := w.register(`{"client_name":"Claude","redirect_uris":["` + claude + `"]}`)
	code := w.allow(w.signedIn(w.owner), w.ask(client, claude), claude, "write").Get("code")
	got := w.tokens(client, claude, code)
	next := w.form(oauth.TokenPath, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {got.Refresh}, "client_id": {client}})
	if r := w.tools(got.Access, callTools); r.status != http.StatusOK || next.status != http.StatusOK {
		t.Fatal(r.status, next.status)
	}
	var all bytes.Buffer
	for _, rows := range enginetest.Dump(t, enginetest.Raw(t, w.Store.Engine)) {
		all.WriteString(strings.Join(rows, "\n"))
	}
	for what, secret := range map[string]string{"code": code, "access token": got.Access, "refresh token": got.Refresh, "verifier": siteVerifier} {
		if bytes.Contains(all.Bytes(), []byte(secret)) || bytes.Contains(all.Bytes(), []byte(secret[4:])) {
			t.Errorf("a table has the %s as it is", what)
		}
	}
	if !bytes.Contains(all.Bytes(), []byte("Claude")) {
		t.Error("the dump lacks the grant")
	}
}
