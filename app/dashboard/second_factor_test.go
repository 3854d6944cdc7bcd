package dashboard

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/oauth"
)

// shown is the code that an authenticator app shows.
func (w *world) shown(secret string) string {
	raw, err := base32.StdEncoding.DecodeString(strings.ReplaceAll(secret, " ", ""))
	w.Must(err)
	mac := hmac.New(sha1.New, raw)
	binary.Write(mac, binary.BigEndian, w.Clock.Now().Unix()/30)
	sum := mac.Sum(nil)
	at := sum[19] & 15
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[at:])&0x7fffffff)%1_000_000)
}

var (
	secretShown = regexp.MustCompile(`<code tabindex="0"[^>]*>([A-Z2-7 ]{39})</code>`)
	tokenHidden = regexp.MustCompile(`name="token" value="([^"]+)"`)
	codesShown  = regexp.MustCompile(`<li><code>([a-z2-7-]{19})</code></li>`)
)

// addApp sets an app up on the pages, and returns its key and the recovery codes.
func (b *visitor) addApp() (secret string, codes []string) {
	b.w.T.Helper()
	page := b.get("/dashboard/account/security/app")
	b.wants(page, 200, "<svg")
	secret = secretShown.FindStringSubmatch(page.body)[1]
	token := tokenHidden.FindStringSubmatch(page.body)[1]
	b.wants(b.post("/dashboard/account/security/app", "token", token, "code", "12345"), 422, "That code is wrong", secret, token)
	done := b.post("/dashboard/account/security/app", "token", token, "code", b.w.shown(secret))
	b.wants(done, 200, "shown only now", "download=")
	for _, m := range codesShown.FindAllStringSubmatch(done.body, -1) {
		codes = append(codes, m[1])
	}
	if len(codes) != 10 {
		b.w.T.Fatalf("%d codes", len(codes))
	}
	return secret, codes
}

// The password alone opens no page of the dashboard, changes nothing and allows no program, once there is an app: every
// route leads to the page that asks for the code.
func TestHalfSessionsOpenNothing(t *testing.T) {
	w := newWorld(t)
	secret, codes := w.asOwner().addApp()
	half := w.browser()
	r := half.post("/login?next=%2Fdashboard%2Ftill", "email", w.salon.Email, "password", w.salon.Password)
	half.wants(r, 303)
	walked := 0
	for _, rt := range routes {
		method, path, _ := strings.Cut(rt.Pattern, " ")
		path = strings.NewReplacer("{id}", "x", "{delivery}", "x", "{device}", "x", "{token}", "x", "{kind}", "x", "{provider}", "x").Replace(path)
		if rt.Open || path == "/logout" {
			continue
		}
		walked++
		var got response
		if method == "GET" {
			got = half.get(path)
		} else {
			got = half.post(path)
		}
		asks := strings.HasPrefix(path, "/login/second")
		if !asks && (got.status != http.StatusSeeOther || !strings.HasPrefix(got.location, "/login/second")) {
			t.Errorf("%s: %d %s", rt.Pattern, got.status, got.location)
		}
		if asks && got.status == http.StatusSeeOther && !strings.HasPrefix(got.location, "/login") {
			t.Errorf("%s leads to %s", rt.Pattern, got.location)
		}
	}
	if walked < 100 {
		t.Errorf("walked %d routes", walked)
	}
	if got := half.get("/dashboard/live"); got.status != http.StatusNoContent {
		t.Errorf("the stream: %d", got.status)
	}
	if got := half.get(oauth.AuthorizePath + "?client_id=x"); got.location != "/login/second?next=%2Foauth%2Fauthorize%3Fclient_id%3Dx" {
		t.Errorf("consent: %d %s", got.status, got.location)
	}
	b := w.browser()
	b.post("/login", "email", w.salon.Email, "password", w.salon.Password)
	b.wants(b.get("/login/second?next=%2Fdashboard%2Ftill"), 200, "One more step", "!side-nav")
	b.wants(b.post("/login/second?next=%2Fdashboard%2Ftill", "code", "000000"), 422, "That code is wrong")
	w.Clock.Advance(15 * time.Minute)
	if got := b.post("/login/second", "code", codes[0]); got.location != "/login" { // the password was long ago
		t.Errorf("%d %s", got.status, got.location)
	}
	b.post("/login", "email", w.salon.Email, "password", w.salon.Password)
	if got := b.post("/login/second?next=%2Fdashboard%2Ftill", "code", w.shown(secret)); got.status != 303 || got.location != "/dashboard/till" {
		t.Errorf("%d %s %s", got.status, got.location, got.body)
	}
	b.wants(b.get("/dashboard/till"), 200)
	half.wants(half.post("/logout"), 303)
}

// A requirement counts at the next request: who has no factor is led to setting one up, and can do nothing else before.
func TestRequiredAtTheNextRequest(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	b.wants(b.get("/dashboard/settings/members"), 200, "Who must have one")
	b.wants(b.post("/dashboard/settings/factor", "role", "owner"), 303)
	for _, path := range []string{"/dashboard", "/dashboard/settings/members", oauth.AuthorizePath + "?client_id=x"} {
		if got := b.get(path); got.status != 303 || !strings.HasPrefix(got.location, "/dashboard/account/security") {
			t.Errorf("%s: %d %s", path, got.status, got.location)
		}
	}
	b.wants(b.post("/dashboard/settings/factor"), 303)
	roles, err := w.Factor.Required(t.Context(), w.Owner)
	if w.Must(err); len(roles) != 1 || roles[0] != app.OwnerRole {
		t.Errorf("%v", roles)
	}
	b.wants(b.get("/dashboard/account/security"), 200, "Set up a second factor first", "!side-nav", "browsers want a name")
	w.Clock.Advance(11 * time.Minute)
	b.wants(b.get("/dashboard/account/security"), 200, "Sign in again", "!Set up an app")
	if got := b.get("/dashboard/account/security/app"); got.status != 303 || got.location != "/dashboard/account/security/confirm?next=%2Fdashboard%2Faccount%2Fsecurity%2Fapp" {
		t.Errorf("%d %s", got.status, got.location)
	}
	b.wants(b.get("/dashboard/account/security/confirm"), 200, "Is it you?", "!recovery code")
	b.wants(b.post("/dashboard/account/security/confirm", "old", "wrong wrong wrong"), 422, "not your current password")
	b.wants(b.post("/dashboard/account/security/confirm", "old", w.salon.Password), 303)
	b.addApp()
	b.wants(b.get("/dashboard"), 200, "Today")
	b.wants(b.get("/dashboard/account/security"), 200, "10 codes are left", "Remove the app", "side-nav")
	b.wants(b.post("/dashboard/account/security/app/remove"), 409, "Your role needs a second factor")
	b.wants(b.post("/dashboard/account/security/codes"), 200, "shown only now")
	w.Clock.Advance(11 * time.Minute)
	if got := b.post("/dashboard/account/security/codes"); got.location != "/dashboard/account/security/confirm" {
		t.Errorf("%d %s", got.status, got.location)
	}
}

// The page for signing in says so when its address was asked for passkeys too often; another address is asked.
func TestPasskeysAreAskedForSoOften(t *testing.T) {
	w := newWorld(t).named()
	ask := func(from string) (int, string) {
		r := httptest.NewRequest("POST", w.server.URL+"/login/passkey", nil)
		r.RemoteAddr = from + ":4000"
		got := httptest.NewRecorder()
		w.server.Config.Handler.ServeHTTP(got, r)
		return got.Code, got.Body.String()
	}
	for range 299 {
		_, err := w.Factor.BeginSignIn(t.Context(), netip.MustParseAddr("198.51.100.7"))
		w.Must(err)
	}
	if code, text := ask("198.51.100.7"); code != 200 || !strings.Contains(text, `"token":"`) {
		t.Errorf("%d %s", code, text)
	}
	if code, text := ask("198.51.100.7"); code != 429 || !strings.HasPrefix(text, "Passkeys were asked for too often from your network. Sign in with your password") {
		t.Errorf("%d %s", code, text)
	}
	if code, text := ask("198.51.100.8"); code != 200 {
		t.Errorf("%d %s", code, text)
	}
}
