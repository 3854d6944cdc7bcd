package app_test

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"io/fs"
	"maps"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/calsync"
	"daybook/app/calsync/ics"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/push"
	"daybook/app/rooms"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/app/work"
	"daybook/store/enginetest"
)

// door is an address outside that takes connections, counts them and closes them.
type door struct {
	net.Listener
	calls atomic.Int64
}

func newDoor(t *testing.T, at string) *door {
	t.Helper()
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	d := &door{Listener: l}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			d.calls.Add(1)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close() })
	return d
}

// callees are all whom a server calls for a workspace.
type callees struct{ mails, ownMails, hooks, stripe, devices, calendars *door }

func (o *callees) called() map[string]bool {
	return map[string]bool{"mail": o.mails.calls.Load() > 0, "own mail server": o.ownMails.calls.Load() > 0,
		"webhook": o.hooks.calls.Load() > 0, "stripe": o.stripe.calls.Load() > 0, "push": o.devices.calls.Load() > 0,
		"calendar": o.calendars.calls.Load() > 0}
}

// Whatever is set up in a sandbox, all that an ordinary workspace calls with the same set-up is not called for it, and
// what is queued is settled all the same.
func TestNothingLeavesASandbox(t *testing.T) {
	for name, want := range map[string]bool{"ordinary": true, "sandbox": false} {
		t.Run(name, func(t *testing.T) {
			any := func() *door { return newDoor(t, "127.0.0.1:0") }
			o := &callees{any(), newDoor(t, "127.9.8.7:2525"), any(), any(), any(), any()}
			loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
			x := apptest.New(t, apptest.Options{With: func(c *rooms.Config) {
				c.Webhook.Allow, c.Mail.Allow, c.Push.Allow, c.Calendars.Allow = loopback, loopback, loopback, loopback
				c.Calendars.Sources = map[calsync.Kind]calsync.Opener{calsync.ICS: ics.Open}
			}})
			x.Payment.SetProvider(stripe.New("http://" + o.stripe.Addr().String()))
			x.Workspace.ID = 0 // nothing is done in it
			if want {
				x = x.Beside("tried", "dan")
			} else {
				x = x.Sandbox("tried", "dan")
			}
			tryAll(x, o)
			if called := o.called(); slices.Contains(slices.Collect(maps.Values(called)), !want) {
				t.Errorf("called: %v", called)
			}
		})
	}
}

// tryAll does what has a server call somebody.
func tryAll(x *apptest.Salon, o *callees) {
	t, ctx := x.T, x.T.Context()
	t.Helper()
	_, err := x.Webhook.CreateEndpoint(ctx, x.Owner, webhook.EndpointInput{URL: "http://" + o.hooks.Addr().String(),
		Events: []string{"*"}})
	x.Must(err)
	u, err := x.Account.CreateUser(ctx, app.Operator(x.Workspace.ID), account.UserInput{Email: "dan@tried.example",
		Role: app.OwnerRole, Password: "correct horse battery"})
	x.Must(err)
	token, _, err := x.Account.SignIn(ctx, account.SignInInput{Email: u.Email, Password: "correct horse battery"})
	x.Must(err)
	session, err := x.Account.SessionOf(ctx, token)
	x.Must(err)
	device, err := ecdh.P256().GenerateKey(rand.Reader)
	x.Must(err)
	b64 := base64.RawURLEncoding.EncodeToString
	_, err = x.Push.PublicKey(ctx, session.Actor())
	x.Must(err)
	x.Must(x.Push.Subscribe(ctx, session.Actor(), session.Hash, push.Input{Endpoint: "https://" + o.devices.Addr().String() +
		"/d", P256dh: b64(device.PublicKey().Bytes()), Auth: b64(make([]byte, 16)), Wishes: push.Wishes{Kinds: push.Kinds}}))

	sealed := x.Vault().Seal([]byte("sk_test_0123456789"))
	x.Must(x.Store.Write(ctx, func(tx app.Tx) error {
		return tx.(payment.Tx).SavePaymentAccount(&payment.Account{WorkspaceID: x.Workspace.ID, SecretKey: sealed,
			SigningSecret: sealed, Account: "acct_1", ConnectedAt: when.At(x.Clock.Now()), LookedAt: when.At(x.Clock.Now())})
	}))
	setup, err := x.Setup(x.Workspace.ID)
	x.Must(err)
	calendar := "http://" + o.calendars.Addr().String() + "/busy.ics"
	_, err = x.Calendars.ConnectCalendars(ctx, x.Owner, calsync.Input{Host: setup.Hosts[0].ID.String(), Kind: calsync.ICS,
		Address: calendar})
	if err == nil {
		t.Error("a calendar that doesn't answer was connected")
	}
	x.Must(x.Store.Write(ctx, func(tx app.Tx) error {
		return tx.(calsync.Tx).InsertCalendarConnection(&calsync.Connection{ID: 1, WorkspaceID: x.Workspace.ID,
			HostID: setup.Hosts[0].ID, Kind: calsync.ICS, Name: "busy", State: calsync.OK, DueAt: when.At(x.Clock.Now()),
			Secret: x.Vault().Seal([]byte(`{"address":"` + calendar + `"}`))})
	}))
	due, err := x.Calendars.ClaimDue(ctx, 10)
	x.Must(err)
	if len(due) != 1 {
		t.Errorf("%d calendars are due", len(due))
	}
	for i := range due {
		x.Must(x.Calendars.ReadDue(ctx, &due[i]))
	}

	x.Offer("cut", 60, func(e *catalog.EventType) { e.MinimumNoticeMinutes = 0 })
	x.Offer("paid", 60, func(e *catalog.EventType) {
		e.Price, e.Payment, e.MinimumNoticeMinutes = &money.Money{Amount: 4500, Currency: "EUR"}, catalog.PayOnline, 0
	})
	server := &smtp.Server{Host: "127.0.0.1", Port: o.mails.Addr().(*net.TCPAddr).Port, TLS: smtp.NoTLS}
	server.From.Address = "book@salon.example"
	x.Run(webhook.New(x.Webhook, webhook.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}))
	x.Run(mail.NewLoop(mail.LoopConfig{Service: x.Mail, Server: server}))
	x.Run(push.NewLoop(push.LoopConfig{Service: x.Push}))

	x.Mail.ShareMailServer(server)
	testMail(x)
	x.Booked("cut", "1T09", "ann")
	tried(x, 1)
	x.Must(x.Mail.SetMailServer(ctx, x.Owner, "smtp://"+o.ownMails.Addr().String()+"?from=a@tried.example&tls=none"))
	testMail(x)
	x.Booked("cut", "1T10", "ben")
	tried(x, 2)

	pays := x.Booked("paid", "1T11", "cat")
	if _, err := x.Payment.CheckoutURL(ctx, pays.ManageURL[strings.LastIndexByte(pays.ManageURL, '/')+1:]); err == nil {
		t.Error("a payment page was opened")
	}
	x.Must(x.Payment.ReconcilePayments(ctx, work.AllBuckets))
	x.Clock.Advance(time.Hour) // the booking lapses: its checkout is looked at
	_, err = x.Lapse(ctx, 10)
	x.Must(err)
	jobs, err := x.Payment.ClaimPaymentJobs(ctx, 10, time.Minute)
	x.Must(err)
	for _, j := range jobs {
		x.Must(x.Payment.RunPaymentJob(ctx, j))
	}
	if c, err := x.Payment.Connection(ctx, x.Owner, true); err != nil || c.KeyWorks {
		t.Errorf("the key works: %v", err)
	}
	if _, err := x.Payment.ConnectPayments(ctx, x.Owner, payment.Keys{SecretKey: "sk_test_stand_in_0123456789",
		SigningSecret: "whsec_stand_in_0123456789"}); err == nil {
		t.Error("another account was connected")
	}
}

// testMail sends a test mail over the workspace's mail server, which hangs up.
func testMail(x *apptest.Salon) {
	x.T.Helper()
	server, err := x.Mail.MailRoute(x.T.Context(), x.Workspace.ID)
	x.Must(err)
	if err := smtp.Test(x.T.Context(), server, nil, "dan@tried.example", "en"); err == nil {
		x.T.Error("a test mail was sent")
	}
}

// tried waits until the mails, webhooks and notifications of so many bookings have been tried.
func tried(x *apptest.Salon, bookings int) {
	x.T.Helper()
	apptest.Eventually(x.T, "all is tried", func() bool {
		n, err := x.Push.WriteMessages(x.T.Context(), 100)
		x.Must(err)
		return n == 0 && count(x, `push_queue WHERE tries = 0`) == 0 && count(x, `deliveries WHERE tries > 0`) >= bookings &&
			count(x, `mails WHERE attempts > 0`) >= bookings
	})
}

// count is how many rows the database has.
func count(x *apptest.Salon, rows string) (n int) {
	x.T.Helper()
	x.Must(enginetest.Raw(x.T, x.Store.Engine).QueryRow(`SELECT COUNT(*) FROM ` + rows).Scan(&n))
	return n
}

// Lists of workspaces don't name sandboxes, and upkeep ends those whose hour is over.
func TestSandboxesEnd(t *testing.T) {
	w := newWorld(t)
	one := w.Sandbox("tried", "dan")
	one.Offer("cut", 60, nil)
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error {
		ws, err := tx.Workspace(one.Workspace.ID)
		ws.AssistantsMayBook = true
		w.Must(err)
		return tx.UpdateWorkspace(&ws)
	}))
	named, err := w.Workspaces(t.Context(), app.Operator(0))
	w.Must(err)
	open, err := w.Store.Reader(t.Context()).(interface {
		OpenToAssistants(limit int) ([]catalog.WorkspaceID, error)
	}).OpenToAssistants(10)
	w.Must(err)
	if len(named) != 1 || named[0].Slug != "salon" || len(open) != 0 {
		t.Errorf("named: %v; for assistants: %v", named, open)
	}
	prune := func() {
		for _, d := range w.Duties() {
			if d.Prune != nil {
				w.Must(d.Prune(t.Context()))
			}
		}
	}
	one.Booked("cut", "1T09", "ann")
	w.Clock.Advance(59 * time.Minute)
	prune()
	one.Booked("cut", "1T10", "ben") // it is there
	w.Clock.Advance(2 * time.Minute)
	prune()
	_, err = one.Book(context.Background(), one.API, apptest.Input("cut", "1T11", "cat"))
	if err != fault.ErrNotFound {
		t.Errorf("booked after its end: %v", err)
	}
	for more := true; more; {
		more, err = w.Upkeep.Sweep(t.Context(), 1000)
		w.Must(err)
	}
	for _, table := range []string{"bookings", "booking_history", "contacts", "event_types"} {
		if n := count(w.Salon, table); n != 0 {
			t.Errorf("%s has %d rows left", table, n)
		}
	}
	if err := w.Upkeep.EndSandbox(t.Context(), w.Workspace.ID); err == nil {
		t.Error("a workspace that is no sandbox was ended")
	}
}

// waysOut are the files that make connections, and for whom. TestNothingLeavesASandbox tries those for workspaces.
var waysOut = map[string]string{
	"app/address/transport.go":     "calendars",
	"app/bench/wire/conn.go":       "no workspace: the server that an operator tries",
	"app/calsync/connect.go":       "calendars",
	"app/cli/doctor/alive.go":      "no workspace: the server itself",
	"app/mail/smtp/connection.go":  "mails",
	"app/oauth/document.go":        "no workspace: programs that describe themselves at an address",
	"app/payment/stripe/client.go": "payments",
	"app/push/loop.go":             "notifications",
	"app/push/send.go":             "notifications",
	"app/rest/docs/samples.go":     "nobody: it is an example to read",
	"app/serve/tls.go":             "no workspace: certificates",
	"app/webhook/dial.go":          "webhooks",
}

// A file that makes connections is known above: who adds one closes it to sandboxes, and has that tried.
func TestWaysOutAreKnown(t *testing.T) {
	var found []string
	m := theMap(t)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && m.section["app/"+path] == tests {
				return fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, way := range []string{"net.Dialer{", "net.Dial(", "net.DialTimeout(", "http.Client{", "http.Transport{", "http.Get(",
			"http.DefaultClient"} {
			if strings.Contains(string(text), way) {
				found = append(found, "app/"+path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	if known := slices.Sorted(maps.Keys(waysOut)); !slices.Equal(slices.Compact(found), known) {
		t.Errorf("connections are made in %v, known are %v", found, known)
	}
}
