package oauth_test

import (
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/oauth"
)

// A code gives tokens, which are an agent's with the member's role and the scope that was allowed.
func TestACodeGivesTokens(t *testing.T) {
	w := newWorld(t)
	ana := w.member("ana@salon.example", app.StaffRole)
	got := w.connected(ana, false)
	if got.Type != "Bearer" || got.Expires != 3600 || got.Scope != "read" || !oauth.IsToken(got.Access) || !oauth.IsToken(got.Refresh) {
		t.Errorf("%+v", got)
	}
	a, err := w.OAuth.AuthenticateToken(got.Access)
	w.Must(err)
	want := app.Actor{Kind: booking.ByAgent, Workspace: w.Workspace.ID, User: ana.ID, Role: app.StaffRole, Host: 1, ReadOnly: true, Revision: a.SetupRevision}
	if a.Actor() != want {
		t.Errorf("%+v, want %+v", a.Actor(), want)
	}
	may := a.Actor()
	for c, allowed := range map[app.Command]bool{
		app.MaySeeBookings: true, app.MayBook: false, app.MaySeeContacts: false, app.MaySeeAnalytics: false, app.MaySeeSessions: false,
		app.MayManageKeys: false, app.MayManageMembers: false, app.MayManageWorkspace: false, app.MaySetHours: false,
	} {
		if err := may.May(c); (err == nil) != allowed {
			t.Errorf("%s: %v", c, err)
		}
	}
	full, err := w.OAuth.AuthenticateToken(w.connected(w.owner, true).Access)
	w.Must(err)
	for c, allowed := range map[app.Command]bool{
		app.MayBook: true, app.MaySeeContacts: true, app.MayWaive: true, app.MayManageKeys: false, app.MayManageMembers: false,
		app.MayManageWorkspace: false, app.MayManagePayments: false, app.MayDeleteWorkspace: false, app.MaySeeSessions: false,
	} {
		if err := full.Actor().May(c); (err == nil) != allowed {
			t.Errorf("%s by an owner's agent: %v", c, err)
		}
	}
}

// Every error of the token endpoint (RFC 6749 §5.2, RFC 7636 §4.6, RFC 8707 §2.2).
func TestTokenErrors(t *testing.T) {
	w := newWorld(t)
	good := w.connected(w.owner, false)
	other := w.register(callback)
	for name, c := range map[string]struct {
		form func() []string // but
		want oauth.ErrorCode
	}{
		"no grant type":      {func() []string { return []string{"grant_type", ""} }, oauth.InvalidRequest},
		"password":           {func() []string { return []string{"grant_type", "password"} }, oauth.UnsupportedGrantType},
		"client credentials": {func() []string { return []string{"grant_type", "client_credentials"} }, oauth.UnsupportedGrantType},
		"no client":          {func() []string { return []string{"client_id", ""} }, oauth.InvalidRequest},
		"no code":            {func() []string { return []string{"code", ""} }, oauth.InvalidRequest},
		"a made-up code":     {func() []string { return []string{"code", "dbc_" + strings.Repeat("A", 43)} }, oauth.InvalidGrant},
		"no code at all":     {func() []string { return []string{"code", "x"} }, oauth.InvalidGrant},
		"an unknown client with an unknown code": {func() []string {
			return []string{"code", "x", "client_id", "oc_0000000000000"}
		}, oauth.InvalidClient},
		"no verifier":               {func() []string { return []string{"code_verifier", ""} }, oauth.InvalidRequest},
		"a short verifier":          {func() []string { return []string{"code_verifier", "abc"} }, oauth.InvalidRequest},
		"another verifier":          {func() []string { return []string{"code_verifier", strings.Repeat("a", 43)} }, oauth.InvalidGrant},
		"the challenge as verifier": {func() []string { return []string{"code_verifier", challenge()} }, oauth.InvalidGrant},
		"another client":            {func() []string { return []string{"client_id", other} }, oauth.InvalidGrant},
		"another redirect":          {func() []string { return []string{"redirect_uri", "https://evil.example/cb"} }, oauth.InvalidGrant},
		"another of our resources":  {func() []string { return []string{"resource", "https://book.example/api/sse"} }, oauth.InvalidTarget},
		"somebody else's resource":  {func() []string { return []string{"resource", "https://evil.example/api/mcp"} }, oauth.InvalidTarget},
		"no refresh token":          {func() []string { return []string{"grant_type", "refresh_token"} }, oauth.InvalidRequest},
		"no refresh token at all":   {func() []string { return []string{"grant_type", "refresh_token", "refresh_token", "x"} }, oauth.InvalidGrant},
		"a made-up refresh token": {func() []string {
			return []string{"grant_type", "refresh_token", "refresh_token", "dbr_" + strings.Repeat("A", 86)}
		}, oauth.InvalidGrant},
		"the refresh token of another client": {func() []string {
			return []string{"grant_type", "refresh_token", "refresh_token", good.Refresh, "client_id", other}
		}, oauth.InvalidGrant},
		"an access token to refresh": {func() []string {
			return []string{"grant_type", "refresh_token", "refresh_token", good.Access}
		}, oauth.InvalidGrant},
		"more than was allowed": {func() []string {
			return []string{"grant_type", "refresh_token", "refresh_token", good.Refresh, "scope", "read write"}
		}, oauth.InvalidScope},
		"another resource to refresh": {func() []string {
			return []string{"grant_type", "refresh_token", "refresh_token", good.Refresh, "resource", "https://evil.example/"}
		}, oauth.InvalidTarget},
	} {
		_, err := w.OAuth.Token(t.Context(), w.redeem(w.code(w.owner, false), c.form()...))
		t.Log(name)
		w.wrong(err, c.want)
	}
	twice := w.redeem(w.code(w.owner, false))
	twice.Add("code_verifier", verifier)
	_, err := w.OAuth.Token(t.Context(), twice)
	w.wrong(err, oauth.InvalidRequest)
	if !w.works(good.Access) {
		t.Error("errors of others have ended a grant")
	}
	if got := w.tokens(w.redeem(w.code(w.owner, false), "redirect_uri", "", "resource", "HTTPS://Book.example:443/api/mcp/")); got.Access == "" {
		t.Error("no token without a redirect_uri and for the same address written otherwise")
	}
}

// A code is good for a minute and for one try; a second use ends the tokens that the first one gave (RFC 6749 §4.1.2).
func TestACodeIsGoodOnce(t *testing.T) {
	w := newWorld(t)
	code := w.code(w.owner, true)
	got := w.tokens(w.redeem(code))
	if !w.works(got.Access) {
		t.Fatal("the token doesn't work")
	}
	_, err := w.OAuth.Token(t.Context(), w.redeem(code))
	w.wrong(err, oauth.InvalidGrant)
	if w.works(got.Access) {
		t.Error("the token works on after the second use of its code")
	}
	_, err = w.OAuth.Token(t.Context(), w.refresh(got.Refresh))
	w.wrong(err, oauth.InvalidGrant)

	code = w.code(w.owner, true)
	_, err = w.OAuth.Token(t.Context(), w.redeem(code, "code_verifier", strings.Repeat("b", 50)))
	w.wrong(err, oauth.InvalidGrant)
	_, err = w.OAuth.Token(t.Context(), w.redeem(code))
	w.wrong(err, oauth.InvalidGrant)

	code = w.code(w.owner, true)
	w.Clock.Advance(59 * time.Second)
	w.tokens(w.redeem(code))
	code = w.code(w.owner, true)
	w.Clock.Advance(time.Minute)
	_, err = w.OAuth.Token(t.Context(), w.redeem(code))
	w.wrong(err, oauth.InvalidGrant)
}

// An access token lasts an hour, a refresh token 30 days without use, and both at most 90.
func TestTokensEnd(t *testing.T) {
	w := newWorld(t)
	got := w.connected(w.owner, true)
	w.Clock.Advance(59 * time.Minute)
	if !w.works(got.Access) {
		t.Error("an access token ends before its hour")
	}
	w.Clock.Advance(time.Minute)
	if w.works(got.Access) {
		t.Error("an access token works after its hour")
	}
	began := w.Clock.Now()
	for w.Clock.Now().Sub(began) < 80*24*time.Hour {
		got = w.tokens(w.refresh(got.Refresh))
		if !w.works(got.Access) || got.Expires != 3600 {
			t.Fatalf("a new access token doesn't work for an hour: %+v", got)
		}
		w.Clock.Advance(20 * 24 * time.Hour)
	}
	got = w.tokens(w.refresh(got.Refresh))
	w.Clock.Advance(10*24*time.Hour - time.Hour)
	_, err := w.OAuth.Token(t.Context(), w.refresh(got.Refresh))
	w.wrong(err, oauth.InvalidGrant)

	got = w.connected(w.owner, true)
	w.Clock.Advance(30*24*time.Hour - time.Second)
	got = w.tokens(w.refresh(got.Refresh))
	w.Clock.Advance(30 * 24 * time.Hour)
	_, err = w.OAuth.Token(t.Context(), w.refresh(got.Refresh))
	w.wrong(err, oauth.InvalidGrant)
}

// A refresh token gives the same answer for 30 seconds, so that a lost one does no harm. Later it ends the family, and so
// does any older one (RFC 9700 §4.14.2).
func TestRefreshTokensRotate(t *testing.T) {
	w := newWorld(t)
	first := w.connected(w.owner, true)
	second := w.tokens(w.refresh(first.Refresh))
	if second.Refresh == first.Refresh || second.Access == first.Access || !w.works(first.Access) || !w.works(second.Access) {
		t.Error("no new tokens, or one that doesn't work")
	}
	w.Clock.Advance(29 * time.Second)
	again := w.tokens(w.refresh(first.Refresh))
	if again.Refresh != second.Refresh || again.Access != second.Access || again.Expires != 3600-29 {
		t.Errorf("the answer that was lost comes otherwise: %+v, %+v", again, second)
	}
	third := w.tokens(w.refresh(again.Refresh))
	w.Clock.Advance(10 * time.Second)
	if lost := w.tokens(w.refresh(second.Refresh)); lost.Access != third.Access {
		t.Error("the next lost answer comes otherwise")
	}
	w.Clock.Advance(20 * time.Second)
	_, err := w.OAuth.Token(t.Context(), w.refresh(second.Refresh))
	w.wrong(err, oauth.InvalidGrant)
	if w.works(third.Access) {
		t.Error("the family goes on after a used token came back")
	}
	_, err = w.OAuth.Token(t.Context(), w.refresh(third.Refresh))
	w.wrong(err, oauth.InvalidGrant)

	// the token before the one before is no less stolen, within 30 seconds too
	one := w.connected(w.owner, true)
	two := w.tokens(w.refresh(one.Refresh))
	three := w.tokens(w.refresh(two.Refresh))
	_, err = w.OAuth.Token(t.Context(), w.refresh(one.Refresh))
	w.wrong(err, oauth.InvalidGrant)
	if w.works(three.Access) {
		t.Error("the family goes on after its first token came back")
	}
}

// Of 64 who redeem a code at once one gets tokens, and since the others came second, they end. Of 64 who refresh at once
// all get the one new token.
func TestContest(t *testing.T) {
	w := newWorld(t)
	servers := []*oauth.Service{w.OAuth, w.Another().OAuth}
	contest := func(do func(s *oauth.Service) (oauth.Tokens, error)) (all map[oauth.Tokens]int, failed int64) {
		all = map[oauth.Tokens]int{}
		var mu sync.Mutex
		var lost atomic.Int64
		var group sync.WaitGroup
		begin := make(chan struct{})
		for i := range 64 {
			group.Go(func() {
				<-begin
				got, err := do(servers[i%2])
				if err != nil {
					lost.Add(1)
					return
				}
				mu.Lock()
				all[got]++
				mu.Unlock()
			})
		}
		close(begin)
		group.Wait()
		return all, lost.Load()
	}
	code := w.code(w.owner, true)
	won, failed := contest(func(s *oauth.Service) (oauth.Tokens, error) { return s.Token(t.Context(), w.redeem(code)) })
	if len(won) != 1 || failed != 63 {
		t.Errorf("%d won, %d lost", len(won), failed)
	}
	for got := range won {
		if w.works(got.Access) {
			t.Error("the tokens of a code that was used 64 times work")
		}
	}
	got := w.connected(w.owner, true)
	won, failed = contest(func(s *oauth.Service) (oauth.Tokens, error) { return s.Token(t.Context(), w.refresh(got.Refresh)) })
	if len(won) != 1 || failed != 0 {
		t.Errorf("%d different answers, %d failed", len(won), failed)
	}
	for next := range won {
		if !w.works(next.Access) || w.tokens(w.refresh(next.Refresh)).Access == "" {
			t.Error("the one that won doesn't work")
		}
	}
}

// Grants end with the member, their role, their host, their password and the workspace, at every server from the next
// request on.
func TestGrantsEndWithWhatTheyStandOn(t *testing.T) {
	for name, end := range map[string]func(w *world, u app.User) error{
		"removed": func(w *world, u app.User) error {
			_, err := w.Account.RemoveMember(w.T.Context(), w.owner.Actor(), u.ID.String())
			return err
		},
		"another role": func(w *world, u app.User) error {
			_, err := w.Account.ChangeMember(w.T.Context(), w.owner.Actor(), u.ID.String(), account.MemberInput{Role: app.ManagerRole, Host: 1})
			return err
		},
		"another host": func(w *world, u app.User) error {
			_, err := w.Account.ChangeMember(w.T.Context(), w.owner.Actor(), u.ID.String(), account.MemberInput{Role: app.StaffRole, Host: 2})
			return err
		},
		"another role and back": func(w *world, u app.User) error {
			for _, role := range []app.Role{app.OwnerRole, app.StaffRole} {
				if _, err := w.Account.ChangeMember(w.T.Context(), w.owner.Actor(), u.ID.String(), account.MemberInput{Role: role, Host: 1}); err != nil {
					return err
				}
			}
			return nil
		},
		"another password": func(w *world, u app.User) error {
			_, err := w.Account.SetPassword(w.T.Context(), app.Operator(0), u.Email, "another horse battery")
			return err
		},
		"the workspace": func(w *world, _ app.User) error {
			return w.Shop.DeleteWorkspace(w.T.Context(), w.Owner, w.Workspace.Slug)
		},
		"the list": func(w *world, u app.User) error {
			all, err := w.OAuth.Grants(w.T.Context(), u.Actor())
			if err != nil || len(all) != 1 {
				w.T.Fatal(all, err)
			}
			_, err = w.OAuth.EndGrant(w.T.Context(), u.Actor(), all[0].ID.String())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			other := w.Another()
			ana := w.member("ana@salon.example", app.StaffRole)
			got, waits := w.connected(ana, true), w.code(ana, true)
			if _, err := other.OAuth.CheckToken(got.Access); err != nil || !w.works(got.Access) {
				t.Fatal(err)
			}
			w.Must(end(w, ana))
			if w.works(got.Access) {
				t.Error("the token works on")
			}
			apptest.Eventually(t, "the other server hears of it", func() bool {
				_, err := other.OAuth.CheckToken(got.Access)
				return err != nil
			})
			_, err := other.OAuth.Token(t.Context(), w.refresh(got.Refresh))
			w.wrong(err, oauth.InvalidGrant)
			if name != "the list" {
				_, err = other.OAuth.Token(t.Context(), w.redeem(waits))
				w.wrong(err, oauth.InvalidGrant)
			}
		})
	}
}

// Members see and end their own grants, owners those of everybody in the workspace, and nobody those of another one.
func TestGrantsAreListed(t *testing.T) {
	w := newWorld(t)
	ana, bob := w.member("ana@salon.example", app.StaffRole), w.member("bob@salon.example", app.ManagerRole)
	w.connected(ana, false)
	w.connected(bob, true)
	w.code(bob, true) // not redeemed: nothing to end yet
	beside := w.Beside("beside", "dan")
	stranger, err := w.Account.CreateUser(t.Context(), app.Operator(beside.Workspace.ID), account.UserInput{Email: "s@beside.example", Role: app.OwnerRole})
	w.Must(err)
	count := func(a app.Actor) []oauth.Grant {
		t.Helper()
		all, err := w.OAuth.Grants(t.Context(), a)
		w.Must(err)
		return all
	}
	own := count(ana.Actor())
	if len(own) != 1 || own[0].Email != ana.Email || own[0].Scope != oauth.ReadScope || own[0].Name != "Claude" || own[0].Redirect != callback {
		t.Errorf("%+v", own)
	}
	if n, m, o, e := len(count(bob.Actor())), len(count(w.owner.Actor())), len(count(stranger.Actor())), len(count(app.Operator(0))); n != 1 || m != 2 || o != 0 || e != 2 {
		t.Errorf("bob sees %d, the owner %d, a stranger %d, the operator %d", n, m, o, e)
	}
	for who, a := range map[string]app.Actor{"bob": bob.Actor(), "a stranger": stranger.Actor(), "an agent": {Kind: booking.ByAgent, User: ana.ID, Role: app.StaffRole, Host: 1, Workspace: w.Workspace.ID}} {
		if _, err := w.OAuth.EndGrant(t.Context(), a, own[0].ID.String()); err == nil {
			t.Errorf("%s has ended a grant of ana's", who)
		}
	}
	_, err = w.OAuth.EndGrant(t.Context(), w.owner.Actor(), own[0].ID.String())
	w.Must(err)
	if len(count(ana.Actor())) != 0 {
		t.Error("the owner can't end a grant")
	}
}

// RevokeToken ends the family by either token; one that is unknown is no error (RFC 7009 §2).
func TestRevocation(t *testing.T) {
	w := newWorld(t)
	for _, pick := range []func(oauth.Tokens) string{func(t oauth.Tokens) string { return t.Access }, func(t oauth.Tokens) string { return t.Refresh }} {
		got := w.connected(w.owner, true)
		w.wrong(w.OAuth.RevokeToken(t.Context(), values("token", pick(got), "client_id", "https://other.example/client")), oauth.InvalidClient)
		if !w.works(got.Access) {
			t.Error("another client has ended it")
		}
		w.Must(w.OAuth.RevokeToken(t.Context(), values("token", pick(got), "client_id", w.client)))
		if w.works(got.Access) {
			t.Error("the access token works on")
		}
		_, err := w.OAuth.Token(t.Context(), w.refresh(got.Refresh))
		w.wrong(err, oauth.InvalidGrant)
		w.Must(w.OAuth.RevokeToken(t.Context(), values("token", pick(got))))
	}
	w.Must(w.OAuth.RevokeToken(t.Context(), values("token", "x")))
	w.wrong(w.OAuth.RevokeToken(t.Context(), values()), oauth.InvalidRequest)
}

// What is over is deleted: codes, families, and clients that nobody allowed within a day.
func TestWhatIsOverIsDeleted(t *testing.T) {
	w := newWorld(t)
	unused := w.register("https://unused.example/cb")
	w.connected(w.owner, true)
	w.code(w.owner, true)
	prune := func() {
		t.Helper()
		for _, d := range w.Duties() {
			if d.Prune != nil {
				w.Must(d.Prune(t.Context()))
			}
		}
	}
	rows := func(table string) (n int) {
		t.Helper()
		w.Must(w.Store.Scan(`SELECT COUNT(*) FROM `+table, nil, &n))
		return n
	}
	w.Clock.Advance(2 * time.Minute)
	prune()
	if n, m := rows("oauth_grants"), rows("oauth_clients"); n != 1 || m != 2 {
		t.Errorf("%d grants and %d clients after two minutes", n, m)
	}
	w.Clock.Advance(24 * time.Hour)
	prune()
	if n, m := rows("oauth_grants"), rows("oauth_clients"); n != 1 || m != 1 {
		t.Errorf("%d grants and %d clients after a day", n, m)
	}
	_, err := w.OAuth.AskConsent(t.Context(), w.owner.Actor(), w.ask("client_id", unused))
	w.wrong(err, oauth.InvalidClient)
	w.Clock.Advance(30 * 24 * time.Hour)
	prune()
	if n, m := rows("oauth_grants"), rows("oauth_clients"); n != 0 || m != 1 {
		t.Errorf("%d grants and %d clients after a month", n, m)
	}
	w.Clock.Advance(61 * 24 * time.Hour)
	prune()
	if m := rows("oauth_clients"); m != 0 {
		t.Errorf("%d clients after all", m)
	}
}

// An address registers ten clients an hour, whoever else does. The next is refused and leaves no client.
func TestTenRegistrationsAnHour(t *testing.T) {
	w := newWorld(t)
	register := func(from string) error {
		_, err := w.OAuth.Register(t.Context(), netip.MustParseAddr(from), []byte(`{"redirect_uris":["`+callback+`"]}`))
		return err
	}
	const many = "203.0.113.9"
	for range 2 { // hours
		for range 10 {
			w.Must(register(many))
		}
		if err := register(many); err == nil {
			t.Error("an eleventh client was registered")
		} else if f := fault.As(err); f == nil || f.Code != fault.RateLimited {
			t.Errorf("the eleventh: %v", err)
		}
		w.Must(register("203.0.113.10"))
		w.Clock.Advance(time.Hour + time.Second)
	}
}
