package dashboard

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"daybook/app/account"
	"daybook/app/apptest/browser"
	"daybook/app/page"
	"daybook/app/rest"
	"daybook/app/rest/docs"
	"daybook/app/serve"
	"daybook/app/subjects"
)

// named serves the world's salon at localhost too, where browsers have passkeys, with the API and its documentation.
func (w *world) named() *world {
	w.T.Helper()
	server := httptest.NewUnstartedServer(nil)
	at := "http://" + strings.Replace(server.Listener.Addr().String(), "127.0.0.1", "localhost", 1)
	salon := *w.Salon
	salon.Set = w.Subjects(func(c *subjects.Config) { c.BaseURL, _ = url.Parse(at) })
	n := &world{Salon: &salon, server: server, salon: w.salon}
	var all *http.ServeMux
	n.door = New(n.Set, Options{KeyGuide: func(w http.ResponseWriter, r *http.Request, k account.NewKey) {
		all.ServeHTTP(w, docs.WithKey(r, k))
	}})
	api := rest.New(n.Set, rest.Options{MayMakeKeys: n.door.MayMakeKeys})
	pages := page.New(n.Set, page.Options{})
	var err error
	server.Config.Handler, err = serve.Handler(serve.Config{Pages: pages.Pages, Routes: func(mux *http.ServeMux) {
		all = mux
		mux.Handle("/api/", api)
		n.door.Routes(mux)
		pages.Routes(mux)
	}})
	w.Must(err)
	server.Start()
	server.URL = at
	w.T.Cleanup(func() { n.door.Shutdown(context.Background()); server.Close() })
	return n
}

// authenticator is a virtual one in the tab's browser.
type authenticator struct {
	*tab
	id webauthn.AuthenticatorID
}

func (b *tab) authenticator() authenticator {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, webauthn.Enable, webauthn.EnableParams{}); err != nil {
		b.t.Fatal(err)
	}
	made, err := chromedp.Call(b.ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
		Options: &webauthn.VirtualAuthenticatorOptions{Protocol: webauthn.AuthenticatorProtocolCtap2,
			Transport: webauthn.AuthenticatorTransportInternal, HasResidentKey: true, HasUserVerification: true,
			IsUserVerified: true, AutomaticPresenceSimulation: true}})
	if err != nil {
		b.t.Fatal(err)
	}
	return authenticator{b, made.AuthenticatorID}
}

// distort has it sign with a bogus signature, or not say that it knows who holds it.
func (a authenticator) distort(bogus, unverified bool) {
	a.t.Helper()
	_, err := chromedp.Call(a.ctx, webauthn.SetResponseOverrideBits, webauthn.SetResponseOverrideBitsParams{
		AuthenticatorID: a.id, IsBogusSignature: &bogus, IsBadUV: &unverified})
	if err != nil {
		a.t.Fatal(err)
	}
}

const passkeyButton = "form[data-passkey] button"

func TestPasskeys(t *testing.T) {
	w := newWorld(t).named()
	b := w.browse()
	a := b.authenticator()
	b.signIn(w)
	b.open("/dashboard/account/security")
	b.fill("name", "Ana’s laptop")
	b.click(passkeyButton)
	b.sees("shown only now")
	shot(b, "passkey-codes")
	recovery := browser.Eval[string](t, b.ctx, "document.querySelector('#main li code').innerText")
	b.open("/dashboard/account/security")
	b.sees("Ana’s laptop")
	for _, width := range []int64{390, 1440} {
		b.look("light", width, 900)
		shot(b, "security-"+map[int64]string{390: "390", 1440: "1440"}[width])
	}
	b.look("dark", 1440, 900)
	shot(b, "security-dark")

	// Alone, without a name: the field for the name offers it, or the button is pressed, which nobody asks to save what
	// was typed.
	b.leaveFor("/login")
	b.until("location.pathname=='/dashboard'")
	b.isKnown()
	a.present(false)
	b.leaveFor("/login")
	b.until("document.querySelector('form[data-passkey]')?.hidden===false")
	b.look("light", 390, 844)
	shot(b, "login-passkey-390")
	b.fill("email", "somebody@else.example")
	a.present(true)
	b.click(passkeyButton)
	b.until("location.pathname=='/dashboard'")

	// With a bogus signature, or one that doesn't say who holds it, nobody gets in, and the page asks no second time by
	// itself.
	for _, bits := range [][2]bool{{true, false}, {false, true}} {
		a.distort(bits[0], bits[1])
		b.leaveFor("/login")
		b.sees("That passkey was not accepted")
		// Nobody is signed in. The page of /login isn't opened for that, which would ask for the passkey at once.
		led, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](
			"fetch('/dashboard').then(r=>new URL(r.url).pathname)", chromedp.EvalAwaitPromise))
		w.Must(err)
		if led != "/login" {
			t.Fatal("/dashboard led to", led)
		}
		a.distort(false, false)
	}

	// After the password, one that doesn't say who holds it is the second factor; a bogus signature is none.
	a.present(false)
	b.leaveFor("/login")
	b.fill("email", w.salon.Email, "password", w.salon.Password)
	b.click(".gate-form button[type=submit]")
	b.sees("One more step")
	shot(b, "second-390")
	a.present(true)
	a.distort(true, false)
	b.click(passkeyButton)
	b.sees("That passkey was not accepted")
	a.distort(false, true)
	b.click(passkeyButton)
	b.until("location.pathname=='/dashboard'")
	a.distort(false, false)

	// Later the member signs in again by the passkey, before they change anything.
	w.Clock.Advance(11 * time.Minute)
	b.open("/dashboard/account/security")
	b.sees("Changes are locked")
	b.open("/dashboard/account/security/confirm")
	b.click(passkeyButton)
	b.until("location.pathname=='/dashboard/account/security'")
	b.until("!document.body.innerText.includes('Changes are locked')")

	// An app in its place: with the last passkey gone, its codes and the recovery codes let in, each once.
	b.click("a[href='/dashboard/account/security/app']")
	b.until("document.querySelector('code[tabindex]')")
	secret := browser.Eval[string](t, b.ctx, "document.querySelector('code[tabindex]').innerText")
	b.fill("code", w.shown(secret))
	b.click("#main form[method=post] button[type=submit]")
	b.sees("Remove the app")
	b.click("details[name=passkey]>summary")
	b.click("details[name=passkey] .danger>summary")
	b.click("details[name=passkey] .button-danger")
	b.until("!document.querySelector('details[name=passkey]')")
	w.Clock.Advance(time.Minute)
	a.present(false)
	for _, code := range []string{w.shown(secret), recovery} {
		for again := range 2 {
			b.leaveFor("/login")
			b.fill("email", w.salon.Email, "password", w.salon.Password)
			b.click(".gate-form button[type=submit]")
			b.sees("One more step")
			b.fill("code", code)
			b.click(".gate-form button[type=submit]")
			if again == 0 {
				b.until("location.pathname=='/dashboard'")
			} else {
				b.sees("That code is wrong")
			}
		}
	}
}

// leaveFor goes to another page without cookies, which may lead on by itself, whatever was typed.
func (b *tab) leaveFor(path string) {
	b.t.Helper()
	b.clearCookies()
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`window.before=1;
		for(const f of document.querySelectorAll("form[data-typed]"))delete f.dataset.typed;
		setTimeout(()=>location.assign(%q))`, path)))
	b.until("!window.before&&document.readyState=='complete'")
}

// present has somebody touch the authenticator, or nobody.
func (a authenticator) present(on bool) {
	a.t.Helper()
	_, err := chromedp.Call(a.ctx, webauthn.SetAutomaticPresenceSimulation,
		webauthn.SetAutomaticPresenceSimulationParams{AuthenticatorID: a.id, Enabled: on})
	if err != nil {
		a.t.Fatal(err)
	}
}

// isKnown fails unless the browser keeps that a member has signed in with it.
func (b *tab) isKnown() {
	b.t.Helper()
	all, err := chromedp.Call(b.ctx, network.GetCookies, network.GetCookiesParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	if !slices.ContainsFunc(all.Cookies, func(c *network.Cookie) bool { return c.Name == "daybook-browser" && c.HTTPOnly }) {
		b.t.Errorf("the browser isn't known: %d cookies", len(all.Cookies))
	}
}

func (b *tab) clearCookies() {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, network.ClearBrowserCookies, cdp.Empty{}); err != nil {
		b.t.Fatal(err)
	}
}
