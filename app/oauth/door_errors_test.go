package oauth_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app/oauth"
)

const claude = "https://claude.ai/api/mcp/auth_callback"

// Every error of registration (RFC 7591 §3.2.2), and what is taken.
func TestRegistrations(t *testing.T) {
	w := newSite(t)
	for text, want := range map[string]string{
		``:                      "invalid_client_metadata",
		`[]`:                    "invalid_client_metadata",
		`{"redirect_uris":"x"}`: "invalid_client_metadata",
		`{}`:                    "invalid_redirect_uri",
		`{"redirect_uris":[]}`:  "invalid_redirect_uri",
		`{"redirect_uris":["https://a.example/cb"],"grant_types":["client_credentials"]}`:               "invalid_client_metadata",
		`{"redirect_uris":["https://a.example/cb"],"response_types":["token"]}`:                         "invalid_client_metadata",
		`{"redirect_uris":["` + strings.Repeat(`https://a.example/cb","`, 20) + `https://b.example/"]}`: "invalid_redirect_uri",
		`{"redirect_uris":["https://a.example/cb"],"pad":"` + strings.Repeat("x", 17<<10) + `"}`:        "invalid_client_metadata",
		`{"redirect_uris":["https://a.example/cb"],"pad":"` + strings.Repeat("x", 70<<10) + `"}`:        "invalid_client_metadata",
	} {
		if r := w.json(oauth.RegisterPath, text); r.status != http.StatusBadRequest || r.code() != want {
			t.Errorf("%.80s: %d %.200s", text, r.status, r.body)
		}
	}
	for redirect, taken := range map[string]bool{
		"https://a.example/cb": true, "https://a.example:8443/cb?x=1": true, "http://127.0.0.1/": true, "http://127.0.0.1:5000/cb": true,
		"http://[::1]:5000/cb": true, "http://localhost:5000/cb": true, "cursor://x/cb": true, "com.example.app:/cb": true,
		"http://a.example/cb": false, "http://127.0.0.1.evil.example/": false, "http://localhost.evil.example/": false,
		"http://127.0.0.1@evil.example/": false, "https://user@a.example/cb": false, "https://a.example/cb#x": false, "https://a.example/cb#": false,
		"https:///cb": false, "https:a.example": false, "/cb": false, "a.example/cb": false, "": false, "javascript:alert(1)": false,
		"JavaScript://x/%0aalert(1)": false, "data:text/html,x": false, "file:///etc/passwd": false, "vbscript:x": false, "blob:https://a.example/x": false,
		"about:blank": false, "intent://x#Intent;end": false, "mailto:a@b.example": false, "view-source:https://a.example/": false,
		"https://a.example/ cb": false, "https://a.example/\\ncb": false, "https://a.example/é": false, "https://a.example/<x>": false,
		"http://2130706433/": false, "http://0.0.0.0/": false, "https://a.example/" + strings.Repeat("x", 2000): false,
	} {
		r := w.json(oauth.RegisterPath, `{"redirect_uris":["`+redirect+`"]}`)
		if (r.status == http.StatusCreated) != taken || !taken && r.code() != "invalid_redirect_uri" {
			t.Errorf("%.60q: %d %.200s", redirect, r.status, r.body)
		}
	}
	if r := w.form(oauth.RegisterPath, url.Values{"redirect_uris": {claude}}); r.code() != "invalid_client_metadata" {
		t.Errorf("a form: %d %s", r.status, r.body)
	}
	// a name is one line of characters that are seen; no secret is given, whatever is asked for
	r := w.json(oauth.RegisterPath, `{"redirect_uris":["`+claude+`"],"client_name":" Cl\u202eau\nde\u200b`+strings.Repeat("e", 200)+`","token_endpoint_auth_method":"client_secret_basic"}`)
	var c oauth.Registration
	if r.into(t, &c); !strings.HasPrefix(c.Name, "Clau deeee") || len([]rune(c.Name)) != 100 || c.Method != "none" || strings.Contains(r.body, "secret") {
		t.Errorf("%s", r.body)
	}
}

// An address registers ten programs in an hour.
func TestRegistrationsAreLimited(t *testing.T) {
	w := newSite(t)
	register := func(from string) response {
		t.Helper()
		r := w.send(program, "POST", oauth.RegisterPath, `{"redirect_uris":["`+claude+`"]}`, "Content-Type", "application/json", "X-Forwarded-For", from)
		return r
	}
	for i := range 15 { // forwarding headers of anybody are not believed, and this machine is not limited
		if r := register("203.0.113.9"); r.status != http.StatusCreated {
			t.Fatalf("%d: %d %s", i, r.status, r.body)
		}
	}
}

// Where the client or its redirect URI is wrong the browser goes nowhere, and no address of the request is on the page
// (RFC 6749 §4.1.2.1, RFC 9700 §4.11). All other errors lead to the client by a link that the member presses.
func TestAuthorizationErrors(t *testing.T) {
	w := newSite(t)
	client := w.register(`{"client_name":"Claude","redirect_uris":["` + claude + `","https://claude.com/cb"]}`)
	b := w.signedIn(w.owner)
	const evil = "https://evil.example/cb"
	for name, but := range map[string][]string{
		"no client":          {"client_id", ""},
		"an unknown client":  {"client_id", "oc_0000000000000"},
		"another kind":       {"client_id", "key_0000000000"},
		"no redirect":        {"redirect_uri", ""},
		"a foreign one":      {"redirect_uri", evil},
		"a longer one":       {"redirect_uri", claude + "/../../evil"},
		"with a query":       {"redirect_uri", claude + "?x=https://evil.example/"},
		"another case":       {"redirect_uri", strings.ToUpper(claude)},
		"another port":       {"redirect_uri", "https://claude.ai:444/api/mcp/auth_callback"},
		"http":               {"redirect_uri", "http://claude.ai/api/mcp/auth_callback"},
		"a document by http": {"client_id", "http://evil.example/client.json"},
		"no such document":   {"client_id", w.hosts.URL + "/none.json"},
		"a private address":  {"client_id", "https://10.0.0.1/client.json"},
	} {
		for _, method := range []string{"GET", "POST"} {
			ask := w.ask(client, claude, append([]string{}, but...)...)
			r := w.send(b, method, ask, "do=allow&scope=write", "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
			if r.status != http.StatusBadRequest || r.header.Get("Location") != "" || strings.Contains(r.body, "evil.example/cb") {
				t.Errorf("%s, %s: %d to %q", name, method, r.status, r.header.Get("Location"))
			}
		}
	}
	for _, twice := range []string{"client_id", "redirect_uri"} {
		r := w.send(b, "GET", w.ask(client, claude)+"&"+twice+"="+url.QueryEscape(evil), "")
		if r.status != http.StatusBadRequest || strings.Contains(r.body, "evil.example") {
			t.Errorf("%s twice: %d", twice, r.status)
		}
	}
	link := regexp.MustCompile(`href="(https://claude\.ai/[^"]+)"`)
	for name, c := range map[string]struct{ but, want string }{
		"no response type":     {"response_type=", "invalid_request"},
		"implicit":             {"response_type=token", "unsupported_response_type"},
		"hybrid":               {"response_type=code token", "unsupported_response_type"},
		"no challenge":         {"code_challenge=", "invalid_request"},
		"plain":                {"code_challenge_method=plain", "invalid_request"},
		"no method":            {"code_challenge_method=", "invalid_request"},
		"a short challenge":    {"code_challenge=abc", "invalid_request"},
		"another resource":     {"resource=https://evil.example/api/mcp", "invalid_target"},
		"our REST API":         {"resource=" + w.BaseURL() + "/api/v1", "invalid_target"},
		"a relative resource":  {"resource=/api/mcp", "invalid_target"},
		"with a fragment":      {"resource=" + w.BaseURL() + "/api/mcp#x", "invalid_target"},
		"another answer's way": {"response_mode=fragment", "invalid_request"},
	} {
		key, value, _ := strings.Cut(c.but, "=")
		r := w.send(b, "GET", w.ask(client, claude, key, value), "")
		found := link.FindStringSubmatch(r.body)
		if r.status != http.StatusBadRequest || r.header.Get("Location") != "" || found == nil {
			t.Errorf("%s: %d %s", name, r.status, r.header.Get("Location"))
			continue
		}
		at, err := url.Parse(html.UnescapeString(found[1]))
		w.Must(err)
		q := at.Query()
		if q.Get("error") != c.want || q.Get("state") != "a state+/=" || q.Get("iss") != w.BaseURL() || q.Has("code") {
			t.Errorf("%s: %s", name, at)
		}
	}
	for _, twice := range []string{"state", "code_challenge", "response_type"} {
		r := w.send(b, "GET", w.ask(client, claude)+"&"+twice+"=x", "")
		if found := link.FindStringSubmatch(r.body); r.status != http.StatusBadRequest || found == nil || !strings.Contains(found[1], "error=invalid_request") {
			t.Errorf("%s twice: %d", twice, r.status)
		}
	}
	// no is no, and so is anything but yes
	for _, say := range []string{"deny", "", "maybe"} {
		r := w.answer(b, w.ask(client, claude), "do", say, "scope", "write")
		at, err := url.Parse(r.header.Get("Location"))
		w.Must(err)
		if r.status != http.StatusSeeOther || at.Query().Get("error") != "access_denied" || at.Query().Get("iss") != w.BaseURL() || at.Host != "claude.ai" {
			t.Errorf("%q: %d %s", say, r.status, at)
		}
	}
}

// Documents about clients are read once in ten minutes, without following anything, and held against their own address.
func TestDocuments(t *testing.T) {
	w := newSite(t)
	b := w.signedIn(w.owner)
	document := func(id string) string {
		return `{"client_id":"` + id + `","client_name":"X","redirect_uris":["` + claude + `"]}`
	}
	at := w.hosts.URL
	w.pages = map[string]string{
		"/claude.json": document(at + "/claude.json"), "/other.json": document(at + "/claude.json"), "/text": "hello",
		"/long.json": document(at+"/long.json") + strings.Repeat(" ", 5<<10), "/none.json": `{"client_id":"` + at + `/none.json"}`,
		"/secret.json": strings.Replace(document(at+"/secret.json"), "{", `{"token_endpoint_auth_method":"client_secret_post",`, 1),
		"/bad.json":    strings.Replace(document(at+"/bad.json"), claude, "javascript:x", 1), "/": document(at + "/"),
	}
	for path, taken := range map[string]bool{"/claude.json": true, "/other.json": false, "/text": false, "/long.json": false, "/none.json": false,
		"/secret.json": false, "/bad.json": false, "/moved.json": false, "/": false, "": false, "/x/../claude.json": false, "/claude.json#x": false} {
		if r := w.send(b, "GET", w.ask(at+path, claude), ""); (r.status == http.StatusOK) != taken {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	delete(w.pages, "/claude.json")
	if r := w.send(b, "GET", w.ask(at+"/claude.json", claude), ""); r.status != http.StatusOK {
		t.Error("a document is read each time")
	}
	w.Clock.Advance(11 * 60 * 1e9)
	if r := w.send(b, "GET", w.ask(at+"/claude.json", claude), ""); r.status == http.StatusOK {
		t.Error("a document is kept for ever")
	}
	// nobody who is not signed in has the server read anything
	if r := w.send(w.browser(), "GET", w.ask(at+"/claude.json", claude), ""); r.status != http.StatusSeeOther || !strings.HasPrefix(r.header.Get("Location"), "/login") {
		t.Errorf("%d %s", r.status, r.header.Get("Location"))
	}
}

// Members can't have the server read any number of documents at once.
func TestDocumentsAreReadAFewAtOnce(t *testing.T) {
	const most, all = 8, 12
	w := newSite(t)
	b := w.signedIn(w.owner)
	came, goOn := make(chan struct{}, all), make(chan struct{})
	w.hosts.Config.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		came <- struct{}{}
		<-goOn
	})
	var asking sync.WaitGroup
	for i := range all {
		asking.Go(func() { w.send(b, "GET", w.ask(w.hosts.URL+fmt.Sprintf("/%d.json", i), claude), "") })
	}
	for range most {
		<-came
	}
	select {
	case <-came:
		t.Errorf("%d documents are read at once", most+1)
	case <-time.After(200 * time.Millisecond): // one more would come at once
	}
	close(goOn)
	asking.Wait()
}

// What the endpoints for programs answer besides: methods, types, origins, and never something that is kept.
func TestEndpoints(t *testing.T) {
	w := newSite(t)
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/api/mcp",
		"/.well-known/oauth-protected-resource/api/sse", oauth.TokenPath, oauth.RegisterPath, oauth.RevokePath} {
		r := w.send(program, "OPTIONS", path, "", "Origin", "https://inspector.example", "Access-Control-Request-Method", "POST")
		if r.status != http.StatusNoContent || r.header.Get("Access-Control-Allow-Origin") != "*" || r.header.Get("Access-Control-Allow-Methods") == "" || r.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("OPTIONS %s: %d %v", path, r.status, r.header)
		}
		if r := w.send(program, "DELETE", path, ""); r.status != http.StatusMethodNotAllowed || r.header.Get("Allow") == "" {
			t.Errorf("DELETE %s: %d", path, r.status)
		}
	}
	if r := w.send(program, "GET", oauth.TokenPath+"?grant_type=refresh_token&refresh_token=x&client_id=y", ""); r.status != http.StatusMethodNotAllowed {
		t.Errorf("a token by GET: %d", r.status)
	}
	if r := w.json(oauth.TokenPath, `{"grant_type":"refresh_token"}`); r.status != http.StatusBadRequest || r.code() != "invalid_request" {
		t.Errorf("JSON: %d %s", r.status, r.body)
	}
	if r := w.form(oauth.TokenPath+"?grant_type=refresh_token&client_id=oc_x", url.Values{"refresh_token": {"x"}}); r.code() != "invalid_request" {
		t.Errorf("parameters of the address count: %d %s", r.status, r.body)
	}
	// a client that is not known is 401, so that it registers again
	r := w.form(oauth.TokenPath, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"dbr_x"}, "client_id": {"oc_0000000000000"}})
	if r.status != http.StatusUnauthorized || r.code() != "invalid_client" || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %s", r.status, r.body)
	}
	r = w.form(oauth.TokenPath, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"dbr_x"}}, "Authorization", "Basic b2NfeDpzZWNyZXQ=")
	if r.status != http.StatusUnauthorized || r.code() != "invalid_client" || r.header.Get("WWW-Authenticate") != "Basic" {
		t.Errorf("a secret: %d %v %s", r.status, r.header, r.body)
	}
	if r := w.form(oauth.RevokePath, url.Values{"token": {"dba_x"}}); r.status != http.StatusOK {
		t.Errorf("an unknown token: %d %s", r.status, r.body)
	}
	if r := w.form(oauth.RevokePath, url.Values{}); r.status != http.StatusBadRequest || r.code() != "invalid_request" {
		t.Errorf("no token: %d %s", r.status, r.body)
	}
	got := w.token(w.owner, "write")
	if r := w.form(oauth.RevokePath, url.Values{"token": {got.Refresh}, "token_type_hint": {"access_token"}}); r.status != http.StatusOK || w.tools(got.Access, callTools).status != http.StatusUnauthorized {
		t.Errorf("a token that was revoked: %d", r.status)
	}
}
