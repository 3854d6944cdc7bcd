package serve_test

import (
	"bufio"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daybook/app/serve"
)

// Whoever holds as many connections as may be open silences nobody: one that has been quiet for long is closed, and one
// that is being answered is not.
func TestHeldConnectionsSilenceNobody(t *testing.T) {
	t.Parallel()
	const most = 5
	release, busy := make(chan struct{}), make(chan struct{}, 1)
	s := run(t, serve.Config{Limits: serve.Limits{Connections: most}, Routes: routes(map[string]http.HandlerFunc{
		"GET /slow": func(w http.ResponseWriter, _ *http.Request) { busy <- struct{}{}; <-release },
	})})
	address := strings.TrimPrefix(s.url, "http://")
	dial := func() net.Conn {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	ask := func(c net.Conn, path string) {
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
	}
	answered := func(c net.Conn) error {
		c.SetReadDeadline(time.Now().Add(10 * time.Second))
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err == nil {
			res.Body.Close()
		}
		return err
	}
	slow := dial()
	ask(slow, "/slow")
	<-busy
	var closed atomic.Int32
	watch := func(c net.Conn) {
		c.SetReadDeadline(time.Time{})
		c.Read(make([]byte, 1)) // nothing comes any more
		closed.Add(1)
	}
	for range most - 1 {
		c := dial()
		ask(c, "/healthz")
		if err := answered(c); err != nil {
			t.Fatal(err)
		}
		go watch(c)
	}
	for i := range 3 { // more come, one after the other
		c := dial()
		ask(c, "/healthz")
		if err := answered(c); err != nil {
			t.Fatalf("newcomer %d: %v", i, err)
		}
		go watch(c)
		eventually(t, "a quiet connection is closed", func() bool { return closed.Load() == int32(i+1) })
	}
	close(release)
	if err := answered(slow); err != nil {
		t.Errorf("the one that was being answered: %v", err)
	}
}

// That no connection can be taken is logged once, then once a minute, as is everything that goes on failing.
func TestFailedAcceptsDontFillTheLog(t *testing.T) {
	t.Parallel()
	book := &logBook{}
	errs := serve.ErrorLog(slog.New(slog.NewJSONHandler(book, nil)))
	for i := range 50 {
		fmt.Fprintf(errs, "http: Accept error: accept tcp [::]:8080: accept4: too many open files; retrying in %dms\n", 5<<min(i, 7))
	}
	fmt.Fprint(errs, "http: something else\n")
	if n := len(book.lines("http: Accept error: accept tcp [::]:8080: accept4: too many open files; it is tried again each second")); n != 1 {
		t.Errorf("it was logged %d times:\n%s", n, book)
	}
	if n := len(book.lines("http: something else")); n != 1 {
		t.Errorf("another error was logged %d times", n)
	}
}

// The log tells when a server begins to stop, why, and that it has.
func TestTheLogTellsOfAStop(t *testing.T) {
	t.Parallel()
	s := run(t, serve.Config{})
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if n := len(s.log.lines("stopping: open requests are answered first")); n != 1 {
		t.Errorf("no beginning:\n%s", s.log)
	}
	if n := len(s.log.lines("stopped")); n != 1 {
		t.Errorf("no end:\n%s", s.log)
	}
}
