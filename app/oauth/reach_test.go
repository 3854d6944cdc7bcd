package oauth_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/oauth"
)

const bookCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_booking","arguments":{"eventType":"cut","start":"2026-12-01T09:00:00Z","invitee":{"name":"Ida","email":"ida@mail.example"}}}}`

const analyticsCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"analytics_overview","arguments":{}}}`

// A token works at the tools and nowhere else, of an owner, of staff, or of a booking’s link: every route of the API and of the dashboard refuses it, whatever it may do.
func TestTokensReachTheToolsOnly(t *testing.T) {
	w := newSite(t)
	got := w.token(w.owner, "write")
	if r := w.tools(got.Access, callTools); r.status != http.StatusOK || r.header.Get("RateLimit-Limit") != "120" {
		t.Fatalf("%d %v %s", r.status, r.header, r.body)
	}
	if r := w.send(program, "GET", "/api/sse", "", "Authorization", "Bearer "+got.Refresh); r.status != http.StatusUnauthorized {
		t.Errorf("a refresh token opens the tools: %d", r.status)
	}
	for _, path := range []string{"/api/mcp", "/api/sse"} { // RFC 9700 §4.3.2
		if r := w.send(program, "GET", path+"?access_token="+got.Access, "", "Accept", "text/event-stream"); r.status != http.StatusUnauthorized {
			t.Errorf("a token in an address opens %s: %d", path, r.status)
		}
	}
	staff := w.token(w.member("staff@salon.example", app.StaffRole), "write")
	link := w.Booked("cut", "1T09", "ida").ManageURL
	guest := link[strings.LastIndexByte(link, '/')+1:]
	routes := 0
	var doc struct{ Paths map[string]map[string]any }
	w.Must(json.Unmarshal([]byte(w.send(program, "GET", "/api/v1/openapi.json", "").body), &doc))
	for path, item := range doc.Paths {
		path = strings.ReplaceAll(path, "{id}", "bk_0000000000000")
		for method := range item {
			method = strings.ToUpper(method)
			for _, token := range []string{got.Access, got.Refresh, staff.Access, guest} {
				r := w.send(program, method, path, "{}", "Authorization", "Bearer "+token, "Content-Type", "application/json")
				if r.status != http.StatusUnauthorized || token != guest && !strings.Contains(r.body, "/api/mcp") || r.header.Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("%s %s: %d %s", method, path, r.status, r.body)
				}
			}
			routes++
		}
	}
	var all strings.Builder
	for _, file := range []string{"../dashboard/routes.go", "../dashboard/integrations/routes.go", "../dashboard/settings/routes.go", "../dashboard/calendar/today_routes.go", "../dashboard/shop/routes.go"} {
		text, err := os.ReadFile(file)
		w.Must(err)
		all.Write(text)
	}
	for _, m := range regexp.MustCompile(`web\.On\("(GET|POST) (/[^"]+)"`).FindAllStringSubmatch(all.String(), -1) {
		path := regexp.MustCompile(`\{[a-z]+\}`).ReplaceAllString(m[2], "x")
		for _, token := range []string{got.Access, staff.Access, guest} {
			r := w.send(program, m[1], path, "", "Authorization", "Bearer "+token, "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
			if r.status != http.StatusSeeOther || !strings.HasPrefix(r.header.Get("Location"), "/login") {
				t.Errorf("%s %s: %d to %q", m[1], path, r.status, r.header.Get("Location"))
			}
		}
		routes++
	}
	if routes < 100 {
		t.Errorf("only %d routes were walked", routes)
	}
	if r := w.send(program, "GET", "/api/mcp", "", "Authorization", "Bearer "+got.Access+"x", "Accept", "text/event-stream"); r.status != http.StatusUnauthorized || !strings.Contains(r.header.Get("WWW-Authenticate"), `error="invalid_token"`) {
		t.Errorf("a wrong token: %d %v", r.status, r.header)
	}
	// an API key goes on as ever
	if r := w.tools(w.Key(account.FullScope).Value, callTools); r.status != http.StatusOK {
		t.Errorf("a key: %d", r.status)
	}
}

// An agent may do what its member may and no more, and one that may only look changes nothing.
func TestTokensMayWhatTheMemberMay(t *testing.T) {
	w := newSite(t)
	bob := w.member("bob@salon.example", app.StaffRole)
	for name, c := range map[string]struct {
		user        app.User
		scope, call string
		want        string
	}{
		"an owner's agent looks at figures":       {w.owner, "read", analyticsCall, `"totals"`},
		"a staff member's can't":                  {bob, "write", analyticsCall, `"forbidden"`},
		"an agent that may look can't book":       {w.owner, "read", bookCall, `insufficient_scope`},
		"a staff member's books for their member": {bob, "write", bookCall, `"confirmed"`},
	} {
		r := w.tools(w.token(c.user, c.scope).Access, c.call)
		status := http.StatusOK
		if c.want == "insufficient_scope" {
			status = http.StatusForbidden
		}
		if r.status != status || !strings.Contains(strings.ReplaceAll(r.body, `\"`, `"`), c.want) {
			t.Errorf("%s: %d %.600s", name, r.status, r.body)
		}
	}
	// another workspace's token sees its own only
	beside := w.Beside("beside", "dan")
	u, err := w.Account.CreateUser(t.Context(), app.Operator(beside.Workspace.ID), account.UserInput{Email: "x@beside.example", Role: app.OwnerRole, Password: password})
	w.Must(err)
	if r := w.tools(w.token(u, "write").Access, callTools); r.status != http.StatusOK || strings.Contains(r.body, "Cut") {
		t.Errorf("another workspace's agent: %d %s", r.status, r.body)
	}
	// and one that was removed sees nothing, from the next request on
	got := w.token(bob, "read")
	_, err = w.Account.RemoveMember(t.Context(), w.owner.Actor(), bob.ID.String())
	w.Must(err)
	if r := w.tools(got.Access, callTools); r.status != http.StatusUnauthorized {
		t.Errorf("a removed member's agent: %d", r.status)
	}
	if r := w.form(oauth.TokenPath, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {got.Refresh}, "client_id": {w.register(`{"redirect_uris":["` + claude + `"]}`)}}); r.code() != "invalid_grant" {
		t.Errorf("its refresh token: %d %s", r.status, r.body)
	}
}

// The page that asks can't be framed nor answered from elsewhere, and leads to nobody but the program that asked.
func TestTheQuestionIsAnsweredHere(t *testing.T) {
	w := newSite(t)
	client := w.register(`{"client_name":"<b>Claude</b>","redirect_uris":["` + claude + `","cursor://x/cb","http://127.0.0.1/cb"]}`)
	b := w.signedIn(w.owner)
	for redirect, to := range map[string]string{claude: "https://claude.ai", "cursor://x/cb": "cursor:", "http://127.0.0.1:4000/cb": "http://127.0.0.1:4000"} {
		r := w.send(b, "GET", w.ask(client, redirect), "")
		policy := r.header.Get("Content-Security-Policy")
		if r.status != http.StatusOK || !strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "form-action 'self' "+to+";") ||
			r.header.Get("X-Frame-Options") != "DENY" || r.header.Get("Cross-Origin-Opener-Policy") != "" || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%d %v", r.status, r.header)
		}
		if strings.Contains(r.body, "<b>Claude</b>") || !strings.Contains(r.body, "&lt;b&gt;Claude") {
			t.Error("a program's name is HTML")
		}
	}
	for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}} {
		r := w.send(b, "POST", w.ask(client, claude), "do=allow&scope=write", append(header, "Content-Type", "application/x-www-form-urlencoded")...)
		if r.status != http.StatusForbidden || r.header.Get("Location") != "" {
			t.Errorf("%v: %d", header, r.status)
		}
	}
	if r := w.answer(w.browser(), w.ask(client, claude), "do", "allow"); r.status != http.StatusSeeOther || r.header.Get("Location") != "/login" {
		t.Errorf("nobody has answered: %d %s", r.status, r.header.Get("Location"))
	}
	// a POST by itself, and a GET that says yes, give nothing
	if r := w.send(b, "GET", w.ask(client, claude)+"&do=allow&scope=write", ""); r.status != http.StatusOK {
		t.Errorf("a GET that says yes: %d", r.status)
	}
	if all, err := w.OAuth.Grants(t.Context(), w.owner.Actor()); err != nil || len(all) > 0 {
		t.Error(all, err)
	}
	for path, same := range map[string]bool{"/login": false, "/login?next=" + url.QueryEscape(w.ask(client, claude)): true, "/login?next=%2Fdashboard": false} {
		if got := w.send(program, "GET", path, "").header.Get("Cross-Origin-Opener-Policy"); (got == "") != same {
			t.Errorf("%s: the opener policy is %q", path, got)
		}
	}
}

// Members see what they allowed on their account's page, owners those of all beside the API keys, and end them there.
func TestConnectionsAreShownAndEnded(t *testing.T) {
	w := newSite(t)
	bob := w.member("bob@salon.example", app.StaffRole)
	got := w.token(bob, "read")
	own, owner := w.signedIn(bob), w.signedIn(w.owner)
	end := regexp.MustCompile(`action="(/dashboard/connections/[^"]+)"`)
	page := w.send(own, "GET", "/dashboard/account", "").body
	if !strings.Contains(page, "claude.ai") || !end.MatchString(page) {
		t.Error("the member does not see it")
	}
	if page := w.send(owner, "GET", "/dashboard/account", "").body; end.MatchString(page) {
		t.Error("the owner's account has what another allowed")
	}
	page = w.send(owner, "GET", "/dashboard/developers", "").body
	found := end.FindStringSubmatch(page)
	if found == nil || !strings.Contains(page, bob.Email) {
		t.Fatal("the owner does not see it beside the keys")
	}
	if r := w.answer(owner, found[1]); r.status != http.StatusSeeOther || r.header.Get("Location") != "/dashboard/developers?said=disconnected" {
		t.Errorf("%d %s", r.status, r.header.Get("Location"))
	}
	if r := w.tools(got.Access, callTools); r.status != http.StatusUnauthorized {
		t.Errorf("it works on: %d", r.status)
	}
}

// A stream ends with its token.
func TestStreamsEndWithTheirToken(t *testing.T) {
	w := newSite(t)
	got := w.token(w.owner, "read")
	r, err := http.NewRequestWithContext(t.Context(), "GET", w.server.URL+"/api/mcp", nil)
	w.Must(err)
	r.Header.Set("Authorization", "Bearer "+got.Access)
	r.Header.Set("Accept", "text/event-stream")
	res, err := program.Do(r)
	w.Must(err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatal(res.StatusCode)
	}
	w.Must(w.OAuth.RevokeToken(t.Context(), url.Values{"token": {got.Access}}))
	for buffer := make([]byte, 1<<10); err == nil; {
		_, err = res.Body.Read(buffer)
	}
}
