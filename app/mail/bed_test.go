package mail_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/record"
	"daybook/app/rooms"
	"daybook/store"
	"daybook/store/enginetest"
)

// bed is a Service on a real file whose clock is moved by hand, with the loop that a test starts.
type bed struct {
	*rooms.Set
	t     testing.TB
	store *store.Store
	ws    catalog.Workspace
	api   app.Actor

	mu  sync.Mutex
	now time.Time
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

var monday = time.Date(2026, 11, 30, 7, 0, 0, 0, time.UTC)

func newBed(t testing.TB) *bed {
	t.Helper()
	x := &bed{t: t, store: store.New(enginetest.Open(t)), now: monday}
	base, _ := url.Parse("https://book.example")
	x.Set = rooms.New(rooms.Config{Config: app.Config{Store: x.store, Clock: x.clock, BaseURL: base}, Mail: mail.ServerConfig{Allow: loopback}})
	var err error
	x.ws, err = x.CreateWorkspace(t.Context(), app.Operator(0), app.WorkspaceInput{Slug: "salon", Name: "Salon Ana", TimeZone: "Europe/Berlin"})
	x.must(err)
	x.api = app.Actor{Kind: record.ByAPI, Workspace: x.ws.ID}
	x.must(x.store.Write(t.Context(), fill(x.ws.ID, nil)))
	return x
}

// fill adds the host Ana and the event type "cut".
func fill(ws catalog.WorkspaceID, with func(*catalog.EventType)) func(tx app.Tx) error {
	return func(tx app.Tx) error {
		weekly := map[string][]string{}
		for _, day := range catalog.Weekdays {
			weekly[day] = []string{"00:00-24:00"}
		}
		h := catalog.Host{ID: 1, WorkspaceID: ws, Name: "Ana Höst", Email: "ana@salon.example", TimeZone: "Europe/Berlin", Active: true, Hours: catalog.Hours{Weekly: weekly}}
		if err := tx.InsertHost(&h); err != nil {
			return err
		}
		e := catalog.NewEventType()
		e.ID, e.WorkspaceID, e.Slug, e.Title, e.DurationMinutes, e.SlotStepMinutes = 1, ws, "cut", "Haircut", 45, 15
		e.Location, e.Hosts = "Oranienstraße 25, Berlin", []catalog.HostRef{{ID: 1}}
		e.MailsOff = []catalog.MailKind{catalog.MailTeamNew, catalog.MailTeamMoved, catalog.MailTeamCancelled, catalog.MailReminder}
		if with != nil {
			with(&e)
		}
		return tx.InsertEventType(&e)
	}
}

// event changes the event type.
func (x *bed) event(change func(*catalog.EventType)) {
	x.t.Helper()
	setup, err := x.Setup(x.ws.ID)
	x.must(err)
	e := *setup.EventType("cut")
	change(&e)
	x.must(x.store.Write(x.t.Context(), func(tx app.Tx) error { return tx.UpdateEventType(&e) }))
}

func (x *bed) clock() time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.now
}

func (x *bed) later(d time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.now = x.now.Add(d)
}

// run starts a loop, for as long as the test or until stop.
func (x *bed) run(server *mail.Server, trust *tls.Config) (l *mail.Loop, stop func()) {
	x.t.Helper()
	l = mail.New(mail.Config{Service: x.Mail, Server: server, Trust: trust})
	x.OnCommit(l.Wake)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			x.t.Error(err)
		}
	})
	x.t.Cleanup(stop)
	return l, stop
}

func (x *bed) book(person string, hour int) record.Booking {
	x.t.Helper()
	b, err := x.Book(x.t.Context(), x.api, record.BookInput{
		EventType: "cut", Start: monday.Add(time.Duration(hour) * time.Hour).Format(time.RFC3339),
		Invitee: record.Invitee{Name: person, Email: person + "@mail.example", TimeZone: "America/New_York"},
	})
	x.must(err)
	return b
}

func (x *bed) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// log is the log, the oldest first.
func (x *bed) log() []mail.Mail {
	x.t.Helper()
	limit := 100
	page, err := x.Mail.Mails(x.t.Context(), app.Operator(x.ws.ID), mail.ListInput{Limit: &limit})
	x.must(err)
	slices.Reverse(page.Data)
	return page.Data
}

// until waits for a condition that a loop brings about.
func until(t testing.TB, what string, true func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !true(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// tried waits until the only mail of a person has been tried so often, and returns it.
func (x *bed) tried(person string, attempts int) (found mail.Mail) {
	x.t.Helper()
	until(x.t, person+" is tried", func() bool {
		for _, m := range x.log() {
			if strings.HasPrefix(m.To, person+"@") && m.Attempts == attempts && m.Lease == 0 {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

// listenForMail is a port of the loopback where a workspace's own mail server may be.
func listenForMail(t testing.TB) net.Listener {
	t.Helper()
	for range 50 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.%d.%d.%d:2525", 1+rand.IntN(250), rand.IntN(250), 1+rand.IntN(250)))
		if err == nil {
			t.Cleanup(func() { l.Close() })
			return l
		}
	}
	t.Fatal("no address of the loopback is free")
	return nil
}

// listen is a port for mails that takes connections and says no more than a banner to them.
func listen(t testing.TB, banner string) string {
	t.Helper()
	l := listenForMail(t)
	var open []net.Conn
	var mu sync.Mutex
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			c.Write([]byte(banner)) //nolint:errcheck // whoever asks may have gone
		}
	}()
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range open {
			c.Close()
		}
	})
	return l.Addr().String()
}
