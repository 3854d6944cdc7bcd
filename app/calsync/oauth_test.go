package calsync_test

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/calsync"
	"daybook/app/calsync/google"
	"daybook/app/calsync/googletest"
	"daybook/app/calsync/graph"
	"daybook/app/calsync/graphtest"
	"daybook/app/calsync/oauthtest"
	"daybook/app/fault"
	"daybook/app/subjects"
)

// signIns is a salon whose hosts can sign in at stand-ins for Google and Microsoft.
type signIns struct {
	*apptest.Salon
	google    *googletest.Server
	microsoft *graphtest.Server
	session   []byte
}

func newSignIns(t *testing.T) *signIns {
	t.Helper()
	t.Parallel()
	x := &signIns{google: googletest.New(t), microsoft: graphtest.New(t), session: []byte("session")}
	g, m := google.New(x.google.At), graph.New(x.microsoft.At)
	x.Salon = apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		c.Calendars = calsync.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			Sources:   map[calsync.Kind]calsync.Opener{calsync.Google: g.Open, calsync.Microsoft: m.Open},
			Providers: map[calsync.Kind]calsync.Provider{calsync.Google: g, calsync.Microsoft: m},
			Clients: map[calsync.Kind]calsync.Client{calsync.Microsoft: {Kind: calsync.Microsoft,
				ID: oauthtest.ClientID, Secret: oauthtest.Secret}}}
	}})
	return x
}

// client is the workspace's own client at Google.
func (x *signIns) client() {
	x.T.Helper()
	x.Must(x.Calendars.SetCalendarClient(x.T.Context(), x.Owner, calsync.Client{Kind: calsync.Google,
		ID: oauthtest.ClientID, Secret: oauthtest.Secret, Tenant: "unused"}))
}

// begin is the address where the owner signs in for ana.
func (x *signIns) begin(kind calsync.Kind) string {
	x.T.Helper()
	at, err := x.Calendars.SignInURL(x.T.Context(), x.Owner, kind, x.host(), x.session)
	x.Must(err)
	return at
}

func (x *signIns) host() string {
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	return setup.Hosts[0].ID.String()
}

// connect signs in at Google as its account's owner does.
func (x *signIns) connect() calsync.Connection {
	x.T.Helper()
	state, code := x.google.SignIn(x.T, x.begin(calsync.Google))
	c, err := x.Calendars.SignedIn(x.T.Context(), x.Owner, calsync.Google, x.session, state, code)
	x.Must(err)
	return c
}

// A client's secret is never shown; without one nobody signs in, and the server's is for workspaces without their own.
func TestCalendarClients(t *testing.T) {
	x := newSignIns(t)
	ctx := t.Context()
	_, err := x.Calendars.SignInURL(ctx, x.Owner, calsync.Google, x.host(), x.session)
	x.Refused(err, fault.BadRequest, "invalid")
	const back = "https://book.example/dashboard/integrations/calendars/"
	want := []calsync.ClientView{{Kind: calsync.Google, Redirect: back + "google/callback"},
		{Kind: calsync.Microsoft, ID: oauthtest.ClientID, Server: true, Redirect: back + "microsoft/callback"}}
	all, err := x.Calendars.CalendarClients(ctx, x.Owner)
	if x.Must(err); !reflect.DeepEqual(all, want) {
		t.Errorf("got %+v", all)
	}
	for what, c := range map[string]calsync.Client{"kind": {Kind: calsync.CalDAV, ID: "a", Secret: "b"},
		"id": {Kind: calsync.Google, Secret: "b"}, "secret": {Kind: calsync.Google, ID: "a"},
		"tenant": {Kind: calsync.Microsoft, ID: "a", Secret: "b", Tenant: "x/../y"}} {
		if e := x.Refused(x.Calendars.SetCalendarClient(ctx, x.Owner, c), fault.BadRequest, "invalid"); e.Field != what {
			t.Errorf("%s: %v", what, e)
		}
	}
	x.client()
	x.Must(x.Calendars.SetCalendarClient(ctx, x.Owner, calsync.Client{Kind: calsync.Microsoft, ID: "own", Secret: "s",
		Tenant: "salon.example"}))
	want[0].ID, want[1].ID, want[1].Server, want[1].Tenant = oauthtest.ClientID, "own", false, "salon.example"
	if all, err = x.Calendars.CalendarClients(ctx, x.Owner); err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("got %+v, %v", all, err)
	}
	if at := x.begin(calsync.Microsoft); !strings.Contains(at, "/salon.example/") || !strings.Contains(at, "client_id=own") {
		t.Errorf("the workspace's own client signs in at %s", at)
	}
	x.Must(x.Calendars.RemoveCalendarClient(ctx, x.Owner, calsync.Microsoft))
	if at := x.begin(calsync.Microsoft); !strings.Contains(at, oauthtest.ClientID) {
		t.Errorf("the server's client signs in at %s", at)
	}
}

// A sign-in is good once, for the session that began it, for ten minutes; what it got is stored sealed.
func TestSignInIsBound(t *testing.T) {
	x := newSignIns(t)
	x.client()
	ctx := t.Context()
	over := func(what string, session []byte, kind calsync.Kind, state, code string) {
		t.Helper()
		_, err := x.Calendars.SignedIn(ctx, x.Owner, kind, session, state, code)
		if !fault.Is(err, fault.Conflict) || fault.As(err).Reason != "sign_in_over" {
			t.Errorf("%s: %v", what, err)
		}
	}
	state, code := x.google.SignIn(t, x.begin(calsync.Google))
	over("another session", []byte("another"), calsync.Google, state, code)
	over("another state", x.session, calsync.Google, state+"x", code)
	if _, err := x.Calendars.SignedIn(ctx, x.Owner, calsync.Google, x.session, state, code); err != nil {
		t.Fatal(err)
	}
	mine, own := x.google.SignIn(t, x.begin(calsync.Google))
	owner := x.Owner
	x.Owner = app.Actor{Kind: owner.Kind, Workspace: owner.Workspace, User: owner.User, Role: app.StaffRole, Host: 2}
	over("of somebody who no longer sees the host", x.session, calsync.Google, mine, own)
	x.Owner = owner
	over("the second time", x.session, calsync.Google, state, code)
	state, code = x.google.SignIn(t, x.begin(calsync.Google))
	over("at another provider", x.session, calsync.Microsoft, state, code)
	over("and then at its own", x.session, calsync.Google, state, code)
	state, code = x.google.SignIn(t, x.begin(calsync.Google))
	x.Clock.Advance(11 * time.Minute)
	over("after eleven minutes", x.session, calsync.Google, state, code)
	state, _ = x.google.SignIn(t, x.begin(calsync.Google))
	_, err := x.Calendars.SignedIn(ctx, x.Owner, calsync.Google, x.session, state, "another code")
	x.Refused(err, fault.BadRequest, "sign_in")
	staff := x.Owner
	staff.Role, staff.Host = app.StaffRole, 2
	at, err := x.Calendars.SignInURL(ctx, staff, calsync.Google, x.host(), x.session)
	x.Must(err)
	state, code = x.google.SignIn(t, at)
	c, err := x.Calendars.SignedIn(ctx, staff, calsync.Google, x.session, state, code)
	if x.Must(err); c.Host != 2 {
		t.Errorf("a member of the staff connects the calendars of host %d", c.Host)
	}
}

// An account at Google is connected, read and written, its new sign-in replaces one that was withdrawn, and
// disconnecting takes the sign-in back, unless another connection lives by it.
func TestGoogleInTheRoom(t *testing.T) {
	x := newSignIns(t)
	x.client()
	ctx := t.Context()
	x.google.Add(googletest.Account, map[string]any{"id": "dentist", "summary": "secret",
		"start": map[string]any{"dateTime": "2026-11-30T12:00:00+01:00"},
		"end":   map[string]any{"dateTime": "2026-11-30T13:00:00+01:00"}})
	c := x.connect()
	if c.State != calsync.OK || c.Name != googletest.Account || c.User != googletest.Account || len(c.Calendars) != 3 {
		t.Fatalf("connected %+v", c)
	}
	busy := func() []calsync.Span {
		t.Helper()
		all, _, err := x.Calendars.BusyTimes(ctx, x.Owner, c.Host, time.UnixMilli(0), time.UnixMilli(1<<43))
		x.Must(err)
		return all[c.Host]
	}
	noon := time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC).UnixMilli()
	if got, want := busy(), []calsync.Span{{Start: noon, End: noon + 3600_000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("busy %v", got)
	}
	x.google.Cancel(googletest.Account, "dentist")
	c, err := x.Calendars.ReadCalendars(ctx, x.Owner, c.ID.String())
	if x.Must(err); c.State != calsync.OK || len(busy()) != 0 {
		t.Errorf("after it was deleted: %s, busy %v", c.State, busy())
	}
	x.google.ForgetSyncTokens()
	if c, err = x.Calendars.ReadCalendars(ctx, x.Owner, c.ID.String()); err != nil || c.State != calsync.OK {
		t.Errorf("after the token was forgotten: %s %s %v", c.State, c.Problem, err)
	}
	x.google.Fail(403, "quotaExceeded")
	c, err = x.Calendars.ReadCalendars(ctx, x.Owner, c.ID.String())
	if x.Must(err); c.State != calsync.Failing || c.Problem != calsync.SlowDown {
		t.Errorf("over the quota: %s %s", c.State, c.Problem)
	}
	x.google.Withdraw()
	c, err = x.Calendars.ReadCalendars(ctx, x.Owner, c.ID.String())
	if x.Must(err); c.State != calsync.Refused || c.Problem != calsync.SignIn {
		t.Errorf("after the sign-in was withdrawn: %s %s", c.State, c.Problem)
	}
	again := x.connect()
	if again.ID != c.ID || again.State != calsync.OK || len(again.Calendars) != 3 {
		t.Errorf("signed in again: %s for %s, %s", again.ID, c.ID, again.State)
	}
	at, err := x.Calendars.SignInURL(ctx, x.Owner, calsync.Google, "", x.session)
	x.Refused(err, fault.BadRequest, "invalid")
	if at != "" {
		t.Error("an address without a host")
	}
	staff := x.Owner
	staff.Role, staff.Host = app.StaffRole, 2
	at, err = x.Calendars.SignInURL(ctx, staff, calsync.Google, "", x.session)
	x.Must(err)
	state, code := x.google.SignIn(t, at)
	other, err := x.Calendars.SignedIn(ctx, staff, calsync.Google, x.session, state, code)
	x.Must(err)
	for _, id := range []calsync.ConnectionID{other.ID, c.ID} {
		if len(x.google.Revoked) != 0 {
			t.Error("a sign-in was taken back that another connection lives by")
		}
		_, err := x.Calendars.DisconnectCalendars(ctx, x.Owner, id.String(), false)
		x.Must(err)
	}
	if len(x.google.Revoked) != 1 {
		t.Errorf("%d sign-ins were taken back", len(x.google.Revoked))
	}
}

// An account at Microsoft is connected with the server's client, and what it gets is renewed and kept.
func TestMicrosoftInTheRoom(t *testing.T) {
	x := newSignIns(t)
	ctx := t.Context()
	state, code := x.microsoft.SignIn(t, x.begin(calsync.Microsoft))
	c, err := x.Calendars.SignedIn(ctx, x.Owner, calsync.Microsoft, x.session, state, code)
	x.Must(err)
	if c.State != calsync.OK || c.Name != graphtest.Account || len(c.Calendars) != 2 {
		t.Fatalf("connected %+v", c)
	}
	for range 2 {
		x.microsoft.ExpireAccess()
		c, err = x.Calendars.ReadCalendars(ctx, x.Owner, c.ID.String())
		if x.Must(err); c.State != calsync.OK {
			t.Errorf("read %s %s", c.State, c.Problem)
		}
	}
	_, err = x.Calendars.DisconnectCalendars(ctx, x.Owner, c.ID.String(), false)
	x.Must(err)
}
