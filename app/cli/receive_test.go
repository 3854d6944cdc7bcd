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
	mu   sync.Mutex
	text []string
}

var inboxes sync.Map // by the script's folder and name

func receive(ts *testscript.TestScript, _ bool, args []string) {
	status := http.StatusOK
	if len(args) > 1 {
		var err error
		status, err = strconv.Atoi(args[1])
		ts.Check(err)
	}
	in := &inbox{}
	inboxes.Store(ts.Getenv("WORK")+args[0], in)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		in.mu.Lock()
		in.text = append(in.text, fmt.Sprintf("%s %s\n%s\n", r.UserAgent(), r.Header.Get("X-Service-Signature"), body))
		in.mu.Unlock()
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
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		in.mu.Lock()
		text := in.text
		in.mu.Unlock()
		if len(text) == want {
			for _, one := range text {
				io.WriteString(ts.Stdout(), one)
			}
			return
		}
		if len(text) > want || time.Now().After(deadline) {
			ts.Fatalf("%d requests, want %d: %q", len(text), want, text)
		}
	}
}

func eventually(ts *testscript.TestScript, _ bool, args []string) {
	fits := regexp.MustCompile(args[0])
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		ts.Check(ts.Exec(args[1], args[2:]...))
		if out := ts.ReadFile("stdout"); fits.MatchString(out) {
			return
		} else if time.Now().After(deadline) {
			ts.Fatalf("%s never fitted: %s", args[0], out)
		}
	}
}
