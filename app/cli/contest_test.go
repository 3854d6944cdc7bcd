package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/store/enginetest"
	"daybook/store/pgtest"
)

// cluster is two servers over one PostgreSQL database, with a workspace of roundTheClock.
type cluster struct {
	place, dir, key string
	args            []string // of serve
	nodes           [2]*served
	client          *http.Client
	first           time.Time // the first slot
	voucher         string    // that pays, of killAmidReceipts
}

func startCluster(t *testing.T, place string, hosts int, args ...string) *cluster {
	t.Helper()
	c := newCluster(t, place, hosts, args...)
	for i := range c.nodes {
		c.start(t, i)
	}
	return c
}

// newCluster is a cluster whose servers are not started yet.
func newCluster(t *testing.T, place string, hosts int, args ...string) *cluster {
	t.Helper()
	c := &cluster{
		place: place, dir: t.TempDir(), args: append([]string{"--db", place}, args...),
		client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		first:  time.Now().UTC().Truncate(24 * time.Hour).Add(48 * time.Hour),
	}
	t.Cleanup(c.client.CloseIdleConnections)
	if err := os.WriteFile(filepath.Join(c.dir, "w.yaml"), []byte(roundTheClock(hosts)), 0o600); err != nil {
		t.Fatal(err)
	}
	daybook(t, c.dir, "", "workspace", "apply", "w.yaml", "--db", place, "--new-database")
	out := daybook(t, c.dir, "", "keys", "create", "--workspace", "crash", "--scope", "full", "--name", "load",
		"--rate-limit", "1000000", "--json", "--db", place)
	var key struct{ Key string }
	if err := json.Unmarshal(out, &key); err != nil {
		t.Fatal(err)
	}
	c.key = key.Key
	return c
}

func (c *cluster) start(t *testing.T, node int) {
	t.Helper()
	c.nodes[node] = startServer(t, c.dir, c.args...)
}

// ask sends a request to the server at url: its status and body, or an error when no answer came.
func (c *cluster) ask(url, method, path, body string, headers ...string) (int, []byte, error) {
	req, err := http.NewRequest(method, url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}

// book asks the server at url for slot n of a host, for an e-mail.
func (c *cluster) book(url string, host, n int, email string, headers ...string) (int, []byte, error) {
	start := c.first.Add(time.Duration(n) * 15 * time.Minute).Format(time.RFC3339)
	return c.ask(url, "POST", "/api/v1/bookings",
		fmt.Sprintf(`{"eventType":"e%d","start":%q,"invitee":{"name":"P","email":%q}}`, host, start, email), headers...)
}

// bookings are all that a server tells of, by id. Two of one host at one time fail the test.
func (c *cluster) bookings(t *testing.T, url string) map[string]bool {
	t.Helper()
	ids, taken, cursor := map[string]bool{}, map[string]string{}, ""
	for {
		status, answer, err := c.ask(url, "GET", "/api/v1/bookings?from=2020-01-01&limit=100&cursor="+cursor, "")
		if err != nil || status != http.StatusOK {
			t.Fatalf("%d %s, %v", status, answer, err)
		}
		var page struct {
			Data []struct {
				ID, Start, Status string
				Host              struct{ ID string }
			}
			NextCursor *string
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			t.Fatal(err)
		}
		for _, b := range page.Data {
			slot := b.Host.ID + " " + b.Start
			if other := taken[slot]; other != "" && b.Status == "confirmed" {
				t.Errorf("%s is booked twice: %s and %s", slot, other, b.ID)
			}
			ids[b.ID], taken[slot] = true, b.ID
		}
		if page.NextCursor == nil {
			return ids
		}
		cursor = *page.NextCursor
	}
}

// Two servers, 32 clients each, who all want the same: one gets it, and nobody hears of a failure.
func TestContestOfTwoServers(t *testing.T) {
	const hosts, clients, slots, emails = 32, 32, 16, 4
	c := startCluster(t, enginetest.PlaceOnPostgres(t), hosts)
	var began time.Time
	took := func(what string, requests int) {
		t.Logf("%s: %d requests in %v", what, requests, time.Since(began).Round(time.Millisecond))
	}
	// all runs do for each client of each server at once.
	all := func(do func(url string, node, client int)) {
		var wg sync.WaitGroup
		for node, s := range c.nodes {
			for client := range clients {
				wg.Go(func() { do(s.url, node, client) })
			}
		}
		wg.Wait()
	}

	began = time.Now()
	for slot := range slots {
		var booked atomic.Int64
		all(func(url string, node, client int) {
			email := fmt.Sprintf("s%d-%d-%d@mail.example", slot, node, client)
			status, answer, err := c.book(url, slot%hosts, slot/hosts, email)
			if err != nil || status != http.StatusCreated && status != http.StatusConflict {
				t.Errorf("slot %d: %d %s, %v", slot, status, answer, err)
			}
			if status == http.StatusCreated {
				booked.Add(1)
			}
		})
		if booked.Load() != 1 {
			t.Errorf("slot %d was given to %d", slot, booked.Load())
		}
	}
	took("the same slot", slots*2*clients)

	// Each client has a slot of its own, at 32 hosts; all have one e-mail that nobody knows yet.
	began = time.Now()
	for n := range emails {
		email := fmt.Sprintf("new%d@mail.example", n)
		all(func(url string, node, client int) {
			status, answer, err := c.book(url, client, 10+2*n+node, email)
			if err != nil || status != http.StatusCreated {
				t.Errorf("%s: %d %s, %v", email, status, answer, err)
			}
		})
		status, answer, err := c.ask(c.nodes[0].url, "GET", "/api/v1/contacts?email="+email, "")
		var found struct{ Data []struct{ Bookings int } }
		if err := errors.Join(err, json.Unmarshal(answer, &found)); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s, %v", status, answer, err)
		}
		if len(found.Data) != 1 || found.Data[0].Bookings != 2*clients {
			t.Errorf("contacts of %s: %s, want one with %d bookings", email, answer, 2*clients)
		}
	}
	took("the same new e-mail", emails*2*clients)

	began = time.Now()
	var mu sync.Mutex
	var same []byte
	all(func(url string, _, _ int) {
		status, answer, err := c.book(url, 0, 30, "again@mail.example", "Idempotency-Key", "one")
		mu.Lock()
		defer mu.Unlock()
		if same == nil {
			same = answer
		}
		if err != nil || status != http.StatusCreated || !bytes.Equal(answer, same) {
			t.Errorf("the same key: %d %s, %v, want 201 %s", status, answer, err, same)
		}
	})
	took("the same Idempotency-Key", 2*clients)
	if got, want := len(c.bookings(t, c.nodes[1].url)), slots+emails*2*clients+1; got != want {
		t.Errorf("%d bookings, want %d", got, want)
	}
}

// load is clients that book on both servers, the same slots on either, until stopped.
type load struct {
	*cluster
	hosts        int
	rest         time.Duration // of a client after each answer, where not the load is tried but what happens beside it
	next         [2]atomic.Int64
	mu           sync.Mutex
	acknowledged map[string]bool
	refused      atomic.Int64 // the other server was first
	acks         [2]atomic.Int64
}

// run has clients book on a server until the context is done, or goOn says of another answer than 201 and 409 that
// its client ends. wait returns when all have ended.
func (l *load) run(ctx context.Context, t *testing.T, node, clients int,
	goOn func(status int, answer []byte, err error) bool) (wait func()) {
	t.Helper()
	var wg sync.WaitGroup
	url := l.nodes[node].url
	for range clients {
		wg.Go(func() {
			for ctx.Err() == nil {
				n := int(l.next[node].Add(1))
				status, answer, err := l.book(url, n%l.hosts, n/l.hosts, fmt.Sprintf("p%d-%d@mail.example", node, n))
				switch {
				case err == nil && status == http.StatusConflict:
					l.refused.Add(1)
					l.catchUp(node)
				case err == nil && status == http.StatusCreated:
					var b struct{ ID string }
					if err := json.Unmarshal(answer, &b); err != nil {
						goOn(status, answer, err)
						return
					}
					l.mu.Lock()
					l.acknowledged[b.ID] = true
					l.mu.Unlock()
					l.acks[node].Add(1)
				case !goOn(status, answer, err):
					return
				}
				time.Sleep(l.rest)
			}
		})
	}
	t.Cleanup(wg.Wait) // before the servers end, where the test gives up
	return wg.Wait
}

// catchUp has the clients of a server go on where those of the other one are, if they are behind: they would find every
// slot taken, each just before.
func (l *load) catchUp(node int) {
	for {
		mine, others := l.next[node].Load(), l.next[1-node].Load()
		if mine >= others || l.next[node].CompareAndSwap(mine, others) {
			return
		}
	}
}

// missing are the acknowledged bookings that are not in a set.
func (l *load) missing(in map[string]bool) (ids []string) {
	for id := range l.acknowledged {
		if !in[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// One of two servers is killed under load, again and again: no acknowledged booking is lost, none is made twice, its
// event arrives, and who asks the other server sees nothing of it.
func TestKillOneOfTwoServers(t *testing.T) {
	t.Parallel() // it waits for a lease
	const hosts, clients = 32, 8
	var mu, slow sync.Mutex // slow is held while the receiver does not answer
	told, twice := map[string]bool{}, 0
	var lastTold, lastKill time.Time
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var event struct {
			Event string
			Data  struct{ ID string }
		}
		if err := json.NewDecoder(r.Body).Decode(&event); err != nil || event.Event != "booking.created" {
			t.Errorf("the receiver got %q, %v", event.Event, err)
			return
		}
		slow.Lock()
		slow.Unlock() //lint:ignore SA2001 the test holds it for as long as the receiver shall not answer
		if r.Context().Err() != nil {
			return // the sender was killed: it is told again
		}
		mu.Lock()
		defer mu.Unlock()
		if told[event.Data.ID] {
			twice++
		}
		if !told[event.Data.ID] {
			lastTold = time.Now()
		}
		told[event.Data.ID] = true
	}))
	t.Cleanup(receiver.Close)
	t.Cleanup(func() { slow.TryLock(); slow.Unlock() }) // the test may have given up while it was held
	place := enginetest.PlaceOnPostgres(t)
	c := startCluster(t, place, hosts, "--webhook-allow", "127.0.0.0/8", "--webhook-retry", "100ms,1s,1s")
	daybook(t, c.dir, "", "webhooks", "create", "--workspace", "crash", "--url", receiver.URL,
		"--events", "booking.created", "--webhook-allow", "127.0.0.0/8", "--db", place)
	l := &load{cluster: c, hosts: hosts, acknowledged: map[string]bool{}}
	for round := range *rounds {
		dies := round % 2
		lives := 1 - dies
		if round == *rounds-1 { // what the killed server has claimed is told by the other one when the lease ends
			slow.Lock()
		}
		ctx, stop := context.WithCancel(t.Context())
		waits := []func(){
			l.run(ctx, t, dies, clients, func(status int, answer []byte, err error) bool {
				if err == nil {
					t.Errorf("round %d, the server that will be killed: %d %s", round, status, answer)
				}
				return false
			}),
			l.run(ctx, t, lives, clients, func(status int, answer []byte, err error) bool {
				t.Errorf("round %d, the other server: %d %s, %v", round, status, answer, err)
				return false
			}),
		}
		enough := l.acks[dies].Load() + 5 + rand.Int64N(30) // the moment of the kill is what is tried
		apptest.Eventually(t, "the server that will be killed books", func() bool { return l.acks[dies].Load() >= enough })
		killed := c.nodes[dies].cmd
		lastKill = time.Now()
		if err := killed.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		killed.Wait() // killed: it has no exit code to look at
		enough = l.acks[lives].Load() + 20
		apptest.Eventually(t, "the other server books", func() bool { return t.Failed() || l.acks[lives].Load() >= enough })
		stop()
		for _, wait := range waits {
			wait()
		}
		if round == *rounds-1 {
			slow.Unlock()
		}
		c.start(t, dies)
		// The load of the next round begins where the other server was.
		l.next[dies].Store(l.next[lives].Load())
	}
	for _, s := range c.nodes {
		if gone := l.missing(c.bookings(t, s.url)); gone != nil {
			t.Errorf("acknowledged and gone: %v", gone)
		}
	}
	apptest.Eventually(t, "the events of acknowledged bookings are there", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(l.missing(told)) == 0
	})
	mu.Lock()
	defer mu.Unlock()
	t.Logf("%d rounds: %d bookings acknowledged (%d by one server, %d by the other), %d refused",
		*rounds, len(l.acknowledged), l.acks[0].Load(), l.acks[1].Load(), l.refused.Load())
	t.Logf("told of %d, %d times again; the last %v after the last kill",
		len(told), twice, lastTold.Sub(lastKill).Round(time.Millisecond))
	// What it had claimed is released when its own lease ends, 6 s after it was renewed; the claims last for 25 s.
	if took := lastTold.Sub(lastKill); took > 20*time.Second {
		t.Errorf("what the killed server had claimed is told %v later", took)
	}
}

// PostgreSQL restarts under load: what is asked in its seconds fails, then both servers go on by themselves, and no
// acknowledged booking is lost.
func TestPostgresRestartsUnderLoad(t *testing.T) {
	t.Parallel()
	const hosts, clients = 32, 8
	pgtest.Shared(t) // skips where there is no PostgreSQL
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Remove() })
	place := server.URL("postgres")
	daybook(t, t.TempDir(), "", "migrate", "up", "--db", place)
	c := startCluster(t, place, hosts)
	l := &load{cluster: c, hosts: hosts, acknowledged: map[string]bool{}}
	var failed atomic.Int64
	var away atomic.Bool
	ctx, stop := context.WithCancel(t.Context())
	var waits []func()
	for node := range c.nodes {
		waits = append(waits, l.run(ctx, t, node, clients, func(status int, answer []byte, err error) bool {
			failed.Add(1)
			if err != nil || !away.Load() || status < http.StatusInternalServerError {
				t.Errorf("server %d, PostgreSQL away %v: %d %s, %v", node, away.Load(), status, answer, err)
				return false
			}
			return true
		}))
	}
	both := func(more int64) {
		t.Helper()
		a, b := l.acks[0].Load()+more, l.acks[1].Load()+more
		apptest.Eventually(t, "each server books", func() bool {
			return t.Failed() || l.acks[0].Load() >= a && l.acks[1].Load() >= b
		})
	}
	both(20)
	away.Store(true)
	began := time.Now()
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	apptest.Eventually(t, "requests fail while PostgreSQL is away", func() bool { return t.Failed() || failed.Load() >= 50 })
	if err := server.Run(); err != nil {
		t.Fatal(err)
	}
	runs := time.Now()
	both(1)
	well := time.Since(runs)
	before := failed.Load()
	both(clients) // each client has had the answer that it waited for meanwhile
	away.Store(false)
	both(20)
	stop()
	for _, wait := range waits {
		wait()
	}
	if well > 10*time.Second {
		t.Errorf("both servers book again only %v after PostgreSQL runs", well)
	}
	for _, s := range c.nodes {
		if gone := l.missing(c.bookings(t, s.url)); gone != nil {
			t.Errorf("acknowledged and gone: %v", gone)
		}
		if status := get(t, s.url+"/readyz"); status != http.StatusOK {
			t.Errorf("readyz: %d", status)
		}
	}
	t.Logf("PostgreSQL was away for %v; both servers book again %v later",
		runs.Sub(began).Round(time.Millisecond), well.Round(time.Millisecond))
	t.Logf("%d requests failed, %d of them after that; %d bookings acknowledged",
		failed.Load(), failed.Load()-before, len(l.acknowledged))
}
