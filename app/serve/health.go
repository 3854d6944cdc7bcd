package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// NotReady is an error for Config.Ready. Its Reason, one word in lower case, is
// shown to anyone; its cause goes to the log only.
type NotReady struct {
	Reason string
	Err    error
}

func (n *NotReady) Error() string { return n.Reason + ": " + errText(n.Err) }
func (n *NotReady) Unwrap() error { return n.Err }

func errText(err error) string {
	if err == nil {
		return "not ready"
	}
	return err.Error()
}

// health answers 200 "ok" as long as the process can answer.
func (s *server) health(w http.ResponseWriter, r *http.Request) {
	probe(w, r, http.StatusOK, "ok")
}

// readiness answers 200 "ok" when work can be done, and a line for each note
// that there is, else 503 and the reason: stopping, timeout, the word of a
// NotReady, or not_ready.
func (s *server) readiness(w http.ResponseWriter, r *http.Request) {
	if reason := s.unready(r.Context()); reason != "" {
		probe(w, r, http.StatusServiceUnavailable, reason)
		return
	}
	said := "ok"
	for _, note := range s.config.ReadyNotes {
		if text := note(); text != "" {
			said += "\n" + text
		}
	}
	probe(w, r, http.StatusOK, said)
}

func (s *server) unready(ctx context.Context) string {
	if s.draining.Load() {
		return "stopping"
	}
	if s.config.Ready == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	err := s.config.Ready(ctx)
	if err == nil {
		s.notReady.isNew("")
		return ""
	}
	if s.notReady.isNew(err.Error()) {
		s.log.WarnContext(ctx, "not ready", slog.String("error", err.Error()))
	}
	var known *NotReady
	switch {
	case errors.As(err, &known):
		return known.Reason
	case ctx.Err() != nil:
		return "timeout"
	}
	return "not_ready"
}

// lastLogged is what was logged last, so that probes don't fill the log.
type lastLogged struct {
	mu   sync.Mutex
	text string
	at   time.Time
}

// isNew reports whether the text differs from the last one, or the last one is
// a minute old.
func (s *lastLogged) isNew(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text == s.text && time.Since(s.at) < time.Minute {
		return false
	}
	s.text, s.at = text, time.Now()
	return true
}

func probe(w http.ResponseWriter, r *http.Request, status int, word string) {
	if e := stateOf(r.Context()); e != nil {
		e.quiet = true
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	io.WriteString(w, word+"\n") //nolint:errcheck // the client may be gone
}
