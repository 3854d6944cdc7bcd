package serve_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/serve"
)

// events sends one event and then waits for end.
func events(end func(r *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: hello\n\n")
		w.(http.Flusher).Flush()
		end(r)
	}
}

// open opens a stream and reads its first event.
func (s *running) open(path string) *http.Response {
	s.t.Helper()
	res, err := http.Get(s.url + path)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { res.Body.Close() })
	if line, err := bufio.NewReader(res.Body).ReadString('\n'); line != "data: hello\n" {
		s.t.Fatalf("first event %q, %v", line, err)
	}
	return res
}

func TestOpenStreamsDoNotHoldUpTheStop(t *testing.T) {
	t.Parallel()
	s := run(t, serve.Config{Routes: func(mux *http.ServeMux) {
		mux.Handle("GET /api/sse", serve.Stream(events(func(r *http.Request) { <-r.Context().Done() })))
	}})
	for range 5 {
		s.open("/api/sse")
	}
	began := time.Now()
	if err := s.stop(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("streams that end with their context took %v to stop", took)
	}
	if n := len(s.log.lines("request")); n != 5 {
		t.Errorf("%d access lines after the stop, want 5", n)
	}
}

// A stream that neither Stream nor its own context ends is cut off.
func TestStubbornStreamsAreCutOffWithin10s(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	var hookBefore atomic.Bool
	s := run(t, serve.Config{
		Routes: func(mux *http.ServeMux) {
			mux.Handle("GET /stubborn", serve.Stream(events(func(*http.Request) { <-release })))
			mux.Handle("GET /plain", events(func(*http.Request) { <-release }))
		},
		OnShutdown: []func(context.Context){
			func(ctx context.Context) { hookBefore.Store(true); <-ctx.Done() },
			func(context.Context) { panic("a hook") },
		},
	})
	a, b := s.open("/stubborn"), s.open("/plain")
	began := time.Now()
	err := s.stop()
	took := time.Since(began)
	if err != nil || took >= 10*time.Second {
		t.Errorf("Run: %v after %v, want nil within 10 s", err, took)
	}
	for _, res := range []*http.Response{a, b} {
		if _, err := io.ReadAll(res.Body); err == nil {
			t.Errorf("%s ended as if it were whole", res.Request.URL.Path)
		}
	}
	if !hookBefore.Load() {
		t.Error("OnShutdown was not called")
	}
}

func TestARequestUnderWayIsAnswered(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	s := run(t, serve.Config{
		Routes: routes(map[string]http.HandlerFunc{"GET /slow": func(w http.ResponseWriter, r *http.Request) {
			close(entered)
			<-release
			if r.Context().Err() != nil {
				t.Error("the request's context ended with the server's")
			}
			io.WriteString(w, "done")
		}}),
		OnShutdown: []func(context.Context){func(context.Context) { close(release) }},
	})
	got := make(chan string, 1)
	go func() {
		res, err := http.Get(s.url + "/slow")
		if err != nil {
			got <- err.Error()
			return
		}
		defer res.Body.Close()
		b, _ := io.ReadAll(res.Body)
		got <- string(b)
	}()
	<-entered
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if g := <-got; g != "done" {
		t.Errorf("got %q", g)
	}
}

func TestLoopsRestartAndAreAwaited(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	var ended atomic.Bool
	var once atomic.Int32
	s := run(t, serve.Config{Loops: []serve.Loop{
		{Name: "flaky", Run: func(ctx context.Context) error {
			switch tries.Add(1) {
			case 1:
				return errors.New("the first time")
			case 2:
				panic("the second time")
			}
			<-ctx.Done()
			time.Sleep(50 * time.Millisecond) // what it was doing
			ended.Store(true)
			return ctx.Err()
		}},
		{Name: "once", Run: func(context.Context) error { once.Add(1); return nil }},
	}})
	eventually(t, "a third try", func() bool { return tries.Load() == 3 })
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if !ended.Load() {
		t.Error("Run did not wait for the loop")
	}
	if n := len(s.log.lines("loop failed and will be restarted")); n != 2 {
		t.Errorf("%d restarts in the log, want 2:\n%s", n, s.log)
	}
	if once.Load() != 1 {
		t.Errorf("a loop that was done ran %d times", once.Load())
	}
}

func TestALoopThatWillNotEndIsNamed(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	s := run(t, serve.Config{Loops: []serve.Loop{{Name: "stuck", Run: func(context.Context) error { <-release; return nil }}}})
	began := time.Now()
	err := s.stop()
	if err == nil || !strings.Contains(err.Error(), "stuck") || time.Since(began) >= 10*time.Second {
		t.Errorf("Run: %v after %v", err, time.Since(began))
	}
}

func TestAddressesThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for addr, want := range map[string]string{
		taken.Addr().String(): "another program has this port",
		"192.0.2.1:8080":      "no such address",
		"nonsense":            "cannot listen on nonsense",
	} {
		err := serve.Run(t.Context(), serve.Config{Addr: addr}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", addr, err, want)
		}
	}
}
