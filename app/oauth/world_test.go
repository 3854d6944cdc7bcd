package oauth_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/oauth"
)

const (
	callback = "https://claude.ai/api/mcp/auth_callback"
	verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // of RFC 7636, appendix B
)

func challenge() string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// world is a salon with an owner and a client.
type world struct {
	*apptest.Salon
	owner  app.User
	client string
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{Salon: apptest.New(t, apptest.Options{})}
	w.owner = w.member("owner@salon.example", app.OwnerRole)
	w.client = w.register(callback)
	return w
}

func (w *world) member(email string, role app.Role) app.User {
	w.T.Helper()
	in := account.UserInput{Email: email, Role: role, Password: "correct horse battery"}
	if role == app.StaffRole {
		in.Host = 1
	}
	u, err := w.Account.CreateUser(w.T.Context(), app.Operator(w.Workspace.ID), in)
	w.Must(err)
	return u
}

func (w *world) register(redirects ...string) string {
	w.T.Helper()
	body, err := json.Marshal(map[string]any{"client_name": "Claude", "redirect_uris": redirects})
	w.Must(err)
	r, err := w.OAuth.Register(w.T.Context(), netip.MustParseAddr("127.0.0.1"), body)
	w.Must(err)
	return r.ClientID
}

// values are pairs as parameters.
func values(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if v.Del(pairs[i]); pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return v
}

// ask is a good request for authorization, but for what is said otherwise; "" leaves a parameter out.
func (w *world) ask(but ...string) url.Values {
	return values(append([]string{"response_type", "code", "client_id", w.client, "redirect_uri", callback, "state", "s1",
		"code_challenge", challenge(), "code_challenge_method", "S256", "scope", "read write",
		"resource", "https://book.example/api/mcp"}, but...)...)
}

// code is the code that a member's consent gives.
func (w *world) code(u app.User, write bool, but ...string) string {
	w.T.Helper()
	to, err := w.OAuth.Consent(w.T.Context(), u.Actor(), w.ask(but...), oauth.Consent{Allow: true, Scope: scopeOf(write)})
	w.Must(err)
	at, err := url.Parse(to)
	w.Must(err)
	if at.Query().Get("code") == "" {
		w.T.Fatalf("no code: %s", to)
	}
	return at.Query().Get("code")
}

// scopeOf is what a sign-in may that may write, or only look.
func scopeOf(write bool) oauth.Scope {
	if write {
		return oauth.WriteScope
	}
	return oauth.ReadScope
}

// redeem is a good request for the tokens of a code, but for what is said otherwise.
func (w *world) redeem(code string, but ...string) url.Values {
	return values(append([]string{"grant_type", "authorization_code", "code", code, "client_id", w.client, "redirect_uri",
		callback, "code_verifier", verifier}, but...)...)
}

func (w *world) refresh(token string, but ...string) url.Values {
	return values(append([]string{"grant_type", "refresh_token", "refresh_token", token, "client_id", w.client}, but...)...)
}

// tokens are those that the form gets.
func (w *world) tokens(form url.Values) oauth.Tokens {
	w.T.Helper()
	t, err := w.OAuth.Token(w.T.Context(), form)
	w.Must(err)
	return t
}

// connected are the first tokens of a member.
func (w *world) connected(u app.User, write bool, but ...string) oauth.Tokens {
	w.T.Helper()
	return w.tokens(w.redeem(w.code(u, write, but...)))
}

// wrong wants an error of the protocol, and returns it.
func (w *world) wrong(err error, want oauth.ErrorCode) *oauth.Error {
	w.T.Helper()
	var e *oauth.Error
	if !errors.As(err, &e) || e.Code != want {
		w.T.Fatalf("got %v, want %s", err, want)
	}
	if strings.ContainsAny(e.Text, "\"\\") || strings.ContainsFunc(e.Text, func(r rune) bool { return r < ' ' || r > '~' }) {
		w.T.Errorf("RFC 6749 §5.2 has no such text: %q", e.Text)
	}
	return e
}

// works reports whether an access token does.
func (w *world) works(token string) bool {
	_, err := w.OAuth.CheckToken(token)
	return err == nil
}
