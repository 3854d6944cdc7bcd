package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// inbox is what a script's webhook receiver got.
type inbox struct {
	mu      sync.Mutex
	text    []string
	arrived chan struct{} // holds one when text has grown
}

var inboxes sync.Map // by the script's folder and name

func receive(ts *testscript.TestScript, _ bool, args []string) {
	status := http.StatusOK
	if len(args) > 1 {
		var err error
		status, err = strconv.Atoi(args[1])
		ts.Check(err)
	}
	in := &inbox{arrived: make(chan struct{}, 1)}
	inboxes.Store(ts.Getenv("WORK")+args[0], in)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		in.mu.Lock()
		in.text = append(in.text, fmt.Sprintf("%s %s\n%s\n", r.UserAgent(), r.Header.Get("X-Service-Signature"), body))
		in.mu.Unlock()
		select {
		case in.arrived <- struct{}{}:
		default:
		}
		w.WriteHeader(status)
	}))
	ts.Defer(srv.Close)
	ts.Setenv(args[0]+"_URL", srv.URL)
}

func received(ts *testscript.TestScript, _ bool, args []string) {
	found, _ := inboxes.Load(ts.Getenv("WORK") + args[0])
	in := found.(*inbox)
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	for late := time.After(30 * time.Second); ; {
		in.mu.Lock()
		text := in.text
		in.mu.Unlock()
		if len(text) == want {
			for _, one := range text {
				io.WriteString(ts.Stdout(), one)
			}
			return
		}
		if len(text) > want {
			ts.Fatalf("%d requests, want %d: %q", len(text), want, text)
		}
		select {
		case <-in.arrived:
		case <-late:
			ts.Fatalf("%d requests in 30 s, want %d: %q", len(text), want, text)
		}
	}
}

// eventually runs a command until its output fits; a process tells of its change by nothing else, so it is asked again.
func eventually(ts *testscript.TestScript, _ bool, args []string) {
	fits := regexp.MustCompile(args[0])
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		ts.Check(ts.Exec(args[1], args[2:]...))
		if out := ts.ReadFile("stdout"); fits.MatchString(out) {
			return
		} else if time.Now().After(deadline) {
			ts.Fatalf("%s never fitted: %s", args[0], out)
		}
	}
}
