package dashboard

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/oauth"
	"daybook/views/dash"
)

// asks is the address at which a program asks for access.
func (w *world) programAsks(redirect string) string {
	w.T.Helper()
	c, err := w.OAuth.Register(w.T.Context(), netip.MustParseAddr("127.0.0.1"), []byte(`{"client_name":"Claude","redirect_uris":["`+redirect+`"]}`))
	w.Must(err)
	return oauth.AuthorizePath + "?" + url.Values{"response_type": {"code"}, "client_id": {c.ClientID}, "state": {"s"}, "code_challenge_method": {"S256"},
		"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}}.Encode()
}

// The page that asks whether a program may have access looks right, and its answer leads a browser to the program, after
// signing in too.
func TestConsentInABrowser(t *testing.T) {
	axe := browser.Axe(t)
	w := newWorld(t)
	got := make(chan url.Values, 2)
	program := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cb" {
			got <- r.URL.Query()
		}
		io.WriteString(rw, "<title>The program</title>")
	}))
	t.Cleanup(program.Close)
	b := w.browse()
	b.look("light", 1440, 900)
	b.open(w.programAsks(program.URL + "/cb"))
	b.until(`document.querySelector("[name=password]")`)
	b.fill("email", w.salon.Email, "password", w.salon.Password)
	b.click("button[type=submit]")
	b.until(`document.querySelector("[value=allow]")`)
	b.click("[value=allow]")
	b.until(`document.title === "The program"`)
	if q := <-got; q.Get("code") == "" || q.Get("state") != "s" || q.Get("iss") != w.BaseURL() {
		t.Error(q)
	}
	ask := w.programAsks("https://claude.ai/api/mcp/auth_callback")
	b.accessible("consent", ask, axe)
	b.look("light", 1440, 900)
	b.open(ask)
	shot(b, "consent-1440-light")
	b.open(w.programAsks("cursor://anysphere.cursor-mcp/oauth/callback"))
	shot(b, "consent-1440-app")
	size := browser.Eval[string](t, b.ctx, `[".consent-where",".consent-name",".consent h1"].map(s => parseFloat(getComputedStyle(document.querySelector(s)).fontSize)).join()`)
	if where, rest, _ := strings.Cut(size, ","); where != "28" || strings.HasPrefix(rest, "28") {
		t.Errorf("the sizes of the host, the name and the heading are %s", size)
	}
	b.accessible("consent-wrong", strings.Replace(ask, "S256", "plain", 1), axe)
	users, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	w.allowed(users[0])
	b.accessible("keys-with-agents", dash.KeysPath, axe)
	b.accessible("account-with-agents", dash.AccountPath, axe)
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(ask)
	b.sees("Zugriff")
	shot(b, "consent-390-de")
}
