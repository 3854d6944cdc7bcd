// Package smstest has stand-ins for the services by which texts are sent: Twilio, seven.io and SMS Gateway for Android.
// Each refuses what its documents say that it refuses, keeps what it took, posts signed delivery reports and messages
// of people, and fails in the ways in which the real one can: it hangs, loses an answer after the work is done, asks to
// wait. They know nothing of Daybook, and sign by code of their own.
package smstest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// Trouble is a way in which a service fails once.
type Trouble int

const (
	Hang     Trouble = iota + 1 // it reads the request, does nothing and never answers
	Lose                        // it does the work and hangs up without an answer
	Late                        // it does the work and never answers
	Broken                      // 503
	Limited                     // 429, with Retry-After: 7
	Timeout                     // 408
	Redirect                    // 302 to Elsewhere
	Huge                        // it does the work and answers far too much
	Garbage                     // it does the work and answers what is no JSON
)

// Elsewhere is where a Redirect leads.
const Elsewhere = "/elsewhere"

// Sent is a text that the service took.
type Sent struct {
	ID, To, From, Text, Reference, Callback string
	State                                   string // in the service's words
}

// Service is what the stand-ins share.
type Service struct {
	mu       sync.Mutex
	sent     []*Sent
	troubles []Trouble
	calls    int
	moved    int
}

// Fail makes the next requests fail, one after another.
func (s *Service) Fail(next ...Trouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.troubles = append(s.troubles, next...)
}

// Sent returns what was taken.
func (s *Service) Sent() (all []Sent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.sent {
		all = append(all, *m)
	}
	return all
}

// Last returns what was taken last.
func (s *Service) Last(t testing.TB) Sent {
	t.Helper()
	all := s.Sent()
	if len(all) == 0 {
		t.Fatal("nothing was sent")
	}
	return all[len(all)-1]
}

// Calls returns how many requests came, those that failed too, and how many went to Elsewhere.
func (s *Service) Calls() (all, elsewhere int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls, s.moved
}

// Become sets the state of a text.
func (s *Service) Become(id, state string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.sent {
		if m.ID == id {
			m.State = state
		}
	}
}

func (s *Service) keep(m Sent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, &m)
}

func (s *Service) find(is func(*Sent) bool) *Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.sent {
		if is(m) {
			found := *m
			return &found
		}
	}
	return nil
}

func (s *Service) trouble(r *http.Request) Trouble {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if r.URL.Path == Elsewhere {
		s.moved++
	}
	if len(s.troubles) == 0 {
		return 0
	}
	next := s.troubles[0]
	s.troubles = s.troubles[1:]
	return next
}

// serve answers as the service does, or fails.
func (s *Service) serve(w http.ResponseWriter, r *http.Request, work http.HandlerFunc) {
	trouble := s.trouble(r)
	body := &strings.Builder{}
	if _, err := copyBody(body, r); err != nil {
		return
	}
	again := r.Clone(r.Context())
	again.Body = bodyOf(body.String())
	done := func() { work(httptest.NewRecorder(), again) }
	switch trouble {
	case Hang:
		<-r.Context().Done()
	case Late:
		done()
		<-r.Context().Done()
	case Lose:
		done()
		if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
			c.Close()
		}
	case Broken:
		http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
	case Limited:
		w.Header().Set("Retry-After", "7")
		answer(w, http.StatusTooManyRequests, map[string]any{"code": 20429, "message": "Too Many Requests", "status": 429})
	case Timeout:
		http.Error(w, "Request Timeout", http.StatusRequestTimeout)
	case Redirect:
		http.Redirect(w, r, Elsewhere, http.StatusFound)
	case Huge:
		done()
		w.WriteHeader(http.StatusOK)
		w.Write([]byte(`{"id":"` + strings.Repeat("x", 4<<20)))
	case Garbage:
		done()
		w.WriteHeader(http.StatusOK)
		w.Write([]byte("<html>Welcome to the Wi-Fi of the hotel"))
	default:
		work(w, again)
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

// Start serves a stand-in until the test is over, and returns its address.
func Start(t testing.TB, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// Post sends what a stand-in has made, and returns the status of the answer.
func Post(t testing.TB, r *http.Request) int {
	t.Helper()
	c := &http.Client{Timeout: 30 * time.Second}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// e164 is a number as the services take it.
var e164 = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)
