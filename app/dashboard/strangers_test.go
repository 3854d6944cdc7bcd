package dashboard

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/serve"
)

// knows reports whether the answer has the browser keep what makes it known as the member's.
func (w *world) knows(r response, email string) bool {
	w.T.Helper()
	u, err := w.Store.UserByEmail(email)
	w.Must(err)
	for _, cookie := range (&http.Response{Header: r.header}).Cookies() {
		if cookie.Name == "daybook-browser" && cookie.Value == account.KnownBrowser(&u) && cookie.HttpOnly && cookie.MaxAge > 0 {
			return true
		}
	}
	return false
}

// However a member signs in, the browser is known as theirs afterwards; a passkey's way is in TestPasskeys.
func TestEveryWayOfSigningInKnowsTheBrowser(t *testing.T) {
	empty := newEmptyWorld(t)
	link, err := empty.Account.NewSetupLink(t.Context())
	empty.Must(err)
	r := empty.browser().post(strings.TrimPrefix(link, empty.server.URL), "email", "ana@salon.example", "password", "correct horse battery", "name", "Salon", "slug", "salon",
		"timeZone", "Europe/Berlin", "currency", "EUR")
	if r.status != 303 || !empty.knows(r, "ana@salon.example") {
		t.Errorf("set-up: %d %v", r.status, r.header)
	}
	w := newWorld(t)
	owner := w.browser()
	if r := owner.post("/login", "email", w.salon.Email, "password", w.salon.Password); r.status != 303 || !w.knows(r, w.salon.Email) {
		t.Errorf("password: %d %v", r.status, r.header)
	}
	link = owner.invites("/dashboard/settings/members", "email", "ben@salon.example", "role", "manager", "host", "")
	if r := w.browser().post(strings.TrimPrefix(link, w.server.URL), "password", "correct horse battery"); r.status != 303 || !w.knows(r, "ben@salon.example") {
		t.Errorf("invitation: %d %v", r.status, r.header)
	}
	const changed = "another correct horse"
	r = owner.post("/dashboard/account/password", "old", w.salon.Password, "password", changed)
	if r.status != 303 || !w.knows(r, w.salon.Email) {
		t.Errorf("a new password: %d %v", r.status, r.header)
	}
	secret, _ := owner.addApp()
	second := w.browser()
	second.wants(second.post("/login", "email", w.salon.Email, "password", changed), 303)
	w.Clock.Advance(time.Minute) // a code is good once
	if r := second.post("/login/second", "code", w.shown(secret)); r.status != 303 || !w.knows(r, w.salon.Email) {
		t.Errorf("second factor: %d %v", r.status, r.header)
	}
}

// strangers send wrong passwords, 40 at a time, through the proxy at url: half of them each from a new /64 of one /48,
// half each from a new IPv4 address, until stop. tried and refused count how they were answered.
func (w *world) strangers(url string, emails []string) (stop func(), tried, refused *atomic.Int64) {
	tried, refused = new(atomic.Int64), new(atomic.Int64)
	var all sync.WaitGroup
	var ended atomic.Bool
	for i := range 40 {
		all.Go(func() {
			for n := 0; !ended.Load(); n++ {
				from := fmt.Sprintf("2001:4860:1:%x::1", rand.N(1<<16))
				if i%2 == 0 {
					from = netip.AddrFrom4([4]byte{byte(11 + rand.N(100)), byte(rand.N(256)), byte(rand.N(256)), 9}).String()
				}
				b := w.browser()
				switch status := b.through(url, from, emails[n%len(emails)], "wrong password").status; status {
				case 401:
					tried.Add(1)
				case 429:
					refused.Add(1)
				case 503: // the machine has no more for strangers just now
				default:
					w.T.Errorf("a stranger's wrong password is neither refused nor counted: %d", status)
					return
				}
			}
		})
	}
	return func() { ended.Store(true); all.Wait() }, tried, refused
}

// through signs in at url, from a network address as the proxy there tells it.
func (b *visitor) through(at, from, email, password string) response {
	b.w.T.Helper()
	r, err := http.NewRequest("POST", at+"/login", strings.NewReader(url.Values{"email": {email}, "password": {password}}.Encode()))
	b.w.Must(err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("X-Forwarded-For", from)
	return b.do(r)
}

// While strangers from many networks try passwords of members and of nobody, a member signs in at once with a browser
// that they have signed in with before, even the member whom they try most; and from a fresh network and browser one whom
// they don't try gets in, when not at once then after the wait that they are told.
func TestStrangersKeepNoMemberOut(t *testing.T) {
	w := newWorld(t)
	handler, err := serve.Handler(serve.Config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Routes: w.door.Routes})
	w.Must(err)
	proxied := httptest.NewServer(handler)
	defer proxied.Close()
	const password = "correct horse battery"
	emails := []string{w.salon.Email}
	for i := range 4 {
		email := fmt.Sprintf("member%d@salon.example", i)
		_, err := w.Account.CreateUser(t.Context(), app.Operator(w.Workspace.ID),
			account.UserInput{Email: email, Role: app.ManagerRole, Password: password})
		w.Must(err)
		emails = append(emails, email)
	}
	const fresh = "member3@salon.example"
	emails = append(emails[:4], "x@nobody.example", "y@nobody.example")
	known := w.browser()
	known.wants(known.through(proxied.URL, "192.0.2.10", w.salon.Email, w.salon.Password), 303)

	stop, tried, refused := w.strangers(proxied.URL, emails)
	defer stop()
	defer func() { t.Logf("%d tried, %d refused", tried.Load(), refused.Load()) }()
	apptest.Eventually(t, "the attack begins", func() bool { return tried.Load()+refused.Load() >= 100 })
	for i := range 10 {
		began := time.Now()
		if r := known.through(proxied.URL, fmt.Sprintf("198.51.100.%d", i+1), w.salon.Email, w.salon.Password); r.status != 303 {
			t.Errorf("sign-in %d of the known browser: %d", i, r.status)
		}
		t.Logf("known browser: %s", time.Since(began).Round(time.Millisecond))
	}
	began, tries := time.Now(), 0
	apptest.Eventually(t, "a fresh network", func() bool {
		tries++
		r := w.browser().through(proxied.URL, "203.0.113.77", fresh, password)
		if r.status != 303 && r.status != 429 {
			t.Fatalf("%d %s", r.status, mainOf(r.body))
		}
		return r.status == 303
	})
	t.Logf("fresh network: %d tries, %s", tries, time.Since(began).Round(time.Millisecond))
	apptest.Eventually(t, "the members' accounts are closed to strangers", func() bool { return refused.Load() > 0 })
	if r := known.through(proxied.URL, "198.51.100.99", w.salon.Email, w.salon.Password); r.status != 303 {
		t.Errorf("the known browser at last: %d", r.status)
	}
	t.Logf("%d tried, %d refused", tried.Load(), refused.Load())
}
