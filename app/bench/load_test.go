package bench_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/bench"
)

// server answers as Daybook does, as far as a run asks, and counts.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	starts map[string]int // of bookings, by event type and start
	asked  map[string]int // by method and path without ids
	booked atomic.Int64
	every  int64 // one of so many bookings fails; 0 is none
	breaks bool  // the connection of every 50th request
	n      atomic.Int64
	takes  time.Duration // each booking
}

func newServer(t *testing.T) *server {
	s := &server{starts: map[string]int{}, asked: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) target(t *testing.T) bench.Target {
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return bench.Target{URL: u, Slug: "bench-1", Key: "dbk_1"}
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	path := r.Method + " " + r.URL.Path
	if strings.HasPrefix(path, "GET /api/v1/bookings/") {
		path = "GET /api/v1/bookings/{id}"
	}
	s.mu.Lock()
	s.asked[path]++
	s.mu.Unlock()
	if s.breaks && strings.HasPrefix(r.URL.Path, "/api/") && s.n.Add(1)%50 == 0 {
		panic(http.ErrAbortHandler)
	}
	if r.URL.Path != "/metrics" && r.Header.Get("Authorization") != "Bearer dbk_1" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Set("Server-Timing", "app;dur=0.010")
	switch {
	case path == "POST /api/v1/bookings":
		s.mu.Lock()
		text := string(body)
		s.starts[text[:strings.Index(text, `,"invitee"`)]]++
		s.mu.Unlock()
		<-time.After(s.takes)
		n := s.booked.Add(1)
		if s.every > 0 && n%s.every == 0 {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"id":"bk_%d","contact":{}}`, n)
	case r.URL.Path == "/metrics":
		fmt.Fprintf(w, "# a\ngo_sched_gomaxprocs_threads 2\nprocess_cpu_seconds_total %v\n", float64(s.n.Add(1))/1000)
	default:
		fmt.Fprint(w, strings.Repeat("x", 5000)) // chunked
	}
}

func options() bench.Options {
	return bench.Options{Clients: 3, Duration: 1500 * time.Millisecond, Progress: func(string) {},
		Commit: func() error { return nil }}
}

func TestRunAsksForEverything(t *testing.T) {
	s := newServer(t)
	o := options()
	o.Disk = t.TempDir()
	r, err := bench.Run(t.Context(), s.target(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Paths) != 6 || r.Commit.P50 <= 0 || r.Network.P50 <= 0 || r.Guests == 0 || len(r.Verdict) == 0 {
		t.Errorf("%+v", r)
	}
	for _, p := range r.Paths {
		if p.Requests < 1 || p.Errors != 0 || p.PerSecond <= 0 || p.P50 <= 0 || p.P50 > p.P95 || p.P95 > p.P99 || p.P99 > p.Max ||
			p.Server == nil || *p.Server != 0.010 || p.Processor == nil || p.Busy == nil {
			t.Errorf("%+v", p)
		}
	}
	for _, path := range []string{"GET /api/v1/bookings/{id}", "GET /api/v1/bookings", "GET /api/v1/availability", "POST /api/mcp",
		"GET /bench-1/with-0", "GET /healthz"} {
		if s.asked[path] == 0 {
			t.Errorf("never asked: %s of %v", path, s.asked)
		}
	}
	if int64(r.Bookings) != s.booked.Load() || r.Bookings > 1000+64 {
		t.Errorf("%d bookings, %d were made", r.Bookings, s.booked.Load())
	}
	for start, n := range s.starts {
		if n > 1 {
			t.Errorf("%d bookings of %s", n, start)
		}
	}
}

func TestRunCountsErrors(t *testing.T) {
	s := newServer(t)
	s.every, s.breaks = 10, true
	r, err := bench.Run(t.Context(), s.target(t), options())
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Paths[0]; p.Errors == 0 || p.Requests == 0 || p.Error == "" || !strings.Contains(r.Verdict[0], "failed") {
		t.Errorf("%+v %q", p, r.Verdict)
	}
}

// A slow server isn't asked for longer than the run is to take.
func TestRunOfASlowServer(t *testing.T) {
	s := newServer(t)
	s.takes = 50 * time.Millisecond
	o := options()
	o.Clients = 1
	if r, err := bench.Run(t.Context(), s.target(t), o); err != nil || r.Bookings >= 64 {
		t.Errorf("%+v: %v", r, err)
	}
}

func TestRunEnds(t *testing.T) {
	s := newServer(t)
	o := options()
	o.Duration = time.Minute
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	o.Progress = func(what string) {
		if what == "book" {
			time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
		}
	}
	began := time.Now()
	if _, err := bench.Run(ctx, s.target(t), o); !errors.Is(err, why) || time.Since(began) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	s = newServer(t)
	s.every = 1
	if _, err := bench.Run(t.Context(), s.target(t), options()); err == nil {
		t.Error("a server that books nothing was measured")
	}
}

func TestCheck(t *testing.T) {
	s := newServer(t)
	to := s.target(t)
	if err := bench.Check(t.Context(), to, "a.db"); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"an older server": {func(http.ResponseWriter, *http.Request) {}, "older version"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://salon.example"+r.URL.Path, http.StatusMovedPermanently)
		}, "leads to https://salon.example: give"},
		"another database": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
			"another database than a.db"},
		"no Daybook": {http.NotFound, "answered 404"},
	} {
		other := httptest.NewServer(c.answer)
		to.URL, _ = url.Parse(other.URL)
		if err := bench.Check(t.Context(), to, "a.db"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		other.Close()
	}
	if err := bench.Check(t.Context(), to, "a.db"); err == nil || !strings.Contains(err.Error(), "no server answers at") {
		t.Error("nobody there:", err)
	}
}
