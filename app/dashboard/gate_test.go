package dashboard

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/catalog"
)

func TestSetUp(t *testing.T) {
	w := newEmptyWorld(t)
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	path := strings.TrimPrefix(link, w.server.URL)
	b := w.browser()
	b.wants(b.get("/setup/"+strings.Repeat("a", 32)), 404, "has been used")
	b.wants(b.get(path), 200, "Welcome to Daybook")

	form := []string{"email", "ana@salon.example", "password", "short", "name", "Salon <Ana>", "slug", "salon", "timeZone", "Europe/Berlin", "currency", "CHF"}
	b.wants(b.post(path, form...), 422, "Choose a password of 10 to 200 characters.", `value="ana@salon.example"`, "Salon &lt;Ana&gt;", "!short")
	form[3], form[7] = "correct horse battery", "api"
	b.wants(b.post(path, form...), 422, "is reserved", `value="api"`)
	form[7] = "salon"
	b.wants(b.post(path, form...), 303)
	b.wants(b.post(path, form...), 404)
	b.wants(b.get(path), 404)

	for _, early := range []string{"trade", "services?trade=hair", "service", "shop"} {
		b.wants(b.get("/dashboard/start/"+early), 303)
	}
	b.wants(b.get("/dashboard/start/hours"), 200, "When can people book you?", `value="09:00"`, `!value="Ana"`)
	b.wants(b.post("/dashboard/start/hours", "name", "Ana", "mon.from", "09:00", "mon.to", "17:00", "mon.from", "16:00", "mon.to", "18:00"), 422, "overlap", `value="16:00"`)
	b.wants(b.post("/dashboard/start/hours", "name", "Ana", "mon.from", "09:00", "mon.to", "12:00", "mon.from", "13:00", "mon.to", "00:00", "tue.from", "", "tue.to", ""), 303)
	b.wants(b.post("/dashboard/start/service", "title", "Cut", "slug", "cut", "durationMinutes", "x", "price", "45.50"), 422, "whole number", `value="45.50"`)
	b.wants(b.post("/dashboard/start/service", "title", "Cut", "slug", "cut", "durationMinutes", "45", "price", "45,5"), 303)
	b.wants(b.get("/dashboard/start/done"), 200, w.server.URL+"/salon", "data-service-url")
	b.wants(b.get("/dashboard"), 200, "Today", "Nothing is booked yet")

	ws, err := w.WorkspaceBySlug(t.Context(), "salon")
	w.Must(err)
	if _, err := w.Book(t.Context(), app.Actor{Kind: booking.ByInvitee, Workspace: ws.ID}, booking.BookInput{EventType: "cut", Start: "2026-11-23T08:00:00Z", Invitee: booking.Invitee{Name: "Mia", Email: "mia@mail.example"}}); err != nil {
		t.Fatal(err)
	}
	b.wants(b.get("/dashboard"), 200, "Mia", "CHF", "45.50")
	if link, err := w.Account.NewSetupLink(t.Context()); link != "" || err != nil {
		t.Fatalf("another set-up link: %q, %v", link, err)
	}
}

func TestTheServersNameLeadsIn(t *testing.T) {
	w := newEmptyWorld(t)
	b := w.browser()
	b.wants(b.get("/"), 303)
	b.wants(b.get("/salon"), 404)
}

// After a set-up file has made the workspace, the link leads to that one.
func TestSetUpOfWhatAFileMade(t *testing.T) {
	w := newEmptyWorld(t)
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	path := strings.TrimPrefix(link, w.server.URL)
	b := w.browser()
	b.wants(b.get(path), 200, "Your business")
	_, err = w.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Slug: "ana", Name: "Salon Ana", TimeZone: "Europe/Berlin"})
	w.Must(err)
	// The form from before names another business: it comes back and says what there is now.
	stale := []string{"email", "ana@salon.example", "password", "correct horse battery", "name", "Ana", "slug", "ana2", "timeZone", "UTC", "currency", "CHF"}
	b.wants(b.post(path, stale...), 409, "Salon Ana was set up in the meantime", "You will own Salon Ana", "!Your business")
	b.wants(b.get(path), 200, "You will own Salon Ana", "!Your business", "!Time zone")
	b.wants(b.post(path, "email", "ana@salon.example", "password", "short"), 422, "Choose a password of 10 to 200 characters.")
	if r := b.post(path, "email", "ana@salon.example", "password", "correct horse battery"); r.status != 303 || r.location != "/dashboard" {
		t.Errorf("%d %s %s", r.status, r.location, r.body)
	}
	b.wants(b.get("/dashboard/settings"), 200, "Salon Ana")
	b.wants(b.get(path), 404, "already has an owner")
	all, err := w.Workspaces(t.Context(), app.Operator(0))
	w.Must(err)
	if len(all) != 1 {
		t.Errorf("%d workspaces, want 1", len(all))
	}
}

// Of 200 guesses at once from one address no more than five are tried.
func TestGuessesAtOnce(t *testing.T) {
	w := newWorld(t)
	var mu sync.Mutex
	statuses := map[int]int{}
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			form := url.Values{"email": {w.salon.Email}, "password": {fmt.Sprintf("wrong-%06d-xx", i)}}
			res, err := w.browser().client.PostForm(w.server.URL+"/login", form)
			if err != nil {
				t.Error(err)
				return
			}
			res.Body.Close()
			mu.Lock()
			defer mu.Unlock()
			statuses[res.StatusCode]++
		})
	}
	all.Wait()
	t.Logf("200 guesses at once: %v", statuses)
	if statuses[401] == 0 || statuses[401] > 5 || statuses[401]+statuses[429] != 200 {
		t.Errorf("answers by status: %v; want at most 5 of 401 and 429 for the rest", statuses)
	}
}

func TestSetUpLinkEnds(t *testing.T) {
	w := newEmptyWorld(t)
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	w.Clock.Advance(time.Hour)
	b := w.browser()
	b.wants(b.get(strings.TrimPrefix(link, w.server.URL)), 404)
}

func TestSignIn(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.wants(b.get("/dashboard"), 303)
	if r := b.get("/dashboard/account"); r.location != "/login?next=%2Fdashboard%2Faccount" {
		t.Error(r.location)
	}
	b.wants(b.get("/login"), 200, "Sign in")
	wrong := b.post("/login", "email", w.salon.Email, "password", "not this one")
	b.wants(wrong, 401, "match", "!not this one")
	nobody := b.post("/login", "email", "nobody@salon.example", "password", "not this one")
	if strings.ReplaceAll(nobody.body, "nobody@salon.example", w.salon.Email) != wrong.body {
		t.Error("an unknown address is answered otherwise than a wrong password")
	}
	r := b.post("/login?next=//evil.example/dashboard", "email", w.salon.Email, "password", w.salon.Password)
	if r.status != 303 || r.location != "/dashboard" {
		t.Errorf("%d %s", r.status, r.location)
	}
	cookie := r.header.Get("Set-Cookie")
	if !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
		t.Error(cookie)
	}
	b.wants(b.get("/dashboard"), 200, "Today")
	for name, want := range map[string]string{"X-Frame-Options": "DENY", "Cache-Control": "no-store", "Content-Security-Policy": csp} {
		if got := b.get("/dashboard").header.Get(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	b.wants(b.post("/logout"), 303)
	b.wants(b.get("/dashboard"), 303)
}

// Whose workspace is suspended sees why, signs out, and signs in at another one with the same browser.
func TestSignInElsewhereWhileSuspended(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	other := w.Beside("other", "dan")
	const email, password = "boss@other.example", "correct horse battery"
	_, err := w.Account.CreateUser(t.Context(), app.Operator(other.Workspace.ID), account.UserInput{Email: email, Role: app.OwnerRole, Password: password})
	w.Must(err)
	_, err = w.Shop.SuspendWorkspace(t.Context(), app.Operator(w.Workspace.ID))
	w.Must(err)
	b.wants(b.get("/dashboard"), 403, "suspended")
	b.wants(b.post("/login", "email", w.salon.Email, "password", w.salon.Password), 403, "suspended")
	b.wants(b.post("/login", "email", email, "password", password), 303)
	b.wants(b.get("/dashboard"), 200)
	_, err = w.Shop.ResumeWorkspace(t.Context(), app.Operator(w.Workspace.ID))
	w.Must(err)
	out := w.asOwner()
	_, err = w.Shop.SuspendWorkspace(t.Context(), app.Operator(w.Workspace.ID))
	w.Must(err)
	out.wants(out.post("/logout"), 303)
	out.wants(out.get("/dashboard"), 303)
}

func TestSignInIsLimited(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	for range 5 {
		b.wants(b.post("/login", "email", w.salon.Email, "password", "wrong wrong"), 401)
	}
	b.wants(b.post("/login", "email", w.salon.Email, "password", w.salon.Password), 429, "Too many attempts")
	w.Clock.Advance(15 * time.Minute)
	b.wants(b.post("/login", "email", w.salon.Email, "password", w.salon.Password), 303)
}

func TestSessionsEnd(t *testing.T) {
	w := newWorld(t)
	idle, used := w.asOwner(), w.asOwner()
	for range 4 {
		w.Clock.Advance(6 * 24 * time.Hour)
		used.wants(used.get("/dashboard"), 200)
	}
	idle.wants(idle.get("/dashboard"), 303)
	w.Clock.Advance(6 * 24 * time.Hour)
	used.wants(used.get("/dashboard/account"), 200)
	w.Clock.Advance(25 * time.Hour)
	used.wants(used.get("/dashboard"), 303)

	one, two := w.asOwner(), w.asOwner()
	one.wants(one.post("/dashboard/account/password", "old", "wrong wrong", "password", "a new long password"), 422, "not your current password")
	one.wants(one.post("/dashboard/account/password", "old", w.salon.Password, "password", "a new long password"), 303)
	one.wants(one.get("/dashboard"), 200)
	two.wants(two.get("/dashboard"), 303)
	three := w.as(w.salon.Email, "a new long password")
	three.wants(three.post("/dashboard/account/everywhere"), 303)
	one.wants(one.get("/dashboard"), 303)
}

func TestOtherSitesAreRefused(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	r, err := http.NewRequest("POST", w.server.URL+"/logout", nil)
	w.Must(err)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	b.wants(b.do(r), 403)
	b.wants(b.get("/dashboard"), 200)
}

// An address that no page has says so in the dashboard's look, and leads to the sign-in first.
func TestNowhere(t *testing.T) {
	w := newWorld(t)
	if r := w.browser().get("/dashboard/calendar"); r.status != 303 || !strings.HasPrefix(r.location, "/login?next=") {
		t.Errorf("nobody: %d %s", r.status, r.location)
	}
	b := w.asOwner()
	b.wants(b.get("/dashboard/calendar"), 404, "Not found", "Back to the dashboard")
	b.wants(b.get("/dashboard/nothing/at/all"), 404, "Not found")
	b.wants(b.post("/dashboard/nothing"), 404, "Not found")
}
