package webhook_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/webhook"
)

// TestMain is also the process that the tests of this file kill: it sends, and if told so books, until then.
func TestMain(m *testing.M) {
	if place := os.Getenv("DAYBOOK_TEST_WORKER"); place != "" {
		work(place)
	}
	os.Exit(m.Run())
}

func work(place string) {
	var t fatal
	b := openBed(t, place)
	o := webhook.Options{Allow: loopback}
	if os.Getenv("DAYBOOK_TEST_SOLE") != "" {
		if _, err := b.Upkeep.TakeOver(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if os.Getenv("DAYBOOK_TEST_HASTE") != "" {
		hasty(&o)
	}
	l := webhook.New(b.Webhook, o)
	b.OnCommit(l.Wake)
	if from, err := strconv.ParseInt(os.Getenv("DAYBOOK_TEST_BOOK"), 10, 64); err == nil {
		b.slot.Store(from)
		for range 4 {
			go func() {
				for ; ; time.Sleep(time.Millisecond) { // no faster than it is told
					k, err := b.book()
					if err != nil {
						t.Fatal(err)
					}
					fmt.Println(k.ID) // acknowledged
				}
			}()
		}
	}
	t.Fatal(l.Run(context.Background()))
}

// hasty retries and reclaims soon.
func hasty(o *webhook.Options) {
	o.Timeout, o.Slack = time.Second, 500*time.Millisecond
	for range 12 {
		o.Retry = append(o.Retry, 50*time.Millisecond)
	}
}

// fatal is a testing.TB for the process that is no test.
type fatal struct{ testing.TB }

func (fatal) Helper()        {}
func (fatal) Cleanup(func()) {}
func (fatal) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(3)
}

// worker starts a process on the file; kill -9 ends it, and answers what it printed.
func worker(t *testing.T, place string, env ...string) (kill func() []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "DAYBOOK_TEST_WORKER="+place), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan []string, 1)
	go func() {
		text, _ := io.ReadAll(bufio.NewReader(out))
		whole, _, _ := cutLast(string(text), "\n")
		lines <- strings.Fields(whole)
	}()
	var once sync.Once
	var printed []string
	kill = func() []string {
		once.Do(func() {
			cmd.Process.Kill()
			printed = <-lines
			if cmd.Wait(); cmd.ProcessState.ExitCode() == 3 {
				t.Error("the worker failed")
			}
		})
		return printed
	}
	t.Cleanup(func() { kill() })
	return kill
}

func cutLast(text, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return "", text, false
}

// Of every acknowledged change the receiver hears at least once, and the log has it delivered exactly once, however
// often and whenever the process is killed.
func TestKilled(t *testing.T) {
	b := newBed(t)
	place := b.Place
	var mu sync.Mutex
	told := map[string]int{}
	r := newReceiver(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(rand.N(8 * time.Millisecond)) // so that there is always something under way
		if rand.N(10) == 0 {
			w.WriteHeader(500)
			return
		}
		mu.Lock()
		told[r.Header.Get("Webhook-Id")]++
		mu.Unlock()
	})
	b.endpoint(r.URL + "/a")
	b.endpoint(r.URL + "/b")
	acknowledged := map[string]bool{}
	for round := range 5 {
		env := []string{"DAYBOOK_TEST_HASTE=1", "DAYBOOK_TEST_BOOK=" + strconv.Itoa(round*20_000)}
		if round%2 == 0 {
			env = append(env, "DAYBOOK_TEST_SOLE=1") // else the leases must run out
		}
		kill := worker(t, place, env...)
		n := len(r.all())
		apptest.Eventually(t, "deliveries are under way", func() bool { return len(r.all()) > n+20 })
		time.Sleep(rand.N(300 * time.Millisecond))
		for _, id := range kill() {
			acknowledged[id] = true
		}
	}
	b.run(hasty)
	apptest.Eventually(t, "the queue is empty", func() bool {
		waiting, err := b.Webhook.WaitingEndpoints(t.Context())
		return err == nil && len(waiting) == 0
	})
	mu.Lock()
	defer mu.Unlock()
	b.checkLog(acknowledged, told, 2)
}

// checkLog holds the events, the log and what the receiver heard against what was acknowledged.
func (b *bed) checkLog(acknowledged map[string]bool, told map[string]int, endpoints int) {
	b.T.Helper()
	delivered := map[booking.EventID]int{}
	for last := booking.DeliveryID(0); ; {
		all, err := b.Store.Deliveries(b.API.Workspace, webhook.DeliveryFilter{After: last, Limit: 100})
		if err != nil {
			b.T.Fatal(err)
		}
		for _, d := range all {
			last = d.ID
			if delivered[d.EventID]++; d.State != webhook.DeliveryDelivered {
				b.T.Errorf("%s is %s", d.ID, d.State)
			}
		}
		if len(all) == 0 {
			break
		}
	}
	events, err := b.Store.EventsAfter(b.API.Workspace, 0, 1<<30)
	if err != nil {
		b.T.Fatal(err)
	}
	again := 0
	for _, e := range events {
		delete(acknowledged, e.BookingID.String())
		if delivered[e.ID] != endpoints || told[e.ID.String()] < endpoints {
			b.T.Errorf("event %s: delivered %d times in the log, heard %d times", e.ID, delivered[e.ID], told[e.ID.String()])
		}
		again += told[e.ID.String()] - endpoints
	}
	if len(acknowledged) > 0 || len(delivered) != len(events) {
		b.T.Errorf("%d acknowledged bookings have no event; %d events, %d in the log", len(acknowledged), len(events), len(delivered))
	}
	b.T.Logf("%d events, each to %d endpoints; %d heard again", len(events), endpoints, again)
}

func TestContestTwoProcessesSendNothingTwice(t *testing.T) {
	b := newBed(t)
	place := b.Place
	var mu sync.Mutex
	told := map[string]int{}
	r := newReceiver(t, func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		told[r.Header.Get("Webhook-Id")]++
	})
	b.endpoint(r.URL)
	acknowledged := map[string]bool{}
	for range 300 {
		acknowledged[b.mustBook().ID.String()] = true
	}
	worker(t, place)
	worker(t, place)
	for range 300 { // while they send
		acknowledged[b.mustBook().ID.String()] = true
	}
	apptest.Eventually(t, "the queue is empty", func() bool {
		waiting, err := b.Webhook.WaitingEndpoints(t.Context())
		return err == nil && len(waiting) == 0
	})
	mu.Lock()
	defer mu.Unlock()
	b.checkLog(acknowledged, told, 1)
	for id, n := range told {
		if n != 1 {
			t.Errorf("%s was sent %d times", id, n)
		}
	}
}

func TestShutdownGivesBackWhatIsNotSent(t *testing.T) {
	b := newBed(t)
	arrived := make(chan bool, 64)
	r := newReceiver(t, func(_ http.ResponseWriter, r *http.Request) {
		arrived <- true
		<-r.Context().Done()
	})
	b.endpoint(r.URL)
	_, stop := b.run(func(o *webhook.Options) { o.Grace = 20 * time.Millisecond; o.PerEndpoint = 2 })
	for range 4 {
		b.mustBook()
	}
	<-arrived
	began := time.Now()
	stop()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("stopping took %v", took)
	}
	for _, d := range b.deliveries("") {
		if d.State != webhook.DeliveryPending || d.Attempts != 0 || d.NextAttemptAt == 0 {
			t.Errorf("not given back: %+v", d)
		}
	}
}

// The loop's look ends with the loop.
func TestLooksEndWithTheirContext(t *testing.T) {
	b := newBed(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Webhook.WaitingEndpoints(ended); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}
