package oauth_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/agent"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/dashboard"
	"daybook/app/oauth"
	"daybook/app/rest"
	"daybook/app/serve"
	"daybook/app/subjects"
)

const (
	password     = "correct horse battery"
	siteVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // of RFC 7636, appendix B
)

func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// site is a salon behind a server with every door that has to do with agents.
type site struct {
	*apptest.Salon
	server *httptest.Server
	owner  app.User
	hosts  *httptest.Server // with client documents
	pages  map[string]string
}

func newSite(t testing.TB) *site {
	t.Helper()
	w := &site{server: httptest.NewUnstartedServer(nil), pages: map[string]string{}}
	w.hosts = httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		text, ok := w.pages[r.URL.Path]
		if !ok {
			http.Redirect(rw, r, "/claude.json", http.StatusFound)
			return
		}
		rw.Header().Set("Content-Type", "application/json")
		io.WriteString(rw, text)
	}))
	t.Cleanup(w.hosts.Close)
	w.Salon = apptest.New(t, apptest.Options{Name: "Salon Ana", With: func(c *subjects.Config) {
		c.BaseURL = &url.URL{Scheme: "http", Host: w.server.Listener.Addr().String()}
		c.OAuth = oauth.Config{Aliases: []string{"https://tools.example"}, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			Trust: w.hosts.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	}})
	w.Offer("cut", 60, func(e *catalog.EventType) { e.Title = "Cut" })
	board := dashboard.New(w.Set, dashboard.Options{})
	tools := agent.New(w.Set, agent.Options{})
	handler, err := serve.Handler(serve.Config{Routes: func(mux *http.ServeMux) {
		oauth.NewDoor(w.OAuth, nil).Routes(mux)
		board.Routes(mux)
		tools.Routes(mux)
		mux.Handle("/api/", rest.New(w.Set, rest.Options{}))
	}})
	w.Must(err)
	w.server.Config.Handler = handler
	w.server.Start()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		tools.Close(ctx)
		board.Shutdown(ctx)
		w.server.Close()
	})
	w.owner = w.member("owner@salon.example", app.OwnerRole)
	return w
}

func (w *site) member(email string, role app.Role) app.User {
	w.T.Helper()
	in := account.UserInput{Email: email, Role: role, Password: password}
	if role == app.StaffRole {
		in.Host = 1
	}
	u, err := w.Account.CreateUser(w.T.Context(), app.Operator(w.Workspace.ID), in)
	w.Must(err)
	return u
}

// response is an answer that was read.
type response struct {
	status int
	header http.Header
	body   string
}

// into reads the answer's JSON.
func (r response) into(t testing.TB, to any) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.body), to); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.body, err)
	}
}

// code is the error of an answer of the protocol.
func (r response) code() string {
	var e struct{ Error string }
	json.Unmarshal([]byte(r.body), &e) //nolint:errcheck // "" then
	return e.Error
}

// send is one request to the server; header are pairs.
func (w *site) send(c *http.Client, method, path, body string, header ...string) response {
	w.T.Helper()
	if strings.HasPrefix(path, "/") {
		path = w.server.URL + path
	}
	r, err := http.NewRequestWithContext(w.T.Context(), method, path, strings.NewReader(body))
	w.Must(err)
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	res, err := c.Do(r)
	w.Must(err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	w.Must(err)
	return response{res.StatusCode, res.Header, string(text)}
}

// program is the HTTP client of an agent's program: it has no cookies.
var program = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (w *site) form(path string, values url.Values, header ...string) response {
	w.T.Helper()
	return w.send(program, "POST", path, values.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded"}, header...)...)
}

func (w *site) json(path, body string, header ...string) response {
	w.T.Helper()
	return w.send(program, "POST", path, body, append([]string{"Content-Type", "application/json"}, header...)...)
}

// browser is that of somebody who has not signed in yet.
func (w *site) browser() *http.Client {
	jar, err := cookiejar.New(nil)
	w.Must(err)
	return &http.Client{Jar: jar, CheckRedirect: program.CheckRedirect}
}

// signedIn is the browser of a member.
func (w *site) signedIn(u app.User) *http.Client {
	w.T.Helper()
	b := w.browser()
	if r := w.answer(b, "/login", "email", u.Email, "password", password); r.status != http.StatusSeeOther {
		w.T.Fatalf("sign in: %d %s", r.status, r.body)
	}
	return b
}

// answer posts a form of one of our pages.
func (w *site) answer(b *http.Client, path string, pairs ...string) response {
	w.T.Helper()
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return w.send(b, "POST", path, v.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
}

// register registers a client and returns its id.
func (w *site) register(metadata string) string {
	w.T.Helper()
	r := w.json(oauth.RegisterPath, metadata)
	var c struct {
		ID     string `json:"client_id"`
		Method string `json:"token_endpoint_auth_method"`
		Secret string `json:"client_secret"`
	}
	r.into(w.T, &c)
	if r.status != http.StatusCreated || c.Method != "none" || c.Secret != "" || r.header.Get("Cache-Control") != "no-store" {
		w.T.Fatalf("%d %s", r.status, r.body)
	}
	return c.ID
}

// ask is the address of a good request for authorization, but for what is said otherwise; "" leaves a parameter out.
func (w *site) ask(client, redirect string, but ...string) string {
	v := url.Values{"response_type": {"code"}, "client_id": {client}, "redirect_uri": {redirect}, "state": {"a state+/="},
		"code_challenge": {challengeOf(siteVerifier)}, "code_challenge_method": {"S256"}, "resource": {w.BaseURL() + "/api/mcp"}}
	for i := 0; i+1 < len(but); i += 2 {
		if v.Del(but[i]); but[i+1] != "" {
			v.Set(but[i], but[i+1])
		}
	}
	return oauth.AuthorizePath + "?" + v.Encode()
}

// allow has the member allow the request, and returns the query that the program gets.
func (w *site) allow(b *http.Client, ask, redirect, scope string) url.Values {
	w.T.Helper()
	r := w.answer(b, ask, "do", "allow", "scope", scope)
	to := r.header.Get("Location")
	if r.status != http.StatusSeeOther || !strings.HasPrefix(to, redirect) {
		w.T.Fatalf("%d to %q: %s", r.status, to, r.body)
	}
	at, err := url.Parse(to)
	w.Must(err)
	q := at.Query()
	if q.Get("iss") != w.BaseURL() || q.Get("code") == "" { // RFC 9207
		w.T.Errorf("the answer is %s", to)
	}
	return q
}

// tokens redeems a code.
func (w *site) tokens(client, redirect, code string) (t oauth.Tokens) {
	w.T.Helper()
	r := w.form(oauth.TokenPath, url.Values{"grant_type": {"authorization_code"}, "code": {code}, "client_id": {client},
		"redirect_uri": {redirect}, "code_verifier": {siteVerifier}, "resource": {w.BaseURL() + "/api/mcp"}})
	r.into(w.T, &t)
	if r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-store" || r.header.Get("Pragma") != "no-cache" {
		w.T.Fatalf("%d %v %s", r.status, r.header, r.body)
	}
	return t
}

// token is an access token of a member.
func (w *site) token(u app.User, scope string) oauth.Tokens {
	w.T.Helper()
	const to = "https://claude.ai/api/mcp/auth_callback"
	client := w.register(`{"client_name":"Claude","redirect_uris":["` + to + `"]}`)
	return w.tokens(client, to, w.allow(w.signedIn(u), w.ask(client, to), to, scope).Get("code"))
}

const callTools = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_event_types","arguments":{}}}`

// tools calls a tool with a bearer token.
func (w *site) tools(token, call string) response {
	w.T.Helper()
	return w.json("/api/mcp", call, "Authorization", "Bearer "+token, "Accept", "application/json, text/event-stream")
}

var metadataOf = regexp.MustCompile(`resource_metadata="([^"]+)"`)
