package fault

import (
	"sync"
	"time"
)

// seldomEvery is how often what goes on failing is logged.
const seldomEvery = time.Minute

// Seldom keeps a failure that repeats itself from filling the log. The zero value is ready.
type Seldom struct {
	mu   sync.Mutex
	last time.Time
	text string
	kept int
}

// Say reports whether a failure is to be logged: the first one, another than the last, or the same again after a
// minute. repeated is how many were kept back since.
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

// Over notes that it works again, and reports whether it had failed.
func (s *Seldom) Over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	failed := s.text != ""
	s.text, s.kept = "", 0
	return failed
}
