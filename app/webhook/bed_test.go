package webhook_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/record"
	"daybook/app/rooms"
	"daybook/app/webhook"
	"daybook/store"
	"daybook/store/enginetest"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// bed is a workspace on a file of its own, with a clock that runs and can be put forward.
type bed struct {
	t     testing.TB
	store *store.Store
	svc   *rooms.Set
	actor app.Actor
	skip  atomic.Int64 // how far the clock was put forward
	slot  atomic.Int64
}

func newBed(t testing.TB) *bed { return openBed(t, enginetest.Place(t), true) }

func openBed(t testing.TB, place string, fill bool) *bed {
	t.Helper()
	b := &bed{t: t, store: store.New(enginetest.OpenAt(t, place))}
	b.svc = rooms.New(rooms.Config{Config: app.Config{Store: b.store, Clock: b.now}, Webhook: webhook.Config{Allow: loopback}})
	if fill {
		b.fill()
	}
	w, err := b.svc.WorkspaceBySlug(t.Context(), "salon")
	if err != nil {
		t.Fatal(err)
	}
	b.actor = app.Actor{Kind: record.ByAPI, Workspace: w.ID}
	return b
}

func (b *bed) now() time.Time { return time.Now().Add(time.Duration(b.skip.Load())) }

func (b *bed) advance(d time.Duration) { b.skip.Add(int64(d)) }

// fill makes a workspace whose only host is free around the clock, for sessions of a minute.
func (b *bed) fill() {
	b.t.Helper()
	w, err := b.svc.CreateWorkspace(context.Background(), app.Operator(0), app.WorkspaceInput{Slug: "salon", Name: "Salon", TimeZone: "UTC"})
	if err != nil {
		b.t.Fatal(err)
	}
	week := map[string][]string{}
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		week[day] = []string{"00:00-24:00"}
	}
	e := catalog.NewEventType()
	e.ID, e.WorkspaceID, e.Slug, e.Title = 2, w.ID, "cut", "Haircut"
	e.DurationMinutes, e.SlotStepMinutes, e.BookingWindowDays, e.MinimumNoticeMinutes = 1, 1, 365, 0
	e.Hosts = []catalog.HostRef{{ID: 1}}
	err = b.store.Write(context.Background(), func(tx app.Tx) error {
		h := catalog.Host{ID: 1, WorkspaceID: w.ID, Name: "Ana", Email: "ana@x.example", TimeZone: "UTC", Active: true, Hours: catalog.Hours{Weekly: week}}
		if err := tx.InsertHost(&h); err != nil {
			return err
		}
		return tx.InsertEventType(&e)
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// book books the next free minute.
func (b *bed) book() (record.Booking, error) {
	n := b.slot.Add(1)
	start := b.now().Truncate(time.Minute).Add(time.Duration(n+5) * time.Minute)
	return b.svc.Book(context.Background(), b.actor, record.BookInput{
		EventType: "cut", Start: start.UTC().Format(time.RFC3339),
		Invitee: record.Invitee{Name: "Bo", Email: "bo" + strconv.FormatInt(n, 10) + "@x.example"},
	})
}

func (b *bed) mustBook() record.Booking {
	b.t.Helper()
	k, err := b.book()
	if err != nil {
		b.t.Fatal(err)
	}
	return k
}

func (b *bed) endpoint(url string, kinds ...string) webhook.NewEndpoint {
	b.t.Helper()
	if kinds == nil {
		kinds = []string{"*"}
	}
	e, err := b.svc.Webhook.CreateEndpoint(context.Background(), b.actor, webhook.EndpointInput{URL: url, Events: kinds})
	if err != nil {
		b.t.Fatal(err)
	}
	return e
}

// run starts a loop that ends with the test, or when stop is called.
func (b *bed) run(with ...func(*webhook.Options)) (l *webhook.Loop, stop func()) {
	b.t.Helper()
	o := webhook.Options{Allow: loopback, Version: "test"}
	for _, f := range with {
		f(&o)
	}
	l = webhook.New(b.svc.Webhook, o)
	b.svc.OnCommit(l.Wake)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			b.t.Error(err)
		}
	})
	b.t.Cleanup(stop)
	return l, stop
}

func (b *bed) deliveries(state string) []webhook.Delivery {
	b.t.Helper()
	limit := 100
	page, err := b.svc.Webhook.Deliveries(context.Background(), b.actor, webhook.ListDeliveriesInput{State: state, Limit: &limit})
	if err != nil {
		b.t.Fatal(err)
	}
	return page.Data
}

// until waits for the newest delivery to fit.
func (b *bed) until(what string, fits func(webhook.Delivery) bool) webhook.Delivery {
	b.t.Helper()
	var d webhook.Delivery
	eventually(b.t, what, func() bool {
		if all := b.deliveries(""); len(all) > 0 {
			d = all[0]
		}
		return fits(d)
	})
	return d
}

func in(state webhook.DeliveryState, attempts int) func(webhook.Delivery) bool {
	return func(d webhook.Delivery) bool { return d.State == state && d.Attempts == attempts }
}

func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out waiting for: %s", what)
		}
	}
}

// receiver keeps what it is sent.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got []received
}

type received struct {
	at     time.Time
	header http.Header
	body   []byte
}

func newReceiver(t testing.TB, answer http.HandlerFunc) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.got = append(r.got, received{time.Now(), req.Header, body})
		r.mu.Unlock()
		if answer != nil {
			answer(w, req)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.got...)
}

func (r *receiver) wait(t testing.TB, n int) []received {
	t.Helper()
	eventually(t, strconv.Itoa(n)+" requests", func() bool { return len(r.all()) >= n })
	return r.all()
}

func eventOf(t testing.TB, body []byte) (id, kind, booking string) {
	t.Helper()
	var e struct {
		ID, Event string
		Data      struct{ ID string }
	}
	if err := json.Unmarshal(body, &e); err != nil {
		t.Fatal(err)
	}
	return e.ID, e.Event, e.Data.ID
}
