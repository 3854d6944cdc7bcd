package fault

import (
	"errors"
	"sync"
	"time"
)

// seldomEvery is how often a failure that repeats is logged.
const seldomEvery = time.Minute

// Seldom keeps a repeated failure from filling the log. The zero value is ready.
type Seldom struct {
	mu   sync.Mutex
	last time.Time
	text string
	kept int
}

// Say reports whether to log a failure: the first one, one that differs from the last, or the same one a minute later.
// repeated is how many were left out since then.
func (s *Seldom) Say(err error) (repeated int, say bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, now := err.Error(), time.Now()
	if text == s.text && now.Sub(s.last) < seldomEvery {
		s.kept++
		return 0, false
	}
	repeated, s.kept, s.text, s.last = s.kept, 0, text, now
	return repeated, true
}

// Over notes that the operation works again, and reports whether it had failed.
func (s *Seldom) Over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	failed := s.text != ""
	s.text, s.kept = "", 0
	return failed
}

// Logged marks err as already logged, in words for the operator, so that it is not logged again with the response.
func Logged(err error) error { return &logged{err} }

type logged struct{ error }

func (l *logged) Unwrap() error { return l.error }

// IsLogged reports whether err was marked by Logged.
func IsLogged(err error) bool { return errors.As(err, new(*logged)) }
