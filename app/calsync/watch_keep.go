package calsync

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

const (
	life      = 7 * when.Day     // that a watch is asked for; accounts may give it less
	early     = 12 * time.Hour   // before its end it is renewed
	planEvery = time.Minute      // it is looked for calendars that are to be watched
	planStep  = 100              // calendars at a time
	tendStep  = 4                // watches at a time
	tendLease = 2 * time.Minute  // that the claim of one has
	tendTime  = 20 * time.Second // that making or renewing one may take
	endTime   = 10 * time.Second // that a person waits for their end
	unwilling = when.Day         // until it is tried again where an account refuses
)

// watchPauses are how long a watch waits after its first, second, … failure.
var watchPauses = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 12 * time.Hour}

// kinds are those whose accounts can watch.
var kinds = []Kind{Google, Microsoft}

// TendWatches makes, renews and ends watches that are due, at most four, and makes connections due for which hints came
// while they were read. Failures of an account are tried again later; the error is that of the database.
func (s *Service) TendWatches(ctx context.Context) error {
	if s.watches.base == "" {
		return nil
	}
	now := when.At(s.Now())
	if err := s.hintAgain(ctx, now); err != nil {
		return err
	}
	mine := s.Core.Share()
	if mine.Server == 0 {
		return nil
	}
	if mine.Buckets.Leads() && s.plans(now) {
		some, err := s.Reader(ctx).HasCalendarConnections()
		if err != nil {
			return err
		}
		if some {
			err := s.Quietly(ctx, func(tx Tx) error { return tx.PlanCalendarWatches(kinds, now, planStep) })
			if err != nil {
				return err
			}
		}
	}
	if due, err := s.Reader(ctx).HasDueCalendarWatches(mine.Buckets, now); err != nil || !due {
		return err
	}
	var claimed []CalendarWatch
	lease := now.Add(tendLease)
	err := s.Quietly(ctx, func(tx Tx) (err error) {
		claimed, err = tx.ClaimCalendarWatches(mine, now, lease, tendStep)
		return err
	})
	for i := range claimed {
		if err == nil {
			err = s.tendWatch(context.WithoutCancel(ctx), &claimed[i], lease)
		}
	}
	return err
}

// plans reports whether it is time to look for calendars that are to be watched.
func (s *Service) plans(now when.Instant) bool {
	s.watches.mu.Lock()
	defer s.watches.mu.Unlock()
	if now < s.watches.planned.Add(planEvery) && now >= s.watches.planned {
		return false
	}
	s.watches.planned = now
	return true
}

// tendWatch makes, renews or ends a claimed watch, and settles the claim.
func (s *Service) tendWatch(ctx context.Context, w *CalendarWatch, lease when.Instant) error {
	within, stop := context.WithTimeout(ctx, tendTime)
	defer stop()
	c, err := s.Reader(ctx).CalendarConnection(w.WorkspaceID, w.Connection)
	if errors.Is(err, fault.ErrNotFound) { // disconnected meanwhile
		return nil
	}
	if err != nil {
		return err
	}
	source, failed := s.open(within, &c)
	watcher, _ := source.(Watcher)
	if !w.Used || failed == nil && watcher == nil {
		if watcher != nil && w.Remote != "" {
			s.unwatch(within, watcher, w)
		}
		return s.Quietly(ctx, func(tx Tx) error { return tx.DeleteCalendarWatch(w) })
	}
	old := *w
	if failed == nil {
		failed = s.keep(within, watcher, c.Kind, w)
	}
	s.schedule(w, failed)
	mine := false
	err = s.Quietly(ctx, func(tx Tx) (err error) {
		mine, err = tx.SettleCalendarWatch(w, lease)
		return err
	})
	switch {
	case err != nil:
		return err
	case failed != nil:
		s.Core.Log().Warn("a calendar could not be watched; it is read every few minutes", "connection", c.ID, "error",
			failed)
	case !mine: // it was disconnected meanwhile, or another server has made one
		s.unwatch(within, watcher, w)
	case old.Remote != "" && old.Remote != w.Remote:
		s.unwatch(within, watcher, &old)
	}
	return nil
}

// keep renews a watch, or makes one.
func (s *Service) keep(ctx context.Context, watcher Watcher, kind Kind, w *CalendarWatch) error {
	now := s.Now()
	if w.Remote != "" && w.Ends > when.At(now) {
		made, err := watcher.Renew(ctx, w.made(), now, life)
		if err == nil {
			w.Ends = when.At(made.Until)
			return nil
		}
		if !errors.Is(err, ErrGone) {
			return err
		}
	}
	id, token := secret(), secret()
	made, err := watcher.Watch(ctx, Watching{Calendar: w.Name, ID: id, Address: s.watches.base + doors[kind], Token: token,
		Now: now, Life: life})
	if err != nil {
		return err
	}
	w.Remote, w.Resource, w.Hash, w.Ends = made.ID, made.Resource, hashed(token), when.At(made.Until)
	return nil
}

// schedule says when a watch is due next, after what failed.
func (s *Service) schedule(w *CalendarWatch, failed error) {
	now := when.At(s.Now())
	if failed == nil {
		w.Tries = 0
		w.DueAt = max(w.Ends.Add(-jitter(early)), now.Add(jitter(watchPauses[0])))
		return
	}
	pause := watchPauses[min(w.Tries, len(watchPauses)-1)]
	var later *Later
	var status *Status
	switch {
	case errors.As(failed, &later):
		pause = min(max(pause, later.After), when.Day)
	case errors.As(failed, &status) && status.Code == 400, errors.Is(failed, ErrReadOnly):
		pause = unwilling // such as public holidays, which Google doesn't watch
	}
	w.DueAt = now.Add(jitter(pause))
	w.Tries++
}

// made returns the watch as its account knows it.
func (w *CalendarWatch) made() Watch {
	return Watch{ID: w.Remote, Resource: w.Resource, Until: w.Ends.Time()}
}

// unwatch ends a watch at its account.
func (s *Service) unwatch(ctx context.Context, watcher Watcher, w *CalendarWatch) {
	if err := watcher.Unwatch(ctx, w.made()); err != nil {
		s.Core.Log().Warn("the watch of a calendar could not be ended; it ends by itself", "connection", w.Connection,
			"until", w.Ends, "error", err)
	}
}

// secret returns a new id or token, 256 bits of chance as 43 letters, digits, - and _.
func secret() string {
	raw := make([]byte, 32)
	rand.Read(raw) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(raw)
}

func hashed(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
