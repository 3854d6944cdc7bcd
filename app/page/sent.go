package page

import (
	"context"
	"sync"
	"time"
)

// submission is one form and what it asks for. The key was made when the form was shown, so only someone who has the
// form can send it a second time.
type submission struct{ key, of string }

// sent remembers the results of forms for a while, so that sending one twice (a double click, a reload) shows the same
// confirmation twice.
type sent struct {
	now func() time.Time

	mu    sync.Mutex
	forms map[submission]*outcome
	order []*outcome // sorted by at
}

type outcome struct {
	submission
	at   time.Time
	done chan struct{}
	path string // the path of the confirmation; "" if it did not book
}

const (
	sentKept = 30 * time.Minute
	mostSent = 20_000
)

func newSent(now func() time.Time) *sent {
	return &sent{now: now, forms: map[submission]*outcome{}}
}

// begin returns the path of the form's confirmation if it has already booked, and waits for a submission that is under
// way. Otherwise the caller must call settle with the result. Without a genuine key nothing is remembered.
func (s *sent) begin(ctx context.Context, id submission, genuine bool) (path string, settle func(path string)) {
	if !genuine {
		return "", func(string) {}
	}
	for {
		s.mu.Lock()
		before := s.forms[id]
		if before == nil {
			o := &outcome{submission: id, at: s.now(), done: make(chan struct{})}
			s.keep(o)
			s.mu.Unlock()
			return "", func(path string) { s.settle(o, path) }
		}
		s.mu.Unlock()
		select {
		case <-before.done:
		case <-ctx.Done():
			return "", func(string) {}
		}
		if before.path != "" {
			return before.path, nil
		}
	}
}

func (s *sent) settle(o *outcome, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o.path = path
	if path == "" && s.forms[o.submission] == o {
		delete(s.forms, o.submission)
	}
	close(o.done)
}

// keep adds o and drops what is old or too much.
func (s *sent) keep(o *outcome) {
	for len(s.order) > 0 && (len(s.order) >= mostSent || o.at.Sub(s.order[0].at) > sentKept) {
		if s.forms[s.order[0].submission] == s.order[0] {
			delete(s.forms, s.order[0].submission)
		}
		s.order = s.order[1:]
	}
	s.forms[o.submission] = o
	s.order = append(s.order, o)
}
