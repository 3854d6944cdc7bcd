package serve_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"daybook/app/fault"
	"daybook/app/serve"
)

// begin sends the head of a POST and the beginning of its body.
func (s *running) begin(path string, length int, body string) net.Conn {
	s.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", path, length, body)
	return c
}

func answerOn(t *testing.T, c net.Conn) (*http.Response, string) {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(time.Minute))
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(text)
}

// A body that stops coming is answered 408, whatever the door makes of it, and is no error of the server's.
func TestStalledBody(t *testing.T) {
	s := run(t, serve.Config{Limits: serve.Limits{Read: 300 * time.Millisecond}, Routes: func(mux *http.ServeMux) {
		mux.HandleFunc("/says", func(w http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			http.Error(w, "no: "+fault.As(err).Reason, http.StatusInternalServerError)
		})
		mux.HandleFunc("/silent", func(w http.ResponseWriter, r *http.Request) { io.ReadAll(r.Body) })
		mux.HandleFunc("/api/says", func(w http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(fault.As(err).Code.Status())
			io.WriteString(w, `{"error":{}}`)
		})
	}})
	for _, path := range []string{"/says", "/api/says"} {
		r, text := answerOn(t, s.begin(path, 100, "half"))
		if r.StatusCode != http.StatusRequestTimeout || !strings.Contains(text, "did not come in time") || strings.Contains(text, "no: ") {
			t.Errorf("%s: %d %q", path, r.StatusCode, text)
		}
	}
	answerOn(t, s.begin("/silent", 100, "half"))
	s.stop()
	lines := s.log.lines("request")
	for _, line := range lines {
		if line["level"] != "INFO" {
			t.Errorf("%v", line)
		}
	}
	if len(lines) != 3 {
		t.Errorf("%d requests were logged: %s", len(lines), s.log)
	}
}

// Large bodies that are on their way are bounded together. Short ones, as forms are, go through all the same, and
// those that end give their room back.
func TestLargeBodiesAreBoundedTogether(t *testing.T) {
	const size = 1 << 20
	reading := make(chan struct{}, 100)
	s := run(t, serve.Config{Routes: func(mux *http.ServeMux) {
		mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
			first := make([]byte, size-10)
			if r.ContentLength == size {
				if _, err := io.ReadFull(r.Body, first); err == nil {
					reading <- struct{}{}
				}
			}
			if _, err := io.ReadAll(r.Body); err != nil {
				if e := fault.As(err); e != nil {
					w.WriteHeader(e.Code.Status())
					return
				}
				var ended *http.MaxBytesError
				if !errors.As(err, &ended) {
					w.WriteHeader(http.StatusBadRequest)
				}
			}
		})
	}})
	var held []net.Conn
	for range 32 { // each holds nearly a mebibyte
		held = append(held, s.begin("/", size, strings.Repeat("a", size-10)))
		<-reading
	}
	if r, _ := answerOn(t, s.begin("/", size, strings.Repeat("a", size))); r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one more large body: %d", r.StatusCode)
	}
	if r, _ := answerOn(t, s.begin("/", 5000, strings.Repeat("a", 5000))); r.StatusCode != http.StatusOK {
		t.Errorf("a form: %d", r.StatusCode)
	}
	for _, c := range held {
		fmt.Fprint(c, strings.Repeat("a", 10))
		if r, _ := answerOn(t, c); r.StatusCode != http.StatusOK {
			t.Errorf("one of those: %d", r.StatusCode)
		}
	}
	if r, _ := answerOn(t, s.begin("/", size, strings.Repeat("a", size))); r.StatusCode != http.StatusOK {
		t.Errorf("after them: %d", r.StatusCode)
	}
}

// An upload that stops, or drips, ends soon, though uploads have minutes.
func TestAnUploadHasALeastSpeed(t *testing.T) {
	s := run(t, serve.Config{Limits: serve.Limits{Upload: 200 * time.Millisecond}, Routes: func(mux *http.ServeMux) {
		mux.HandleFunc("/up", func(w http.ResponseWriter, r *http.Request) {
			r, done := serve.Upload(w, r)
			defer done()
			if _, err := io.ReadAll(r.Body); err != nil {
				w.WriteHeader(http.StatusBadRequest)
			}
		})
	}})
	if r, _ := answerOn(t, s.begin("/up", 1<<20, strings.Repeat("a", 1000))); r.StatusCode != http.StatusRequestTimeout {
		t.Errorf("%d", r.StatusCode)
	}
	late := s.begin("/up", 9<<20, strings.Repeat("a", 9<<20-1000))
	began := time.Now()
	if r, _ := answerOn(t, late); r.StatusCode != http.StatusRequestTimeout || time.Since(began) > 20*time.Second {
		t.Errorf("one that stops before its end: %d after %v", r.StatusCode, time.Since(began))
	}
	drips := s.begin("/up", 1<<20, "")
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for tick := time.NewTicker(10 * time.Millisecond); ; {
			select {
			case <-stop:
				return
			case <-tick.C:
				if _, err := drips.Write([]byte("aaaa")); err != nil {
					return
				}
			}
		}
	}()
	if r, _ := answerOn(t, drips); r.StatusCode != http.StatusRequestTimeout {
		t.Errorf("a drip: %d", r.StatusCode)
	}
	if r, _ := answerOn(t, s.begin("/up", 9<<20, strings.Repeat("a", 9<<20))); r.StatusCode != http.StatusOK {
		t.Errorf("a quick one: %d", r.StatusCode)
	}
}
