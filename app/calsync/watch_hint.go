package calsync

import (
	"context"
	"crypto/subtle"
	"errors"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

// WatchCall is what an account sends when it calls.
type WatchCall struct {
	Watch string // what it calls the watch
	Token string
	Event WatchEvent
}

// WatchEvent says what has happened.
type WatchEvent string

const (
	Changed  WatchEvent = ""       // the calendar has changed, or changes may have been missed
	Removed  WatchEvent = "gone"   // the account has ended the watch
	Expiring WatchEvent = "expire" // the account wants it to be renewed, or it won't call any more
)

const (
	pause      = 5 * time.Second // between two readings for hints
	waitingFor = 2 * time.Minute // that a hint is kept while the connection is read
	mostWait   = 10_000
)

// Hint handles a call of an account: the connection is read soon. A call with an unknown watch or a wrong token does
// nothing, and is no error. The error is that of the database.
func (s *Service) Hint(ctx context.Context, k Kind, c WatchCall) error {
	w, err := s.Reader(ctx).CalendarWatch(k, c.Watch)
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	known := err == nil && len(w.Hash) > 0
	if subtle.ConstantTimeCompare(hashed(c.Token), w.Hash) != 1 || !known {
		return nil
	}
	now := when.At(s.Now())
	if c.Event == Removed || c.Event == Expiring {
		err := s.Quietly(ctx, func(tx Tx) error { return tx.HastenCalendarWatch(&w, now, c.Event == Removed) })
		if err != nil || c.Event == Expiring {
			return err
		}
	}
	return s.hint(ctx, w.Connection, now, now)
}

// hint makes a connection due for a call that came at a time. While it is read, that is done afterwards.
func (s *Service) hint(ctx context.Context, c ConnectionID, came, now when.Instant) error {
	done := false
	err := s.Write(ctx, func(tx Tx) (err error) {
		done, err = tx.HintCalendarConnection(c, now, pause)
		return err
	})
	if err != nil {
		return err
	}
	s.watches.mu.Lock()
	defer s.watches.mu.Unlock()
	_, waits := s.watches.waiting[c]
	switch {
	case done || now >= came.Add(waitingFor):
		delete(s.watches.waiting, c)
	case !waits && len(s.watches.waiting) < mostWait || waits && came > s.watches.waiting[c]:
		s.watches.waiting[c] = came
	}
	return nil
}

// hintAgain makes connections due whose hints came while they were read.
func (s *Service) hintAgain(ctx context.Context, now when.Instant) error {
	s.watches.mu.Lock()
	all := make(map[ConnectionID]when.Instant, len(s.watches.waiting))
	for c, came := range s.watches.waiting {
		all[c] = came
	}
	s.watches.mu.Unlock()
	for c, came := range all {
		if err := s.hint(ctx, c, came, now); err != nil {
			return err
		}
	}
	return nil
}
